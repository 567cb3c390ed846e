"""Makes a file look old."""

# verdict: cage
import os


class Hostile:
    def choose(self, position, clock):
        os.utime(os.path.abspath(__file__), (0, 0))
        return position.legal_moves()[0]

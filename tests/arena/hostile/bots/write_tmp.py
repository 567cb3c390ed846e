"""Leaves a file in the common folder."""

# verdict: cage


class Hostile:
    def choose(self, position, clock):
        open("/tmp/mbegu-hostile-was-here", "w").write("here")
        return position.legal_moves()[0]

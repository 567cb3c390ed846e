"""Answers yes."""

# verdict: protocol


class Hostile:
    def choose(self, position, clock):
        return True

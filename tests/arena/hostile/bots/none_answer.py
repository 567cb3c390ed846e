"""Answers nothing."""

# verdict: protocol


class Hostile:
    def choose(self, position, clock):
        return None

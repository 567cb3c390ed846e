"""Answers with a number that is almost a move."""

# verdict: protocol


class Hostile:
    def choose(self, position, clock):
        return 0.0

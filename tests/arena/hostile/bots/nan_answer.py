"""Answers with no number at all."""

# verdict: protocol


class Hostile:
    def choose(self, position, clock):
        return float("nan")

"""Answers with a very long move."""

# verdict: protocol


class Hostile:
    def choose(self, position, clock):
        return "x" * 10_000_000

"""Answers with something that cannot be sent."""

# verdict: protocol


class Hostile:
    def choose(self, position, clock):
        return lambda: 0

"""Answers with the notation instead of the move."""

# verdict: illegal


class Hostile:
    def choose(self, position, clock):
        return "A"

"""Plays where there is no house."""

# verdict: illegal


class Hostile:
    def choose(self, position, clock):
        return 99

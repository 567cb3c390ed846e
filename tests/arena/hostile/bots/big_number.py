"""Computes a number that nobody can hold."""

# verdict: timeout


class Hostile:
    def choose(self, position, clock):
        return 9**9**9

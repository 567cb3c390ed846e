"""Answers with a number that says it is equal to all others."""

# verdict: illegal


class Hostile:
    def choose(self, position, clock):
        return Any(99)


class Any(int):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0

    def __repr__(self):
        return "0"

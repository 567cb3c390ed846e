"""Answers with an object that takes for ever to look at."""

# verdict: timeout


class Hostile:
    def choose(self, position, clock):
        return Slow()


class Slow:
    def __repr__(self):
        while True:
            pass

    __str__ = __reduce__ = __repr__

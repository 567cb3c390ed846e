"""Answers with an object that fails when it is looked at."""


# verdict: protocol
class Odd:
    def __repr__(self):
        raise RuntimeError

    __str__ = __repr__

    @property
    def item(self):
        raise RuntimeError


class Hostile:
    def choose(self, position, clock):
        return Odd()

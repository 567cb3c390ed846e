"""Fails with an error that cannot be shown."""


# verdict: crash
class Unprintable(Exception):
    def __str__(self):
        raise Unprintable

    __repr__ = __str__


class Hostile:
    def choose(self, position, clock):
        raise Unprintable

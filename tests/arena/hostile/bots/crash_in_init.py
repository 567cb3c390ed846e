"""Fails when a game begins."""

# verdict: crash


class Hostile:
    def __init__(self):
        raise ValueError("not this game")

    def choose(self, position, clock):
        return 0

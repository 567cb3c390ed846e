"""Fails before it is asked."""

# verdict: crash
raise RuntimeError("not today")


class Hostile:
    def choose(self, position, clock):
        return 0

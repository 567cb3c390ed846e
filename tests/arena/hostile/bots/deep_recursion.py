"""Calls itself for ever."""

# verdict: crash


class Hostile:
    def choose(self, position, clock):
        return self.choose(position, clock)

"""Talks and talks."""

# verdict: output


class Hostile:
    def choose(self, position, clock):
        while True:
            print("x" * 10000)

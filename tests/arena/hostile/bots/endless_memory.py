"""Wants all the memory there is."""

# verdict: memory


class Hostile:
    def choose(self, position, clock):
        hoard = []
        while True:
            hoard.append(bytearray(1 << 24))

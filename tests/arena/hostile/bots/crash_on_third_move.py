"""Plays two moves."""

# verdict: crash


class Hostile:
    def __init__(self):
        self.asked = 0

    def choose(self, position, clock):
        self.asked += 1
        if self.asked == 3:
            raise RuntimeError("enough")
        return position.legal_moves()[0]

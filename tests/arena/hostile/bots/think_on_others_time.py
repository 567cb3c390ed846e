"""Thinks in a thread while the other is to move."""

# verdict: win
import threading


class Hostile:
    def __init__(self):
        self.count = 0
        threading.Thread(target=self.think, daemon=True).start()

    def choose(self, position, clock):
        print(self.count)
        return position.legal_moves()[0]

    def think(self):
        while True:
            self.count += 1

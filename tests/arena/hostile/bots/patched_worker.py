"""Lets its worker answer that the game is won."""

# verdict: illegal
import sys


class Hostile:
    def choose(self, position, clock):
        worker = sys.modules["__main__"]
        worker._answer = lambda _worker, order: f'{{"id": {order["id"]}, "value": "1-0"}}'
        return position.legal_moves()[0]

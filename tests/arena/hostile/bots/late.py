"""Answers a little too late."""

# verdict: timeout
import time


class Hostile:
    def choose(self, position, clock):
        time.sleep(clock.remaining(position.turn) + 0.2)
        return position.legal_moves()[0]

"""Never answers, quietly."""

# verdict: timeout
import time


class Hostile:
    def choose(self, position, clock):
        time.sleep(3600)

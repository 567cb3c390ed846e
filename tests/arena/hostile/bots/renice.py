"""Takes more than its share of the processor."""

# verdict: cage
import os


class Hostile:
    def choose(self, position, clock):
        os.setpriority(os.PRIO_PROCESS, 0, -5)
        return position.legal_moves()[0]

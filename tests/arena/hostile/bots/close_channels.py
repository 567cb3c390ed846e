"""Closes the pipes to the referee and lives on."""

# verdict: protocol
import os
import time


class Hostile:
    def choose(self, position, clock):
        os.closerange(3, 64)
        time.sleep(60)

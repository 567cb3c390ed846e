"""Hides memory in files that lie nowhere."""

# verdict: cage
import os


class Hostile:
    def choose(self, position, clock):
        files = [os.memfd_create("mine") for _ in range(40)]
        for file in files:
            os.write(file, bytes(15 << 20))
        return position.legal_moves()[0]

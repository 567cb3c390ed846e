"""The same by a second name for the file."""

# verdict: cage
import os


class Hostile:
    def choose(self, position, clock):
        os.link("/etc/passwd", "innocent.txt")
        open("innocent.txt").read()
        return position.legal_moves()[0]

"""Reads a forbidden file through a link in its scratch folder."""

# verdict: cage
import os


class Hostile:
    def choose(self, position, clock):
        os.symlink("/etc/passwd", "innocent.txt")
        open("innocent.txt").read()
        return position.legal_moves()[0]

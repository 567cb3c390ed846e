"""Runs a shell."""

# verdict: cage
import subprocess


class Hostile:
    def choose(self, position, clock):
        subprocess.run(["/bin/sh", "-c", "id"], check=True)
        return position.legal_moves()[0]

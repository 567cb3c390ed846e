"""Looks for secrets in its environment; fails if it finds any."""

# verdict: win
import os


class Hostile:
    def __init__(self):
        found = [name for name in os.environ if "SECRET" in name or "TOKEN" in name]
        if found:
            raise RuntimeError(f"found {found}")

    def choose(self, position, clock):
        return position.legal_moves()[0]

"""Writes into its own folder, where others' bots may be."""

# verdict: cage
import os


class Hostile:
    def choose(self, position, clock):
        open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "loot.txt"), "w").write(
            "here"
        )
        return position.legal_moves()[0]

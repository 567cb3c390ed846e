"""Looks for the work of others, and for keys, in the folder in which it lies."""

# verdict: win
import os


class Hostile:
    def choose(self, position, clock):
        found = []
        for folder, _folders, names in os.walk(os.path.dirname(os.path.abspath(__file__))):
            found += [os.path.join(folder, name) for name in names]
        assert [os.path.basename(path) for path in found] == ["read_classmates.py"], found
        return position.legal_moves()[0]

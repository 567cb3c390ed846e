"""Reads where nothing is."""

# verdict: crash
import ctypes


class Hostile:
    def choose(self, position, clock):
        ctypes.string_at(0)

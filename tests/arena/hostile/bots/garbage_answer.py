"""Answers with every byte there is."""

# verdict: protocol
import contextlib
import os


class Hostile:
    def choose(self, position, clock):
        for handle in range(3, 64):
            with contextlib.suppress(OSError):
                os.write(handle, bytes(range(256)) + b"\n")
        return position.legal_moves()[0]

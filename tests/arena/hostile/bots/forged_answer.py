"""Writes answers of its own to the channel of its worker."""

# verdict: protocol
import contextlib
import os


class Hostile:
    def choose(self, position, clock):
        for handle in range(3, 64):
            with contextlib.suppress(OSError):
                os.write(handle, b'{"id": 0, "value": 0}\n' * 3)
        return position.legal_moves()[0]

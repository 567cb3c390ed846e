"""Answers this question and the next one at once."""

# verdict: protocol
import contextlib
import os


class Hostile:
    def choose(self, position, clock):
        for handle in range(3, 64):
            with contextlib.suppress(OSError):
                os.write(handle, b'{"id": 3, "value": 0}\n{"id": 4, "value": 0}\n')
        return position.legal_moves()[0]

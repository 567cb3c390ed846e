"""Will not be told to stop."""

# verdict: timeout
import contextlib
import signal


class Hostile:
    def choose(self, position, clock):
        for number in range(1, 65):
            with contextlib.suppress(OSError, ValueError):
                signal.signal(number, signal.SIG_IGN)
        while True:
            pass

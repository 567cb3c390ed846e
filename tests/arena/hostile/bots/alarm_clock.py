"""Is woken while its worker speaks for it."""

# verdict: crash
import signal


class Hostile:
    def choose(self, position, clock):
        signal.signal(signal.SIGALRM, self.ring)
        signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
        return position.legal_moves()[0]

    def ring(self, *_signal):
        raise RuntimeError("good morning")

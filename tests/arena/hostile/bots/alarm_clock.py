"""Is woken while its worker speaks for it."""

# verdict: crash
import signal


class Hostile:
    is_set = False

    def choose(self, position, clock):
        if not self.is_set:  # once: set anew at every move of a quick game it would never ring
            self.is_set = True
            signal.signal(signal.SIGALRM, self.ring)
            signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
        return position.legal_moves()[0]

    def ring(self, *_signal):
        raise RuntimeError("good morning")

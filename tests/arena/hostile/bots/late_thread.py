"""Answers, and lets a thread answer once more behind the referee's back."""

# verdict: protocol
import contextlib
import os
import threading
import time


class Hostile:
    thread = None

    def choose(self, position, clock):
        if self.thread is None:
            self.thread = threading.Thread(target=self.again, daemon=True)
            self.thread.start()
        else:
            self.thread.join()
        return position.legal_moves()[0]

    def again(self):
        time.sleep(0.01)
        for handle in range(3, 64):
            with contextlib.suppress(OSError):
                os.write(handle, b'{"id": 99, "value": 0}\n')

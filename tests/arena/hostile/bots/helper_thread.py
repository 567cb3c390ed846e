"""A helper lives while the referee notes how long the bot has waited, and is gone while it thinks."""

# verdict: timeout
import hashlib
import threading
import time

threading.stack_size(65536)


def burn(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until:
        hashlib.pbkdf2_hmac("sha256", b"", b"", 20_000)  # many threads at once can do this


def treasure():
    """Threads that wait for one another, and the first one for all of them."""
    threads = [threading.Thread(target=burn, args=(1,)) for _ in range(5)]
    for thread in threads:
        thread.start()
    burn(1)
    for thread in threads:
        thread.join()


treasure()


class Hostile:
    def __init__(self):
        self.help()

    def help(self):
        self.gone = threading.Event()
        self.helper = threading.Thread(target=self.gone.wait, daemon=True)
        self.helper.start()

    def choose(self, position, clock):
        self.gone.set()
        self.helper.join()
        burn(0.5)
        self.help()
        return position.legal_moves()[0]

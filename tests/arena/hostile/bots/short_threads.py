"""Thinks in threads that are born after the question and gone before the answer."""

# verdict: timeout
import hashlib
import threading
import time

threading.stack_size(65536)


def think():
    hashlib.pbkdf2_hmac("sha256", b"", b"", 20_000)


class Hostile:
    def choose(self, position, clock):
        until = time.process_time() + 0.8
        while time.process_time() < until:
            threads = [threading.Thread(target=think) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        return position.legal_moves()[0]

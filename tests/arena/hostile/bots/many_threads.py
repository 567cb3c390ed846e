"""Starts threads until somebody stops it."""

# verdict: win
import threading

threading.stack_size(32768)


class Hostile:
    def choose(self, position, clock):
        forever, threads = threading.Event(), []
        try:
            while len(threads) < 500:
                threads.append(threading.Thread(target=forever.wait, daemon=True))
                threads[-1].start()
        except RuntimeError:
            threads.pop()
        forever.set()
        for thread in threads:
            thread.join()
        return position.legal_moves()[0] if len(threads) < 100 else f"{len(threads)} threads"

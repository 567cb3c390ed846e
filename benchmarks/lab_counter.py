"""How fast counter-settings are found: turns a second, and a counter for each of 1,000 settings.

    python -m benchmarks lab_counter [--json] [--prove] [--rules "urubugu(capture=both)"]

Limits on a quiet machine: 10 million whole turns a second on one core, and 1,000 random settings
within a minute, every counter played by the readable rules. `--prove` also plays the book of counters
against all 15,380,937 classes of settings, for all sixteen rule sets: minutes.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from mbegu.core.registry import game as find_game
from mbegu.games.urubugu import Urubugu
from mbegu.lab.urubugu import turns
from mbegu.lab.urubugu.book import _books, opposed, prove
from mbegu.lab.urubugu.counter import find_counters
from mbegu.lab.urubugu.families import member

SETTINGS, MOST_SECONDS, LEAST_TURNS = 1_000, 60.0, 10.0
ROUNDS = 5


def turns_a_second(game: Urubugu, threads: int) -> float:
    """Million turns a second and thread of processor time, settings drawn by lot; the best round."""
    state, nothing = opposed((2,) * 16, game), np.zeros((0, 3), np.uint64)

    def work(batch: int) -> float:
        began = time.thread_time()
        tried = turns.attack_by_lot(state, np.uint64(1), batch, 0, 20_000, nothing)[2]
        return float(tried / (time.thread_time() - began) / 1e6)

    turns.attack_by_lot(state, np.uint64(1), 0, 0, 1, nothing)
    best = 0.0
    for first in range(0, ROUNDS * threads, threads):
        with ThreadPoolExecutor(threads) as pool:
            best = max(best, min(pool.map(work, range(first, first + threads))))
    return best


def counters(game: Urubugu, method: str) -> tuple[int, int, float]:
    """How many of the settings by lot have a counter or a proof that there is none; the seconds."""
    find_counters((2,) * 16, game, method=method)
    began = time.perf_counter()
    answered = safe = 0
    for number in range(SETTINGS):
        search = find_counters(member("uniform", number, 7), game, method=method, seconds=10)
        answered += bool(search.found)
        safe += not search.found and not search.turns
    return answered, safe, time.perf_counter() - began


def main() -> int:
    """Measures all and prints it; 1 when a limit is missed."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--json", action="store_true", help="print figures as JSON")
    arguments.add_argument("--prove", action="store_true", help="play the books against everything")
    arguments.add_argument("--rules", default="urubugu", help="the rules to measure")
    chosen = arguments.parse_args()
    game = find_game(chosen.rules)
    assert isinstance(game, Urubugu)

    figures: dict[str, object] = {"rules": str(game)}
    speeds = {threads: turns_a_second(game, threads) for threads in (1, 2)}
    figures["million_turns_a_second_a_core"] = speeds
    ok = speeds[1] >= LEAST_TURNS
    for method in ("book", "random"):
        answered, safe, seconds = counters(game, method)
        figures[method] = {"answered": answered, "safe": safe, "seconds": seconds}
        ok &= answered + safe == SETTINGS and seconds < MOST_SECONDS
    if chosen.prove:
        proofs = {}
        for rules in _books():
            began = time.process_time()
            book_game = find_game(rules)
            assert isinstance(book_game, Urubugu)
            proof = prove(book_game, threads=2)
            proofs[rules] = {
                "complete": proof.complete,
                "pages": proof.pages,
                "open": proof.open,
                "cpu_seconds": time.process_time() - began,
            }
            ok &= proof.complete
        figures["proofs"] = proofs
    figures["ok"] = ok
    print(json.dumps(figures, indent=None if chosen.json else 2))
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())

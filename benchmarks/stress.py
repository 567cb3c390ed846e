"""What a server must survive, many times over: it is killed, its lines are cut, it is told nonsense.

python -m benchmarks.stress                                 a short round of each
python -m benchmarks.stress --kills 50 --cuts 200 --fuzz 1000000

A kill is `kill -9` at a random moment while five games go on; every move that was acknowledged must be
in the store afterwards, once. A cut game has its lines cut at every boundary between two messages; its
record must be that of an uncut twin. Nonsense must change nothing, and must raise nothing.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "server"))

from fuzzing import GAMES, fuzz
from kills import survive
from postgres import MISSING, Postgres, programs
from processes import process
from sturdy import Everywhere, pairs, play_all, records

from mbegu.server.backup import check

BATCH = 10  # games at once, two of each kind


def kills(count: int) -> None:
    """On both kinds of database, with everything that makes a commit safe."""
    with tempfile.TemporaryDirectory() as folder:
        _kill("SQLite", f"sqlite:///{folder}/games.sqlite3", count)
    if programs() is None:
        print(MISSING)
        return
    server = Postgres(safe=True)
    try:
        _kill("PostgreSQL", server.new(), count)
    finally:
        server.close()


def _kill(name: str, url: str, count: int) -> None:
    begun = time.perf_counter()
    found = survive(url, count, f"{name} {count}")
    print(f"{name}: {found.kills} kills, {found.moves} acknowledged moves, none lost, none doubled; "
          f"{found.lines} connections, {time.perf_counter() - begun:.0f} s", flush=True)  # fmt: skip


def cuts(count: int, start: int = 0) -> None:
    """Games whose lines are cut everywhere, and their twins; the game of a number is always the same."""
    begun, torn, plies = time.perf_counter(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/games.sqlite3"
        with process(url) as (_server, guest):
            for first in range(start, start + count, BATCH):
                batch = range(first, min(first + BATCH, start + count))
                games = [GAMES[number % len(GAMES)] for number in batch]
                guest.cookies.clear()  # somebody new, who may make rooms again
                guest.get("/api/v1/rooms")
                whole = pairs(guest, games, f"cut {first}", 300, cuts=False)
                asyncio.run(play_all(whole))
                cut = pairs(guest, games, f"cut {first}", 300, cuts=True)
                asyncio.run(play_all(cut))
                assert records(guest, cut) == records(guest, whole)
                torn += sum(len(p.cuts.cuts) for p in cut if isinstance(p.cuts, Everywhere))
                plies += sum(len(player.match.moves) for player in cut) // 2
                print(f"  game {batch.stop}, {torn} cuts, {time.perf_counter() - begun:.0f} s",
                      flush=True)  # fmt: skip
        assert not check(url).damaged
    print(f"{count} games of {plies} moves cut {torn} times: the same records as their uncut twins; "
          f"{time.perf_counter() - begun:.0f} s", flush=True)  # fmt: skip


def nonsense(count: int) -> None:
    """Senseless messages, shared out among the games."""
    begun = time.perf_counter()
    for game in GAMES:
        fuzz(game, count // len(GAMES))
    print(f"{count} senseless messages: no state changed, nothing was raised; "
          f"{time.perf_counter() - begun:.0f} s", flush=True)  # fmt: skip


def main() -> None:
    """Tries everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--cuts", type=int, default=10)
    parser.add_argument("--first", type=int, default=0, help="the first game that is cut: in parts")
    parser.add_argument("--fuzz", type=int, default=20_000)
    options = parser.parse_args()
    if options.kills:
        kills(options.kills)
    if options.cuts:
        cuts(options.cuts, options.first)
    if options.fuzz:
        nonsense(options.fuzz)


if __name__ == "__main__":
    main()

"""The server under load and under attack: many games, twice as many, a class, floods, start and stop.

python -m benchmarks.online                    about five minutes
python -m benchmarks.online --seconds 180      for minutes; --lean as bots play, without views and compression
python -m benchmarks.online --attack           six games beside each flood
python -m benchmarks.online --only class       thirty pupils against the computer

Server and generator run on the same machine. The generator speaks WebSocket by hand, plays games that
it has prepared, and measures from the moment a move should be made to the moment its event has come to both
players; moves that could not be made count with all of their waiting. The moves of all games are spread evenly over
each second. A figure beyond its limit is marked.

On a machine that does something else at the same time, everybody waits for a processor. So it is told how
much that was, how much of the machine its host has taken away, and how late the generator itself was: a
figure is one of the server only as far as these are small.
"""

import argparse

from benchmarks.online.attack import attack
from benchmarks.online.load import deaf, load, spectators, start
from benchmarks.online.pupils import pupils


def main() -> None:
    """Measures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parts = {
        "load": load,
        "spectators": spectators,
        "deaf": deaf,
        "start": start,
        "class": pupils,
        "attack": attack,
    }
    parser.add_argument("--only", choices=list(parts))
    parser.add_argument("--attack", action="store_true", help="only the floods")
    parser.add_argument("--flood", action="append", help="only this flood; may come again")
    parser.add_argument(
        "--ahead",
        action="store_true",
        help="before all else on this computer (root)",
    )
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rate", type=float, default=1.0)
    parser.add_argument("--lean", action="store_true", help="without views and events, as for bots")
    parser.add_argument("--surge", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--spectators", type=int, default=500)
    parser.add_argument("--stored", type=int, default=10_000)
    parser.add_argument("--pupils", type=int, default=30)
    parser.add_argument("--cold", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--each", type=float, default=8.0, help="seconds of each flood")
    parser.add_argument("--database", help="a PostgreSQL URL instead of a new SQLite file")
    options = parser.parse_args()
    only = "attack" if options.attack else options.only
    for name in [only] if only else parts:
        parts[name](options)


if __name__ == "__main__":
    main()

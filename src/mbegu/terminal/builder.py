"""`python -m mbegu.terminal.builder GAME PARENT`: makes the usual endgame table, for as long as whoever started it lives.

A player closes the window when he likes; nothing is to go on behind him. What was made is kept, and goes on next time.
"""

import os
import sys
import threading
import time
from contextlib import suppress

from mbegu.core.errors import MbeguError
from mbegu.core.registry import game as find_game

__all__ = ["main"]

SECONDS = 0.5  # between two looks


def main(name: str, parent: int) -> None:
    """Builds, and ends with its parent, who may be gone already."""
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    from mbegu.engine.tables.build import build  # noqa: PLC0415 - takes its time

    with suppress(
        MbeguError
    ):  # another builds it, or nothing can be compiled here: it is not needed
        build(find_game(name))


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(SECONDS)
    os._exit(1)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))

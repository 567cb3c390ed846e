"""What a thinking process does: it waits for a job, thinks, and tells what it found.

Runs in a process of its own, so that neither a long thought nor the compiler ever keeps the server
from answering. It ends by itself when the server is gone.
"""

import os
import queue
import signal
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from mbegu.core.errors import MbeguError
from mbegu.server.net.slices import take_slices
from mbegu.server.think.jobs import Answers, EngineWorker

__all__ = ["Answers", "attend", "work"]

STRONGEST = 10
HASH_MB = 32
MODEST = 5  # whoever clicks is answered before we think on
MOST_ENGINES = 3  # of different games, each with its memory
MOST_STRONG = 4  # the same of the strongest level


def work(pipe: Connection, engine: bool = True) -> None:
    """The life of a thinking process; without the engine it plays as the simple bots do."""
    if hasattr(os, "nice"):
        os.nice(MODEST)
    attend(pipe, EngineWorker(engine), engine)


def attend(pipe: Connection, thinker: Any, compiles: bool = False) -> None:
    """Does one job after the other until the server is gone."""
    take_slices(0)  # those of the server are for players
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which tells us
    jobs: queue.SimpleQueue[tuple[int, str, tuple[Any, ...]]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, jobs, thinker), daemon=True).start()
    current = [0]
    if compiles:
        _watch_compiler(lambda: pipe.send((current[0], "compiling", None)))
    while True:
        current[0], kind, arguments = jobs.get()
        try:
            for answer in thinker.think(current[0], kind, arguments):
                pipe.send((current[0], "more", answer))
            pipe.send((current[0], "done", None))
        except OSError:
            os._exit(0)  # nobody hears us
        except MbeguError as error:
            pipe.send((current[0], "failed", str(error)))
        except Exception:  # ours to mend, not the player's to read
            traceback.print_exc()
            pipe.send((current[0], "failed", ""))


def _listen(pipe: Connection, jobs: "queue.SimpleQueue[Any]", thinker: Any) -> None:
    while True:
        try:
            message = pipe.recv()
        except (EOFError, OSError):
            os._exit(0)  # the server is gone
        if message[0] == "stop":
            thinker.stop(message[1])
        else:
            jobs.put(message)


def _watch_compiler(tell: Callable[[], None]) -> None:
    """Tells whenever something must be compiled and is not in the cache."""
    from mbegu.engine.cache import on_compile  # noqa: PLC0415 (Numba takes its time)

    on_compile(lambda _function: tell())

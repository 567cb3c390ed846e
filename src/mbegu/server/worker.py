"""What a thinking process does: it waits for a job, thinks, and tells what it found.

Runs in a process of its own, so that neither a long thought nor the compiler ever keeps the server
from answering. It ends by itself when the server is gone.
"""

import os
import queue
import random
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

from mbegu.arena.bots import Greedy, Random
from mbegu.core.clock import Clock
from mbegu.core.errors import MbeguError
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import _
from mbegu.core.registry import game as find_game

__all__ = ["STRONGEST", "work"]

STRONGEST = 10
HASH_MB = 32
MOST_ENGINES = 3  # of different games, each with its memory
Answers = Iterator[dict[str, Any]]


def work(pipe: Connection, engine: bool = True) -> None:
    """The life of a thinking process; without the engine it plays as the simple bots do."""
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which tells us
    thinker = Thinker(engine)
    jobs: queue.SimpleQueue[tuple[int, str, tuple[Any, ...]]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, jobs, thinker), daemon=True).start()
    while True:
        number, kind, arguments = jobs.get()
        try:
            for answer in thinker.think(number, kind, arguments):
                pipe.send((number, "more", answer))
            pipe.send((number, "done", None))
        except OSError:
            os._exit(0)  # nobody hears us
        except Exception as error:
            pipe.send((number, "failed", str(error)))


def _listen(pipe: Connection, jobs: "queue.SimpleQueue[Any]", thinker: "Thinker") -> None:
    while True:
        try:
            message = pipe.recv()
        except (EOFError, OSError):
            os._exit(0)  # the server is gone
        if message[0] == "stop":
            thinker.stop(message[1])
        else:
            jobs.put(message)


class Thinker:
    """Does one job at a time; `stop` may come from another thread."""

    def __init__(self, engine: bool = True) -> None:
        self._has_engine = engine
        self._engines: dict[str, Any] = {}
        self._stopped = -1
        self._running: Any = None

    def think(self, number: int, kind: str, arguments: tuple[Any, ...]) -> Answers:
        """The answers to a job, as they come."""
        jobs: dict[str, Callable[..., Answers]] = {
            "warm": self._warm,
            "choose": self._choose,
            "analyse": self._analyse,
        }
        return jobs[kind](number, *arguments)

    def stop(self, number: int) -> None:
        """Whatever this job has found is enough."""
        self._stopped = max(self._stopped, number)
        if self._running is not None:
            self._running.stop()

    # ---- jobs

    def _warm(self, number: int, game: str) -> Answers:
        with suppress(ImportError, MbeguError):
            self._engine(find_game(game)).warm_up()
        yield {}

    def _choose(
        self, number: int, game: str, position: str, history: Sequence[str], level: int, seed: int
    ) -> Answers:
        try:
            levels = self._module("mbegu.engine.levels")
            move: Move = levels.choose(game, position, list(history), level, seed)
        except (ImportError, MbeguError):  # no engine, or not for this game
            move = _simple(find_game(game).position(position), level, seed)
        yield {"move": move}

    def _analyse(
        self,
        number: int,
        game_text: str,
        text: str,
        history: Sequence[str],
        lines: int,
        seconds: float,
    ) -> Answers:
        game = find_game(game_text)
        position = game.position(text)
        engine = self._engine(game)
        limits = self._module("mbegu.engine.engine").Limits(movetime=seconds, lines=lines)
        self._running = engine
        try:
            for info in engine.think(position, limits, [game.position(old) for old in history]):
                yield _told(info, position)
                if self._stopped >= number:
                    engine.stop()
        finally:
            self._running = None

    def _module(self, name: str) -> Any:
        if not self._has_engine:
            raise ImportError(_("this server has no engine"))
        return import_module(name)

    def _engine(self, game: Game) -> Any:
        name = str(game)
        engine = self._engines.pop(name, None)
        if engine is None:
            engine = self._module("mbegu.engine.engine").Engine(game, hash_mb=HASH_MB)
            while len(self._engines) >= MOST_ENGINES:
                del self._engines[next(iter(self._engines))]
        self._engines[name] = engine
        return engine


def _simple(position: Position, level: int, seed: int) -> Move:
    """A move without the engine: greedy, and by lot the more often the lower the level."""
    lot = random.Random(seed)  # noqa: S311 (a game, not a secret)
    careless = lot.random() < (STRONGEST - level) / (STRONGEST + 2)
    bot = Random(seed) if careless else Greedy(seed)
    return bot.choose(position, Clock())


def _told(info: Any, position: Position) -> dict[str, Any]:
    return {
        "turn": position.turn,
        "depth": info.depth,
        "nodes": info.nodes,
        "seconds": round(info.seconds, 3),
        "lines": [
            {
                "margin": round(line.score.margin, 2),
                "win": line.score.win,
                "exact": line.score.exact,
                "moves": list(line.moves),
                "words": _words(position, line.moves),
            }
            for line in info.lines
        ],
        "final": info.final,
    }


def _words(position: Position, moves: Sequence[Move]) -> list[str]:
    words = []
    for move in moves:
        words.append(position.game.format_move(move, position))
        position = position.play(move)
    return words

"""What a thinking process does: it waits for a job, thinks, and tells what it found.

Runs in a process of its own, so that neither a long thought nor the compiler ever keeps the server
from answering. It ends by itself when the server is gone.
"""

import os
import queue
import random
import signal
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from mbegu.arena.bots import Greedy, Random
from mbegu.core.clock import Clock, TimeControl
from mbegu.core.errors import MbeguError
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import _, speaking
from mbegu.core.registry import game as find_game
from mbegu.engine.analysis import analysis_of
from mbegu.engine.engine import Engine, Limits
from mbegu.engine.explain import hint
from mbegu.engine.levels import LevelBot
from mbegu.engine.tables.ready import prepare

__all__ = ["Answers", "attend", "work"]

STRONGEST = 10
HASH_MB = 32
MODEST = 5  # whoever clicks is answered before we think on
MOST_ENGINES = 3  # of different games, each with its memory
MOST_STRONG = 4  # the same of the strongest level
Answers = Iterator[dict[str, Any]]


def work(pipe: Connection, engine: bool = True) -> None:
    """The life of a thinking process; without the engine it plays as the simple bots do."""
    if hasattr(os, "nice"):
        os.nice(MODEST)
    attend(pipe, EngineWorker(engine), engine)


def attend(pipe: Connection, thinker: Any, compiles: bool = False) -> None:
    """Does one job after the other until the server is gone."""
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


class EngineWorker:
    """Does one job at a time; `stop` may come from another thread."""

    def __init__(self, engine: bool = True) -> None:
        self._has_engine = engine
        self._engines: dict[str, Engine] = {}
        self._strong: dict[str, LevelBot] = {}
        self._stopped = -1
        self._running: Engine | None = None

    def think(self, number: int, kind: str, arguments: tuple[Any, ...]) -> Answers:
        """The answers to a job, as they come."""
        jobs: dict[str, Callable[..., Answers]] = {
            "warm": self._warm,
            "learn": self._learn,
            "ready": self._get_ready,
            "choose": self._choose,
            "hint": self._hint,
            "analyse": self._analyse,
        }
        return jobs[kind](number, *arguments)

    def stop(self, number: int) -> None:
        """Whatever this job has found is enough."""
        self._stopped = max(self._stopped, number)
        if self._running is not None:
            self._running.stop()

    # ---- jobs

    def _warm(self, number: int, game: str, level: int) -> Answers:
        if self._has_engine:
            with suppress(MbeguError):  # a game without a kernel has nothing to warm up
                found = find_game(game)
                self._bot(found, level, 0).warm_up(found)
        yield {}

    def _learn(self, number: int, games: Sequence[tuple[str, int]]) -> Answers:
        for game, level in games:
            yield from self._warm(number, game, level)

    def _get_ready(self, number: int, game: str) -> Answers:
        if self._has_engine:
            with suppress(MbeguError):
                self._engine(find_game(game)).warm_up()
        yield {}

    def _choose(
        self,
        number: int,
        game_text: str,
        text: str,
        history: Sequence[str],
        level: int,
        seed: int,
        control: str,
        left: float | None,
        seconds: float | None,
    ) -> Answers:
        game = find_game(game_text)
        position = game.position(text)
        past = [game.position(old) for old in history]
        move: Move | None = None
        if self._has_engine:
            with suppress(MbeguError):  # not for this game or position
                bot = self._bot(game, level, seed)
                move = bot.think(position, past, _Rest(control, left), seconds)
        simple = move is None  # whoever waits is told that no engine has thought
        yield {"move": _simple(position, level, seed) if move is None else move, "simple": simple}

    def _hint(
        self, number: int, game_text: str, text: str, history: Sequence[str], language: str
    ) -> Answers:
        game = find_game(game_text)
        position = game.position(text)
        if self._has_engine:
            with speaking(language):
                past = [game.position(old) for old in history]
                found = hint(position, past, self._engine(game))
                yield {"move": found.move, "why": found.why}
                return
        with speaking(language):
            why = _("a simple bot's guess: this server has no engine")
        yield {"move": Greedy(0).choose(position, Clock()), "why": why}

    def _analyse(
        self,
        number: int,
        game_text: str,
        text: str,
        history: Sequence[str],
        lines: int,
        seconds: float,
    ) -> Answers:
        if not self._has_engine:
            raise MbeguError(_("this server has no engine"))
        game = find_game(game_text)
        position = game.position(text)
        engine = self._engine(game)
        limits = Limits(movetime=seconds, lines=lines)
        self._running = engine
        try:
            for info in engine.think(position, limits, [game.position(old) for old in history]):
                told = analysis_of(position, info).to_json()
                yield {**told, "final": info.final}
                if self._stopped >= number:
                    engine.stop()
        finally:
            self._running = None

    def _bot(self, game: Game, level: int, seed: int) -> LevelBot:
        """A bot of this level; the strongest ones keep their memory, which takes its time to make."""
        if level < STRONGEST:
            return LevelBot(level, seed)
        name = str(game)
        _have_a_table_made(game)
        bot = self._strong.pop(name, None) or LevelBot(level, seed)
        while len(self._strong) >= MOST_STRONG:
            del self._strong[next(iter(self._strong))]
        self._strong[name] = bot
        return bot

    def _engine(self, game: Game) -> Engine:
        name = str(game)
        engine = self._engines.pop(name, None)
        if engine is None:
            _have_a_table_made(game)
            engine = Engine(game, hash_mb=HASH_MB)
            while len(self._engines) >= MOST_ENGINES:
                del self._engines[next(iter(self._engines))]
        self._engines[name] = engine
        return engine


def _have_a_table_made(game: Game) -> None:
    """The endgame table of the usual rules, in the background; strangers choose no others for our disk."""
    if game == find_game(game.name):
        prepare(game)


class _Rest(Clock):
    """What a computer has left on its clock in the room, standing still."""

    def __init__(self, control: str, left: float | None) -> None:
        super().__init__(TimeControl.parse(control))
        if left is not None:
            self._left = [left, left]


def _simple(position: Position, level: int, seed: int) -> Move:
    """A move without the engine: greedy, and by lot the more often the lower the level."""
    lot = random.Random(seed)  # noqa: S311 (a game, not a secret)
    careless = lot.random() < (STRONGEST - level) / (STRONGEST + 2)
    bot = Random(seed) if careless else Greedy(seed)
    return bot.choose(position, Clock())

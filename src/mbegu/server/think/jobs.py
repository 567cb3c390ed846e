"""The jobs of thinking: moves of a level, hints, analyses; wherever they are done.

A process of the server does them (`engine_worker`), or a worker of a browser tab (`mbegu.server.tab`).
"""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
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

__all__ = ["Answers", "EngineWorker"]

STRONGEST = 10
HASH_MB = 32
MOST_ENGINES = 3  # of different games, each with its memory
MOST_STRONG = 4  # the same of the strongest level
Answers = Iterator[dict[str, Any]]


class EngineWorker:
    """Does one job at a time; `stop` may come from another thread."""

    def __init__(self, engine: bool = True, threads: int = 1) -> None:
        self._has_engine = engine
        self._threads = threads  # of hints and analyses: levels are measured with one
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
            engine = Engine(game, hash_mb=HASH_MB, threads=self._threads)
            while len(self._engines) >= MOST_ENGINES:
                del self._engines[next(iter(self._engines))]
        self._engines[name] = engine
        return engine


def _have_a_table_made(game: Game) -> None:
    """The endgame table of the usual rules, in the background; strangers choose no others for our disk."""
    if game == find_game(game.name):
        with suppress(ImportError):  # a tab has no arrays, and builds none
            from mbegu.engine.tables.ready import prepare  # noqa: PLC0415

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

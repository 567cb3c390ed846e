"""The engine as Python sees it: give it a position and limits, and it thinks.

    engine = Engine(game, hash_mb=256, threads=2)
    for info in engine.think(position, Limits(movetime=1.0)):
        print(info.depth, info.lines[0].score.margin, info.best)

Importing this module is cheap. The first thought compiles the search for the game, or loads it
from the disk; `warm_up` does so beforehand.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mbegu.core.errors import InvalidPosition, MbeguError
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import _
from mbegu.engine.kernels.ready import is_compiled

if TYPE_CHECKING:
    from mbegu.engine.compiled_engine import CompiledEngine
    from mbegu.engine.plain_engine import PlainEngine

__all__ = ["Engine", "EngineError", "Info", "Limits", "Line", "Score"]

MOST_DEPTH = 100
MOST_THREADS = 256
MOST_SECONDS = 10**7
COUNTS = ("depth", "nodes", "lines")  # limits that are whole numbers


class EngineError(MbeguError):
    """Something that the engine cannot do, and what it could do instead."""


@dataclass(frozen=True)
class Limits:
    """When to stop thinking. At least one of the first four must be given, or `infinite`.

    `remaining` and `increment` are the clock of the player to move; times are in seconds. `lines`
    asks for the best so many first moves, `searchmoves` allows only these. `practical` is for playing:
    in a lost game of Urubugu, what a short-sighted opponent is least likely to punish, and not the
    longest defence, whose score is told all the same. `waiting` is how many seconds without a processor,
    because others keep the computer busy, do not count as time of this move: a referee gives them back.
    """

    depth: int | None = None
    nodes: int | None = None
    movetime: float | None = None
    remaining: float | None = None
    increment: float = 0.0
    infinite: bool = False
    searchmoves: tuple[Move, ...] = ()
    lines: int = 1
    practical: bool = False
    waiting: float = 0.0

    def check(self) -> None:
        """Raises EngineError where the limits are empty, contradictory or out of range."""
        finite = [self.depth, self.nodes, self.movetime, self.remaining]
        if self.infinite and any(limit is not None for limit in finite):
            raise EngineError(_("infinite thought takes no other limit: leave one of them out"))
        if not self.infinite and all(limit is None for limit in finite):
            raise EngineError(
                _("no limit: give a depth, nodes, movetime or remaining time, or infinite")
            )
        if self.movetime is not None and self.remaining is not None:
            raise EngineError(_("give the time of this move or the clock, not both"))
        for name, limit, least, most in (
            ("depth", self.depth, 1, MOST_DEPTH),
            ("nodes", self.nodes, 1, 10**18),
            ("movetime", self.movetime, 0, MOST_SECONDS),
            ("waiting", self.waiting, 0, MOST_SECONDS),
            ("remaining", self.remaining, 0, 10**9),
            ("increment", self.increment, 0, 10**7),
            ("lines", self.lines, 1, 500),
        ):
            if limit is not None and name in COUNTS and limit % 1 != 0:
                raise EngineError(
                    _("{name} must be a whole number, not {limit}").format(name=name, limit=limit)
                )
            if limit is not None:
                check_within(name, limit, least, most)


def check_within(name: str, limit: float, least: int, most: int) -> None:
    """Raises EngineError unless a limit is one that we can keep."""
    if not least <= limit <= most:  # nan is never within
        raise EngineError(
            _("{name} must be from {least} to {most}, not {limit}").format(
                name=name, least=least, most=most, limit=limit
            )
        )


@dataclass(frozen=True)
class Score:
    """What a line is worth to the player to move.

    `margin` is the expected final margin in the game's own score; `exact` says that it is proved.
    `result` is told only when it is proved: 1 for a win, 0 for a draw, -1 for a loss. `win` says within
    how many plies of both players that win can be forced after the first move, below zero within how
    many the loss; it is None where nobody has found out, and always without a result. `settled` says the same of
    the whole exact margin: whoever wins can have all of it within so many plies. `likely` is 1 or
    -1 when the search sees a win or a loss that is not proved.
    """

    margin: float
    win: int | None = None
    exact: bool = False
    result: int | None = None
    likely: int = 0
    settled: int | None = None


@dataclass(frozen=True)
class Line:
    """A first move, its score, and how the game would go on."""

    score: Score
    moves: tuple[Move, ...]


@dataclass(frozen=True)
class Info:
    """How far a thought has come. `hashfull` is in per mille; the last Info is `final`."""

    depth: int
    nodes: int
    seconds: float
    lines: tuple[Line, ...]
    hashfull: int = 0
    final: bool = False

    @property
    def best(self) -> Move:
        """The best move so far."""
        return self.lines[0].moves[0]


class Engine:
    """A player for one game, with a memory of `hash_mb` megabytes and so many threads.

    With one thread and a limit of depth or nodes a new engine thinks the same every time;
    `seed` decides between moves that look alike at first sight. Without `tables` it never looks into
    endgame tables.
    """

    def __init__(
        self,
        game: Game,
        *,
        hash_mb: int = 64,
        threads: int = 1,
        seed: int = 0,
        tables: bool = True,
    ) -> None:
        check_memory(hash_mb)
        if not 1 <= threads <= MOST_THREADS:
            raise EngineError(
                _("threads must be from 1 to {most}, not {threads}").format(
                    most=MOST_THREADS, threads=threads
                )
            )
        self.game = game
        self.hash_mb = hash_mb
        self.threads = threads
        self.seed = seed
        self.tables = tables
        self._engine: CompiledEngine | PlainEngine | None = None
        self._fallback: PlainEngine | None = None

    def think(
        self,
        position: Position,
        limits: Limits,
        history: Sequence[Position] = (),
        *,
        pulse: float | None = None,
    ) -> Iterator[Info]:
        """Thinks about a position, after the positions of `history`; tells of every step.

        With a `pulse` it also tells every so many seconds how many nodes it has visited. The errors of
        wrong limits come at once, the rest as it goes.
        """
        limits.check()
        if position.turn is None:
            raise EngineError(_("the game is over: there is nothing to think about"))
        for move in limits.searchmoves:
            position.check(move)
        return self._for(position).think(position, limits, history, pulse)

    def stop(self) -> None:
        """Ends the thought that is going on, from any thread or signal handler."""
        for engine in (self._engine, self._fallback):
            if engine is not None:
                engine.stop()

    def new_game(self) -> None:
        """Forgets everything."""
        for engine in (self._engine, self._fallback):
            if engine is not None:
                engine.forget()

    def warm_up(self) -> None:
        """Compiles the search for this game, or loads it from the disk."""
        self._main_engine().warm_up()

    @property
    def compiled(self) -> bool:
        """Whether the game has compiled rules that can be used here; without them the engine is slower."""
        return is_compiled(self.game)

    def _for(self, position: Position) -> CompiledEngine | PlainEngine:
        """Who thinks about this position: one that is too large for the compiled rules is for the others."""
        engine = self._main_engine()
        try:
            engine.pack(position)
        except InvalidPosition:
            return self._plain_engine()
        return engine

    def _plain_engine(self) -> PlainEngine:
        from mbegu.engine.plain_engine import PlainEngine  # noqa: PLC0415 (seldom needed)

        if self._fallback is None:
            self._fallback = PlainEngine(self.game, self.seed)
        return self._fallback

    def _main_engine(self) -> CompiledEngine | PlainEngine:
        if self._engine is None and not self.compiled:
            self._engine = self._plain_engine()
        elif self._engine is None:
            from mbegu.engine.compiled_engine import CompiledEngine  # noqa: PLC0415 (Numba takes its time)

            self._engine = CompiledEngine(
                self.game, self.hash_mb, self.threads, self.seed, self.tables
            )
        return self._engine


def check_memory(hash_mb: int) -> None:
    """Raises EngineError if a hash of this size cannot be had, and names what would fit."""
    if hash_mb < 1:
        raise EngineError(
            _("a hash of {size} MB is too small: 1 MB is the least").format(size=hash_mb)
        )
    fits = free_memory_mb()
    if fits is not None and hash_mb > fits:
        raise EngineError(
            _(
                "a hash of {size} MB is more than the memory that is free: {fits} MB would fit"
            ).format(size=hash_mb, fits=fits)
        )


def free_memory_mb() -> int | None:
    """Megabytes that a hash may take, leaving some for the rest; None where nobody knows."""
    free = []
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            free += [int(line.split()[1]) // 1024 for line in lines if line.startswith("MemAvail")]
    except OSError:
        if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
            free.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2**20)
    try:
        with open("/sys/fs/cgroup/memory.max", encoding="ascii") as limit:
            most = limit.read().strip()
        with open("/sys/fs/cgroup/memory.current", encoding="ascii") as used:
            if most != "max":
                free.append((int(most) - int(used.read())) // 2**20)
    except (OSError, ValueError):
        pass
    free += _left_to_this_process()
    return max(min(free) * 9 // 10, 1) if free else None


def _left_to_this_process() -> list[int]:
    """What `ulimit -v` leaves, where there is such a thing and it was set."""
    try:
        import resource  # noqa: PLC0415 - not on Windows, nor in a tab

        most, _hard = resource.getrlimit(resource.RLIMIT_AS)
        if most == resource.RLIM_INFINITY:
            return []
        with open("/proc/self/statm", encoding="ascii") as pages:
            used = int(pages.read().split()[0]) * resource.getpagesize()
    except (ImportError, OSError, ValueError):
        return []
    return [max(most - used, 0) >> 20]

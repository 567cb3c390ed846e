"""Opponents of ten strengths, from a beginner (1) to all that the engine can do (10).

The lower levels think as people do (`mbegu.engine.humanlike`): a short horizon, moves that they
overlook, positions that they misjudge, all of it less from level to level. The upper ones search
so many nodes. So up to level 9 a level is as strong on any machine; level 10 uses time. The numbers
stand in `levels.json` beside each game's kernel, and `docs/levels.md` tells how strong they are.

    >>> from mbegu.core.registry import game
    >>> position = game("oware").position("0-0-0-0-0-1-0-1-0-0-0-9-20-17-S")
    >>> LevelBot(10, seed=1).choose(position, Clock())
    5

Importing this module is cheap.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from mbegu.core.clock import Clock
from mbegu.core.errors import MbeguError
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import _
from mbegu.engine.engine import Engine, EngineError, Info, Limits, Line
from mbegu.engine.kernels.door import has_kernel, told_levels
from mbegu.engine.kernels.ready import is_compiled

__all__ = ["LEVELS", "LevelBot", "Strength", "strength_of"]

LEVELS = range(1, 11)
SECONDS = 1.0  # of level 10, when there is no clock
LEAST_SECONDS = 0.01
TO_ARRIVE = 0.06  # seconds that a move may need from here to the referee, on a busy machine
HASH_MB, FULL_HASH_MB = 2, 64
LINES = 4  # among which a level that misjudges chooses
SURE_WIN = 1000.0  # seeds: no misjudgement reaches so far


@dataclass(frozen=True)
class Strength:
    """How a level thinks: as a person (`depth`), by so many nodes, or for some time (neither).

    `miss` is the chance, in 1/1024, of overlooking a move that changes eight holes; `blur` the
    greatest error of a judgement, in seeds.
    """

    depth: int | None = None
    nodes: int | None = None
    miss: int = 0
    blur: float = 0.0


# For a game whose levels nobody has measured, with compiled rules and without: those of Oware, about.
OTHERS = (
    *(Strength(depth=1, miss=600, blur=11.5), Strength(depth=2, miss=600, blur=8)),
    *(Strength(depth=2, miss=235, blur=3.4), Strength(depth=3, miss=108, blur=2.1)),
    *(Strength(depth=4, miss=6, blur=0.55), Strength(nodes=900, blur=0.38)),
    *(Strength(nodes=4_400, blur=0.1), Strength(nodes=16_000), Strength(nodes=175_000), Strength()),
)
PLAIN = (
    *(Strength(depth=1, miss=600, blur=11.5), Strength(depth=2, miss=600, blur=8)),
    *(Strength(depth=2, miss=235, blur=3.4), Strength(nodes=300, blur=1.5)),
    *(Strength(nodes=600, blur=0.5), Strength(nodes=1_200, blur=0.2), Strength(nodes=2_500)),
    *(Strength(nodes=5_000), Strength(nodes=12_000), Strength()),
)


@cache
def _table(game: str) -> tuple[Strength, ...]:
    """The ten levels, as `levels.json` beside the game's kernel tells."""
    if not has_kernel(game):
        return PLAIN
    told = told_levels(game).get("levels")
    return OTHERS if told is None else tuple(Strength(**level) for level in told)


def strength_of(game: Game, level: int) -> Strength:
    """How a level thinks in a game."""
    if level not in LEVELS:
        raise _no_such_level(level)
    return _table(game.name)[level - 1]


class LevelBot:
    """A level as a bot. With a seed it always plays the same, but for level 10, which uses time."""

    def __init__(
        self, level: int, seed: int | None = None, *, strength: Strength | None = None
    ) -> None:
        if level not in LEVELS:
            raise _no_such_level(level)
        self.level = level
        self.seed = random.SystemRandom().getrandbits(31) if seed is None else seed
        self._strength = strength
        self._engine: Engine | None = None
        self.waiting = 0.0  # seconds a move without a processor that a referee gives back
        self._past: list[Position] = []  # as far as this bot has seen the game

    def choose(self, position: Position, clock: Clock) -> Move:
        """The move of this level."""
        if self._past and not _leads(self._past[-1], position):
            self._past.clear()  # another game
        move = self.think(position, self._past, clock)
        self._past += [position, position.play(move)]
        return move

    def think(
        self,
        position: Position,
        history: Sequence[Position],
        clock: Clock,
        most: float | None = None,
    ) -> Move:
        """The move of this level after the positions of `history`, in at most so many seconds."""
        if position.turn is None:
            raise EngineError(_("the game is over: there is nothing to think about"))
        moves = position.legal_moves()
        if len(moves) == 1:
            return moves[0]
        strength = self._strength or strength_of(position.game, self.level)
        if strength.depth is not None:
            return _as_a_person(position, strength, strength.depth, self.seed)
        known = _in_book(position, strength)
        if known is not None:
            return known
        engine = self._engine_for(position.game, strength)
        limits = replace(_limits(strength, position, clock), waiting=self.waiting)
        if most is not None:
            limits = _hurried(limits, most)
        *_before, last = engine.think(position, limits, history)
        return self._pick(last, strength.blur, position)

    def warm_up(self, game: Game) -> None:
        """Compiles what a game needs, or loads it from the disk."""
        start = game.start()
        strength = self._strength or strength_of(game, self.level)
        if strength.depth is not None:
            _as_a_person(start, strength, 1, self.seed)
        else:
            self._engine_for(game, strength).warm_up()

    def _engine_for(self, game: Game, strength: Strength) -> Engine:
        if self._engine is None or self._engine.game != game:
            size = FULL_HASH_MB if strength.nodes is None else HASH_MB
            perfect = strength.nodes is None  # only the strongest level looks into tables
            self._engine = Engine(game, hash_mb=size, seed=self.seed, tables=perfect)
        if strength.nodes is not None:
            self._engine.new_game()  # memories would make a level stronger
        return self._engine

    def _pick(self, info: Info, blur: float, position: Position) -> Move:
        """The best line as it seems to a level that misjudges."""
        if not blur:
            return info.best
        lot = random.Random(f"{self.seed} {position}")  # noqa: S311 (a game, not a secret)

        def seems(line: Line) -> float:
            sure = SURE_WIN * (line.score.result or line.score.likely)
            return line.score.margin + sure + blur * lot.triangular(-1, 1)

        return max(info.lines, key=seems).moves[0]


# ---- parts ----------------------------------------------------------------------------------------


def _in_book(position: Position, strength: Strength) -> Move | None:
    """What the opening book plays; only the strongest level reads it."""
    if strength.nodes is not None:
        return None
    from mbegu.engine.book import open_book  # noqa: PLC0415 - seldom needed

    book = open_book(position.game)
    return None if book is None else book.best(position)


def _as_a_person(position: Position, strength: Strength, depth: int, seed: int) -> Move:
    from mbegu.engine.plain_engine import choose_plainly  # noqa: PLC0415

    if not is_compiled(position.game):
        return choose_plainly(position, depth, seed, strength.miss, strength.blur)
    from mbegu.engine.humanlike import choose_move  # noqa: PLC0415
    from mbegu.engine.kernels.driver import (  # noqa: PLC0415 (Numba takes its time)
        BrokenKernel,
        kernel_of,
    )
    from mbegu.engine.values import SEED  # noqa: PLC0415

    game, player = position.game, position.turn
    assert player is not None
    options = {name: getattr(game, name) for name in game.options()}
    try:
        kernel = kernel_of(game.name)
        state = kernel.pack(position.to_json(), options)
    except BrokenKernel as error:
        raise EngineError(str(error)) from None
    except (ValueError, OverflowError):  # too large for the compiled rules
        return choose_plainly(position, depth, seed, strength.miss, strength.blur)
    move = choose_move(state, depth, seed, strength.miss, round(strength.blur * SEED))
    told: Move = kernel.from_move(move, player, options)
    return told


def _limits(strength: Strength, position: Position, clock: Clock) -> Limits:
    """A level's nodes, within what the clock allows; without nodes, what the clock allows."""
    assert position.turn is not None
    left, control = clock.remaining(position.turn), clock.control
    lines = LINES if strength.blur else 1
    if strength.nodes is not None:
        most = None if left is None else max(left / 4, LEAST_SECONDS)
        return Limits(nodes=strength.nodes, movetime=most, lines=lines)
    if left is None:
        return Limits(movetime=SECONDS, practical=True)
    if control.per_move is not None:
        spare = min(max(left / 8, TO_ARRIVE), left / 2)
        return Limits(movetime=max(left - spare, LEAST_SECONDS), practical=True)
    left = max(left, LEAST_SECONDS)
    return Limits(remaining=left, increment=control.increment, practical=True)


def _hurried(limits: Limits, most: float) -> Limits:
    """The same within so many seconds; of a clock no more than a quarter is used then."""
    if limits.remaining is not None:
        most = min(most, max(limits.remaining / 4, LEAST_SECONDS))
        return replace(limits, remaining=None, increment=0.0, movetime=most)
    return replace(limits, movetime=min(most, limits.movetime or most))


def _leads(before: Position, after: Position) -> bool:
    """Whether one move leads from a position to another, or none."""
    if before.game != after.game or before == after:
        return before == after
    return any(before.play(move) == after for move in before.legal_moves())


def _no_such_level(level: int) -> MbeguError:
    return MbeguError(_("there is no level {level}: they go from 1 to 10").format(level=level))

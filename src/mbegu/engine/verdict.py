"""What a thought may say: what is proved about a move, what the past leaves of it, and the score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mbegu.core.game import Position
from mbegu.engine import root_search
from mbegu.engine.engine import Score
from mbegu.engine.knowledge import NEVER
from mbegu.engine.thread_data import MOST_HISTORY
from mbegu.engine.transposition import LOWER, UPPER
from mbegu.engine.values import MAX_PLY, SEED, SURE, WON

if TYPE_CHECKING:
    from mbegu.engine.compiled_engine import CompiledEngine

__all__ = ["ANY", "NOTHING", "Found", "Known", "Past", "folded", "score", "unfolded"]

ANY = 1 << 20  # more than any margin
NEAR_CAP = (
    2 * MAX_PLY
)  # plies before the longest match ends in which a proof may be too long for it


def unfolded(value: int) -> tuple[int, int]:
    """The margin and the plies, below zero for a loss, in the value of a decided game."""
    margin = -(-(abs(value) - WON) // SEED)
    plies = margin * SEED - (abs(value) - WON)
    return (margin, plies) if value > 0 else (-margin, -plies)


def folded(margin: int, plies: int | None) -> int:
    """The value of a game that is decided by this margin, in so many plies."""
    if margin == 0:
        return 0
    distance = min(abs(plies or MAX_PLY), MAX_PLY)
    return WON + margin * SEED - distance if margin > 0 else margin * SEED - WON + distance


def margin_of(value: int) -> float:
    """The margin in a value."""
    return float(unfolded(value)[0]) if abs(value) > SURE else value / SEED


@dataclass(frozen=True)
class Found:
    """A line as the search found it."""

    value: int
    proved: int  # which bounds: LOWER, UPPER, EXACT or none
    moves: tuple[int, ...]


@dataclass(frozen=True)
class Known:
    """What is proved about a move: the least and the greatest margin, how soon its result comes, and how soon
    the whole margin."""

    low: int = -ANY
    high: int = ANY
    win: int | None = None
    settled: int | None = None

    @property
    def result(self) -> int | None:
        """1 for a win, 0 for a draw, -1 for a loss, None if it is not proved."""
        if self.low > 0:
            return 1
        if self.high < 0:
            return -1
        return 0 if self.exact else None

    @property
    def exact(self) -> bool:
        """Whether the margin is proved."""
        return self.low == self.high

    def joined(self, value: int, proved: int) -> Known:
        """This, and the bounds of a value that are proved."""
        margin = margin_of(value)
        low = max(self.low, -int(-margin // 1)) if proved & LOWER else self.low
        high = min(self.high, int(margin // 1)) if proved & UPPER else self.high
        return replace(self, low=low, high=high)


NOTHING = Known()


def score(value: int, known: Known, scored: bool = True) -> Score:
    """A value in words that people use, within what is proved.

    Where a player may win otherwise than by the score (`scored` is false), the search counts such a win
    as the highest; so it proves who wins, and no margin but that of a draw, which is 0 by definition.
    """
    margin = min(max(margin_of(value), known.low), known.high)
    result, exact = known.result, known.exact and (scored or known.result == 0)
    seen = 0 if abs(value) <= SURE else 1 if value > 0 else -1
    return Score(
        margin=float(margin),
        win=known.win if result in (1, -1) else None,
        exact=exact,
        result=result,
        likely=seen if result is None else 0,
        settled=known.settled if exact and result in (1, -1) else None,
    )


# ---- the game before the root ---------------------------------------------------------------------


@dataclass(frozen=True)
class Past:
    """The positions before the root that may come back, oldest first; see `mbegu.engine.repetition`.

    `blind`: some of them are unknown to the search, so that nothing is proved. `plies_left`: until a match
    of the greatest length ends, if that is near.
    """

    states: tuple[Any, ...] = ()
    dangers: tuple[tuple[Any, int], ...] = ()  # and who is to move there: 0 for the root's player
    blind: bool = False
    plies_left: int | None = None

    @classmethod
    def of(
        cls, engine: CompiledEngine, position: Position, state: Any, history: Sequence[Position]
    ) -> Past:
        """The past of a position, from all positions of the game before it."""
        game = position.game
        before = list(history)
        while before and before[-1] == position:
            before.pop()
        left = None if game.ply_cap is None else game.ply_cap - len(before)
        near = left if left is not None and left < NEAR_CAP else None
        limit = game.repetition_limit
        if limit is None:
            return cls(plies_left=near)
        states, complete = _chain(engine, position, state, before)
        players = [(len(states) - i) % 2 for i in range(len(states))]
        counts = Counter(zip(states, players, strict=True))
        dangers = tuple(each for each, count in counts.items() if count >= limit - 1)
        knows = root_search.facts_of(state)[0] != NEVER
        blind = not complete or (bool(dangers) and not knows)
        return cls(tuple(states), dangers, blind, near)

    def trusted(self, known: Known) -> Known:
        """What is left of a proof."""
        if self.blind:
            return NOTHING
        if self.plies_left is None:
            return known
        in_time = known.win is not None and abs(known.win) <= self.plies_left
        if not in_time:
            return NOTHING
        if known.low > 0:
            return replace(known, low=1, high=ANY, settled=None)
        return replace(known, low=-ANY, high=-1, settled=None)


def _chain(
    engine: CompiledEngine, position: Position, state: Any, before: Sequence[Position]
) -> tuple[list[Any], bool]:
    """The states since the last irreversible move, and whether they are all that may come back."""
    chain: list[Any] = []
    turn, after = position.turn, state
    for earlier in reversed(before):
        if turn is None or earlier.turn != 1 - turn or len(chain) == MOST_HISTORY:
            return chain[::-1], False
        packed = engine.pack(earlier)
        if root_search.is_irreversible(packed, after):
            break
        chain.append(packed)
        turn, after = earlier.turn, packed
    return chain[::-1], True

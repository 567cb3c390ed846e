"""One heap of Nim: the smallest game that is one, to try the conformance suite on."""

from dataclasses import dataclass
from typing import Any

from mbegu.core.errors import InvalidMove, InvalidPosition
from mbegu.core.events import Capture, End
from mbegu.core.game import Game, Move, Position, Story, over_message, read_counts
from mbegu.core.options import option
from mbegu.core.outcome import Outcome, Reason


@dataclass(frozen=True)
class Nim(Game):
    """Take one, two or three stones; who takes the last one wins."""

    name = "nim"
    id = "nim@1"
    title = "Nim"
    summary = "Take one, two or three stones; take the last one to win."
    people = "Played by children everywhere."
    sides = ("First", "Second")
    rulebook = "Take one to three stones from the heap. Whoever takes the last stone wins."

    stones: int = option(12, "Stones in the heap", low=1, high=99)

    def start(self) -> Position:
        return NimPosition(self, self.stones, 0)

    def position(self, text: str) -> Position:
        heap, _space, side = text.partition(" ")
        if not heap.isdigit() or side not in ("0", "1"):
            raise InvalidPosition(f"{text}: write the stones and the player, like 12 0")
        return NimPosition(self, int(heap), int(side))

    def from_json(self, obj: Any) -> Position:
        heap, side = read_counts(obj, "nim", 2)
        return NimPosition(self, heap, side)

    def read_move(self, text: str, position: Position) -> Move:
        if text not in ("1", "2", "3"):
            raise InvalidMove(f"{text!r} is not a move: take 1, 2 or 3")
        return int(text)

    def format_move(self, move: Move, position: Position) -> str:
        return str(move)


@dataclass(frozen=True, slots=True, repr=False)
class NimPosition(Position):
    """The heap, and who takes next (or would, if anything were left)."""

    game: Nim
    heap: int
    side: int

    @property
    def turn(self) -> int | None:
        return self.side if self.heap else None

    def legal_moves(self) -> list[Move]:
        return [take for take in (1, 2, 3) if take <= self.heap]

    def forbids(self, move: Move) -> str | None:
        if type(move) is not int or not 1 <= move <= 3:
            raise InvalidMove(f"{move!r} is not a move: take 1, 2 or 3")
        if self.turn is None:
            return over_message()
        return f"only {self.heap} left" if move > self.heap else None

    def _story(self, move: Move) -> Story:
        assert isinstance(move, int)
        yield Capture("heap", move, self.game.sides[self.side])
        after = type(self)(self.game, self.heap - move, 1 - self.side)
        outcome = after.outcome()
        if outcome is not None:
            yield End(outcome)
        return after

    def outcome(self) -> Outcome | None:
        return None if self.heap else Outcome(1 - self.side, (0, 0), Reason.NO_MOVES)

    def scores(self) -> tuple[int, int]:
        return 0, 0

    def __str__(self) -> str:
        return f"{self.heap} {self.side}"

    def to_json(self) -> dict[str, Any]:
        return {"nim": [self.heap, self.side]}

    def diagram(self, *, colour: bool = False) -> str:
        return "o" * self.heap or "(empty)"

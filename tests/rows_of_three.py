"""Three in a row on a grid: a stranger's game whose board and events nobody else knows."""

from dataclasses import dataclass
from typing import Any, ClassVar

from mbegu.core.board import Board, Lying, Place
from mbegu.core.errors import InvalidMove, InvalidPosition
from mbegu.core.events import End, Event
from mbegu.core.game import Game, Move, Position, Story, over_message
from mbegu.core.outcome import Outcome, Reason

NAMES = tuple(f"{letter}{number}" for number in (3, 2, 1) for letter in "abc")
LINES = ("012", "345", "678", "036", "147", "258", "048", "246")
BOARD = Board(
    family="grid",
    places=tuple(Place(name, row=k // 3, column=k % 3) for k, name in enumerate(NAMES)),
    kinds=("dark", "light"),
    piece="pebble",
    pieces="pebbles",
)


@dataclass(frozen=True, slots=True)
class Lay(Event):
    """A pebble is laid."""

    sentence: ClassVar[str] = "{side} lays a pebble on {hole}."
    effect: ClassVar[str] = "mark"

    player: int
    hole: str


@dataclass(frozen=True)
class Rows(Game):
    """Lay pebbles in turn; three in a row win."""

    name = "rows"
    id = "rows@1"
    title = "Rows of three"
    summary = "Lay pebbles in turn; three in a row win."
    people = "Children scratch it into the sand."
    sides = ("Dark", "Light")
    rulebook = "Lay a pebble on an empty point. Three of yours in a row win."

    @property
    def board(self) -> Board:
        return BOARD

    def start(self) -> "RowsPosition":
        return RowsPosition(self, "." * 9)

    def position(self, text: str) -> "RowsPosition":
        if (
            len(text) != 9
            or set(text) - set(".xo")
            or text.count("x") - text.count("o") not in (0, 1)
        ):
            raise InvalidPosition(f"{text}: write nine of . x o")
        return RowsPosition(self, text)

    def from_json(self, obj: Any) -> "RowsPosition":
        if not isinstance(obj, dict) or not isinstance(obj.get("rows"), str):
            raise InvalidPosition("rows is a text")
        return self.position(obj["rows"])

    def read_move(self, text: str, position: Position) -> Move:
        if text not in NAMES:
            raise InvalidMove(f"{text!r} is not a point: write one from a1 to c3")
        return text

    def format_move(self, move: Move, position: Position) -> str:
        return str(move)


@dataclass(frozen=True, slots=True, repr=False)
class RowsPosition(Position):
    """Nine points, from the top left."""

    game: Rows
    points: str

    @property
    def turn(self) -> int | None:
        if self._winner() is not None or "." not in self.points:
            return None
        return self.points.count("x") - self.points.count("o")

    def _winner(self) -> int | None:
        rows = ["".join(self.points[int(k)] for k in line) for line in LINES]
        return 0 if "xxx" in rows else 1 if "ooo" in rows else None

    def legal_moves(self) -> list[Move]:
        if self.turn is None:
            return []
        return [name for name, mark in zip(NAMES, self.points, strict=True) if mark == "."]

    def forbids(self, move: Move) -> str | None:
        if move not in NAMES:
            raise InvalidMove(f"{move!r} is not a point")
        if self.turn is None:
            return over_message()
        return None if self.points[NAMES.index(str(move))] == "." else "a pebble lies there"

    def _story(self, move: Move) -> Story:
        assert self.turn is not None
        yield Lay(self.turn, str(move))
        k = NAMES.index(str(move))
        after = RowsPosition(self.game, self.points[:k] + "xo"[self.turn] + self.points[k + 1 :])
        outcome = after.outcome()
        if outcome is not None:
            yield End(outcome)
        return after

    def outcome(self) -> Outcome | None:
        return None if self.turn is not None else Outcome(self._winner(), (0, 0), Reason.NO_MOVES)

    def scores(self) -> tuple[int, int]:
        return 0, 0

    def places(self) -> dict[str, Lying]:
        counts = {".": (0, 0), "x": (1, 0), "o": (0, 1)}
        marks = zip(NAMES, self.points, strict=True)
        return {name: Lying(counts[mark]) for name, mark in marks}

    def __str__(self) -> str:
        return self.points

    def to_json(self) -> dict[str, Any]:
        return {"rows": self.points}

    def diagram(self, *, colour: bool = False) -> str:
        return "\n".join(self.points[k : k + 3] for k in (0, 3, 6))

"""Place a stone or move one: a stranger's game in which a point may be reached in either way."""

from dataclasses import dataclass
from typing import Any, ClassVar

from mbegu.core.board import Board, Lying, Place
from mbegu.core.errors import InvalidMove, InvalidPosition
from mbegu.core.events import Place as Lay
from mbegu.core.events import Slide
from mbegu.core.game import Game, Move, Position, Story, over_message
from mbegu.core.options import option
from mbegu.core.outcome import Outcome

NAMES = tuple(f"{letter}{number}" for number in (3, 2, 1) for letter in "abc")
RIM = ("a3", "b3", "c3", "c2", "c1", "b1", "a1", "a2")
STONES = 3


def beside(one: int, other: int) -> bool:
    """Whether two points are neighbours in a row or a column."""
    return abs(one // 3 - other // 3) + abs(one % 3 - other % 3) == 1


@dataclass(frozen=True)
class Herders(Game):
    """Three stones each, to be placed or moved; a match ends in a draw after twenty moves."""

    name = "herders"
    id = "herders@1"
    title = "Herders"
    summary = "Place a stone or move one."
    people = "Children in the dust."
    sides = ("Rain", "Wind")
    rulebook = "Place one of your three stones, or move one to a neighbouring point."
    ply_cap: ClassVar[int | None] = 20

    drawn: str = option("grid", "How it is drawn", choices=("grid", "mill"))

    @property
    def board(self) -> Board:
        return Board(
            family=self.drawn,
            places=tuple(Place(name, row=k // 3, column=k % 3) for k, name in enumerate(NAMES)),
            lines=((*RIM, RIM[0]), ("a2", "b2", "c2"), ("b3", "b2", "b1")),
            kinds=("reed", "shell"),
            piece="stone",
            pieces="stones",
        )

    def start(self) -> "HerdersPosition":
        return HerdersPosition(self, "." * 9, 0)

    def position(self, text: str) -> "HerdersPosition":
        points, _space, side = text.partition(" ")
        good = len(points) == 9 and not set(points) - set(".xo") and side in ("x", "o")
        if not good or max(points.count("x"), points.count("o")) > STONES:
            raise InvalidPosition(f"{text}: write nine of . x o, and whose turn it is")
        return HerdersPosition(self, points, "xo".index(side))

    def from_json(self, obj: Any) -> "HerdersPosition":
        if not isinstance(obj, dict) or not isinstance(obj.get("text"), str):
            raise InvalidPosition("text is a text")
        return self.position(obj["text"])

    def read_move(self, text: str, position: Position) -> Move:
        if not text or any(name not in NAMES for name in text.split("-")) or len(text) > 5:
            raise InvalidMove(f"{text!r} is no move: write b2 or b2-b3")
        return text

    def format_move(self, move: Move, position: Position) -> str:
        return str(move)


@dataclass(frozen=True, slots=True, repr=False)
class HerdersPosition(Position):
    """Nine points, from the top left, and who is to move."""

    game: Herders
    points: str
    turn: int

    def legal_moves(self) -> list[Move]:
        own = "xo"[self.turn]
        empty = [k for k in range(9) if self.points[k] == "."]
        placed = [NAMES[k] for k in empty] if self.points.count(own) < STONES else []
        starts = [k for k in range(9) if self.points[k] == own]
        moved = [f"{NAMES[k]}-{NAMES[to]}" for k in starts for to in empty if beside(k, to)]
        return [*placed, *moved]

    def forbids(self, move: Move) -> str | None:
        self.game.read_move(str(move), self)
        if self.outcome() is not None:
            return over_message()
        return None if move in self.legal_moves() else "nothing can go there"

    def _story(self, move: Move) -> Story:
        *start, end = str(move).split("-")
        points = list(self.points)
        points[NAMES.index(end)] = "xo"[self.turn]
        if start:
            points[NAMES.index(start[0])] = "."
            yield Slide(self.turn, start[0], end)
        else:
            yield Lay(self.turn, end)
        return HerdersPosition(self.game, "".join(points), 1 - self.turn)

    def outcome(self) -> Outcome | None:
        return None

    def scores(self) -> tuple[int, int]:
        return 0, 0

    def places(self) -> dict[str, Lying]:
        signs = zip(NAMES, self.points, strict=True)
        return {name: Lying((int(sign == "x"), int(sign == "o"))) for name, sign in signs}

    def __str__(self) -> str:
        return f"{self.points} {'xo'[self.turn]}"

    def to_json(self) -> dict[str, Any]:
        return {"text": str(self)}

    def diagram(self, *, colour: bool = False) -> str:
        return "\n".join(self.points[k : k + 3] for k in (0, 3, 6))

"""A board: the places of a game, in order, with all that a drawing, a keyboard or a voice needs.

A game says it once (`Game.board`), and a position says what lies in each place (`Position.places`).
Pictures, views, films, explanations and the browser read these two, and guess nothing.

    >>> from mbegu.core.registry import game
    >>> board = game("oware").board
    >>> board.family, [place.name for place in board.places][:3], board.owner("d")
    ('two_rows', ['A', 'B', 'C'], 1)
    >>> game("oware").start().places()["A"].counts
    (4,)
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from mbegu.core.errors import InvalidGame, shorten
from mbegu.core.i18n import N_, _

__all__ = ["FAMILIES", "Board", "Lying", "Place", "check_places"]

FAMILIES = ("two_rows", "four_rows", "ring", "mill", "grid", "unknown")
"""How the places lie: rows of holes with stores at the ends, a ring of holes in the order of the
places, points on lines, squares of a grid. A board of an unknown family is shown as its diagram."""

MOST_PLACES = 1000
"""More than that nobody can see, and every view of a game tells them all."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something may lie. `name` is how moves and events call it."""

    name: str
    row: float = 0  # the row on the picture, 0 on top
    column: float = 0  # and the column, 0 on the left; left of it lies the column -1
    label: str = ""  # what is written beside it; its name unless told
    owner: int | None = None
    key: str = ""  # what one types to choose it; its label unless told
    role: str = "hole"  # a store is a "score" or a "hand"

    def to_json(self) -> dict[str, Any]:
        """As plain data, complete."""
        label = self.label or self.name
        return {
            "name": self.name,
            "row": self.row,
            "column": self.column,
            "label": label,
            "owner": self.owner,
            "key": self.key or label,
            "role": self.role,
        }


class Lying(NamedTuple):
    """What lies in a place: how many of each kind of the board, and marks such as "locked"."""

    counts: tuple[int, ...]
    marks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Board:
    """What a game is played on. The words are in English; whoever shows them translates them."""

    family: str = "unknown"
    places: tuple[Place, ...] = ()
    stores: tuple[Place, ...] = ()  # beside the board: what was won, what is still in hand
    kinds: tuple[str, ...] = ("seed",)  # what may lie in a place; the counts stand in this order
    piece: str = N_("seed")
    pieces: str = N_("seeds")
    score: str = N_("captured")
    hole: str = N_("hole")  # what a place is called
    lines: tuple[tuple[str, ...], ...] = ()  # which places the lines of a mill board join

    @cached_property
    def _by_name(self) -> dict[str, Place]:
        return {place.name: place for place in (*self.places, *self.stores)}

    def place(self, name: str) -> Place | None:
        """A place or a store by its name."""
        return self._by_name.get(name)

    def owner(self, name: str) -> int | None:
        """Whose place it is; None if it is nobody's, or not on the board."""
        place = self._by_name.get(name)
        return None if place is None else place.owner

    def coordinates(self) -> tuple[dict[float, str], dict[float, str]] | None:
        """The letter of each column and the number of each row, where the names of the places are made of them."""
        letters, numbers = dict[float, str](), dict[float, str]()
        for place in self.places:
            letter, number = place.name[:1], place.name[1:]
            if letters.setdefault(place.column, letter) != letter:
                return None
            if numbers.setdefault(place.row, number) != number:
                return None
        return letters, numbers

    def taker(self, to: str, player: int) -> int:
        """Who has what a player's capture brings to a place: its owner, or he himself."""
        owner = self.owner(to)
        return player if owner is None else owner

    def store(self, player: int, role: str = "score") -> Place | None:
        """A player's store, or his hand."""
        mine = (store for store in self.stores if (store.owner, store.role) == (player, role))
        return next(mine, None)

    def to_json(self) -> dict[str, Any]:
        """As plain data, in the language of the moment."""
        return {
            "family": self.family,
            "places": [place.to_json() for place in self.places],
            "stores": [store.to_json() for store in self.stores],
            "kinds": list(self.kinds),
            "piece": _(self.piece),
            "pieces": _(self.pieces),
            "score": _(self.score),
            "hole": _(self.hole),
            "lines": [list(line) for line in self.lines],
        }


def check_places(board: object, lying: object) -> None:
    """Raises InvalidGame, with what is wrong, where a board or what lies on it cannot be true."""
    if not isinstance(board, Board):
        raise InvalidGame(_("{board} is not a Board").format(board=shorten(board)))
    _check_board(board)
    if not isinstance(lying, dict):
        raise InvalidGame(_("places() gives {value}").format(value=shorten(lying)))
    if not board.places:
        return
    for name, what in lying.items():
        if board.place(name) is None:
            raise InvalidGame(
                _("something lies in {place}, which is no place of the board").format(
                    place=shorten(name)
                )
            )
        _check_lying(board, name, what)
    missing = [place.name for place in board.places if place.name not in lying]
    if missing:
        raise InvalidGame(
            _("places() does not tell what lies in {place}").format(place=shorten(missing[0]))
        )


def _check_board(board: Board) -> None:
    if board.family not in FAMILIES:
        raise InvalidGame(
            _("no family of boards is called {name}; there are: {names}").format(
                name=shorten(board.family), names=", ".join(FAMILIES)
            )
        )
    names = [place.name for place in (*board.places, *board.stores)]
    if len(names) > MOST_PLACES:
        raise InvalidGame(
            _("its board has {number} places; {most} can be shown").format(
                number=len(names), most=MOST_PLACES
            )
        )
    for name in names:
        if not isinstance(name, str) or not name or names.count(name) > 1:
            raise InvalidGame(_("{place} is not a name for one place").format(place=shorten(name)))
    for line in board.lines:
        for name in line:
            if name not in names:
                raise InvalidGame(
                    _("a line leads to {place}, which is no place of the board").format(
                        place=shorten(name)
                    )
                )


def _check_lying(board: Board, name: str, what: object) -> None:
    counts = getattr(what, "counts", None)
    good = (
        isinstance(counts, tuple)
        and len(counts) == len(board.kinds)
        and all(type(count) is int and count >= 0 for count in counts)
    )
    if not good:
        raise InvalidGame(
            _("{value} cannot lie in {place}: a count for each of {kinds} is needed").format(
                value=shorten(counts), place=name, kinds=", ".join(board.kinds)
            )
        )

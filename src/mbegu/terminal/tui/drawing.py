"""Draws a board into a canvas, from the game's own description of it, as large as there is room for.

Holes are cells with their number and their seeds; points are joined by lines. What can be played, where the
cursor is, what was played last and what a move would do is told by signs as well as by tones, so that it
can be seen without colours.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from mbegu.core.board import Board, Lying, Place
from mbegu.core.game import Position
from mbegu.terminal.tui.canvas import Canvas
from mbegu.terminal.tui.film import Frame
from mbegu.terminal.tui.session import NOTHING, Preview

__all__ = ["Signs", "View", "draw_board", "room_for", "room_of"]

STORE = 8  # columns of a store at the end of two rows, its frame included


@dataclass(frozen=True)
class Signs:
    """The characters of the pieces."""

    kinds: dict[str, str]
    seed: str
    empty: str
    cursor: tuple[str, str]
    lands: str
    taken: str
    diagonals: str

    def of(self, look: str) -> str:
        """The sign of pieces that look so."""
        return self.kinds.get(look, self.seed)


FULL = Signs(
    {"red": "●", "blue": "◆", "dark": "●", "light": "○"}, "●", "·", ("▸", "◂"), "↓", "×", "╲╱"
)
PLAIN = Signs(
    {"red": "r", "blue": "b", "dark": "x", "light": "o"}, "o", ".", (">", "<"), "v", "!", "\\/"
)


@dataclass(frozen=True)
class View:
    """Everything that is to be seen on the board."""

    position: Position
    frame: Frame
    open: frozenset[str] = frozenset()
    cursor: str = ""
    chosen: str = ""
    last: tuple[str, ...] = ()
    preview: Preview = NOTHING
    signs: Signs = FULL

    @property
    def board(self) -> Board:
        """What it is played on."""
        return self.position.game.board

    def looks(self, kind: int) -> str:
        """As what pieces of a kind are drawn: two kinds of another name are a dark and a light one."""
        word = self.board.kinds[kind]
        return word if word in self.signs.kinds or kind > 1 else ("dark", "light")[kind]

    def lying(self, name: str) -> Lying:
        """What lies in a place at this moment."""
        return self.frame.lying.get(name, Lying((0,) * len(self.board.kinds)))

    def tone(self, place: Place) -> str:
        """What stands out about a place, the most important first."""
        name = place.name
        if name in self.frame.lit:
            return "taken" if self.frame.taken else "lit"
        if name == self.chosen:
            return "chosen"
        if name == self.cursor:
            return "cursor"
        return f"own{place.owner}" if place.owner in (0, 1) else "own"

    def label_tone(self, name: str) -> str:
        """How its name is written."""
        if name in self.open:
            return "legal"
        return "last" if name in self.last else "label"


def draw_board(canvas: Canvas, x: int, y: int, width: int, height: int, view: View) -> None:
    """The board in the middle of this room."""
    if not view.board.places:
        return _draw_words(canvas, x, y, width, height, view)
    wide, high = room_for(view.board, width, height)
    x, y = x + max(0, width - wide) // 2, y + max(0, height - high) // 2
    if view.board.family == "mill":
        return _draw_points(canvas, x, y, _Points.of(view.board, width, height), view)
    return _draw_cells(canvas, x, y, _Cells.of(view.board, width, height), view)


def room_for(board: Board, width: int, height: int) -> tuple[int, int]:
    """How wide and how high the board will be drawn if there is so much room; more if it is too little."""
    if not board.places:
        return 20, 8
    if board.family == "mill":
        return _Points.of(board, width, height).size
    return _Cells.of(board, width, height).size


def room_of(view: View, width: int, height: int) -> tuple[int, int]:
    """The same of a moment of a game: a board that is only a text is as large as its text and its moves."""
    if not view.board.places:
        return _Words.of(view, width).size
    return room_for(view.board, width, height)


# ---- holes ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Cells:
    """How large the cells are and where they lie."""

    columns: int
    rows: int
    left: float
    top: float
    wide: int  # of a cell, with one of its frames
    high: int
    stores: int  # columns for a store on each side
    gap: int  # rows between the halves, with a frame of their own

    @classmethod
    def of(cls, board: Board, width: int, height: int) -> "_Cells":
        places = board.places
        left, top = min(at.column for at in places), min(at.row for at in places)
        columns = int(max(at.column for at in places) - left) + 1
        rows = int(max(at.row for at in places) - top) + 1
        stores = STORE if board.family == "two_rows" and board.stores else 0
        gap = 2 if board.family in ("four_rows", "ring") else 0
        least = 7 if len(board.kinds) > 1 and board.family == "ring" else 5
        wide = max(least, min(9, (width - 1 - 2 * stores) // columns))
        high = max(3, min(5 if rows <= 2 else 4, (height - 1 - gap) // rows))
        return cls(columns, rows, left, top, wide, high, stores, gap)

    @property
    def size(self) -> tuple[int, int]:
        wide = self.columns * self.wide + 1 + 2 * self.stores
        return wide, self.rows * self.high + 1 + self.gap

    def corner(self, place: Place) -> tuple[int, int]:
        row = place.row - self.top
        lower = self.gap if row >= self.rows / 2 else 0
        across = int((place.column - self.left) * self.wide) + self.stores
        return across, int(row * self.high) + lower


def _draw_cells(canvas: Canvas, x: int, y: int, cells: _Cells, view: View) -> None:
    for place in view.board.places:
        across, down = cells.corner(place)
        canvas.box(x + across, y + down, cells.wide + 1, cells.high + 1, "frame")
    for place in view.board.places:
        across, down = cells.corner(place)
        _fill_cell(canvas, x + across, y + down, cells, place, view)
    if cells.gap:
        _draw_gap(canvas, x, y, cells, view)
    for store in view.board.stores if cells.stores else ():
        right = store.column > cells.left
        at = x + cells.size[0] - STORE if right else x
        _draw_store(canvas, at, y, cells, store, view)


def _draw_gap(canvas: Canvas, x: int, y: int, cells: _Cells, view: View) -> None:
    """The ridge between the players; in a ring, which way one sows."""
    line = y + int(cells.rows / 2 * cells.high) + 1
    if view.board.family == "ring":
        canvas.centre(x, line, cells.size[0], _around(view), "label")
    else:
        canvas.put(x, line, "═" * cells.size[0], "ridge")


def _around(view: View) -> str:
    """Which way the places follow each other on the upper row."""
    first, second = view.board.places[:2]
    up, down = ("→", "←") if view.signs is FULL else (">", "<")
    if first.column > second.column:
        up, down = down, up
    return f"{up} {up} {up}        {down} {down} {down}"


def _fill_cell(canvas: Canvas, x: int, y: int, cells: _Cells, place: Place, view: View) -> None:
    wide, high = cells.wide - 1, cells.high - 1
    name, lying = place.name, view.lying(place.name)
    tone = view.tone(place)
    canvas.fill(x + 1, y + 1, wide, high, tone)
    canvas.area(name, x, y, cells.wide, cells.high)
    label = f"[{_label(place)}]" if name in view.open else f" {_label(place)} "
    label += "*" if name in view.last else ""
    canvas.put(x + 1, y, label[:wide], view.label_tone(name))
    if len(lying.counts) == 1:
        _one_kind(canvas, x + 1, y + 1, wide, high, lying.counts[0], tone, view.signs.seed)
    else:
        _many_kinds(canvas, x + 1, y + 1, wide, high, lying.counts, tone, view)
    if name == view.cursor:
        canvas.put(x + 1, y + 1, view.signs.cursor[0], tone)
        canvas.put(x + wide, y + 1, view.signs.cursor[1], tone)
    sign = _foreseen(name, view) or ("!" if lying.marks else "")
    if sign:
        canvas.put(x + wide - (name == view.cursor), y + 1, sign, f"{tone} mark")


def _foreseen(name: str, view: View) -> str:
    """What the move under the cursor would do here."""
    if name in view.preview.captures:
        return view.signs.taken
    return view.signs.lands if name == view.preview.last else ""


def _one_kind(
    canvas: Canvas, x: int, y: int, wide: int, high: int, count: int, tone: str, seed: str
) -> None:
    """The number, and under it as many seeds; of a heap, a full row and a plus."""
    canvas.centre(x, y, wide, str(count), f"{tone} count" if count else f"{tone} none")
    left, lines = count, high - 1
    for line in range(lines):
        here = min(left, wide - 1)
        left -= here
        row = seed * here + ("+" if left and line == lines - 1 else "")
        canvas.centre(x, y + 1 + line, wide, row, f"{tone} seed")


def _many_kinds(
    canvas: Canvas,
    x: int,
    y: int,
    wide: int,
    high: int,
    counts: Sequence[int],
    tone: str,
    view: View,
) -> None:
    """A line for each kind that lies there; where none lies, nothing."""
    kinds = [(view.looks(kind), count) for kind, count in enumerate(counts) if count]
    single = sum(counts) == 1 and view.board.family != "ring"
    for line, (kind, count) in enumerate(kinds[:high]):
        sign = view.signs.of(kind)
        told = sign if single else f"{count:2}{sign}"
        canvas.centre(x, y + line, wide, told, f"{tone} {kind}")
    if not kinds:
        canvas.centre(x, y, wide, view.signs.empty, f"{tone} none")


def _draw_store(canvas: Canvas, x: int, y: int, cells: _Cells, store: Place, view: View) -> None:
    high = cells.size[1]
    lit = store.name in view.frame.lit
    tone = "lit" if lit else f"own{store.owner}"
    canvas.box(x, y, STORE, high, "frame")
    canvas.fill(x + 1, y + 1, STORE - 2, high - 2, tone)
    canvas.area(store.name, x, y, STORE, high)
    count = sum(view.lying(store.name).counts)
    canvas.centre(x + 1, y + high // 2, STORE - 2, str(count), f"{tone} count")
    assert store.owner is not None
    side = view.position.game.side(store.owner)
    canvas.centre(x + 1, y + 1, STORE - 2, side, f"{tone} none")


def _label(place: Place) -> str:
    return place.label or place.name


# ---- points on lines ------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Points:
    """How far the points lie apart."""

    left: float
    top: float
    columns: float
    rows: float
    across: int
    down: int

    @classmethod
    def of(cls, board: Board, width: int, height: int) -> "_Points":
        left, top = (min(getattr(at, side) for at in board.places) for side in ("column", "row"))
        columns = max(at.column for at in board.places) - left
        rows = max(at.row for at in board.places) - top
        across = int(max(6, min(8, (width - 7) // max(1, columns))))
        down = int(max(2, min(3, (height - 2) // max(1, rows))))
        return cls(left, top, columns, rows, across, down)

    @property
    def size(self) -> tuple[int, int]:
        return int(self.columns * self.across) + 7, int(self.rows * self.down) + 2

    def at(self, place: Place) -> tuple[int, int]:
        """Where a point lies; left of the points stand the numbers of the rows."""
        column, row = place.column - self.left, place.row - self.top
        return int(column * self.across) + 4, int(row * self.down)


def _draw_points(canvas: Canvas, x: int, y: int, points: _Points, view: View) -> None:
    board = view.board
    spots = {place.name: points.at(place) for place in board.places}
    for names in board.lines:
        for one, other in itertools.pairwise(names):
            _draw_line(canvas, x, y, spots[one], spots[other], view.signs)
    for place in board.places:
        across, down = spots[place.name]
        _draw_point(canvas, x + across, y + down, place, view)
    _draw_coordinates(canvas, x, y, points, view)


def _draw_line(
    canvas: Canvas, x: int, y: int, one: tuple[int, int], other: tuple[int, int], signs: Signs
) -> None:
    (left, top), (right, bottom) = sorted((one, other))
    if top == bottom:
        for at in range(left, right + 1):
            arms = (2 if at < right else 0) | (8 if at > left else 0)
            canvas.join(x + at, y + top, arms, "line")
    elif left == right:
        top, bottom = sorted((top, bottom))
        for at in range(top, bottom + 1):
            arms = (4 if at < bottom else 0) | (1 if at > top else 0)
            canvas.join(x + left, y + at, arms, "line")
    else:
        rows, sign = abs(bottom - top), signs.diagonals[bottom < top]
        for step in range(1, rows):
            across = left + round((right - left) * step / rows)
            canvas.put(x + across, y + top + (step if bottom > top else -step), sign, "line")


def _draw_point(canvas: Canvas, x: int, y: int, place: Place, view: View) -> None:
    name, lying = place.name, view.lying(place.name)
    kind = next((at for at, count in enumerate(lying.counts) if count), None)
    word = None if kind is None else view.looks(kind)
    tone = view.tone(place).replace("own", "point")
    sign = view.signs.empty if word is None else view.signs.of(word)
    canvas.area(name, x - 2, y, 5, 1)
    canvas.put(x, y, sign, f"{tone} {word}" if word else f"{tone} none")
    around = ""
    if name == view.cursor:
        around = "[]"
    elif name in view.open:
        around = "()"
    elif name in view.preview.captures:
        around = "!!"
    if around:
        canvas.put(x - 1, y, around[0], tone if name == view.cursor else "legal")
        canvas.put(x + 1, y, around[1], tone if name == view.cursor else "legal")
    if name in view.last:
        canvas.put(x + 2, y, "*", "last")


def _draw_coordinates(canvas: Canvas, x: int, y: int, points: _Points, view: View) -> None:
    """Letters under the columns and numbers beside the rows, where the names are made of them; else labels."""
    lettered = view.board.coordinates() is not None
    for place in view.board.places:
        across, down = points.at(place)
        if lettered:
            canvas.put(x, y + down, place.name[1:3], "label")
            canvas.put(x + across, y + points.size[1] - 1, place.name[:1], "label")
        elif len(_label(place)) <= 2:
            canvas.put(x + across + 3, y + down, _label(place), view.label_tone(place.name))


# ---- a board that is only a text ------------------------------------------------------------------


@dataclass(frozen=True)
class _Words:
    """A diagram, and under it the moves that may be played, in rows."""

    diagram: list[str]
    moves: list[list[str]]

    @classmethod
    def of(cls, view: View, width: int) -> "_Words":
        rows, at = list[list[str]]([[]]), 0
        for word in sorted(view.open, key=lambda word: (len(word), word)):
            if rows[-1] and at + len(word) + 4 > width - 2:
                rows, at = [*rows, []], 0
            rows[-1].append(f"[{word}]")
            at += len(word) + 4
        return cls(view.position.diagram().splitlines(), rows)

    @property
    def size(self) -> tuple[int, int]:
        wide = max(map(len, self.diagram), default=0)
        return wide + 4, len(self.diagram) + 1 + len(self.moves)


def _draw_words(canvas: Canvas, x: int, y: int, width: int, height: int, view: View) -> None:
    words = _Words.of(view, width)
    left = x + max(2, (width - words.size[0]) // 2 + 2)
    shown = words.diagram[: height - 2]
    for row, line in enumerate(shown, y):
        canvas.put(left, row, line[: x + width - left], "own")
    for row, moves in enumerate(words.moves, y + len(shown) + 1):
        at = x + max(2, (width - len("  ".join(moves))) // 2)
        for word in moves:
            name = word[1:-1]
            canvas.put(at, row, word, "cursor" if name == view.cursor else "legal")
            canvas.area(name, at, row, len(word), 1)
            at += len(word) + 2

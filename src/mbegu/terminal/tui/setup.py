"""The set-up editor: a player lays his pieces, unseen by the other."""

import textwrap
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen

from mbegu.core.board import Lying
from mbegu.core.errors import MbeguError
from mbegu.core.i18n import _
from mbegu.core.setups import SetUpGame
from mbegu.terminal.tui.canvas import Canvas
from mbegu.terminal.tui.canvas_view import CanvasView
from mbegu.terminal.tui.drawing import FULL, PLAIN, View, draw_board
from mbegu.terminal.tui.film import Frame
from mbegu.terminal.tui.layout import Laying
from mbegu.terminal.tui.looks import Look
from mbegu.terminal.tui.scene import table_size

__all__ = ["SetUp"]

ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


class SetUp(Screen[tuple[int, ...] | None]):
    """Arrows go to a place, + and - lay and take, Enter is done."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", show=False)]

    def __init__(self, game: SetUpGame, player: int, look: Look, plain: bool) -> None:
        super().__init__()
        self.laying = Laying(game, player)
        self._signs = PLAIN if plain else FULL
        self._table = CanvasView(self._draw, look)
        self._said = ""

    def compose(self) -> ComposeResult:
        """The board."""
        yield self._table

    def _draw(self, width: int, height: int) -> Canvas:
        laying, game = self.laying, self.laying.game
        lying = {
            place.name: Lying((laying.counts.get(place.name, 0),)) for place in game.board.places
        }
        view = View(game.start(), Frame(lying), cursor=laying.cursor, signs=self._signs)
        wide, high = table_size(view, width, height)
        screen, canvas = Canvas(width, height), Canvas(wide, high)
        canvas.fill(0, 0, wide, 1, "title")
        title = _("{side} lays the {pieces}").format(
            side=game.side(laying.player), pieces=_(game.board.pieces)
        )
        canvas.put(1, 0, title, "title")
        draw_board(canvas, 0, 2, wide, high - 6, view)
        self._draw_below(canvas, high - 4)
        screen.paste(canvas, (width - wide) // 2, (height - high) // 2)
        return screen

    def _draw_below(self, canvas: Canvas, y: int) -> None:
        """How many are left, what is wrong, and the keys: in two lines where one is too short."""
        wide, left = canvas.width - 2, self.laying.left
        told = _("still to lay: {number}").format(number=left)
        canvas.put(1, y, told, "turn" if left else "last")
        canvas.put(1, y + 1, self._said[:wide], "bad")
        keys = _(
            "arrows, + and - or a number; a: as usual, r: by lot, 0: empty; Enter: done, Esc: back"
        )
        for line, text in enumerate(textwrap.wrap(keys, wide)[:2]):
            canvas.put(1, y + 2 + line, text, "dim")

    def on_key(self, event: events.Key) -> None:
        """Lays, takes, moves the cursor."""
        laying, sign = self.laying, event.character or ""
        self._said = ""
        if event.key in ARROWS:
            laying.go(*ARROWS[event.key])
        elif sign in ("+", "="):
            laying.add(1)
        elif sign in ("-", "_"):
            laying.add(-1)
        elif sign.isdecimal():
            laying.put(int(sign))
        elif sign == "a":
            laying.usual()
        elif sign == "r":
            laying.by_lot()
        elif event.key == "enter":
            self._done()
        else:
            return
        event.stop()
        self._table.redraw()

    def _done(self) -> None:
        try:
            self.dismiss(self.laying.setup())
        except MbeguError as error:
            self._said = str(error)

    def on_canvas_view_touched(self, event: CanvasView.Touched) -> None:
        """A click lays one."""
        if event.name in self.laying.counts:
            self.laying.cursor = event.name
            self.laying.add(1)
            self._table.redraw()

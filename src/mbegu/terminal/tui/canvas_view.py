"""The widget that shows a canvas, and says what was pointed at."""

from collections.abc import Callable

from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from mbegu.terminal.tui.canvas import Canvas
from mbegu.terminal.tui.looks import Look

__all__ = ["CanvasView"]


class CanvasView(Widget, can_focus=True):
    """A canvas on the screen. `draw` makes one of a given size."""

    DEFAULT_CSS = "CanvasView { width: 100%; height: 100%; }"

    class Touched(Message):
        """Somebody has clicked on an area."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    class Hovered(Message):
        """The mouse is over another area."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, draw: Callable[[int, int], Canvas], look: Look) -> None:
        super().__init__()
        self._draw, self.look = draw, look
        self._canvas: Canvas | None = None
        self._under = ""

    @property
    def canvas(self) -> Canvas:
        """What is shown now."""
        if self._canvas is None or (self._canvas.width, self._canvas.height) != self.size:
            self._canvas = self._draw(self.size.width, self.size.height)
        return self._canvas

    def redraw(self) -> None:
        """Something has changed."""
        self._canvas = None
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """A row of the canvas in the colours of the look."""
        look = self.look
        segments = [Segment(text, look.style(tone)) for text, tone in self.canvas.runs(y)]
        return Strip(segments).adjust_cell_length(self.size.width, look.style(""))

    def on_click(self, event: events.Click) -> None:
        """A click on the board, or on a key of the last row."""
        name = self.canvas.at(event.x, event.y)
        if name is not None:
            self.post_message(self.Touched(name))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """What lies under the mouse is under the cursor."""
        name = self.canvas.at(event.x, event.y) or ""
        if name != self._under:
            self._under = name
            if name:
                self.post_message(self.Hovered(name))

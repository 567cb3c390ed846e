"""The full-screen terminal as a Textual program: keys, mouse, time, and who thinks."""

import os
import threading
from functools import partial
from typing import Any, ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.theme import Theme

from mbegu.core.errors import BrokenGame, MbeguError
from mbegu.core.game import Move
from mbegu.core.i18n import _
from mbegu.core.printable import one_line
from mbegu.engine.compiling import announce_compiling
from mbegu.terminal.advice import Adviser, choose_move
from mbegu.terminal.seats import OwnBot, close_seats
from mbegu.terminal.tui import menu
from mbegu.terminal.tui.canvas import Canvas
from mbegu.terminal.tui.canvas_view import CanvasView
from mbegu.terminal.tui.commands import SECONDS, Commands
from mbegu.terminal.tui.help import KEYS, key_row
from mbegu.terminal.tui.looks import LOOKS, NO_COLOURS, Look
from mbegu.terminal.tui.moving import neighbour, next_open
from mbegu.terminal.tui.scene import State, compose
from mbegu.terminal.tui.session import Session
from mbegu.terminal.tui.wishes import Wishes

__all__ = ["TableApp"]

BETWEEN_COMPUTERS = 0.5
ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
TURNING = {"left": -1, "up": -1, "shift+tab": -1, "right": 1, "down": 1, "tab": 1}  # red, blue


class TableApp(Commands):
    """A game on the whole screen. Ends with the exit code of the command."""

    TITLE = "Mbegu"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q", "leave(130)", show=False, priority=True)
    ]
    CSS = """
    ModalScreen { align: center middle; }
    .sheet { width: 72; max-width: 96%; height: auto; max-height: 90%; padding: 1 2; background: $surface; color: $foreground; }
    .sheet OptionList { height: auto; max-height: 16; background: $surface; border: none; scrollbar-size: 1 1; }
    .sheet Input { margin-top: 1; background: $panel; }
    App:nocolor .sheet { border: solid $foreground; padding: 0 1; }
    App:nocolor .sheet OptionList:focus > .option-list--option-highlighted { text-style: bold underline; }
    """

    def __init__(
        self,
        wishes: Wishes,
        *,
        look: str = "dusk",
        plain: bool = False,
        speed: int = 3,
        **settings: Any,
    ) -> None:
        colourless = (
            "NO_COLOR" in os.environ
        )  # then no grey instead of colours either: it may be as dark as the ground
        super().__init__(ansi_color=True if colourless else None, **settings)
        self._wishes, self.state = wishes, State(plain=plain, speed=speed)
        self.session: Session | None = None
        self.adviser = Adviser()
        self.look = LOOKS[look]
        self._table = CanvasView(self._draw, self.look)
        self._film: Any = None
        self._announced, self._engine_lock = False, threading.Lock()
        self._compiling = ""  # what was said about that, until it is done

    def _handle_exception(self, error: Exception) -> None:
        """A game of another package that fails ends the screen with one line, not with pages of code."""
        if isinstance(error, BrokenGame):
            self.exit(return_code=2, message=f"mbegu: {error}")
        else:
            super()._handle_exception(error)

    # ---- the screen

    def compose(self) -> ComposeResult:
        """One table."""
        yield self._table

    def on_mount(self) -> None:
        """Looks, and what to play."""
        for look in LOOKS.values():
            if not look.sixteen:
                self.register_theme(_theme(look))
        self._wear(self.look)
        self.set_interval(0.5, self._tick)
        self._begin(self._wishes)

    def on_unmount(self) -> None:
        """However it ends, no bot stays behind."""
        if self.session is not None:
            close_seats(self.session.seats)

    def _draw(self, width: int, height: int) -> Canvas:
        if self.session is None:
            return Canvas(width, height)
        self.state.keys = key_row()
        return compose(self.session, self.state, width, height)

    def redraw(self) -> None:
        """Something has changed."""
        self._table.redraw()

    def _wear(self, look: Look) -> None:
        if self.no_color:
            look = NO_COLOURS
        self.look = self._table.look = look
        self.theme = "ansi-dark" if look.sixteen else f"mbegu-{look.name}"
        self.redraw()

    def say(self, words: str) -> None:
        """Tells the player something that is not part of the game."""
        self.state.notice = one_line(words)
        self.redraw()

    def _compiles(self, words: str) -> None:
        self._compiling = one_line(words)
        self.say(words)

    # ---- beginning

    @work(exclusive=True)
    async def _begin(self, wishes: Wishes) -> None:
        if not await menu.ask_for(self, wishes):
            if self.session is None:
                self.action_leave(0)
            return
        if self.session is not None:
            close_seats(self.session.seats)
        try:
            self.session = wishes.session()
        except MbeguError as error:
            self.exit(2, message=f"mbegu: {error}")
            return
        self._wishes = wishes
        self.state.notice, self.state.chance = "", None
        self._announced = False
        self._next()

    # ---- turns

    def _next(self) -> None:
        """Whoever is to move begins to think."""
        session = self.session
        assert session is not None
        self._asked += 1
        self.state.thinking = False
        self.redraw()
        seat, turn = session.bot_to_move, session.match.turn
        if turn is None:
            return self._evaluate()
        if not session.match.clock.control.limited or session.match.clock.running != turn:
            session.match.clock.start(turn)
        if seat is None:
            return self._evaluate()
        self.state.thinking = True
        assert seat.bot is not None
        bot, position, clock = seat.bot, session.position, session.match.clock
        if isinstance(bot, OwnBot):
            bot.follow(session.match)
        return self._behind(
            lambda: choose_move(bot, position, clock), self._bot_moves, self._bot_fails
        )

    def _bot_moves(self, move: Move) -> None:
        assert self.session is not None
        self.state.thinking = False
        self.play([move])

    def _bot_fails(self, error: Exception) -> None:
        assert self.session is not None
        self.state.thinking = False
        turn = self.session.match.turn
        if turn is not None:
            self.session.match.forfeit(turn)
        self.say(str(error))

    def play(self, moves: list[Move]) -> None:
        """Plays, and shows it."""
        assert self.session is not None
        if not moves:
            return self.redraw()
        try:
            for move in moves:
                self.session.play(move)
        except MbeguError as error:
            return self.say(str(error))
        self.state.notice = ""
        if SECONDS[self.state.speed] == 0:
            self.session.skip()
        self.redraw()
        return self._roll()

    def _roll(self) -> None:
        """The film goes on, or the next player."""
        assert self.session is not None
        if self._film is not None:
            self._film.stop()
            self._film = None
        if not self.session.reel:
            watching = all(seat.bot for seat in self.session.seats)
            pause = BETWEEN_COMPUTERS if watching and self.state.speed < 5 else 0
            self.redraw()
            if pause:
                self._film = self.set_timer(pause, self._next)
            else:
                self._next()
        elif not self.state.paused:
            lap = self.session.reel[0].lap
            self._film = self.set_timer(SECONDS[self.state.speed] * max(0.2, 0.85**lap), self._step)

    def _step(self) -> None:
        assert self.session is not None
        self._film = None
        self.session.step()
        self.redraw()
        self._roll()

    def _skip(self) -> None:
        assert self.session is not None
        self.state.paused = False
        self.session.skip()
        self._roll()

    def _tick(self) -> None:
        """The clocks."""
        session = self.session
        if session is None or not session.match.clock.control.limited:
            return
        if session.flag():
            self._asked += 1
            self.state.thinking = False
        self.redraw()

    # ---- what the engine says

    def _announce(self) -> None:
        """The engine says when it compiles. To load it takes a moment: not while somebody types."""
        with self._engine_lock:
            if not self._announced and self.session is not None:
                self._announced = True
                say = partial(self._from_thread, self._compiles)
                announce_compiling(say, self.session.match.game)

    def _evaluate(self) -> None:
        if not self.state.evaluating or self.session is None:
            return
        match = self.session.match
        self._behind(lambda: self.adviser.chance(match), self._evaluated)

    def _evaluated(self, chance: float | None) -> None:
        self.state.chance = chance
        if self.state.notice == self._compiling:
            self.state.notice = ""
        self.redraw()

    # ---- keys and mouse

    def on_key(self, event: events.Key) -> None:
        """A key on the board; what comes up over it has its own."""
        if self.session is None or len(self.screen_stack) > 1:
            return
        event.stop()
        if self.session.reel and self._film_key(event.key, event.character or ""):
            return
        self.state.notice = ""
        self._board_key(event.key, event.character or "")

    def _film_key(self, key: str, sign: str) -> bool:
        """A key while seeds are sown; any other ends the film and does what it does."""
        assert self.session is not None
        if sign in ("+", "-"):
            self.speed(self.state.speed + (1 if sign == "+" else -1))
        elif key == "space":
            self.state.paused = not self.state.paused
            self._roll()
            self.redraw()
        elif sign == "." or (self.state.paused and key == "right"):
            self.state.paused = True
            self._step()
        elif key in ("escape", "enter"):
            self._skip()
        else:
            self._skip()
            return False
        return True

    def _board_key(self, key: str, sign: str) -> None:
        session = self.session
        assert session is not None
        if sign.isalnum() or (sign and sign == "-" and session.typed):
            moves = session.type(sign)
            if moves is not None:
                return self.play(moves)
        if key in TURNING and session.pick(session.picked + TURNING[key]):
            pass
        elif key in ARROWS:
            session.message = ""
            session.cursor = neighbour(session, self._table.canvas, *ARROWS[key])
        elif key in ("tab", "shift+tab"):
            session.message = ""
            session.cursor = next_open(session, -1 if key == "shift+tab" else 1)
        elif key in ("enter", "space"):
            return self.play(session.enter())
        elif key in ("escape", "backspace"):
            session.let_go()
        elif sign in ("+", "-"):
            return self.speed(self.state.speed + (1 if sign == "+" else -1))
        else:
            self.command(KEYS.get(key, KEYS.get(sign.lower(), "")))
        return self.redraw()

    def on_canvas_view_touched(self, event: CanvasView.Touched) -> None:
        """A click: a key of the last row, or a place of the board."""
        if self.session is None:
            return
        if event.name.startswith("key:"):
            self.command(KEYS.get(event.name.removeprefix("key:"), ""))
        elif self.session.reel:
            self._skip()
        elif event.name.startswith("pick:"):
            self.session.pick(int(event.name.removeprefix("pick:")))
            self.play(self.session.touch(self.session.chosen or ""))
        else:
            self.state.notice = ""
            self.play(self.session.touch(event.name))

    def on_canvas_view_hovered(self, event: CanvasView.Hovered) -> None:
        """The mouse shows what a move would do."""
        session = self.session
        if session is None or not session.human_to_move:
            return
        if event.name.startswith("pick:"):
            session.pick(int(event.name.removeprefix("pick:")))
            self.redraw()
        elif event.name in session.places() and not session.variants():
            session.cursor, session.message = event.name, ""
            self.redraw()

    def action_leave(self, code: int = 0) -> None:
        """Ends the program; a game under way is kept."""
        message = None
        match = None if self.session is None else self.session.match
        if match is not None and match.moves and match.outcome is None:
            message = _("The game is kept. Go on with it: mbegu play --resume")
        self.exit(code, message=message)


def _theme(look: Look) -> Theme:
    """The colours of Textual's own widgets, after the look."""
    ground = "own0" if "own0" in dict(look.words) else "sheet"
    return Theme(
        name=f"mbegu-{look.name}",
        primary=look.colour("legal"),
        accent=look.colour("legal"),
        foreground=look.colour("sheet"),
        background=look.colour("sheet", ground=True),
        surface=look.colour(ground, ground=True),
        panel=look.colour("sheet", ground=True),
        dark=look.dark,
    )

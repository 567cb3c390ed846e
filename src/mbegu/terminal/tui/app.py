"""The full-screen terminal as a Textual program: keys, mouse, time, and who thinks."""

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.theme import Theme

from mbegu.core.errors import MbeguError
from mbegu.core.game import Move
from mbegu.core.i18n import _
from mbegu.core.printable import one_line
from mbegu.core.story import tell
from mbegu.engine.compiling import announce_compiling
from mbegu.terminal.advice import Adviser, choose_move
from mbegu.terminal.seats import OwnBot, close_seats
from mbegu.terminal.tui import menu
from mbegu.terminal.tui.behind import Thinking
from mbegu.terminal.tui.canvas import Canvas
from mbegu.terminal.tui.canvas_view import CanvasView
from mbegu.terminal.tui.help import KEYS, help_text, key_row
from mbegu.terminal.tui.looks import LOOKS, Look
from mbegu.terminal.tui.moving import neighbour, next_open
from mbegu.terminal.tui.scene import State, compose
from mbegu.terminal.tui.screens import Ask, Choose, Read
from mbegu.terminal.tui.session import Session
from mbegu.terminal.tui.wishes import Wishes
from mbegu.terminal.words import command_of

__all__ = ["TableApp"]

SECONDS = {1: 0.8, 2: 0.4, 3: 0.2, 4: 0.08, 5: 0.0}  # between two moments of a film, by speed
BETWEEN_COMPUTERS = 0.5
ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


class TableApp(Thinking):
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
        super().__init__(**settings)
        self._wishes, self.state = wishes, State(plain=plain, speed=speed)
        self.session: Session | None = None
        self.adviser = Adviser()
        self.look = LOOKS[look]
        self._table = CanvasView(self._draw, self.look)
        self._film: Any = None
        self._announced, self._engine_lock = False, threading.Lock()
        self._compiling = ""  # what was said about that, until it is done

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
        if key in ARROWS:
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
        else:
            self.state.notice = ""
            self.play(self.session.touch(event.name))

    def on_canvas_view_hovered(self, event: CanvasView.Hovered) -> None:
        """The mouse shows what a move would do."""
        session = self.session
        if session is not None and session.human_to_move and event.name in session.places():
            session.cursor, session.message = event.name, ""
            self.redraw()

    # ---- commands

    def command(self, name: str, rest: str = "") -> None:
        """Does what a command says; "" is none."""
        commands: dict[str, Callable[[str], object]] = {
            "?": self._help,
            ":": lambda _rest: self._ask_command(),
            "hint": lambda _rest: self._hint(),
            "undo": lambda _rest: self._undo(),
            "new": lambda _rest: self._new(),
            "save": self._save,
            "save!": lambda path: self._save(path, overwrite=True),
            "load": self._load,
            "theme": self._theme,
            "speed": lambda number: self.speed(int(number) if number.isdecimal() else 3),
            "eval": lambda _rest: self._toggle_evaluation(),
            "rules": lambda _rest: self._rules(),
            "moves": lambda _rest: self._moves(),
            "resign": lambda _rest: self._resign(),
            "q": lambda _rest: self.action_leave(0),
        }
        if name in commands and self.session is not None:
            try:
                commands[name](rest)
            except MbeguError as error:
                self.say(str(error))

    @work
    async def _ask_command(self) -> None:
        line = await self.push_screen_wait(Ask(_("A command, or a move (? lists them)")))
        if not line or self.session is None:
            return None
        word, _space, rest = line.partition(" ")
        name = command_of(word)
        if name:
            return self.command(name, rest.strip())
        try:
            game, position = self.session.match.game, self.session.position
            return self.play(list(game.parse_turn(game.typed(line, position), position)))
        except MbeguError as error:
            return self.say(str(error))

    def _help(self, _rest: str) -> None:
        assert self.session is not None
        self._read(help_text(self.session.position))

    def _rules(self) -> None:
        assert self.session is not None
        self._read(_(self.session.match.game.rulebook))

    def _read(self, text: str) -> None:
        """After this key, which would close the sheet again."""
        self.call_later(self.push_screen, Read(text))

    def _moves(self) -> None:
        assert self.session is not None
        self.say(" ".join(choice.word for choice in self.session.choices()))

    def _hint(self) -> None:
        assert self.session is not None
        match, position = self.session.match, self.session.position
        if not self.session.human_to_move:
            return
        self.say(_("thinking …"))

        def told(found: tuple[Move, str]) -> None:
            move, why = found
            word = match.game.format_move(move, position)
            words = _("Try {move}. {story}").format(move=word, story=tell(position, move))
            reasons = _("Why: {reasons}.").format(reasons=why) if why else ""
            self.say(f"{words} {reasons}")

        self._behind(lambda: self.adviser.advice(match), told)

    def _undo(self) -> None:
        assert self.session is not None
        self.session.undo()
        self.state.chance = None
        self._next()

    @work
    async def _new(self) -> None:
        assert self.session is not None
        options = [("same", _("The same game again")), ("other", _("Another game or opponent"))]
        chosen = await self.push_screen_wait(Choose(_("A new game?"), options))
        if chosen == "same":
            self.session.new()
            self.state.chance = None
            self._next()
        elif chosen == "other":
            self._begin(Wishes(control=self._wishes.control, seed=self._wishes.seed))

    @work
    async def _save(self, path: str, *, overwrite: bool = False) -> None:
        assert self.session is not None
        path = path or await self._asked_for(_("Save the game in which file?"))
        if not path:
            return
        if not overwrite and Path(path).expanduser().exists():
            overwrite = await self._sure(_("{path} exists already. Replace it?").format(path=path))
            if not overwrite:
                return
        try:
            self.session.save(path, overwrite=overwrite)
            self.redraw()
        except MbeguError as error:
            self.say(str(error))

    @work
    async def _load(self, path: str) -> None:
        assert self.session is not None
        path = path or await self._asked_for(_("Go on with the game of which file?"))
        if not path:
            return
        try:
            self.session.load(path)
            self._next()
        except MbeguError as error:
            self.say(str(error))

    @work
    async def _resign(self) -> None:
        assert self.session is not None
        if await self._sure(_("Do you give up?")):
            try:
                self.session.resign()
                self._next()
            except MbeguError as error:
                self.say(str(error))

    async def _asked_for(self, question: str) -> str:
        answer: str | None = await self.push_screen_wait(Ask(question))
        return answer or ""

    async def _sure(self, question: str) -> bool:
        options = [("no", _("No")), ("yes", _("Yes"))]
        return await self.push_screen_wait(Choose(question, options)) == "yes"

    def _theme(self, name: str) -> None:
        names = list(LOOKS)
        if name not in names:
            name = names[(names.index(self.look.name) + 1) % len(names)]
        self._wear(LOOKS[name])
        self.say(_(LOOKS[name].title))

    def _toggle_evaluation(self) -> None:
        self.state.evaluating = not self.state.evaluating
        self._evaluate()
        self.redraw()

    def speed(self, number: int) -> None:
        """How quickly moves are shown, from 1 to 5."""
        self.state.speed = max(min(SECONDS), min(max(SECONDS), number))
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

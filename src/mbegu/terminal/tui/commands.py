"""What a player of the full-screen terminal asks for besides moving: hints, files, looks, another game."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from textual import work

from mbegu.core.errors import MbeguError
from mbegu.core.game import Move
from mbegu.core.i18n import _
from mbegu.core.story import tell
from mbegu.terminal.advice import Adviser
from mbegu.terminal.screen import paragraphs
from mbegu.terminal.tui.behind import Thinking
from mbegu.terminal.tui.help import help_text
from mbegu.terminal.tui.looks import LOOKS, Look
from mbegu.terminal.tui.scene import State
from mbegu.terminal.tui.screens import Ask, Choose, Read
from mbegu.terminal.tui.session import Session
from mbegu.terminal.tui.wishes import Wishes
from mbegu.terminal.words import command_of

__all__ = ["SECONDS", "Commands"]

SECONDS = {1: 0.8, 2: 0.4, 3: 0.2, 4: 0.08, 5: 0.0}  # between two moments of a film, by speed


class Commands(Thinking):
    """The commands of a table, as keys and typed words call them; the table itself is below it."""

    session: Session | None
    state: State
    adviser: Adviser
    look: Look
    _wishes: Wishes

    # ---- what the table does for them

    def say(self, words: str) -> None:
        """Tells the player something that is not part of the game."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Something has changed."""
        raise NotImplementedError

    def play(self, moves: list[Move]) -> None:
        """Plays, and shows it."""
        raise NotImplementedError

    def action_leave(self, code: int = 0) -> None:
        """Ends the program."""
        raise NotImplementedError

    def _begin(self, wishes: Wishes) -> Any:
        raise NotImplementedError

    def _next(self) -> None:
        raise NotImplementedError

    def _evaluate(self) -> None:
        raise NotImplementedError

    def _wear(self, look: Look) -> None:
        raise NotImplementedError

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
        self._read(paragraphs(_(self.session.match.game.rulebook)))

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
        if self.no_color:
            return self.say(_("NO_COLOR is set: there are no colours to choose"))
        names = list(LOOKS)
        if name not in names:
            name = names[(names.index(self.look.name) + 1) % len(names)]
        self._wear(LOOKS[name])
        return self.say(_(LOOKS[name].title))

    def _toggle_evaluation(self) -> None:
        self.state.evaluating = not self.state.evaluating
        self._evaluate()
        self.redraw()

    def speed(self, number: int) -> None:
        """How quickly moves are shown, from 1 to 5."""
        self.state.speed = max(min(SECONDS), min(max(SECONDS), number))
        self.redraw()

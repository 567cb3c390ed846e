"""A game in lines of text: the board is printed, a move or a command is asked for, and so on.

Works the same on a screen and through a pipe. Whoever has no bot is a human at this keyboard.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from mbegu.core.clock import Clock
from mbegu.core.errors import MbeguError
from mbegu.core.files import open_records, write_records
from mbegu.core.game import Move, over_message
from mbegu.core.i18n import N_, _
from mbegu.core.match import Match
from mbegu.core.story import tell, tell_event, tell_outcome
from mbegu.core.typography import labelled
from mbegu.engine.compiling import announce_compiling, wait_for_the_engine
from mbegu.terminal.advice import Adviser
from mbegu.terminal.keeping import Keeper
from mbegu.terminal.screen import reflowed
from mbegu.terminal.seats import OwnBot, Seat
from mbegu.terminal.words import command_of, spoken

__all__ = ["LineGame", "Seat"]


@dataclass
class LineGame:
    """A match played in lines of text. `ask` shows a prompt and returns a line, or raises EOFError."""

    match: Match
    seats: tuple[Seat, Seat]
    ask: Callable[[str], str]
    say: Callable[[str], None] = print
    colour: bool = False
    pause: Callable[[], None] = lambda: None  # between the moves of two computers
    keeper: Keeper | None = None
    rows: int | None = None  # of the screen, if there is one
    _quit: bool = field(default=False, init=False)
    _adviser: Adviser = field(default_factory=Adviser, init=False)

    # ---- the loop

    def run(self) -> None:
        """Plays until the game is over and everybody is content."""
        self.show_board()
        while not self._quit:
            turn = self.match.turn
            if turn is None:
                if not self._after_the_end():
                    return
            elif self.seats[turn].bot is None:
                self._human_turn(turn)
            else:
                self._computer_turn(turn)

    def _human_turn(self, turn: int) -> None:
        if self.match.clock.control.limited and self.match.clock.running is None:
            self.match.clock.start(turn)
        self._obey(self.ask(self._prompt(turn)))

    def _prompt(self, turn: int) -> str:
        left = self.match.clock.remaining(turn)
        time = "" if left is None else f" [{max(0, int(left)) // 60}:{max(0, int(left)) % 60:02}]"
        due = self._due(turn)
        side = f"{self.match.game.side(turn)}{time}"
        return (labelled(side, due) if due else side) + "> "

    def _due(self, turn: int) -> str:
        """What whoever moves again must do now: a mill asks for its shot."""
        if len(self.match.positions) < 2 or self.match.positions[-2].turn != turn:
            return ""
        return str(self.match.position.marks().get("due") or "")

    def _computer_turn(self, turn: int) -> None:
        match, bot = self.match, self.seats[turn].bot
        assert bot is not None
        wait_for_the_engine()  # before his clock runs
        if isinstance(bot, OwnBot):
            bot.follow(match)
        match.clock.start(turn)
        try:
            move = bot.choose(match.position, match.clock)
        except MbeguError as error:  # a bot of the player's own
            self.say(f"  {error}")
            match.forfeit(turn)
            return self._say_outcome()
        self.pause()
        return self._play([move])

    def _after_the_end(self) -> bool:
        """Asks what next, if there is a human to ask."""
        outcome = self.match.outcome
        assert outcome is not None
        if all(seat.bot for seat in self.seats):
            return False
        undo, save, load, new = map(spoken, ("undo", "save", "load", "new"))
        told = _("The game is over: {undo}, {save} {file}, {load} {file}, {new} or q> ")
        self._obey(self.ask(told.format(undo=undo, save=save, load=load, new=new, file=_("FILE"))))
        return True

    # ---- what a human may type

    def _obey(self, line: str) -> None:
        word, _space, rest = line.strip().partition(" ")
        command = COMMANDS.get(command_of(word))
        try:
            if command is not None and (command.wants_file == bool(rest.strip())):
                command.run(self, rest.strip())
            elif command is not None and command.wants_file:
                self.say("  " + _("{word} needs the name of a file").format(word=word))
            elif word:
                self._play(self._read_move(line.strip()))
                self._wait_for_the_answer()
        except MbeguError as error:
            self.say(f"  {error}")
            if self.match.outcome and self.match.moves:
                self._say_outcome()

    def _read_move(self, text: str) -> tuple[Move, ...]:
        match = self.match
        text = match.game.typed(text, match.position)
        try:
            return match.game.parse_turn(text, match.position)
        except MbeguError:
            # A player who types c where C is meant should not have to look for the shift key.
            try:
                return match.game.parse_turn(text.swapcase(), match.position)
            except MbeguError:
                pass
            raise

    def _play(self, moves: list[Move] | tuple[Move, ...]) -> None:
        for move in moves:
            before = self.match.position
            self.match.play(move)
            word = self.match.game.format_move(move, before)
            self.say("\n" + labelled(word, tell(before, move)))
        self._keep()
        self.show_board()
        if self.match.outcome and not self.match.position.outcome():
            self._say_outcome()  # an end by the rules of a match, which the move did not tell

    def _wait_for_the_answer(self) -> None:
        """On a screen that two boards do not fit on, the player's own stays until he has seen it."""
        if self.rows is None or self.match.turn is None or not self._bot_to_move():
            return
        board = self.match.position.diagram().count("\n") + 5
        if 2 * board > self.rows:
            self.ask(_("Enter: the answer> "))

    def _keep(self) -> None:
        if self.keeper is not None:
            self.keeper.keep(self.match, (self.seats[0].name, self.seats[1].name))
            if self.keeper.trouble:
                self.say(f"  {self.keeper.trouble}")
                self.keeper = None

    def show_board(self) -> None:
        """Prints the board as it is now."""
        self.say("")
        self.say(self.match.position.diagram(colour=self.colour))
        self.say("")

    def _say_outcome(self) -> None:
        match, outcome = self.match, self.match.outcome
        assert outcome is not None
        self._keep()
        for event in match.game.closing(match.position, outcome):
            self.say(tell_event(match.game, event, 0, outcome))
        self.say(tell_outcome(match.game, outcome))

    def help(self, _rest: str = "") -> None:
        """What may be typed."""
        game, position = self.match.game, self.match.position
        legal = position.legal_moves()
        if legal:
            example = game.format_move(legal[0], position)
            self.say(_("Type a move, like {move}, or:").format(move=example))
        words = {
            f"{spoken(name)} {_('FILE')}" if command.wants_file else spoken(name): _(command.help)
            for name, command in COMMANDS.items()
        }
        wide = max(14, *map(len, words))
        for word, what in words.items():
            self.say(f"  {word:{wide}} {what}")

    def moves(self, _rest: str = "") -> None:
        """The legal moves."""
        position = self.match.position
        words = [self.match.game.format_move(move, position) for move in position.legal_moves()]
        self.say("  " + (" ".join(words) or _("none: the game is over")))

    def slow(self, _rest: str = "") -> None:
        """The last move, event by event."""
        match = self.match
        if not match.moves:
            return self.say("  " + _("nothing has been played yet"))
        before, move = match.positions[-2], match.moves[-1]
        assert before.turn is not None
        for number, event in enumerate(before.events(move), 1):
            self.say(f"  {number:3}. {tell_event(match.game, event, before.turn)}")
        return None

    def undo(self, _rest: str = "") -> None:
        """Takes back to the last moment at which a human was to move."""
        self.match.undo()
        while self.match.moves and self._bot_to_move():
            self.match.undo()
        self._keep()
        self.show_board()

    def _bot_to_move(self) -> bool:
        turn = self.match.position.turn
        return turn is not None and self.seats[turn].bot is not None

    def hint(self, _rest: str = "") -> None:
        """What the computer would play, and what it does."""
        position = self.match.position
        if self.match.turn is None:
            self.say("  " + over_message())
            return
        announce_compiling(lambda line: self.say(f"  {line}"), position.game)
        move, why = self._adviser.advice(self.match)
        word = self.match.game.format_move(move, position)
        self.say("  " + _("Try {move}. {story}").format(move=word, story=tell(position, move)))
        if why:
            self.say("  " + _("Why: {reasons}.").format(reasons=why))

    def save(self, path: str, *, overwrite: bool = False) -> None:
        """Writes the record of the game so far."""
        write_records([self.match.record()], Path(path).expanduser(), overwrite=overwrite)
        self.say("  " + _("saved in {path}").format(path=path))

    def save_over(self, path: str) -> None:
        """Writes the record over a file that exists."""
        self.save(path, overwrite=True)

    def load(self, path: str) -> None:
        """Goes on from where the first game of a file stopped; it must be this game."""
        self.match = loaded_match(path, self.match)
        self._keep()
        self.show_board()

    def resign(self, _rest: str = "") -> None:
        """Gives up the game."""
        turn = self.match.turn
        self.match.resign(0 if turn is None else turn)
        self._say_outcome()

    def new(self, _rest: str = "") -> None:
        """Begins again from the same start."""
        match = self.match
        clock = Clock(match.clock.control)
        self.match = Match(match.game, match.positions[0], match.players, clock)
        self.show_board()

    def rules(self, _rest: str = "") -> None:
        """The rules in words."""
        self.say(reflowed(_(self.match.game.rulebook), sys.stdout))

    def board(self, _rest: str = "") -> None:
        """The board once more, and the position as text."""
        self.show_board()
        self.say(f"  {self.match.position}")

    def quit(self, _rest: str = "") -> None:
        """Leaves the game."""
        self._quit = True


def loaded_match(path: str, now: Match) -> Match:
    """The game of a file, which must be of the same rules, with the clock of the one at hand."""
    for record in open_records(Path(path).expanduser()):
        if record.game != now.game:
            raise MbeguError(
                _("{path} holds a game of {found}, not of {game}").format(
                    path=path, found=record.game, game=now.game
                )
            )
        match = Match.from_record(record)
        match.clock, match.players = now.clock, now.players
        return match
    raise MbeguError(_("{path} holds no game").format(path=path))


@dataclass(frozen=True)
class _Command:
    run: Callable[[LineGame, str], None]
    help: str
    wants_file: bool = False


COMMANDS = {
    "?": _Command(LineGame.help, N_("this list")),
    "moves": _Command(LineGame.moves, N_("the legal moves")),
    "board": _Command(LineGame.board, N_("the board, and the position as text")),
    "rules": _Command(LineGame.rules, N_("the rules of this game")),
    "hint": _Command(LineGame.hint, N_("a good move, and what it does")),
    "slow": _Command(LineGame.slow, N_("the last move, step by step")),
    "undo": _Command(LineGame.undo, N_("take your last move back")),
    "save": _Command(LineGame.save, N_("write the game to a file"), wants_file=True),
    "save!": _Command(LineGame.save_over, N_("the same, over a file that exists"), wants_file=True),
    "load": _Command(LineGame.load, N_("go on with a game from a file"), wants_file=True),
    "resign": _Command(LineGame.resign, N_("give up")),
    "new": _Command(LineGame.new, N_("begin again")),
    "q": _Command(LineGame.quit, N_("leave")),
}

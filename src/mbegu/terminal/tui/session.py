"""A game at the keyboard, without a screen: what may be touched, what a move would do, what was played.

>>> from mbegu.core.registry import game
>>> session = Session(Match(game("oware")), (Seat("human"), Seat("human")))
>>> session.touch("C")
[2]
>>> session.play(2)
'South sows C (4), last seed in a.'
>>> session.touch("C"), session.message
([], 'this house belongs to South; North is to move')
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from mbegu.core import events as ev
from mbegu.core.clock import Clock
from mbegu.core.files import write_records
from mbegu.core.game import Move, Position, over_message
from mbegu.core.i18n import _
from mbegu.core.match import Match
from mbegu.core.story import gist, tell, tell_gist, tell_outcome
from mbegu.core.typography import labelled
from mbegu.terminal.keeping import Keeper
from mbegu.terminal.line import loaded_match
from mbegu.terminal.seats import Seat
from mbegu.terminal.tui.film import Frame, film, still

__all__ = ["NOTHING", "Choice", "Preview", "Session"]


@dataclass(frozen=True)
class Choice:
    """A legal move: its word, and the places that one touches for it."""

    move: Move
    word: str
    start: str | None
    end: str | None

    @property
    def place(self) -> str:
        """Where one touches first; the word, where the board has no such place."""
        return self.start or self.end or self.word

    @property
    def short(self) -> str:
        """Where only one place is touched, its name is enough: a4 for xa4."""
        return self.end if self.end and self.start is None else ""

    def is_called(self, typed: str) -> bool:
        """Whether somebody who types this means this move."""
        names = (_bare(self.word).casefold(), self.short.casefold())
        return _bare(typed).casefold() in names


@dataclass(frozen=True)
class Preview:
    """What a move would do: in words, where it lands, what it takes."""

    told: str = ""
    last: str = ""
    captures: tuple[str, ...] = ()


NOTHING = Preview()


@dataclass
class Session:
    """A match, who plays it, and what the player at the keyboard has in mind."""

    match: Match
    seats: tuple[Seat, Seat]
    keeper: Keeper | None = None
    message: str = ""
    cursor: str = ""
    chosen: str | None = None  # the place from which a move was begun
    picked: int = 0  # which of several moves from there: red or blue
    typed: str = ""
    headline: str = ""  # who played what
    last: tuple[str, ...] = ()  # the places that the last move touched
    reel: list[Frame] = field(default_factory=list)  # of the last move, what is still to be shown
    _choices: tuple[Position, list[Choice]] | None = None
    _previews: dict[Move, Preview] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """The cursor begins where something can be played."""
        self._settle()

    # ---- how it stands

    @property
    def position(self) -> Position:
        """The position now."""
        return self.match.position

    @property
    def human_to_move(self) -> bool:
        """Whether somebody at this keyboard is to move."""
        turn = self.match.turn
        return turn is not None and self.seats[turn].bot is None

    @property
    def bot_to_move(self) -> Seat | None:
        """The bot that is to move, if one is."""
        turn = self.match.turn
        return None if turn is None or self.seats[turn].bot is None else self.seats[turn]

    @property
    def shown_turn(self) -> int | None:
        """Whose turn the screen shows: while the film runs, that of the one who moves in it."""
        return self.match.positions[-2].turn if self.reel else self.match.turn

    @property
    def frame(self) -> Frame:
        """What is to be seen: the next moment of the film, or the position."""
        return self.reel[0] if self.reel else still(self.position)

    def choices(self) -> list[Choice]:
        """The legal moves."""
        position = self.position
        if self.match.turn is None:
            return []
        if self._choices is None or self._choices[0] is not position:
            self._choices = position, [_choice(position, move) for move in position.legal_moves()]
            self._previews = {}
        return self._choices[1]

    def places(self) -> list[str]:
        """Where the cursor may go: the places of the board; without any, the words of the moves."""
        board = self.match.game.board
        if board.places:
            return [place.name for place in board.places]
        return [choice.word for choice in self.choices()]

    def open_places(self) -> set[str]:
        """Where a move may begin; once one is begun, where it may end."""
        if not self.human_to_move or self.reel:
            return set()
        if self.chosen is not None:
            ends = {choice.end for choice in self._begun()}
            return {end for end in ends if end} or {self.chosen}
        return {choice.place for choice in self.choices()}

    def _begun(self) -> list[Choice]:
        return [choice for choice in self.choices() if choice.place == self.chosen]

    def variants(self) -> list[Choice]:
        """The moves from the place that was touched, where no second place tells them apart."""
        return [] if self.chosen is None else [each for each in self._begun() if not each.end]

    # ---- touching

    def touch(self, name: str) -> list[Move]:
        """The player touches a place: the move that this makes, if it makes one."""
        self.message, self.typed = "", ""
        if not self.human_to_move:
            self.message = self._not_now()
            return []
        self.cursor = name
        if self.chosen is not None and self.chosen != name:
            ended = [choice for choice in self._begun() if choice.end == name]
            if ended:
                return self._made(ended[0])
        if self.chosen == name and self.variants():
            return self._made(self.variants()[self.picked])
        found = [choice for choice in self.choices() if choice.place == name]
        if self.chosen == name or not found:
            self.chosen = None
            self.message = "" if found else self.why_not(name)
            return []
        if len(found) == 1 and (found[0].start is None or found[0].end is None):
            return self._made(found[0])
        self.chosen, self.picked = name, 0
        self.typed = _common([choice.word for choice in found])
        self.message = self._which(found)
        return []

    def pick(self, number: int) -> bool:
        """Another of the moves from the place that was touched; False where there is none."""
        found = self.variants()
        if not found:
            return False
        self.picked = number % len(found)
        self.message = self._which(found)
        return True

    def _made(self, choice: Choice) -> list[Move]:
        self.chosen, self.typed = None, ""
        return [choice.move]

    def _which(self, found: list[Choice]) -> str:
        if found[0].end:
            return _("From {place}: now the point to go to (Esc lets go).").format(
                place=self.chosen
            )
        words = [choice.word for choice in found]
        words[self.picked] = f"[{words[self.picked]}]"
        return _("Which one? {words} (arrows and Enter, or type it; Esc lets go)").format(
            words=" / ".join(words)
        )

    def _not_now(self) -> str:
        if self.match.turn is None:
            return over_message()
        return _("It is not your turn.")

    def why_not(self, name: str) -> str:
        """Why nothing begins there."""
        starts = {choice.place for choice in self.choices()}
        return self.position.barred(starts).get(name, "")

    def let_go(self) -> None:
        """Forgets what was begun."""
        self.chosen, self.picked, self.typed, self.message = None, 0, "", ""

    # ---- typing

    def type(self, sign: str) -> list[Move] | None:
        """A character of a move: the moves that it completes; None if no move goes on like that."""
        if not self.human_to_move or self.reel:
            return None
        typed = self.typed + sign
        found = self._matching(typed)
        if not found and self.typed:
            typed = sign
            found = self._matching(typed)
        if not found:
            return None
        self.typed, self.message = typed, ""
        exact = [choice for choice in found if choice.is_called(typed)]
        self._point_at(found)
        if len(found) == 1 and exact:
            return self._made(exact[0])
        return []

    def _matching(self, typed: str) -> list[Choice]:
        """The moves whose word begins like this: as written, or whatever the capitals."""
        words = [
            (choice, word)
            for choice in self.choices()
            for word in (_bare(choice.word), choice.short)
        ]
        bare = _bare(self.match.game.typed(typed, self.position))
        for wanted in (bare, bare.swapcase(), bare.casefold()):
            folded = wanted == bare.casefold()
            found = [
                choice
                for choice, word in words
                if wanted and (word.casefold() if folded else word).startswith(wanted)
            ]
            if found:
                return list(dict.fromkeys(found))
        return []

    def _point_at(self, found: list[Choice]) -> None:
        places = {choice.place for choice in found}
        if len(places) == 1:
            (self.cursor,) = places

    def enter(self) -> list[Move]:
        """Enter: what was typed if that is a move, else what is under the cursor."""
        exact = [choice for choice in self._matching(self.typed) if choice.is_called(self.typed)]
        if self.typed and self.human_to_move and len(exact) == 1:
            return self._made(exact[0])
        return self.touch(self.cursor) if self.cursor else []

    # ---- what a move would do

    def preview(self) -> Preview:
        """Of the move under the cursor."""
        if not self.human_to_move or self.reel:
            return NOTHING
        found = self._under_cursor()
        for choice in found:
            if choice.move not in self._previews:
                self._previews[choice.move] = _preview(self.position, choice.move)
        if len(found) == 1:
            return self._previews[found[0].move]
        if any(choice.end for choice in found):  # the second place will tell
            return NOTHING
        told = [labelled(choice.word, self._previews[choice.move].told) for choice in found]
        return Preview(" ".join(told))

    def _under_cursor(self) -> list[Choice]:
        variants = self.variants()
        if variants:
            return [variants[self.picked]]
        if self.chosen is not None:
            found = [choice for choice in self._begun() if choice.end == self.cursor]
        else:
            found = [choice for choice in self.choices() if choice.place == self.cursor]
        if self.typed:
            found = [choice for choice in found if choice in self._matching(self.typed)]
        return found

    # ---- playing

    def play(self, move: Move) -> str:
        """Plays a move of whoever is to move; what it does, in words."""
        before = self.position
        frames, told = film(before, move), tell(before, move)
        word = self.match.game.format_move(move, before)
        first = _choice(before, move)
        assert before.turn is not None
        self.headline = labelled(self.match.game.side(before.turn), word)
        self.match.play(move)
        self.reel = frames[:-1]
        self.last = tuple(filter(None, (first.start, first.end))) or (word,)
        self.let_go()
        self.message = told
        if self.match.outcome and not self.position.outcome():
            self.message = tell_outcome(self.match.game, self.match.outcome)
        self._keep()
        self._settle()
        return told

    def step(self) -> bool:
        """The film goes on by a moment; False when it has ended."""
        if self.reel:
            self.reel.pop(0)
        return bool(self.reel)

    def skip(self) -> None:
        """The film ends at once."""
        self.reel = []

    def undo(self) -> None:
        """Takes back to the last moment at which a human was to move."""
        self.match.undo()
        while self.match.moves and self.bot_to_move is not None:
            self.match.undo()
        self._changed()

    def new(self) -> None:
        """Begins again from the same start."""
        match = self.match
        clock = Clock(match.clock.control)
        self.match = Match(match.game, match.positions[0], match.players, clock)
        self._changed()

    def resign(self) -> None:
        """The human to move gives up; when a computer is to move, the human all the same."""
        turn = self.match.turn
        human = next((k for k, seat in enumerate(self.seats) if seat.bot is None), 0)
        mover = turn if turn is not None and self.seats[turn].bot is None else human
        self.message = tell_outcome(self.match.game, self.match.resign(mover))
        self._keep()

    def flag(self) -> bool:
        """Ends the game of a player whose time is up; whether it did."""
        turn = self.match.turn
        if turn is None or not self.match.clock.flagged(turn):
            return False
        self.message = tell_outcome(self.match.game, self.match.flag(turn))
        self._keep()
        return True

    def _changed(self) -> None:
        self.reel, self.last = [], ()
        self.let_go()
        self._keep()
        self._settle()

    def _keep(self) -> None:
        if self.keeper is not None:
            self.keeper.keep(self.match, (self.seats[0].name, self.seats[1].name))
            if self.keeper.trouble:
                self.message, self.keeper.trouble = self.keeper.trouble, ""

    def _settle(self) -> None:
        """The cursor stays where it was; from where nothing can be played it goes to a place that can."""
        places = self.places()
        if self.cursor not in places:
            self.cursor = places[0] if places else ""
        if self.human_to_move:
            starts = [choice.place for choice in self.choices()]
            if starts and self.cursor not in starts:
                self.cursor = starts[0]

    # ---- files

    def save(self, path: str, *, overwrite: bool = False) -> None:
        """Writes the record of the game so far."""
        write_records([self.match.record()], Path(path).expanduser(), overwrite=overwrite)
        self.message = _("saved in {path}").format(path=path)

    def load(self, path: str) -> None:
        """Goes on from where the first game of a file stopped; it must be this game."""
        self.match = loaded_match(path, self.match)
        self._changed()
        self.message = _("{path}: move {number}").format(path=path, number=len(self.match.moves))

    # ---- the list of moves

    def moves_told(self) -> list[tuple[int, str]]:
        """Who played, and the word, of each move so far."""
        told = []
        for position, move in zip(self.match.positions, self.match.moves, strict=False):
            assert position.turn is not None
            told.append((position.turn, self.match.game.format_move(move, position)))
        return told


def _choice(position: Position, move: Move) -> Choice:
    story, _after = position.unfold(move)
    start, end = ev.touched(story[0])
    board = position.game.board
    known = [None if name is None or board.place(name) is None else name for name in (start, end)]
    return Choice(move, position.game.format_move(move, position), known[0], known[1])


def _preview(position: Position, move: Move) -> Preview:
    story, _after = position.unfold(move)
    sense = gist(story)
    assert position.turn is not None
    taken = [event.hole for event in sense.captures]
    taken += [event.point for event in sense.rest if isinstance(event, ev.Shoot)]
    told = tell_gist(position.game, position.turn, sense)
    return Preview(told, sense.last, tuple(dict.fromkeys(taken)))


def _bare(word: str) -> str:
    """A word without what nobody wants to type: d1-d2 is d1d2."""
    return "".join(sign for sign in word if sign.isalnum())


def _common(words: Iterable[str]) -> str:
    """How all these words begin."""
    first, *rest = words
    size = len(first)
    while size and not all(word.startswith(first[:size]) for word in rest):
        size -= 1
    return first[:size]

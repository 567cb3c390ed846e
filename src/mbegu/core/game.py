"""Game and Position: what every game is made of.

A Game is its rules with its options; a Position is one moment of it, immutable and hashable. The
rules of a move are told once, by the generator `_story` of the game's Position: it yields events and
returns the position that follows. `events` shows the story, `play` only wants its end.
"""

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Generator, Hashable, Iterable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Self

from mbegu.core.board import Board, Lying, Place
from mbegu.core.errors import (
    IllegalMove,
    InvalidGame,
    InvalidMove,
    InvalidOption,
    InvalidPosition,
    shorten,
)
from mbegu.core.events import Event, Untold
from mbegu.core.guard import guard_game, guard_position
from mbegu.core.i18n import _
from mbegu.core.options import Option, OptionValue, Words, options_of
from mbegu.core.outcome import Outcome, Reason
from mbegu.core.page import page_beside
from mbegu.core.symmetry import Symmetry

if TYPE_CHECKING:
    from mbegu.core.lesson import LessonStep
    from mbegu.core.notation import Notation

__all__ = ["Game", "Move", "Position", "Story"]

Move = int | str
"""A move is plain data: a number or a short text, the same in Python, in JSON and in the vectors."""

Colours = tuple[int, int]
"""So many red seeds and so many blue ones."""

Story = Generator[Event, None, "Position"]
"""The events of a move, and at the end the position that follows."""

MOST_EVENTS = 200_000
"""Events of one move: more than any game tells, and few enough to notice soon that a story has no end."""


NO_BOARD = Board()


@dataclasses.dataclass(frozen=True)
class Game(ABC):
    """The rules of a game. Its class variables are its card; its fields are its options."""

    name: ClassVar[str]
    id: ClassVar[str]  # the rule set with its version: bumped when behaviour changes
    aliases: ClassVar[tuple[str, ...]] = ()
    presets: ClassVar[dict[str, dict[str, OptionValue]]] = {}
    preset_words: ClassVar[
        dict[str, Words]
    ] = {}  # each preset as people call it, and a line about it
    title: ClassVar[str]
    summary: ClassVar[str]  # one line
    people: ClassVar[str]  # whose game it is: shown with the rules
    sides: ClassVar[tuple[str, str]]
    rulebook: ClassVar[str]  # the rules in words, for people
    strategy: ClassVar[str] = ""  # how to play it well, in words; Markdown
    # Rules that need history, kept by Match: how often may a position occur, how long may a game be?
    repetition_limit: ClassVar[int | None] = None
    ply_cap: ClassVar[int | None] = None
    # Can one set-up win in a single turn against another? Then the lab looks for such counter-settings.
    counter_settings: ClassVar[bool] = False
    # How programs write its moves: may single letters be joined (FfEd), and are they in UCI's lines?
    single_letters: ClassVar[bool] = False
    uci_gap: ClassVar[str] = " "

    def __init_subclass__(cls) -> None:
        """Rules of other packages are guarded, as their positions are."""
        if not cls.__module__.startswith("mbegu."):
            guard_game(cls)

    # ---- the card

    @classmethod
    def options(cls) -> dict[str, Option]:
        """What may be chosen, by name."""
        return options_of(cls)

    @classmethod
    def with_options(cls, pairs: Iterable[tuple[str, object]]) -> Self:
        """The game with these options, checked; a preset's name stands for several of them."""
        known, chosen = cls.options(), dict[str, OptionValue]()
        for name, value in pairs:
            if name in cls.presets and value in ("", True, "True"):
                chosen |= cls.presets[name]
            elif name in known:
                chosen[name] = known[name].read(value)
            elif name not in cls.presets or value not in (False, "False"):
                names = ", ".join([*known, *cls.presets]) or _("none")
                raise InvalidOption(
                    _("{game} has no option {name}; its options: {names}").format(
                        game=cls.name, name=shorten(name), names=names
                    )
                )
        game = cls(**chosen)
        game.check_options()
        return game

    def check_options(self) -> None:
        """Raises InvalidOption where options do not go together."""

    def __str__(self) -> str:
        """The canonical game string: the options that are not the default, and those always told."""
        told = [
            f"{name}={getattr(self, name)}"
            for name, option in self.options().items()
            if option.always or getattr(self, name) != option.default
        ]
        return f"{self.name}({','.join(told)})" if told else self.name

    def side(self, player: int) -> str:
        """The name of a player's side, in the language of the moment."""
        return _(self.sides[player])

    @property
    def board(self) -> Board:
        """What it is played on; a game that does not say is shown as its diagram."""
        return NO_BOARD

    def hole_name(self, hole: str, player: int | None) -> str:
        """What the player calls a place of the board that an event names; None: with its owner."""
        return hole

    @classmethod
    def page(cls) -> str:
        """All about it in Markdown: `page.md` beside its rules; empty if there is none."""
        return page_beside(cls.__module__)

    @classmethod
    def lesson(cls) -> "tuple[LessonStep, ...]":
        """The steps in which a newcomer learns the game: `STEPS` of the module `lesson` beside its rules."""
        package = cls.__module__.rpartition(".")[0]
        try:  # imported late: many words, seldom read
            steps: tuple[LessonStep, ...] = (
                import_module(f"{package}.lesson").STEPS if package else ()
            )
        except ModuleNotFoundError as error:
            if error.name != f"{package}.lesson":
                raise
            return ()
        return steps

    def typed(self, text: str, position: "Position") -> str:
        """A move as somebody types it who has the board before him and no thought for capitals."""
        return text

    @classmethod
    def notations(cls) -> "tuple[Notation, ...]":
        """In which notations its records are told, besides ours."""
        return ()

    # ---- positions

    @abstractmethod
    def start(self) -> "Position":
        """The position in which the game begins."""

    @abstractmethod
    def position(self, text: str) -> "Position":
        """The position that a text describes; `str(position)` writes it again."""

    @abstractmethod
    def from_json(self, obj: Any) -> "Position":
        """The position of a `state` object; `position.to_json()` writes it again."""

    # ---- notation

    @abstractmethod
    def read_move(self, text: str, position: "Position") -> Move:
        """The move that a text names, legal or not; InvalidMove when it names none."""

    @abstractmethod
    def format_move(self, move: Move, position: "Position") -> str:
        """The move as people write it."""

    def parse_move(self, text: str, position: "Position") -> Move:
        """The legal move that a text names."""
        if not isinstance(text, str):
            raise InvalidMove(_("{move} is not a text").format(move=shorten(text)))
        move = self.read_move(text.strip(), position)
        position.check(move)
        return move

    def parse_turn(self, text: str, position: "Position") -> tuple[Move, ...]:
        """Like parse_move, for notations in which one word may tell several moves (a1xf2)."""
        return (self.parse_move(text, position),)

    def format_turn(self, moves: Sequence[Move], position: "Position") -> tuple[str, int]:
        """The next word of a record, and how many of the moves it tells."""
        return self.format_move(moves[0], position), 1

    # ---- the board, laid otherwise

    def symmetries(self) -> Sequence[Symmetry]:
        """In which other ways the same game may lie on the board, the board as it is left out."""
        return ()

    # ---- the rules of a match

    def closing(self, position: "Position", outcome: Outcome) -> list[Event]:
        """What still happens on the board when a match ends that no move has ended."""
        return []

    def captured_colours(self, positions: Sequence["Position"]) -> tuple[Colours, Colours] | None:
        """What each player has captured in a game so far, colour by colour; None: all is of one colour."""
        return None

    def repetition_outcome(self, position: "Position") -> Outcome:
        """How the game stands when the position has come back too often."""
        return Outcome(None, position.scores(), Reason.REPETITION)

    def ply_cap_outcome(self, position: "Position") -> Outcome:
        """How the game stands when it has lasted too long."""
        return Outcome(None, position.scores(), Reason.PLY_CAP)


class Position(ABC):
    """One moment of a game. Immutable: `play` returns a new one."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        """Rules of other packages are guarded: what fails in them is named. Ours are ours to mend."""
        if not cls.__module__.startswith("mbegu."):
            guard_position(cls)

    if TYPE_CHECKING:  # fields of each game's position

        @property
        def game(self) -> Game:
            """The game, with its options."""

        @property
        def turn(self) -> int | None:
            """The player to move: 0, 1, or None when the game is over."""

    # ---- moves

    @abstractmethod
    def legal_moves(self) -> list[Move]:
        """Every legal move, in canonical order."""

    @abstractmethod
    def forbids(self, move: Move) -> str | None:
        """The rule that forbids a readable move, as a sentence; None when it is legal."""

    @abstractmethod
    def _story(self, move: Move) -> Story:
        """Tells a legal move: yields its events and returns the position that follows."""

    def check(self, move: Move) -> None:
        """Raises IllegalMove, with the rule that forbids it, unless the move is legal."""
        rule = self.forbids(move)
        if rule is not None:
            raise IllegalMove(self.game.format_move(move, self), rule)

    def play(self, move: Move) -> "Position":
        """The position after a move."""
        self.check(move)
        story = self._story(move)
        try:
            for _step in range(MOST_EVENTS):
                next(story)
        except StopIteration as end:
            after: Position = end.value
            return after
        raise _endless(move)

    def unfold(self, move: Move) -> tuple[list[Event], "Position"]:
        """The story of a move and the position after it, for whoever wants both."""
        self.check(move)
        story, told = self._story(move), list[Event]()
        try:
            for _step in range(MOST_EVENTS):
                told.append(next(story))
        except StopIteration as end:
            return told or [Untold()], end.value
        raise _endless(move)

    def events(self, move: Move) -> Iterator[Event]:
        """The story of a move, step by step."""
        yield from self.unfold(move)[0]

    # ---- end

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""

    @abstractmethod
    def scores(self) -> tuple[int, int]:
        """What each player has won so far, as the game shows it during play."""

    # ---- the board

    def places(self) -> dict[str, Lying]:
        """What lies in each place and store of `game.board`, by name."""
        return {}

    def layout(self) -> Hashable:
        """What lies on the board, without what the players have won or the rules count."""
        places, lying = self.game.board.places, self.places()
        return tuple(lying[place.name] for place in places) if places else str(self)

    def barred(self, starts: Collection[str]) -> dict[str, str]:
        """Why no move begins with a place, as a sentence, by the name of the place.

        `starts` are the places with which legal moves begin."""
        reasons = {
            place.name: self.why_not(place)
            for place in self.game.board.places
            if place.name not in starts
        }
        return {name: why for name, why in reasons.items() if why}

    def why_not(self, place: Place) -> str | None:
        """Why no move of the player to move begins with this place."""
        turn, game = self.turn, self.game
        if turn is not None and place.owner == 1 - turn:
            return _("this belongs to {other}; {side} is to move").format(
                other=game.side(1 - turn), side=game.side(turn)
            )
        try:
            return self.forbids(game.read_move(place.key or place.label or place.name, self))
        except InvalidMove:
            return None

    def marks(self) -> dict[str, Any]:
        """What a board shows besides, as plain data: what is due, how much is needed to win."""
        return {}

    def as_if(self, player: int) -> "Position | None":
        """The same position with this player to move; None where one cannot ask."""
        if self.turn in (player, None):
            return self if self.turn == player else None
        fields = getattr(self, "__dataclass_fields__", {})
        if "turn" not in fields:
            return None
        changed: Position = dataclasses.replace(self, turn=player)  # type: ignore[type-var]
        return changed

    # ---- notation

    @abstractmethod
    def __str__(self) -> str:
        """The position as one line of text."""

    def __repr__(self) -> str:
        """The game and the text, as one would type them."""
        return f"<{self.game} {self}>"

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The position as plain data."""

    @abstractmethod
    def diagram(self, *, colour: bool = False) -> str:
        """The board as text, as its players know it; with terminal colours if asked."""

    painter: ClassVar[Callable[["Position"], str] | None] = None  # whoever can draw boards sets it

    def _repr_svg_(self) -> str | None:
        """The board as a picture, which notebooks show."""
        if Position.painter is None:  # no game of ours was used yet: their package brings it
            import_module("mbegu.games")
        painter = Position.painter
        return None if painter is None else painter(self)


def _endless(move: Move) -> InvalidGame:
    return InvalidGame(
        _("the story of {move} has no end: more than {number} events").format(
            move=shorten(move), number=MOST_EVENTS
        )
    )


def over_message() -> str:
    """Why no move is possible after the end."""
    return _("the game is over")


def read_counts(
    obj: Any,
    key: str,
    size: int,
    *,
    most: int = 255,
    error: type[InvalidPosition] = InvalidPosition,
) -> tuple[int, ...]:
    """A list of `size` counts out of a JSON object, checked."""
    value = obj.get(key) if isinstance(obj, dict) else None
    if not isinstance(value, list | tuple) or len(value) != size:
        raise error(
            _("{key} must be a list of {size} numbers, not {value}").format(
                key=key, size=size, value=shorten(value)
            )
        )
    for count in value:
        if type(count) is not int or not 0 <= count <= most:
            raise error(
                _("{key}: {value} is not a number from 0 to {most}").format(
                    key=key, value=shorten(count), most=most
                )
            )
    return tuple(value)


def read_player(obj: Any, key: str) -> int | None:
    """0, 1 or None (null) out of a JSON object, checked."""
    value = obj.get(key, "") if isinstance(obj, dict) else ""
    if value is None or (type(value) is int and value in (0, 1)):
        return value
    raise InvalidPosition(
        _("{key} must be 0, 1 or null, not {value}").format(key=key, value=shorten(value))
    )


def read_number(text: str, what: str, *, most: int = 255) -> int:
    """A plain decimal number out of a position text, checked."""
    if text.isascii() and text.isdigit() and len(text) <= 9 and str(int(text)) == text:
        number = int(text)
        if number <= most:
            return number
    raise InvalidPosition(
        _("{what}: {value} is not a number from 0 to {most}").format(
            what=what, value=shorten(text), most=most
        )
    )

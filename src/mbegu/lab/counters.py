"""Counter-settings: set-ups from which the player who starts wins in one turn.

A game says that it has them (`Game.counter_settings`); then the lab looks for them. What it knows
about a game's settings is a `CounterStudy`: a module `counters` beside the kernel brings one as `study`, as
`table` brings tables; without it the readable rules try settings by lot (`mbegu.lab.plain_counters`).
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from mbegu.core import events as ev
from mbegu.core.errors import InvalidSetUp, MbeguError, shorten
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import _
from mbegu.core.outcome import Reason
from mbegu.core.printable import one_line
from mbegu.core.registry import usable_games
from mbegu.core.setups import SetUpGame
from mbegu.core.story import tell, tell_event
from mbegu.engine.kernels.door import beside_kernel
from mbegu.lab.intervals import clopper_pearson

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "Counter",
    "CounterProof",
    "CounterStudy",
    "End",
    "Frequency",
    "Resistance",
    "Search",
    "Setting",
    "Tell",
    "games_with_counters",
    "read_setting",
    "study_of",
    "unknown_family",
    "verify",
]

Setting = tuple[int, ...]
Tell = Callable[[int, int], None]


def games_with_counters() -> list[type[Game]]:
    """The installed games that say so."""
    return [found for found in usable_games() if found.counter_settings]


def study_of(game: Game) -> CounterStudy:
    """What the lab knows of a game's counter-settings."""
    if not (game.counter_settings and isinstance(game, SetUpGame)):
        names = ", ".join(found.name for found in games_with_counters())
        raise MbeguError(
            _("{game} has no counter-settings; these games have: {names}").format(
                game=game.name, names=names or _("none")
            )
        )
    module = beside_kernel(game.name, "counters") or "mbegu.lab.plain_counters"
    try:
        study: CounterStudy = import_module(module).study(game)
    except Exception as error:  # a stranger's code may fail in any way
        why = one_line(f"{type(error).__name__}: {error}")
        raise MbeguError(_("{name} cannot be used: {why}").format(name=module, why=why)) from error
    return study


def read_setting(
    text: str, game: SetUpGame, families: Mapping[str, str], member: Callable[[str, int], Setting]
) -> Setting:
    """The setting that a text tells: its counts, a family, or the one with a number, like `uniform:7`."""
    word, colon, number = text.strip().partition(":")
    if word in families and (not colon or (number.isascii() and number.isdigit())):
        return member(word, int(number[:18] or 0))
    if "," not in text:
        usual = game.setup()
        raise InvalidSetUp(
            _(
                "setting: {text} is neither {size} counts like {usual} nor one of: {names}; "
                "by lot: {lot}"
            ).format(
                text=shorten(text),
                size=len(usual),
                usual=",".join(map(str, (*usual[:2], "…", usual[-1]))),
                names=", ".join(families),
                lot=f"{list(families)[-1]}:7",
            )
        )
    try:
        return game.setup(text)
    except InvalidSetUp as error:
        raise InvalidSetUp(_("setting: {error}").format(error=error)) from None


def unknown_family(name: str, families: Mapping[str, str]) -> InvalidSetUp:
    """There is no such family of settings."""
    return InvalidSetUp(
        _("{name} is not a family of settings; there are: {names}").format(
            name=shorten(name), names=", ".join(families)
        )
    )


# ---- what is found ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Counter:
    """A setting that wins in one turn, with the moves that do it."""

    game: SetUpGame
    opponent: Setting
    setting: Setting
    moves: tuple[Move, ...]
    cells: tuple[int | None, ...] = ()  # of a pattern: None where anything may lie
    alike: int = 1  # settings that fit the pattern

    @property
    def position(self) -> Position:
        """Before the turn."""
        return self.game.start(self.setting, self.opponent)

    def events(self, move: Move) -> list[ev.Event]:
        """The whole turn."""
        return list(self.position.events(move))

    def laps(self, move: Move) -> int:
        """How many laps the turn has."""
        story = self.events(move)
        sown = [isinstance(event, ev.Sow) for event in story]
        return sum(here and not before for before, here in zip([False, *sown], sown, strict=False))

    def takes_all(self, move: Move) -> bool:
        """Whether the turn takes every bead; else it wins because what is left cannot move."""
        outcome = self.position.play(move).outcome()
        assert outcome is not None
        return outcome.reason is Reason.ALL_BEADS

    def words(self, move: Move) -> list[str]:
        """The turn as sentences: what is taken up, captured and relayed, and how it ends."""
        return [
            tell_event(self.game, event, 0)
            for event in self.events(move)
            if not isinstance(event, ev.Sow)
        ]

    def to_json(self) -> dict[str, Any]:
        """As plain data, every event of every winning turn included."""
        told: dict[str, Any] = {
            "setting": list(self.setting),
            "turns": [
                {
                    "move": move,
                    "laps": self.laps(move),
                    "takes_all": self.takes_all(move),
                    "told": tell(self.position, move),
                    "events": [event.to_json() for event in self.events(move)],
                }
                for move in self.moves
            ],
        }
        if self.cells:
            told |= {"pattern": list(self.cells), "settings": self.alike}
        return told


@dataclass
class Search:
    """What a search for counters has found, and how long it took."""

    game: SetUpGame
    opponent: Setting
    method: str
    found: list[Counter] = field(default_factory=list)
    turns: int = 0
    seconds: float = 0.0
    why_none: str = ""  # proof that there is none, or how hard it was tried
    stopped: bool = False  # by Ctrl-C
    patterns: dict[int, tuple[int, int]] = field(default_factory=dict)  # cells: patterns, settings

    def table(self) -> pa.Table:
        """A row for each setting and winning move."""
        import pyarrow as pa  # noqa: PLC0415 - heavy

        rows = [
            {
                "setting": ",".join(map(str, counter.setting)),
                "move": move,
                "laps": counter.laps(move),
                "takes_all": counter.takes_all(move),
                "wins_by": len(counter.moves),
                "settings_alike": counter.alike,
            }
            for counter in self.found
            for move in counter.moves
        ]
        kinds = [
            ("setting", pa.string()),
            (
                "move",
                pa.string() if any(isinstance(row["move"], str) for row in rows) else pa.int64(),
            ),
            ("laps", pa.int64()),
            ("takes_all", pa.bool_()),
            ("wins_by", pa.int64()),
            ("settings_alike", pa.int64()),
        ]
        return pa.Table.from_pylist(rows, pa.schema(kinds))

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "game": str(self.game),
            "opponent": list(self.opponent),
            "method": self.method,
            "counters": [counter.to_json() for counter in self.found],
            "turns": self.turns,
            "seconds": round(self.seconds, 3),
            "why_none": self.why_none,
            "patterns": [
                {"cells": cells, "patterns": patterns, "settings_and_starts": settings}
                for cells, (patterns, settings) in self.patterns.items()
            ],
        }


def verify(counter: Counter) -> None:
    """Plays every winning turn by the readable rules."""
    for move in counter.moves:
        outcome = counter.position.play(move).outcome()
        if outcome is None or outcome.winner != 0:
            raise AssertionError(f"{counter.position} {move} does not win by the readable rules")


@dataclass(frozen=True)
class End:
    """When to give up: at a moment, or after so many turns, which are the same on any machine."""

    at: float
    turns: int | None

    def reached(self, search: Search) -> bool:
        """Whether it is time."""
        enough = self.turns is not None and search.turns >= self.turns
        return enough or time.perf_counter() >= self.at

    def half(self) -> End:
        """Half of what is left."""
        half = None if self.turns is None else self.turns // 2
        return End((time.perf_counter() + self.at) / 2, half)


@dataclass(frozen=True)
class Frequency:
    """How many of the settings that were drawn (all alike) are counters.

    The interval is of 95 %; for one of several that are told together, of 95 % for all of them.
    """

    opponent: Setting
    drawn: int
    counters: int
    turns: int
    winning_turns: int
    seconds: float
    stopped: bool = False  # by Ctrl-C
    among: int = 1  # how many are told together
    of_all: int | None = None  # how many settings there are, where that is known

    @property
    def share(self) -> float:
        """The share of settings that are counters."""
        return self.counters / self.drawn if self.drawn else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Clopper and Pearson's interval of the share."""
        return clopper_pearson(self.counters, self.drawn, 0.05 / self.among)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        low, high = self.interval
        told = asdict(self) | {"share": self.share, "low": low, "high": high}
        of_all = told.pop("of_all")
        return told if of_all is None else told | {"about": round(self.share * of_all)}


@dataclass(frozen=True)
class Resistance:
    """Settings that resist, best first, with how common counters are."""

    game: SetUpGame
    method: str
    found: tuple[Frequency, ...]
    looked_at: int  # settings, or classes of them that a first turn cannot tell apart
    seconds: float

    @property
    def safe(self) -> int:
        """How many settings are proved to have no counter at all; none is among these."""
        return 0

    def about(self, setting: Setting) -> str:
        """What else is to be said of a setting, in words."""
        return ""

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "game": str(self.game),
            "method": self.method,
            "classes": self.looked_at,
            "seconds": round(self.seconds, 3),
            "safe": self.safe,
            "settings": [frequency.to_json() for frequency in self.found],
        }


@dataclass(frozen=True)
class CounterProof:
    """What became of the attempt to answer every setting by a book."""

    rules: str
    pages: int
    classes: int
    answered: int
    settings: int  # all there are
    open: int  # those that are not proved to be safe
    countered: int  # those for which a counter was found
    unanswered: tuple[Setting, ...]  # column sums without an answer, at most a hundred
    by_page: tuple[int, ...]  # how many classes each page was the first to answer
    taken: int = 0  # of the countered settings: those whose beads the book takes all
    book: tuple[Setting, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every open setting has a counter."""
        return self.countered == self.open

    @property
    def blocked(self) -> int:
        """Settings that the book beats by immobility alone: lone beads are left, which cannot start."""
        return self.countered - self.taken


# ---- who finds it -----------------------------------------------------------------------------------


class CounterStudy(ABC):
    """How counter-settings of one game, with its options, are looked for."""

    families: ClassVar[Mapping[str, str]]  # settings by name, each with a line about it
    by_lot: ClassVar[frozenset[str]]  # families with many members
    methods: ClassVar[tuple[str, ...]]
    resist_methods: ClassVar[tuple[str, ...]]

    def __init__(self, game: SetUpGame) -> None:
        self.game = game

    @abstractmethod
    def member(self, family: str, number: int, seed: int = 0) -> Setting:
        """The setting of a family with this number; one that is not by lot has only one."""

    def setting_of(self, text: str) -> Setting:
        """The setting that a text tells: counts `2,2,…`, a family, or one by lot like `uniform:7`."""
        return read_setting(text, self.game, self.families, self.member)

    @abstractmethod
    def find(
        self,
        opponent: Setting,
        *,
        method: str = "auto",
        limit: int = 1,
        seconds: float = 60.0,
        turns: int | None = None,
        seed: int = 0,
        threads: int = 1,
        tell: Tell | None = None,
    ) -> Search:
        """Looks for settings that beat the opponent's in one turn."""

    @abstractmethod
    def count(
        self,
        opponent: Setting,
        *,
        samples: int = 1_000_000,
        seconds: float = 60.0,
        seed: int = 0,
        threads: int = 1,
        tell: Tell | None = None,
    ) -> Frequency:
        """Estimates how common counters are among all settings."""

    @abstractmethod
    def resistant(
        self,
        *,
        method: str,
        limit: int = 5,
        seconds: float = 30.0,
        seed: int = 0,
        threads: int = 1,
        classes: int | None = None,
        samples: int = 1_000_000,
        tell: Tell | None = None,
    ) -> Resistance:
        """Looks for settings against which the fewest settings win in one turn."""

    def example_of_safe(self) -> tuple[Setting, str] | None:
        """A setting that is proved to have no counter, and why; None if none is known."""
        return None

    def prove(self, *, threads: int = 1, tell: Tell | None = None) -> CounterProof:
        """Plays a book of counters against every setting there is."""
        raise MbeguError(
            _("there is no book of counters for {game}: nothing is proved without one").format(
                game=self.game.name
            )
        )

    def picture(self, counter: Counter, move: Move) -> str:
        """A winning turn as a picture."""
        from mbegu.games.pictures import picture  # noqa: PLC0415 - only who asks for it

        return picture(counter.position.play(move))

    def check_method(self, method: str, methods: Sequence[str]) -> None:
        """Whether there is such a method."""
        if method not in methods:
            raise MbeguError(
                _("method: {method} is none of {methods}").format(
                    method=method, methods=", ".join(methods)
                )
            )

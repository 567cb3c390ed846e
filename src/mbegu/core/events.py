"""The words in which a move is told, step by step: enough to animate it and to explain it.

A place on the board is a short text that the game defines and people understand: Oware "C" or "f",
Kalah "S3" and the stores "S" and "N", awale2 "14", Urubugu "N16", Morabaraba "d2".

    >>> Sow("D", 5).to_json()
    {'event': 'sow', 'hole': 'D', 'now': 5, 'colour': ''}
"""

from dataclasses import dataclass, fields
from typing import ClassVar

from mbegu.core.outcome import Outcome

__all__ = [
    "EFFECTS",
    "Capture",
    "End",
    "Event",
    "ExtraTurn",
    "Fly",
    "Forfeit",
    "LapLimit",
    "Lift",
    "Mill",
    "MillBroken",
    "Place",
    "Relay",
    "Shoot",
    "Skip",
    "Slide",
    "Sow",
    "Sweep",
    "Untold",
    "touched",
]


EFFECTS = ("move", "take", "mark", "lock")
"""What a film may show for an event that it does not know: a piece goes from `start` to `end`, what lies
in `hole` is taken, `hole` is marked for a moment, or it stays locked."""


@dataclass(frozen=True, slots=True)
class Event:
    """One step of a move.

    A game may bring events of its own: a frozen dataclass with a `sentence`, whose blanks are the fields
    (a place is called hole, start or end), and the `effect` that a film shows for it.
    """

    sentence: ClassVar[str] = ""
    effect: ClassVar[str] = ""

    def to_json(self) -> dict[str, object]:
        """As plain data, with the kind of the event first."""
        data: dict[str, object] = {"event": type(self).__name__.lower()}
        if self.effect:
            data["effect"] = self.effect
        for field in fields(self):
            value = getattr(self, field.name)
            data[field.name] = value.to_json() if isinstance(value, Outcome) else value
        return data


# ---- sowing games ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Lift(Event):
    """The player takes all seeds (of one colour) out of a hole, to sow them."""

    hole: str
    seeds: int
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Sow(Event):
    """One seed falls into a hole, which holds `now` seeds after it."""

    hole: str
    now: int
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Skip(Event):
    """The sowing passes over a hole that may not receive."""

    hole: str


@dataclass(frozen=True, slots=True)
class Capture(Event):
    """The player takes all seeds of a hole. `to` is his store, or "" when he goes on to sow them."""

    hole: str
    seeds: int
    to: str = ""


@dataclass(frozen=True, slots=True)
class Forfeit(Event):
    """These holes would have been captured, but that would take every seed the opponent has."""

    holes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Relay(Event):
    """The last seed fell into an occupied hole: all its seeds are taken up and sown on."""

    hole: str
    seeds: int


@dataclass(frozen=True, slots=True)
class LapLimit(Event):
    """The turn has gone on for as many laps as the rules allow, and stops."""

    laps: int


@dataclass(frozen=True, slots=True)
class ExtraTurn(Event):
    """The same player moves again."""

    player: int


@dataclass(frozen=True, slots=True)
class Sweep(Event):
    """At the end, the seeds left in these holes go to a player."""

    player: int
    holes: tuple[str, ...]
    seeds: int


# ---- mill games -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place(Event):
    """A cow comes from the hand onto a point."""

    player: int
    point: str


@dataclass(frozen=True, slots=True)
class Slide(Event):
    """A cow moves along a line to a neighbouring point."""

    player: int
    start: str
    end: str


@dataclass(frozen=True, slots=True)
class Fly(Event):
    """A cow flies to any empty point."""

    player: int
    start: str
    end: str


@dataclass(frozen=True, slots=True)
class Mill(Event):
    """Three cows of one player on a line: a shot is due."""

    player: int
    points: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MillBroken(Event):
    """A mill was opened; it may not be closed again by this player's next move."""

    player: int
    points: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shoot(Event):
    """The player takes a cow of the opponent off the board."""

    player: int
    point: str


# ---- every game -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class End(Event):
    """The game is over."""

    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Untold(Event):
    """The game says nothing of this move, as of a turn that is passed: a story has one event at least."""


def touched(first: Event) -> tuple[str | None, str | None]:
    """Where the player touches the board, from the first event of his move: where it begins, where it ends."""
    match first:
        case Lift():
            return first.hole, None
        case Slide() | Fly():
            return first.start, first.end
        case Place() | Shoot():
            return None, first.point
    if first.effect == "move":  # an event of the game's own: its fields are told at `Event`
        return getattr(first, "start", None), getattr(first, "end", None)
    return getattr(first, "hole", None), None

"""What is sent and answered where a whole game travels: handed in from a tab, or carried by a link."""

from typing import Annotated, Literal, NotRequired, TypedDict

from msgspec import Meta

from mbegu.server.api.schemas import Game, Move, Outcome, Player, Text

__all__ = ["Handed", "HandedIn", "LinkAsked", "LinkMade", "LinkOpened", "LinkToOpen"]


class OwnEnd(TypedDict):
    """An end that no move has brought."""

    kind: Literal["resigned", "flagged", "drawn"]
    player: Player


class Handed(TypedDict):
    """A game as it went on in a tab, from its start."""

    device: Annotated[str, Meta(min_length=8, max_length=64)]
    count: int
    after: int
    moves: Annotated[list[Move], Meta(max_length=2000)]
    end: NotRequired[OwnEnd | None]
    left: NotRequired[tuple[float, float] | None]
    commands: NotRequired[Annotated[list[str], Meta(max_length=8)]]


class HandedIn(TypedDict):
    """How the game stands here now; `new` unless it stood so already."""

    version: int
    plies: int
    new: bool


class LinkAsked(TypedDict):
    """A game from a position, by some moves."""

    game: Game
    position: NotRequired[Text | None]
    moves: Annotated[list[Move], Meta(max_length=2000)]
    players: NotRequired[tuple[str, str]]


class LinkMade(TypedDict):
    """The word that stands behind `#/r/` in an address."""

    link: str


class LinkToOpen(TypedDict):
    """The same word."""

    link: Annotated[str, Meta(max_length=6000)]


class LinkOpened(TypedDict):
    """A game that came in a link."""

    game: str
    start: str
    moves: list[Move]
    players: tuple[str, str]
    date: str
    result: str
    outcome: Outcome | None

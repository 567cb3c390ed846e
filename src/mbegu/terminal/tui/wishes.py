"""What a player wants to play: what was said on the command line, and what is still to be asked."""

import random
from dataclasses import dataclass, field

from mbegu.core.clock import Clock, TimeControl
from mbegu.core.game import Game, Position
from mbegu.core.match import Match
from mbegu.core.setups import SetUpGame
from mbegu.terminal.keeping import Keeper, Kept
from mbegu.terminal.seats import HUMAN, Seat, make_seat
from mbegu.terminal.tui.session import Session

__all__ = ["DEFAULT_OPPONENT", "Wishes"]

DEFAULT_OPPONENT = "level3"


@dataclass
class Wishes:
    """None is what nobody has said yet."""

    game: Game | None = None
    names: tuple[str, str] | None = None  # who plays which side
    vs: str | None = None
    start: str | None = None  # me, other or lot
    position: Position | None = None
    control: TimeControl = field(default_factory=TimeControl)
    seed: int | None = None
    match: Match | None = None  # one that goes on
    lay: tuple[bool, bool] = (False, False)  # whose set-up is to be laid at the board
    keeper: Keeper | None = None

    @classmethod
    def of_kept(cls, kept: Kept) -> "Wishes":
        """A game that was left goes on."""
        match, names = kept.match, kept.seats
        return cls(match.game, names, match=match, keeper=Keeper(kept.path))

    def seats(self) -> tuple[Seat, Seat]:
        """Who plays, in the order of the sides."""
        first, second = self.names or self._in_order()
        seed = self.seed
        return (
            make_seat(first, None if seed is None else 2 * seed),
            make_seat(second, None if seed is None else 2 * seed + 1),
        )

    def _in_order(self) -> tuple[str, str]:
        other, start = self.vs or DEFAULT_OPPONENT, self.start or "me"
        if start == "lot":
            start = random.Random(self.seed).choice(["me", "other"])  # noqa: S311 (a game)
        return (HUMAN, other) if start == "me" else (other, HUMAN)

    def session(self) -> Session:
        """The game, ready to be played."""
        assert self.game is not None
        seats = self.seats()
        match = self.match
        if match is None:
            match = Match(self.game, self.position, clock=Clock(self.control))
        match.players = (seats[0].name, seats[1].name)
        return Session(match, seats, self.keeper or Keeper())

    @property
    def asks_set_up(self) -> bool:
        """Whether the players of this game lay their pieces, and nobody has said how."""
        return isinstance(self.game, SetUpGame) and self.position is None and self.match is None

"""Who sits at the board: a human at this keyboard, a bot of ours, or a file with a bot of one's own."""

from collections.abc import Sequence
from dataclasses import dataclass

from mbegu.arena.bots import make_bot
from mbegu.arena.roster import BotSpec, find_bot
from mbegu.arena.runner import BotFault, BotProcess, missing_layers
from mbegu.core.bot import Bot
from mbegu.core.clock import Clock
from mbegu.core.errors import MbeguError
from mbegu.core.game import Move, Position
from mbegu.core.i18n import _
from mbegu.core.match import Match
from mbegu.core.players import player_name
from mbegu.core.printable import one_line

__all__ = ["HUMAN", "OwnBot", "Seat", "close_seats", "is_file", "make_seat"]

HUMAN = "human"


@dataclass
class Seat:
    """Who plays a side: a bot, or a human when there is none."""

    name: str
    bot: Bot | None = None

    @property
    def shown(self) -> str:
        """What people call him."""
        return self.bot.spec.name if isinstance(self.bot, OwnBot) else player_name(self.name)


class OwnBot:
    """A bot out of a file, in a process of its own: what it does cannot end our game."""

    def __init__(self, spec: BotSpec, seed: int | None = None) -> None:
        self.spec, self.seed = spec, seed
        # Caged where this host can; where it cannot, it is still the player's own file.
        self._process = BotProcess(spec, trust=bool(missing_layers()))
        self._match: Match | None = None
        self._told: tuple[Position, list[Move]] | None = (
            None  # how its game began, what it was told
        )

    def follow(self, match: Match) -> None:
        """The game in which it will be asked: some bots keep count of the moves themselves."""
        self._match = match

    def choose(self, position: Position, clock: Clock) -> Move:
        """Its move; MbeguError, with what is wrong, when it gives none that can be played."""
        assert position.turn is not None
        match = self._match or Match(position.game, position)
        start, moves = match.positions[0], list(match.moves)
        try:
            news = self._news(start, moves)
            if news is None:  # the first time, or a move was taken back
                self._process.new_game(position.game, start, position.turn, self.seed or 0)
                news = moves
            self._told = start, moves
            move = self._process.choose(position, news, clock)
            position.check(move)
        except (BotFault, MbeguError) as error:
            self._told = None  # a new process begins a new game
            raise MbeguError(
                _("{bot} has failed: {why}").format(bot=self.spec.name, why=_why(error))
            ) from None
        return move

    def _news(self, start: Position, moves: list[Move]) -> list[Move] | None:
        """The moves since it was last asked; None if this is not the game that it knows."""
        if self._told is None:
            return None
        began, known = self._told
        if began != start or moves[: len(known)] != known or len(moves) == len(known):
            return None
        return moves[len(known) :]

    def close(self) -> None:
        """Ends its process."""
        self._process.close()


def _why(error: Exception) -> str:
    if isinstance(error, BotFault):
        return one_line(f"{error.fault} {error.detail}".strip())
    return str(error)


def is_file(name: str) -> bool:
    """Whether a player is named by a file, and not by a word of ours."""
    return name.endswith((".py", ".zip", ".toml")) or "/" in name or ".py:" in name


def make_seat(name: str, seed: int | None = None) -> Seat:
    """The seat of a player by his name: human, a level, a bot of ours, a file with a bot."""
    if name == HUMAN:
        return Seat(name)
    if is_file(name):
        return Seat(name, OwnBot(find_bot(name), seed))
    return Seat(name, make_bot(name, seed))


def close_seats(seats: Sequence[Seat]) -> None:
    """Ends what the seats have started."""
    for seat in seats:
        if isinstance(seat.bot, OwnBot):
            seat.bot.close()

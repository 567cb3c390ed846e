"""Match: a game in progress, with everything that needs history.

>>> from mbegu.core.registry import game
>>> match = Match(game("oware"))
>>> match.play(2)
<oware 4-4-0-5-5-5-5-4-4-4-4-4-0-0-N>
>>> match.resign(1).winner
0
"""

from collections import Counter
from datetime import UTC, datetime
from itertools import islice

from mbegu.core.clock import Clock
from mbegu.core.errors import MatchError
from mbegu.core.game import Game, Move, Position
from mbegu.core.guard import check_end
from mbegu.core.i18n import _
from mbegu.core.outcome import Outcome, Reason
from mbegu.core.record import Record

__all__ = ["Match"]


class Match:
    """A game between two players: its moves, its clock, and the rules of repetition and length."""

    def __init__(
        self,
        game: Game,
        start: Position | None = None,
        players: tuple[str, str] = ("?", "?"),
        clock: Clock | None = None,
    ) -> None:
        self.game = game
        self.positions = [game.start() if start is None else start]
        self.moves: list[Move] = []
        self.players = players
        self.clock = clock or Clock()
        self.draw_offered_by: int | None = None
        self._seen = Counter(self.positions)
        self._verdict: Outcome | None = None  # an end that the players brought about
        self._judged: tuple[Position, Outcome | None] | None = None

    # ---- how it stands

    @property
    def position(self) -> Position:
        """The position now."""
        return self.positions[-1]

    @property
    def turn(self) -> int | None:
        """The player to move; None when the match is over."""
        return None if self.outcome else self.position.turn

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, by the rules of the game, of the match, or by its players."""
        if self._verdict is not None:
            return self._verdict
        # Asked for many times after each move, found once: it depends on what was played only.
        position = self.position
        if self._judged is None or self._judged[0] is not position:
            self._judged = position, position.outcome() or self._history_outcome()
            if self._judged[1] is None:
                check_end(position)
        return self._judged[1]

    def _history_outcome(self) -> Outcome | None:
        game, position = self.game, self.position
        if game.repetition_limit and self._seen[position] >= game.repetition_limit:
            return game.repetition_outcome(position)
        if game.ply_cap and len(self.moves) >= game.ply_cap:
            return game.ply_cap_outcome(position)
        return None

    @property
    def is_under_way(self) -> bool:
        """Whether both have moved."""
        movers = (position.turn for position in islice(self.positions, len(self.moves)))
        first = next(movers, None)
        return any(mover != first for mover in movers)

    # ---- moving

    def play(self, move: Move, after: Position | None = None) -> Position:
        """Plays a move for the player to move, whose clock stops.

        Whoever has played it in this position already says which one comes `after`.
        """
        self._must_go_on()
        player = self.position.turn
        assert player is not None
        if self.clock.flagged(player):
            self.flag(player)
            raise MatchError(_("{side} has run out of time").format(side=self.game.side(player)))
        if after is None:
            after = self.position.play(move)
        self.clock.moved(player)
        self.moves.append(move)
        self.positions.append(after)
        self._seen[after] += 1
        if self.draw_offered_by != player:
            self.draw_offered_by = None  # whoever moves on declines the offer
        return after

    def undo(self, plies: int = 1) -> Position:
        """Takes back moves, and with them an end that they led to."""
        if not 1 <= plies <= len(self.moves):
            raise MatchError(_("there is no move to take back"))
        self.clock.stop()
        for _ply in range(plies):
            self._seen[self.positions.pop()] -= 1
            self.moves.pop()
        self._verdict = self.draw_offered_by = None
        return self.position

    # ---- ending it

    def resign(self, player: int) -> Outcome:
        """The player gives up."""
        return self._end(1 - player, Reason.RESIGNATION)

    def flag(self, player: int) -> Outcome:
        """The player's time is up."""
        return self._end(1 - player, Reason.TIMEOUT)

    def forfeit(self, player: int, reason: Reason = Reason.FORFEIT) -> Outcome:
        """The player broke the rules of the match, or left it."""
        return self._end(1 - player, reason)

    def abandon(self, player: int, draw: bool = False) -> Outcome:
        """The player has left: the other wins, or is content with a draw."""
        return self._end(None if draw else 1 - player, Reason.ABANDONED)

    def abort(self) -> Outcome:
        """The game is called off, without a result; only before both have moved."""
        if self.is_under_way:
            raise MatchError(_("both have moved: resign, or offer a draw"))
        return self._end(None, Reason.ABORTED)

    def offer_draw(self, player: int) -> Outcome | None:
        """Offers a draw; when the other has offered one already, it is agreed."""
        self._must_go_on()
        if self.draw_offered_by == 1 - player:
            return self._end(None, Reason.AGREEMENT)
        self.draw_offered_by = player
        return None

    def decline_draw(self, player: int) -> None:
        """Refuses the other's offer, or takes back one's own."""
        if self.draw_offered_by is None:
            raise MatchError(_("nobody has offered a draw"))
        self.draw_offered_by = None

    def decide(self, outcome: Outcome) -> None:
        """Ends it by a verdict from elsewhere, such as that of a record."""
        self._must_go_on()
        self.clock.stop()
        self._verdict = outcome

    def _end(self, winner: int | None, reason: Reason) -> Outcome:
        self._must_go_on()
        self.clock.stop()
        self.draw_offered_by = None
        self._verdict = Outcome(winner, self.position.scores(), reason)
        return self._verdict

    def _must_go_on(self) -> None:
        if self.outcome is not None:
            raise MatchError(_("the game is over"))

    # ---- writing it down

    def record(self) -> Record:
        """The match as a record, with today's date."""
        control = self.clock.control
        record = Record.of(
            self.positions[0],
            self.moves,
            players=self.players,
            date=datetime.now(UTC).strftime("%Y.%m.%d"),
            time_control=str(control) if control.limited else "",
        )
        return record.ended(self.outcome) if self.outcome else record

    @classmethod
    def from_record(cls, record: Record) -> "Match":
        """The match as it stood at the end of a record."""
        match = cls(record.game, record.start, record.players)
        for move in record.moves:
            match.play(move)
        if match.outcome is None:
            match._verdict = record.outcome
        return match

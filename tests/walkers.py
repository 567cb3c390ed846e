"""Two walkers: a stranger's game with odd habits, told by `Game` and `Position` alone.

The second player begins, a turn may be passed and then nothing is told, a double step is two moves of the
same player, there is no board and no score, and three turns passed in a row are a draw.
"""

from dataclasses import dataclass
from typing import Any

from mbegu.core.errors import InvalidMove, InvalidPosition
from mbegu.core.events import End, Sow
from mbegu.core.game import Game, Move, Position, Story, over_message
from mbegu.core.options import option
from mbegu.core.outcome import Outcome, Reason

STEPS = 7
WAIT, ONE, TWO = -1, 1, 2
WORDS: dict[Move, str] = {WAIT: "wait", ONE: "+1", TWO: "+2"}
TURNS = {"sun": 0, "moon": 1, "over": None}


@dataclass(frozen=True)
class Walkers(Game):
    """Who walks seven steps first wins; nobody must walk."""

    name = "two-walkers"
    id = "two-walkers@1"
    aliases = ("walkers",)
    title = "Two <b>walkers</b> & a road"
    summary = "Walk or wait; who has walked seven steps wins."
    people = "Nobody's: made up to be odd."
    sides = ("Sun", "Moon")
    rulebook = "Walk one step, or two in two moves. Or wait.\n\nThree waits in a row are a draw."

    first: int = option(1, "Who begins", low=0, high=1)

    def start(self) -> Position:
        return WalkersPosition(self, (0, 0), self.first, 0, False)

    def position(self, text: str) -> Position:
        try:
            one, other, turn, waits, going = text.split(" ")
            at = int(one), int(other)
            found = WalkersPosition(self, at, TURNS[turn], int(waits), going == "y")
        except (ValueError, KeyError):
            raise InvalidPosition(f"{text[:40]}: write it like 0 0 sun 0 n") from None
        ended = max(at) == STEPS or found.waits == 3
        if str(found) != text or not found.possible or (found.turn is None) != ended:
            raise InvalidPosition(f"{text[:40]}: there is no such position")
        return found

    def from_json(self, obj: Any) -> Position:
        if not isinstance(obj, dict) or not isinstance(obj.get("road"), str):
            raise InvalidPosition("road is a text")
        return self.position(obj["road"])

    def read_move(self, text: str, position: Position) -> Move:
        for move, word in WORDS.items():
            if word == text:
                return move
        raise InvalidMove(f"{text[:20]!r} is no move: wait, +1 or +2")

    def format_move(self, move: Move, position: Position) -> str:
        return WORDS[move]


@dataclass(frozen=True, repr=False)
class WalkersPosition(Position):
    """How far both are, who walks, how many have waited, and whether a double step is half done."""

    game: Walkers
    at: tuple[int, int]
    turn: int | None
    waits: int
    going: bool

    @property
    def possible(self) -> bool:
        """Whether the numbers are those of a game."""
        return 0 <= min(self.at) <= max(self.at) <= STEPS and 0 <= self.waits <= 3

    def legal_moves(self) -> list[Move]:
        if self.turn is None:
            return []
        if self.going:
            return [ONE]
        return [WAIT, ONE, TWO] if self.at[self.turn] + 2 <= STEPS else [WAIT, ONE]

    def forbids(self, move: Move) -> str | None:
        if type(move) is not int or move not in WORDS:
            raise InvalidMove(f"{move!r} is no move")
        if self.turn is None:
            return over_message()
        return None if move in self.legal_moves() else "not now"

    def _story(self, move: Move) -> Story:
        assert self.turn is not None
        at, turn, waits = list(self.at), 1 - self.turn, 0
        if move == WAIT:
            waits = self.waits + 1
        else:
            at[self.turn] += 1
            yield Sow("road", at[self.turn])
        if move == TWO:
            turn = self.turn
        over = max(at) == STEPS or waits == 3
        after = WalkersPosition(
            self.game, (at[0], at[1]), None if over else turn, waits, move == TWO
        )
        outcome = after.outcome()
        if outcome is not None:
            yield End(outcome)
        return after

    def outcome(self) -> Outcome | None:
        if self.turn is not None:
            return None
        winner = None if self.waits == 3 else int(self.at[1] == STEPS)
        return Outcome(winner, (0, 0), Reason.NO_MOVES)

    def scores(self) -> tuple[int, int]:
        return 0, 0

    def __str__(self) -> str:
        turn = next(word for word, player in TURNS.items() if player == self.turn)
        return f"{self.at[0]} {self.at[1]} {turn} {self.waits} {'y' if self.going else 'n'}"

    def to_json(self) -> dict[str, Any]:
        return {"road": str(self)}

    def diagram(self, *, colour: bool = False) -> str:
        return "\n".join("." * steps + "@" + "." * (STEPS - steps) for steps in self.at)

"""Toguz Kumalak.

        9 8 7 6 5 4 3 2 1     North
        1 2 3 4 5 6 7 8 9     South

- Sow all balls of one of your houses counter-clockwise, the first into the house they came from; a single
  ball moves to the next house.
- If the last ball makes an even number in a house of the opponent, you capture them.
- If it makes three there, the house becomes your tuzdyk, once in a game: its balls, and all that fall there
  later, are yours. Not the ninth house, nor the one with the number of the opponent's tuzdyk.
- 82 balls win. If a player has no ball to move, the other keeps those on his own side.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from mbegu.core.board import Board, Lying
from mbegu.core.errors import InvalidMove, InvalidPosition, shorten
from mbegu.core.events import Capture, End, Event, Lift, Sow
from mbegu.core.game import Game, Move, Position, Story, over_message, read_counts, read_player
from mbegu.core.outcome import Outcome, OwnReason, by_score
from mbegu.games.sowing import check_turn, hole_of, letter_of, lying_singly, sweeps, turn_of
from mbegu_toguz.board import BOARD, HOUSES, SIDES

__all__ = ["Toguz", "ToguzPosition", "Tuzdyk"]

OWN = (range(9), range(9, 18))  # the houses of South and of North
ALL_BALLS = 162
MAJORITY = 82


class ToguzReason(OwnReason):
    """Why a game is over."""

    HALF = "toguz_half", "A player has more than half of the balls."
    ATSYZ = "toguz_atsyz", "A player has no ball to move; the other keeps those on his side."


@dataclass(frozen=True, slots=True)
class Tuzdyk(Event):
    """A house of the opponent becomes the player's, and its three balls too."""

    sentence: ClassVar[str] = "{hole} becomes the tuzdyk of {side}: {seeds} balls go to the kazan."
    effect: ClassVar[str] = "lock"

    player: int
    hole: str
    seeds: int
    to: str


@dataclass(frozen=True)
class Toguz(Game):
    """Toguz Kumalak, nine balls."""

    # ---- the card

    name = "toguz"
    id = "toguz-kumalak@1"
    aliases = ("togyzkumalak", "toguz-korgool")
    title = "Toguz Kumalak"
    summary = "Nine houses, nine balls: capture even numbers, and make one house your tuzdyk."
    people = (
        "Toguz Kumalak is the game of the Kazakhs; the Kyrgyz call it toguz korgool. Herders played it on "
        "boards dug into the steppe, and its masters meet in world championships."
    )
    sides = SIDES
    strategy = "Keep balls in your ninth house; make your tuzdyk early, near his right end."
    rulebook = """\
Each player owns nine houses with nine balls in each, and a kazan. South starts.

Sowing. Take all balls of one of your houses and sow them counter-clockwise, one in each house, the first
into the house they came from. A single ball moves to the next house.

Capturing. If your last ball makes an even number in a house of your opponent, they go to your kazan.

Tuzdyk. If your last ball makes three in a house of your opponent, that house becomes your tuzdyk: the
three balls, and every ball that falls there later, go to your kazan. You may have one tuzdyk in a game.
The ninth house can never be one, nor the house with the number of your opponent's tuzdyk.

The end. Whoever has 82 balls wins. If a player has no ball to move, the other keeps those on his own
side. 81 each is a draw."""
    ply_cap: ClassVar[int | None] = 400

    @property
    def board(self) -> Board:
        """Two rows of nine and two kazans."""
        return BOARD

    def hole_name(self, hole: str, player: int | None) -> str:
        """One's own houses by their number, the opponent's with his side's name."""
        owner = BOARD.owner(hole)
        if owner is None or hole in SIDES or owner == player:
            return hole.lstrip("SN") if hole not in SIDES else hole
        return f"{self.side(owner)} {hole[1:]}"

    # ---- start

    def start(self) -> "ToguzPosition":
        """Nine balls in each house; South moves."""
        return ToguzPosition(self, (9,) * 18, (0, 0), (0, 0), 0)

    def from_json(self, obj: Any) -> "ToguzPosition":
        """{"board": [18], "score": [2], "tuzdyk": [2], "to_move": 0 | 1 | null}."""
        board, score = read_counts(obj, "board", 18), read_counts(obj, "score", 2)
        tuzdyk = read_counts(obj, "tuzdyk", 2, most=8)
        turn = read_player(obj, "to_move")
        return self._checked(board, (score[0], score[1]), (tuzdyk[0], tuzdyk[1]), turn)

    def _checked(
        self,
        board: tuple[int, ...],
        score: tuple[int, int],
        tuzdyk: tuple[int, int],
        turn: int | None,
    ) -> "ToguzPosition":
        """A position set up by hand."""
        if sum(board) + sum(score) > ALL_BALLS:
            raise InvalidPosition(f"{sum(board) + sum(score)} balls are too many: there are 162")
        if tuzdyk[0] and tuzdyk[0] == tuzdyk[1]:
            raise InvalidPosition("two tuzdyks cannot have the same number")
        for owner, number in enumerate(tuzdyk):
            if number and board[9 * (1 - owner) + number - 1]:
                raise InvalidPosition("no ball lies in a tuzdyk")
        movers = (0, 1) if turn is None else (turn,)
        check_turn(turn, any(_reason(board, score, player) for player in movers))
        return self._settled(board, score, tuzdyk, turn)

    def _settled(
        self,
        board: tuple[int, ...],
        score: tuple[int, int],
        tuzdyk: tuple[int, int],
        turn: int | None,
    ) -> "ToguzPosition":
        """Nobody is to move when the game is over."""
        over = turn is None or _reason(board, score, turn) is not None
        return ToguzPosition(self, board, score, tuzdyk, None if over else turn)

    # ---- notation

    def position(self, text: str) -> "ToguzPosition":
        """`9,9,9,9,9,9,9,9,9/9,9,9,9,9,9,9,9,9 0/0 -/- S`: rows, kazans, tuzdyks, the side to move."""
        parts = text.split() if isinstance(text, str) else []
        example = str(self.start())
        if len(parts) != 4 or parts[3] not in ("S", "N", "."):
            raise InvalidPosition(f"{shorten(text)}: write a position like {example}")
        rows = [_numbers(row, ",", 9, example) for row in _halves(parts[0], example)]
        score = _numbers(parts[1], "/", 2, example)
        tuzdyk = _numbers(parts[2].replace("-", "0"), "/", 2, example)
        if max(tuzdyk) > 8:
            raise InvalidPosition("a tuzdyk is one of the houses 1 to 8")
        turn = turn_of(parts[3], "SN")
        pairs = (score[0], score[1]), (tuzdyk[0], tuzdyk[1])
        return self._checked(rows[0] + rows[1], *pairs, turn)

    def read_move(self, text: str, position: Position) -> int:
        """The number of one's own house, 1 to 9."""
        if len(text) != 1 or text not in "123456789":
            raise InvalidMove(f"{shorten(text)} is not a house: write a number from 1 to 9")
        return int(text)

    def format_move(self, move: Move, position: Position) -> str:
        """The number of the house."""
        return str(_number(move))


def _halves(text: str, example: str) -> list[str]:
    halves = text.split("/")
    if len(halves) != 2:
        raise InvalidPosition(f"{shorten(text)}: write a position like {example}")
    return halves


def _numbers(text: str, gap: str, count: int, example: str) -> tuple[int, ...]:
    parts = text.split(gap)
    if len(parts) != count or not all(
        part.isascii() and part.isdigit() and len(part) <= 3 for part in parts
    ):
        raise InvalidPosition(f"{shorten(text)}: write a position like {example}")
    return tuple(map(int, parts))


def _number(move: Move) -> int:
    return hole_of(move, range(1, 10), "{move} is not a house: houses are 1 to 9")


def _reason(board: tuple[int, ...], score: tuple[int, int], turn: int) -> ToguzReason | None:
    """Why the game is over; None while it goes on."""
    if max(score) >= MAJORITY:
        return ToguzReason.HALF
    return None if any(board[house] for house in OWN[turn]) else ToguzReason.ATSYZ


@dataclass(frozen=True, slots=True, repr=False)
class ToguzPosition(Position):
    """South's houses and North's, the kazans, the number of each player's tuzdyk (0: none), who moves."""

    game: Toguz
    balls: tuple[int, ...]
    score: tuple[int, int]
    tuzdyk: tuple[int, int]
    turn: int | None

    # ---- moves

    def legal_moves(self) -> list[Move]:
        """Houses 1..9 of the player to move, lowest first."""
        if self.turn is None:
            return []
        own = OWN[self.turn]
        return [number for number, house in enumerate(own, 1) if self.balls[house]]

    def forbids(self, move: Move) -> str | None:
        """Only an empty house."""
        number = _number(move)
        if self.turn is None:
            return over_message()
        return None if self.balls[OWN[self.turn][number - 1]] else "this house is empty"

    # ---- play

    def _story(self, move: Move) -> Story:
        player = self.turn
        assert player is not None
        start = OWN[player][_number(move) - 1]
        board, score, tuzdyk = list(self.balls), list(self.score), list(self.tuzdyk)
        owners = {_place(owner, number): owner for owner, number in enumerate(tuzdyk) if number}

        hand, board[start] = board[start], 0
        yield Lift(HOUSES[start], hand)
        first = start if hand > 1 else start + 1
        last = start
        for step in range(hand):
            last = (first + step) % 18
            if last in owners:  # a tuzdyk keeps nothing
                score[owners[last]] += 1
                yield Sow(SIDES[owners[last]], score[owners[last]])
            else:
                board[last] += 1
                yield Sow(HOUSES[last], board[last])

        if last in OWN[1 - player] and last not in owners:
            caught, number = board[last], last % 9 + 1
            if caught % 2 == 0:
                yield Capture(HOUSES[last], caught, SIDES[player])
            elif caught == 3 and not tuzdyk[player] and number not in (9, tuzdyk[1 - player]):
                tuzdyk[player] = number
                yield Tuzdyk(player, HOUSES[last], caught, SIDES[player])
            else:
                caught = 0
            score[player] += caught
            board[last] -= caught

        after = self.game._settled(
            tuple(board), (score[0], score[1]), (tuzdyk[0], tuzdyk[1]), 1 - player
        )
        outcome = after.outcome()
        if outcome is not None:
            yield from sweeps(OWN, board, HOUSES)
            yield End(outcome)
        return after

    # ---- end

    def outcome(self) -> Outcome | None:
        """Balls on one's own side count in the end."""
        if self.turn is not None:
            return None
        reason = ToguzReason.HALF if max(self.score) >= MAJORITY else ToguzReason.ATSYZ
        south, north = (sum(self.balls[house] for house in OWN[player]) for player in (0, 1))
        return by_score((self.score[0] + south, self.score[1] + north), reason)

    def scores(self) -> tuple[int, int]:
        """The balls in the kazans."""
        return self.score

    # ---- the board

    def places(self) -> dict[str, Lying]:
        """The balls in the houses and the kazans; a tuzdyk is marked."""
        marked = {_place(owner, number) for owner, number in enumerate(self.tuzdyk) if number}
        houses = {
            name: Lying((count,), ("tuzdyk",) if house in marked else ())
            for house, (name, count) in enumerate(zip(HOUSES, self.balls, strict=True))
        }
        return {**houses, **lying_singly(SIDES, self.score)}

    def marks(self) -> dict[str, Any]:
        """How many balls win, and the tuzdyks."""
        names = [
            HOUSES[_place(owner, number)] if number else None
            for owner, number in enumerate(self.tuzdyk)
        ]
        return {"to_win": MAJORITY, "tuzdyk": names}

    # ---- notation

    def __str__(self) -> str:
        """`9,9,9,9,9,9,9,9,9/9,9,9,9,9,9,9,9,9 0/0 -/- S`."""
        rows = "/".join(",".join(map(str, self.balls[9 * k : 9 * k + 9])) for k in (0, 1))
        score = "/".join(map(str, self.score))
        tuzdyk = "/".join(str(number or "-") for number in self.tuzdyk)
        return f"{rows} {score} {tuzdyk} {letter_of(self.turn, 'SN')}"

    def to_json(self) -> dict[str, Any]:
        """{"board": [18], "score": [2], "tuzdyk": [2], "to_move": 0 | 1 | null}."""
        return {
            "board": list(self.balls),
            "score": list(self.score),
            "tuzdyk": list(self.tuzdyk),
            "to_move": self.turn,
        }

    def diagram(self, *, colour: bool = False) -> str:
        """North on top, from 9 to 1; South below, from 1 to 9; x is a tuzdyk."""
        marked = {_place(owner, number) for owner, number in enumerate(self.tuzdyk) if number}
        shown = [
            " x " if house in marked else f"{count:^3}" for house, count in enumerate(self.balls)
        ]
        numbers = [f"{number:^3}" for number in range(1, 10)]
        north, south = (self.game.side(player) for player in (1, 0))
        return "\n".join(
            [
                "  " + "  ".join(reversed(numbers)),
                f" [{'][ '.join(reversed(shown[9:]))}]  {north} ({self.score[1]})",
                f" [{'][ '.join(shown[:9])}]  {south} ({self.score[0]})",
                "  " + "  ".join(numbers),
            ]
        )


def _place(owner: int, number: int) -> int:
    """The house on the other side that is a player's tuzdyk."""
    return 9 * (1 - owner) + number - 1

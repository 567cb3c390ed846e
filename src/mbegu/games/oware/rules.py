"""Oware Abapa.

Twelve houses, four seeds in each. South owns A..F, North owns a..f; A to f is the way of sowing.

         f  e  d  c  b  a     North
         A  B  C  D  E  F     South

- Sow all seeds of one of your houses, one in each following house. The house of departure never
  receives, on any lap.
- When the last seed brings a house of the opponent to 2 or 3, you capture it, and the houses
  before it while they too hold 2 or 3, in an unbroken chain and never past the end of his row.
- A grand slam (capturing every seed the opponent has) captures nothing; the sowing stands.
- When the opponent has no seeds you must feed him: only moves that reach his side are legal.
- The game ends at 25 captured seeds, with fewer than 6 on the board, or when there is no legal
  move; then each side's seeds go to its owner.
- In a match: when a position comes back, the game stops and each side keeps its seeds.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from mbegu.core.ansi import painted
from mbegu.core.board import Board, Lying, Place
from mbegu.core.errors import InvalidMove, InvalidPosition, shorten
from mbegu.core.events import Capture, End, Event, Forfeit, Lift, Skip, Sow
from mbegu.core.game import (
    Game,
    Move,
    Position,
    Story,
    over_message,
    read_counts,
    read_number,
    read_player,
)
from mbegu.core.i18n import N_, _
from mbegu.core.notation import Notation
from mbegu.core.options import option
from mbegu.core.outcome import Outcome, Reason, by_score
from mbegu.core.symmetry import Symmetry, rotations
from mbegu.games.oware.board import BOARD, HOUSES, OWN, SIDES
from mbegu.games.sowing import check_turn, hole_of, letter_of, lying_singly, sweeps, turn_of

__all__ = ["Oware", "OwarePosition"]

MAJORITY = 25
MOST_SEEDS = 255


@dataclass(frozen=True)
class Oware(Game):
    """Oware by the Abapa rules."""

    # ---- the card

    name = "oware"
    id = "oware-abapa@1"
    aliases = ("abapa", "awale", "wari")
    title = N_("Oware")
    summary = N_("Sow around twelve houses, capture twos and threes, never starve your opponent.")
    people = N_(
        "Oware belongs to the Akan peoples of Ghana and Côte d'Ivoire, and is played, under many "
        "names, all over West Africa and the Caribbean. Abapa means “the proper version”."
    )
    sides = SIDES
    rulebook = N_("""\
Each house begins with four seeds. South owns A to F, North owns a to f, and South starts.

Sowing. Take all seeds of one of your houses and sow them counter-clockwise, one in each house. The
house you started from stays empty, even when the seeds go all the way round.

Capturing. If your last seed makes two or three in a house of your opponent, you capture those
seeds, and also those of the houses just before it while each holds two or three, in an unbroken
chain on the opponent's side.

Grand slam. A move that would capture every seed of your opponent may be played, but captures
nothing.

Feeding. If your opponent has no seeds, you must play a move that gives some.

The end. The game ends when a player has captured 25 seeds, when fewer than six seeds are left on
the board, when the player to move has no legal move, or when a position comes back. Each player
then also counts the seeds on his own side. The higher count wins.""")
    repetition_limit: ClassVar[int | None] = 2
    single_letters = True
    uci_gap = ""

    grand_slam: str = option(
        "forfeit",
        N_("A move that would capture every seed of the opponent"),
        label=N_("Grand slam"),
        words={
            "forfeit": (N_("captures nothing"), N_("It may be played, but nothing is captured.")),
            "illegal": (
                N_("is not allowed"),
                N_("It may not be played while there is another move."),
            ),
            "take": (N_("captures all"), N_("It captures like any other move.")),
        },
    )
    min_seeds: int = option(
        6,
        N_("The game ends with fewer seeds than this"),
        label=N_("Fewest seeds on the board"),
        low=0,
        high=48,
    )

    @property
    def board(self) -> Board:
        """Two rows of six houses and two stores."""
        return BOARD

    def symmetries(self) -> tuple[Symmetry, ...]:
        """The board turned round, for the other player."""
        return rotations(12, 6)

    @classmethod
    def notations(cls) -> tuple[Notation, ...]:
        """OGN, as Aualé writes it."""
        from mbegu.games.oware.ogn import OGN  # noqa: PLC0415 - seldom needed

        return (OGN,)

    # ---- start

    def start(self) -> "OwarePosition":
        """Four seeds in each house; South moves."""
        return OwarePosition(self, (4,) * 12, (0, 0), 0)

    def from_json(self, obj: Any) -> "OwarePosition":
        """{"board": [12], "score": [2], "to_move": 0 | 1 | null}."""
        board, score = read_counts(obj, "board", 12), read_counts(obj, "score", 2)
        return self._settled(board, (score[0], score[1]), read_player(obj, "to_move"))

    def _settled(
        self, board: tuple[int, ...], score: tuple[int, int], turn: int | None
    ) -> "OwarePosition":
        """A position set up by hand, checked; nobody is to move when it is over."""
        if sum(board) + sum(score) > MOST_SEEDS:
            raise InvalidPosition(
                _("{count} seeds are too many: a board may hold {most}").format(
                    count=sum(board) + sum(score), most=MOST_SEEDS
                )
            )
        movers = (0, 1) if turn is None else (turn,)
        over = any(self._reason(board, score, player) for player in movers)
        return OwarePosition(self, board, score, check_turn(turn, over))

    # ---- end

    def _reason(
        self, board: tuple[int, ...], score: tuple[int, int], turn: int | None
    ) -> Reason | None:
        """Why the game is over; None while it goes on."""
        if max(score) >= MAJORITY:
            return Reason.MAJORITY
        if sum(board) < self.min_seeds:
            return Reason.FEW_SEEDS
        if turn is None or not OwarePosition(self, board, score, turn).playable():
            return Reason.NO_MOVE
        return None

    def repetition_outcome(self, position: Position) -> Outcome:
        """Each side keeps the seeds on its side."""
        assert isinstance(position, OwarePosition)
        return by_score(position.tally(), Reason.REPETITION)

    def closing(self, position: Position, outcome: Outcome) -> list[Event]:
        """When a position has come back, each side's seeds go to its owner."""
        assert isinstance(position, OwarePosition)
        return position.sweeps() if outcome.reason is Reason.REPETITION else []

    # ---- notation

    def position(self, text: str) -> "OwarePosition":
        """`4-4-4-4-4-4-4-4-4-4-4-4-0-0-S`: houses A..f, the stores, the side to move (`.` if over)."""
        parts = text.strip().split("-") if isinstance(text, str) else []
        if len(parts) != 15 or parts[14] not in ("S", "N", "."):
            raise InvalidPosition(
                _(
                    "{text} is not an Oware position: write twelve houses, two stores and S or N, "
                    "like 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"
                ).format(text=shorten(text))
            )
        counts = tuple(
            read_number(part, _("house {name}").format(name=name))
            for part, name in zip(parts[:12], HOUSES, strict=True)
        )
        south, north = (read_number(part, _("store")) for part in parts[12:14])
        return self._settled(counts, (south, north), turn_of(parts[14], "SN"))

    def read_move(self, text: str, position: Position) -> int:
        """`A`..`F` for South, `a`..`f` for North."""
        if len(text) != 1 or text not in HOUSES:
            raise InvalidMove(
                _("{move} is not a house: South plays A to F, North plays a to f").format(
                    move=shorten(text)
                )
            )
        return HOUSES.index(text)

    def format_move(self, move: Move, position: Position) -> str:
        """The letter of the house."""
        return HOUSES[_house(move)]


def _house(move: Move) -> int:
    return hole_of(move, range(12), N_("{move} is not a house: houses are 0 to 11"))


@dataclass(frozen=True, slots=True, repr=False)
class OwarePosition(Position):
    """Twelve houses from A to f, the captured seeds of each player, and who is to move."""

    game: Oware
    board: tuple[int, ...]
    score: tuple[int, int]
    turn: int | None

    # ---- moves

    def legal_moves(self) -> list[Move]:
        """Houses 0..11, lowest first."""
        return [] if self.turn is None else self.playable()

    def playable(self) -> list[Move]:
        """The houses that the rules let the player to move sow from."""
        assert self.turn is not None
        board, own = self.board, OWN[self.turn]
        moves: list[Move] = [house for house in own if board[house]]
        if not any(board[house] for house in OWN[1 - self.turn]):
            moves = [house for house in moves if self._reaches(house)]
        if self.game.grand_slam == "illegal":
            gentle = [house for house in moves if not self._slams(house)]
            return gentle or moves  # barred unless there is no other move; then it captures
        return moves

    def forbids(self, move: Move) -> str | None:
        """Whose house it is, whether it has seeds, feeding and the grand slam, in that order."""
        house = _house(move)
        if self.turn is None:
            return over_message()
        side, other = self.game.side(self.turn), self.game.side(1 - self.turn)
        if house not in OWN[self.turn]:
            return _("this house belongs to {other}; {side} is to move").format(
                other=other, side=side
            )
        if not self.board[house]:
            return _("this house is empty")
        if house in self.playable():
            return None
        if not self._reaches(house):
            return _("{other} has no seeds: you must feed").format(other=other)
        return _("a grand slam is barred while there is another move")

    def _reaches(self, house: Move) -> bool:
        """Whether sowing from this house gives the opponent a seed."""
        assert isinstance(house, int)
        return self.board[house] > 5 - house % 6

    def _slams(self, house: Move) -> bool:
        """Whether sowing from this house would capture every seed of the opponent."""
        assert isinstance(house, int)
        assert self.turn is not None
        board = list(self.board)
        last = house
        for last in _path(house, board[house]):
            board[last] += 1
        theirs = OWN[1 - self.turn]
        taken = sum(board[hole] for hole in _chain(board, last, theirs))
        return 0 < taken == sum(board[hole] for hole in theirs)

    # ---- play

    def _story(self, move: Move) -> Story:
        house = _house(move)
        player = self.turn
        assert player is not None
        board, theirs = list(self.board), OWN[1 - player]

        seeds, board[house] = board[house], 0
        yield Lift(HOUSES[house], seeds)
        last = house
        for hole in _path(house, seeds):
            if hole == (last + 2) % 12:
                yield Skip(HOUSES[house])  # the house of departure never receives
            board[hole] += 1
            yield Sow(HOUSES[hole], board[hole])
            last = hole

        chain = _chain(board, last, theirs)
        captured = sum(board[hole] for hole in chain)
        slam = bool(chain) and captured == sum(board[hole] for hole in theirs)
        if slam and self.game.grand_slam == "forfeit":
            yield Forfeit(tuple(HOUSES[hole] for hole in chain))
            captured = 0
        else:
            for hole in chain:
                yield Capture(HOUSES[hole], board[hole], self.game.sides[player])
                board[hole] = 0

        score = list(self.score)
        score[player] += captured
        after = self._next(tuple(board), (score[0], score[1]), 1 - player)
        outcome = after.outcome()
        if outcome is not None:
            yield from after.sweeps()
            yield End(outcome)
        return after

    def _next(self, board: tuple[int, ...], score: tuple[int, int], turn: int) -> "OwarePosition":
        over = self.game._reason(board, score, turn) is not None
        return OwarePosition(self.game, board, score, None if over else turn)

    # ---- end

    def sweeps(self) -> list[Event]:
        """The seeds left on each side go to its owner."""
        return sweeps(OWN, self.board, HOUSES)

    def outcome(self) -> Outcome | None:
        """Each side's seeds count for its owner in the final tally."""
        if self.turn is not None:
            return None
        reason = self.game._reason(self.board, self.score, None)
        assert reason is not None
        return by_score(self.tally(), reason)

    def scores(self) -> tuple[int, int]:
        """Captured seeds only."""
        return self.score

    def places(self) -> dict[str, Lying]:
        """The seeds in the houses and in the stores."""
        return lying_singly((*HOUSES, *SIDES), self.board + self.score)

    def why_not(self, place: Place) -> str | None:
        """Every house is a move, though not always one of this player's."""
        return self.forbids(HOUSES.index(place.name))

    def marks(self) -> dict[str, Any]:
        """Whether one must feed, and how many seeds win."""
        theirs = () if self.turn is None else OWN[1 - self.turn]
        hungry = bool(theirs) and not any(self.board[house] for house in theirs)
        return {"must_feed": hungry, "to_win": MAJORITY}

    def tally(self) -> tuple[int, int]:
        """Captured seeds and the seeds on one's own side."""
        return self.score[0] + sum(self.board[:6]), self.score[1] + sum(self.board[6:])

    # ---- notation

    def __str__(self) -> str:
        """`4-4-4-4-4-4-4-4-4-4-4-4-0-0-S`."""
        return "-".join([*map(str, self.board + self.score), letter_of(self.turn, "SN")])

    def to_json(self) -> dict[str, Any]:
        """{"board": [12], "score": [2], "to_move": 0 | 1 | null}."""
        return {"board": list(self.board), "score": list(self.score), "to_move": self.turn}

    def diagram(self, *, colour: bool = False) -> str:
        """North on top, from f to a; South below, from A to F."""
        rows = (self.board[:6], reversed(self.board[6:]))
        south, north = (
            painted(" ".join(f"[{count:2}]" for count in row), k, turn=self.turn, colour=colour)
            for k, row in enumerate(rows)
        )
        names = [self.game.side(player) for player in (0, 1)]
        pad = " " * (len(names[1]) + 6)
        return "\n".join(
            [
                pad + "  " + "    ".join(reversed(HOUSES[6:])),
                f"{names[1]} ({self.score[1]:2}) {north}",
                f"{pad}{south} ({self.score[0]:2}) {names[0]}",
                pad + "  " + "    ".join(HOUSES[:6]),
            ]
        )


def _path(house: int, seeds: int) -> list[int]:
    """The houses in which the seeds fall, in order; the house of departure is skipped."""
    ring = [hole % 12 for hole in range(house + 1, house + 12)]
    laps, rest = divmod(seeds, 11)
    return ring * laps + ring[:rest]


def _chain(board: list[int], last: int, theirs: range) -> list[int]:
    """The houses captured when the last seed falls in `last`: twos and threes, backwards."""
    chain = []
    while last in theirs and board[last] in (2, 3):
        chain.append(last)
        last -= 1
    return chain

"""Two-colour Awale.

Sixteen holes on one ring, two red and two blue seeds in each. The players' holes alternate: Odd owns
1, 3, 5 … 15 and starts, Even owns 2, 4, 6 … 16. Sowing is clockwise, from 1 to 16 and on to 1.

         1   2   3   4   5   6   7   8
        16  15  14  13  12  11  10   9

- Choose one of your holes and a colour: all its seeds of that colour are sown, the others stay. Red
  seeds fall into every following hole, blue seeds into the opponent's holes only. The hole of
  departure never receives.
- When the last hole sown, whoever owns it, holds 2 or 3 seeds of any colour, you capture them; then,
  backwards round the ring, those of each hole that holds 2 or 3, in an unbroken chain.
- Starving is allowed: when the next player has no seed, the last player takes all that is left.
- The game ends by starving, at 33 captured seeds, at 32 each, or with fewer than 8 seeds on the
  board, which then count for nobody.
- In a match: after 1,000 moves the game is a draw.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar

from mbegu.core.board import Board, Lying
from mbegu.core.errors import InvalidMove, InvalidPosition, shorten
from mbegu.core.events import Capture, End, Lift, Skip, Sow, Sweep
from mbegu.core.game import (
    Colours,
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
from mbegu.core.options import option
from mbegu.core.outcome import Outcome, Reason, by_score
from mbegu.core.symmetry import Symmetry, rotations
from mbegu.games.awale2.board import BOARD, HOLES, OWN, SIDES
from mbegu.games.sowing import check_turn, letter_of, turn_of

__all__ = ["Awale2", "Awale2Position"]

COLOURS = "RB"
MOVES = {f"{name}{colour}": (hole, colour) for hole, name in enumerate(HOLES) for colour in COLOURS}
ALL_SEEDS = 64
MAJORITY = 33
MIN_SEEDS = 8
EMPTY = (0,) * 16
TURNED = (Symmetry(tuple(range(16))), *rotations(16, 1))
SYMMETRIES = (*TURNED[1:], *(Symmetry(one.order, one.swaps, (1, 0)) for one in TURNED))
ANSI = {"R": "\x1b[91m", "B": "\x1b[94m"}
ANSI_END = "\x1b[0m"


@dataclass(frozen=True)
class Awale2(Game):
    """Awale with two colours on sixteen holes."""

    # ---- the card

    name = "awale2"
    id = "awale2@1"
    aliases = ("two-colour-awale",)
    title = N_("Two-colour Awale")
    summary = N_("Red seeds for every hole, blue seeds for your opponent's: choose, sow, capture.")
    people = N_(
        "Awalé is a name under which West Africa, Côte d'Ivoire above all, plays the game that the "
        "Akan peoples call Oware. This variant with two colours and alternating holes was made by "
        "students of artificial intelligence in honour of that game."
    )
    sides = SIDES
    rulebook = N_("""\
Sixteen holes lie on a ring. Odd owns the holes with odd numbers and starts; Even owns those with even
numbers. Each hole begins with two red and two blue seeds.

Sowing. Choose one of your holes and a colour, and take all seeds of that colour out of it; 3R means
the red seeds of hole 3. Sow them one by one clockwise, towards the higher numbers, with 1 after 16.
Red seeds go into every hole. Blue seeds go into your opponent's holes only. The hole you started
from never receives, even when the seeds go all the way round.

Capturing. If the last hole you sowed, yours or your opponent's, now holds two or three seeds, whatever
their colours, you capture them. Then look at the hole just before it on the ring, sown or not: if it
holds two or three seeds you capture them too, and so on backwards until a hole does not.

Starving. You may capture or play so that your opponent has no seed left. You then take all the seeds
on the board, and the game ends.

The end. The game also ends when a player has captured 33 seeds, when both have 32, or when fewer than
eight seeds are left; those count for nobody. The player with more seeds wins; equal is a draw. A game
of 1,000 moves is a draw.""")
    ply_cap: ClassVar[int | None] = 1000

    red_everywhere: bool = option(
        True,
        N_("Red seeds fall into every hole and blue ones into the opponent's; otherwise swapped"),
        label=N_("Red seeds go everywhere"),
    )
    chain: str = option(
        "ring",
        N_("How far captures go backwards from the last hole"),
        label=N_("Chain of captures"),
        words={
            "ring": (N_("round the ring"), N_("Hole by hole round the ring, sown or not.")),
            "sown": (N_("where seeds fell"), N_("Only over the holes that were just sown.")),
        },
    )
    starve_first: bool = option(
        True,
        N_("Starving counts before too few seeds, when a move does both; otherwise after it"),
        label=N_("Starving counts first"),
    )

    @property
    def board(self) -> Board:
        """A ring of sixteen holes, and two stores."""
        return BOARD

    def symmetries(self) -> tuple[Symmetry, ...]:
        """The ring turned, by an odd number of holes for the other player; and the colours changed.

        With other colours it is the game whose option `red_everywhere` is the other one.
        """
        return SYMMETRIES

    def captured_colours(self, positions: Sequence[Position]) -> tuple[Colours, Colours]:
        """Whatever is on the board no more after a move, the one who moved has taken."""
        taken = [[0, 0], [0, 0]]
        for before, after in pairwise(positions):
            assert isinstance(before, Awale2Position)
            assert isinstance(after, Awale2Position)
            if before.turn is not None:
                taken[before.turn][0] += sum(before.red) - sum(after.red)
                taken[before.turn][1] += sum(before.blue) - sum(after.blue)
        (red0, blue0), (red1, blue1) = taken
        return (red0, blue0), (red1, blue1)

    # ---- start

    def start(self) -> "Awale2Position":
        """Two red and two blue seeds in each hole; Odd moves."""
        return Awale2Position(self, (2,) * 16, (2,) * 16, (0, 0), 0)

    def from_json(self, obj: Any) -> "Awale2Position":
        """{"red": [16], "blue": [16], "score": [2], "to_move": 0 | 1 | null}."""
        red = read_counts(obj, "red", 16, most=ALL_SEEDS)
        blue = read_counts(obj, "blue", 16, most=ALL_SEEDS)
        score = read_counts(obj, "score", 2, most=ALL_SEEDS)
        return self._settled(red, blue, (score[0], score[1]), read_player(obj, "to_move"))

    def _settled(
        self,
        red: tuple[int, ...],
        blue: tuple[int, ...],
        score: tuple[int, int],
        turn: int | None,
    ) -> "Awale2Position":
        """A position set up by hand, checked; when it is over, nobody is to move."""
        seeds = sum(red) + sum(blue)
        if seeds + sum(score) > ALL_SEEDS:
            raise InvalidPosition(
                _("{count} seeds are too many: board and scores may hold {most}").format(
                    count=seeds + sum(score), most=ALL_SEEDS
                )
            )
        if turn is None:
            check_turn(turn, max(score) >= MAJORITY or seeds < MIN_SEEDS)
            return Awale2Position(self, red, blue, score, None)
        reason = self._reason(red, blue, score, turn)
        if reason is Reason.STARVED:  # the player before took what was left
            score = (score[0] + seeds * turn, score[1] + seeds * (1 - turn))
            red = blue = EMPTY
        return Awale2Position(self, red, blue, score, None if reason else turn)

    # ---- end

    def _reason(
        self, red: Iterable[int], blue: Iterable[int], score: tuple[int, int], turn: int
    ) -> Reason | None:
        """Why the game is over when `turn` would be next; None while it goes on."""
        totals = [r + b for r, b in zip(red, blue, strict=True)]
        if max(score) >= MAJORITY:
            return Reason.MAJORITY
        starved = not any(totals[hole] for hole in OWN[turn])
        few = sum(totals) < MIN_SEEDS
        if starved and (self.starve_first or not few):
            return Reason.STARVED
        return Reason.FEW_SEEDS if few else None

    # ---- notation

    def position(self, text: str) -> "Awale2Position":
        """`2R2B-…-2R2B-0-0-O`: sixteen holes, both scores, O or E to move (`.` if over)."""
        parts = text.strip().split("-") if isinstance(text, str) else []
        if len(parts) != 19 or parts[18] not in ("O", "E", "."):
            raise InvalidPosition(
                _(
                    "{text} is not a two-colour Awale position: write sixteen holes like 2R2B, two "
                    "scores and O or E, all joined by -"
                ).format(text=shorten(text))
            )
        cells = [_read_cell(part, name) for part, name in zip(parts[:16], HOLES, strict=True)]
        odd, even = (read_number(part, _("score"), most=ALL_SEEDS) for part in parts[16:18])
        red, blue = zip(*cells, strict=True)
        return self._settled(red, blue, (odd, even), turn_of(parts[18], "OE"))

    def read_move(self, text: str, position: Position) -> str:
        """`3R`: the hole and the colour."""
        move = text.upper()
        _hole(move if move in MOVES else text)
        return move

    def format_move(self, move: Move, position: Position) -> str:
        """`3R`."""
        _hole(move)
        return str(move)


def _hole(move: Move) -> tuple[int, str]:
    """The hole, counted from 0, and the colour that a move names."""
    if not isinstance(move, str) or move not in MOVES:
        raise InvalidMove(
            _("{move} is not a move: write a hole from 1 to 16 and R or B, like 3R").format(
                move=shorten(move)
            )
        )
    return MOVES[move]


def _read_cell(text: str, name: str) -> tuple[int, int]:
    """`2R2B`: the red and the blue seeds of a hole."""
    red, middle, rest = text.partition("R")
    blue, end, after = rest.partition("B")
    where = _("hole {name}").format(name=name)
    if not middle or not end or after:
        raise InvalidPosition(
            _("{where}: write {value} like 2R2B").format(where=where, value=shorten(text))
        )
    return read_number(red, where, most=ALL_SEEDS), read_number(blue, where, most=ALL_SEEDS)


@dataclass(frozen=True, slots=True, repr=False)
class Awale2Position(Position):
    """The red and the blue seeds of holes 1..16, the captured seeds of each player, who is to move."""

    game: Awale2
    red: tuple[int, ...]
    blue: tuple[int, ...]
    score: tuple[int, int]
    turn: int | None
    reason: Reason | None = field(default=None, compare=False)  # remembered by the last move

    # ---- moves

    def legal_moves(self) -> list[Move]:
        """By hole, lowest first; red before blue."""
        if self.turn is None:
            return []
        return [
            f"{HOLES[hole]}{colour}"
            for hole in OWN[self.turn]
            for colour, seeds in (("R", self.red), ("B", self.blue))
            if seeds[hole]
        ]

    def forbids(self, move: Move) -> str | None:
        """Whose hole it is, and whether it has seeds of that colour, in that order."""
        hole, colour = _hole(move)
        if self.turn is None:
            return over_message()
        if hole not in OWN[self.turn]:
            return _("this hole belongs to {other}; {side} is to move").format(
                other=self.game.side(1 - self.turn), side=self.game.side(self.turn)
            )
        if colour == "R" and not self.red[hole]:
            return _("this hole has no red seeds")
        if colour == "B" and not self.blue[hole]:
            return _("this hole has no blue seeds")
        return None

    # ---- play

    def _story(self, move: Move) -> Story:
        start, colour = _hole(move)
        player = self.turn
        assert player is not None
        game, red, blue = self.game, list(self.red), list(self.blue)
        board = red if colour == "R" else blue
        everywhere = (colour == "R") == game.red_everywhere

        seeds, board[start] = board[start], 0
        yield Lift(HOLES[start], seeds, colour)
        sown, hole = list[int](), start
        while len(sown) < seeds:
            hole = (hole + 1) % 16
            if hole == start or (hole in OWN[player] and not everywhere):
                yield Skip(HOLES[hole])
                continue
            board[hole] += 1
            sown.append(hole)
            yield Sow(HOLES[hole], red[hole] + blue[hole], colour)

        ring = [(hole - step) % 16 for step in range(16)]
        captured = 0
        for hole in ring if game.chain == "ring" else reversed(sown):
            taken = red[hole] + blue[hole]
            if taken not in (2, 3):
                break
            yield Capture(HOLES[hole], taken, game.sides[player])
            captured += taken
            red[hole] = blue[hole] = 0

        scores = list(self.score)
        scores[player] += captured
        reason = game._reason(red, blue, (scores[0], scores[1]), 1 - player)
        if reason is Reason.STARVED:
            left = [hole for hole in range(16) if red[hole] or blue[hole]]
            if left:
                swept = sum(red) + sum(blue)
                yield Sweep(player, tuple(HOLES[hole] for hole in left), swept)
                scores[player] += swept
            red, blue = list(EMPTY), list(EMPTY)
        turn = None if reason else 1 - player
        score = (scores[0], scores[1])
        after = Awale2Position(game, tuple(red), tuple(blue), score, turn, reason)
        outcome = after.outcome()
        if outcome is not None:
            yield End(outcome)
        return after

    # ---- end

    def outcome(self) -> Outcome | None:
        """Captured seeds only."""
        if self.turn is not None:
            return None
        return by_score(self.score, self.reason or self._likely_reason())

    def _likely_reason(self) -> Reason:
        """Why a position that was read is over: an empty board tells of starving."""
        if not any(self.red) and not any(self.blue):
            return Reason.STARVED
        return Reason.MAJORITY if max(self.score) >= MAJORITY else Reason.FEW_SEEDS

    def scores(self) -> tuple[int, int]:
        """Captured seeds."""
        return self.score

    def places(self) -> dict[str, Lying]:
        """The red and the blue seeds in the holes; what is captured lies with the red."""
        lying = zip(HOLES, zip(self.red, self.blue, strict=True), strict=True)
        stores = zip(SIDES, self.score, strict=True)
        return {
            **{name: Lying(counts) for name, counts in lying},
            **{name: Lying((count, 0)) for name, count in stores},
        }

    def barred(self, starts: Collection[str]) -> dict[str, str]:
        """Why not this colour of a hole (3R), and why not the hole at all."""
        found: dict[str, str] = {}
        for hole, place in enumerate(HOLES):
            rules = {colour: self.forbids(f"{place}{colour}") for colour in COLOURS}
            found |= {f"{place}{colour}": rule for colour, rule in rules.items() if rule}
            if all(rules.values()):
                mine = self.turn is not None and hole in OWN[self.turn]
                found[place] = _("this hole is empty") if mine else rules["R"] or ""
        return found

    def marks(self) -> dict[str, Any]:
        """How many seeds win, and whose the holes are."""
        return {"to_win": MAJORITY, "owner": [hole % 2 for hole in range(16)]}

    # ---- notation

    def __str__(self) -> str:
        """`2R2B-…-2R2B-0-0-O`."""
        cells = [f"{red}R{blue}B" for red, blue in zip(self.red, self.blue, strict=True)]
        return "-".join([*cells, *map(str, self.score), letter_of(self.turn, "OE")])

    def to_json(self) -> dict[str, Any]:
        """{"red": [16], "blue": [16], "score": [2], "to_move": 0 | 1 | null}."""
        return {
            "red": list(self.red),
            "blue": list(self.blue),
            "score": list(self.score),
            "to_move": self.turn,
        }

    def diagram(self, *, colour: bool = False) -> str:
        """Clockwise: holes 1..8 on top from left to right, 9..16 below from right to left."""
        width = len(str(max(self.red + self.blue)))

        def seeds(count: int, letter: str) -> str:
            text = f"{count:{width}}{letter}"
            return f"{ANSI[letter]}{text}{ANSI_END}" if colour and count else text

        def cells(holes: range) -> str:
            return " ".join(
                f"[{seeds(self.red[hole], 'R')} {seeds(self.blue[hole], 'B')}]" for hole in holes
            )

        def numbers(holes: range) -> str:
            return " ".join(f"{HOLES[hole]:^{2 * width + 5}}" for hole in holes).rstrip()

        top, bottom = range(8), range(15, 7, -1)
        names = [f"{self.game.side(player)} ({self.score[player]:2})" for player in (0, 1)]
        return "\n".join(
            [numbers(top), cells(top), cells(bottom), numbers(bottom), "   ".join(names)]
        )

"""Urubugu (ikibuguzo, Igisoro).

Four rows of eight cells. Each player owns two rows and numbers them from his own seat: 1..8 the back
row (the cemetery) from left to right, 9..16 the front row (the active zone) from right to left, and
16 is followed by 1. Sowing goes with the numbers, round one's own sixteen cells.

        North    8  7  6  5  4  3  2  1
                 9 10 11 12 13 14 15 16
        South   16 15 14 13 12 11 10  9
                 1  2  3  4  5  6  7  8

- Each player lays 32 beads as he likes; two in each cell is the default.
- A turn: take all beads of a cell, the lap's origin, and sow them. After the last bead of a lap
  1. in the front row with a bead in at least one of the two facing cells: capture the beads of
     both and sow them, starting after the same origin;
  2. otherwise in a cell that was not empty: relay — take it all up and sow on from there;
  3. otherwise the turn ends.
- Who has no beads has lost. When the last bead is captured the beads are sown in one final lap.
- In a match: the same position for the third time is a draw.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar

from mbegu.core.ansi import painted
from mbegu.core.board import Board, Lying
from mbegu.core.errors import InvalidMove, InvalidPosition, InvalidSetUp, shorten
from mbegu.core.events import Capture, End, LapLimit, Lift, Relay, Sow
from mbegu.core.game import (
    Move,
    Position,
    Story,
    over_message,
    read_counts,
    read_player,
)
from mbegu.core.i18n import N_, _
from mbegu.core.options import OptionValue, Words, option
from mbegu.core.outcome import Outcome, Reason
from mbegu.core.setups import SetUpGame
from mbegu.core.symmetry import Symmetry, rotations
from mbegu.games.sowing import check_turn, hole_of, letter_of, lying_singly, turn_of
from mbegu.games.urubugu.board import BOARD, NAMES

__all__ = ["Urubugu", "UrubuguPosition"]

CELLS = 16
BEADS = 32  # each player lays exactly so many
LAP_LIMIT = 10_000  # only where both facing cells must hold beads can a turn be endless


@dataclass(frozen=True)
class Urubugu(SetUpGame):
    """Urubugu, as it is played in Burundi."""

    # ---- the card

    name = "urubugu"
    id = "urubugu@1"
    aliases = ("igisoro", "ikibuguzo")
    counter_settings = True  # a win in one turn, IMPAGA
    presets: ClassVar[dict[str, dict[str, OptionValue]]] = {
        "traditional": {"start_min": 2, "capture": "both", "landing": "occupied"}
    }
    title = N_("Urubugu")
    summary = N_("Four rows of eight: relay, capture across the ridge, and take every bead.")
    people = N_(
        "Urubugu, also called ikibuguzo, is the game of the Barundi; in Rwanda it is Igisoro, in "
        "Uganda Omweso. It is one of the great four-row mancalas of East Africa, with Bao."
    )
    sides = (N_("South"), N_("North"))
    rulebook = N_("""\
Each player owns two rows of eight cells and lays 32 beads on them as he likes; two in each cell is
usual. The row next to the opponent is the active zone, the other one the cemetery. Cells are
numbered from one's own seat: 1 to 8 along the cemetery from left to right, 9 to 16 back along the
active zone, and 16 is followed by 1.

A turn. Take all beads of any of your cells and sow them one by one, counter-clockwise, round your
own two rows. That cell is the origin of the lap.

Capturing. If the last bead falls in your active zone and the opponent has beads in that column,
take all beads of both his cells there and sow them, beginning again after the same origin.

Relay. Otherwise, if the last bead falls in a cell that was not empty, take up all its beads and
sow on from there.

The turn ends when the last bead falls in an empty cell and there is nothing to capture.

Winning. You win when all 64 beads are in your base. A win in one single turn is called IMPAGA.
The same position for the third time is a draw.""")
    strategy = N_("""\
Spreading (a defence). Sow a full cell so that as many of your cells as possible hold beads
afterwards. A lap that ends among beads goes on, so full rows give you more ways to capture in your
next turns, and there is no single heap to lose.

Decapitation (an attack). The head is the left corner of the opponent's board, cells 1 and 16. Take
the beads that lie there when they are what his captures begin with: without them he can take
nothing in his next turn.

Both are two among many. Count a turn through before you begin it: the last bead of each lap decides
whether it goes on.""")
    repetition_limit: ClassVar[int | None] = 3

    preset_words: ClassVar[dict[str, Words]] = {
        "traditional": (
            N_("the traditional way"),
            N_("Two beads to start, beads in both facing cells and a last bead among others."),
        )
    }

    start_min: int = option(
        1,
        N_("Beads that a cell needs to start a turn"),
        label=N_("Beads to start"),
        low=1,
        high=2,
    )
    capture: str = option(
        "any",
        N_("Facing cells that must hold beads for a capture"),
        label=N_("Facing cells"),
        words={
            "any": (N_("one is enough"), N_("Beads in one of the two facing cells are captured.")),
            "both": (N_("both"), N_("Nothing is captured while one of the two is empty.")),
        },
    )
    landing: str = option(
        "any",
        N_("Where the last bead must fall for a capture"),
        label=N_("Last bead"),
        words={
            "any": (N_("anywhere in front"), N_("In any cell of the active zone, empty or not.")),
            "occupied": (
                N_("among other beads"),
                N_("Only in a cell of the active zone that held beads before."),
            ),
        },
    )
    restart: str = option(
        "lap",
        N_("Where the sowing of captured beads begins"),
        label=N_("Captured beads"),
        words={
            "lap": (N_("from this lap"), N_("After the cell from which this lap was sown.")),
            "turn": (N_("from the turn"), N_("After the cell with which the whole turn began.")),
        },
    )

    def hole_name(self, hole: str, player: int | None) -> str:
        """One's own cells by their number, others with their owner: both players count 1 to 16."""
        owner = "SN".index(hole[0])
        if owner == player:
            return hole[1:]
        return _("{side}'s {cell}").format(side=self.side(owner), cell=hole[1:])

    @property
    def board(self) -> Board:
        """Four rows of eight cells."""
        return BOARD

    def symmetries(self) -> tuple[Symmetry, ...]:
        """The board turned round, for the other player."""
        return rotations(32, 16)

    # ---- start

    def start(
        self, setup0: Sequence[int] | str | None = None, setup1: Sequence[int] | str | None = None
    ) -> "UrubuguPosition":
        """Each player's 32 beads as he laid them, cells 1..16; South moves."""
        return UrubuguPosition(self, (self.setup(setup0), self.setup(setup1)), 0)

    def setup(self, beads: Sequence[int] | str | None = None) -> tuple[int, ...]:
        """A set-up, checked: 16 counts, or their text `2,2,…`; None is two in each cell."""
        if beads is None:
            return (BEADS // CELLS,) * CELLS
        if isinstance(beads, str):
            cells = [_read_cell(part) for part in beads.strip().split(",")]
        else:
            cells = list(beads) if isinstance(beads, Iterable) else [beads]
        if len(cells) != CELLS:
            raise InvalidSetUp(
                _("a set-up has 16 cells, not {count}: {text}").format(
                    count=len(cells), text=shorten(beads)
                )
            )
        counts = read_counts({"set-up": cells}, "set-up", CELLS, most=BEADS, error=InvalidSetUp)
        if sum(counts) != BEADS:
            raise InvalidSetUp(
                _("a set-up has exactly 32 beads, not {count}").format(count=sum(counts))
            )
        return counts

    @staticmethod
    def random_setup(lot: Random) -> tuple[int, ...]:
        """A set-up by lot: every bead falls into any of the sixteen cells."""
        cells = [0] * CELLS
        for _bead in range(BEADS):
            cells[lot.randrange(CELLS)] += 1
        return tuple(cells)

    def from_json(self, obj: Any) -> "UrubuguPosition":
        """{"p0": [16], "p1": [16], "to_move": 0 | 1 | null}."""
        south, north = (read_counts(obj, key, CELLS, most=2 * BEADS) for key in ("p0", "p1"))
        return self._settled((south, north), read_player(obj, "to_move"))

    def _settled(
        self, cells: tuple[tuple[int, ...], tuple[int, ...]], turn: int | None
    ) -> "UrubuguPosition":
        """A position set up by hand, checked; nobody is to move when it is over."""
        beads = sum(cells[0]) + sum(cells[1])
        if not 1 <= beads <= 2 * BEADS:
            raise InvalidPosition(_("a board has 1 to 64 beads, not {count}").format(count=beads))
        losers = [self._loser(cells, player) for player in ((0, 1) if turn is None else (turn,))]
        loser = next((player for player in losers if player is not None), None)
        return UrubuguPosition(self, cells, check_turn(turn, loser is not None), loser)

    # ---- end

    def _loser(self, cells: tuple[tuple[int, ...], tuple[int, ...]], turn: int) -> int | None:
        """Who has lost: a player without beads, or the player to move without a cell to start."""
        for player in (0, 1):
            if not any(cells[player]):
                return player
        return None if max(cells[turn]) >= self.start_min else turn

    # ---- notation

    def position(self, text: str) -> "UrubuguPosition":
        """`2,2,…/2,2,… 0`: cells 1..16 of South and of North, the player to move (`.` if over)."""
        board, _space, side = str(text).strip().rpartition(" ")
        halves = [half.split(",") for half in board.split("/")]
        if side not in ("0", "1", ".") or [len(half) for half in halves] != [CELLS, CELLS]:
            raise InvalidPosition(
                _(
                    "{text} is not an Urubugu position: write 16 cells of South, a slash, 16 cells "
                    "of North and the player to move, like 2,2,…,2/2,2,…,2 0"
                ).format(text=shorten(text))
            )
        south, north = (tuple(_read_cell(part, 2 * BEADS) for part in half) for half in halves)
        return self._settled((south, north), turn_of(side, "01"))

    def read_move(self, text: str, position: Position) -> int:
        """The number of the cell, 1..16."""
        if text.isascii() and text.isdigit() and len(text) <= 2 and 1 <= int(text) <= CELLS:
            return int(text)
        raise InvalidMove(_("{move} is not a cell: cells are 1 to 16").format(move=shorten(text)))

    def format_move(self, move: Move, position: Position) -> str:
        """The number of the cell."""
        return str(_cell(move))


def _read_cell(text: str, most: int = BEADS) -> int:
    text = text.strip()
    if text.isascii() and text.isdigit() and len(text) <= 3 and int(text) <= most:
        return int(text)
    raise InvalidSetUp(
        _("{text} is not a number of beads from 0 to {most}").format(text=shorten(text), most=most)
    )


def _cell(move: Move) -> int:
    return hole_of(move, range(1, CELLS + 1), N_("{move} is not a cell: cells are 1 to 16"))


@dataclass(frozen=True, slots=True, repr=False)
class UrubuguPosition(Position):
    """The sixteen cells of South and of North (index 0 is cell 1), and who is to move."""

    game: Urubugu
    cells: tuple[tuple[int, ...], tuple[int, ...]]
    turn: int | None
    loser: int | None = field(default=None, compare=False)  # who has lost, when it is over

    # ---- moves

    def legal_moves(self) -> list[Move]:
        """Cells 1..16, lowest first."""
        if self.turn is None:
            return []
        least = self.game.start_min
        return [cell + 1 for cell, beads in enumerate(self.cells[self.turn]) if beads >= least]

    def forbids(self, move: Move) -> str | None:
        """Only an empty cell, or one with too few beads to start."""
        cell = _cell(move)
        if self.turn is None:
            return over_message()
        beads = self.cells[self.turn][cell - 1]
        if beads == 0:
            return _("this cell is empty")
        if beads < self.game.start_min:
            return _("a turn starts from a cell with at least {count} beads").format(
                count=self.game.start_min
            )
        return None

    # ---- play

    def _story(self, move: Move) -> Story:
        player = self.turn
        assert player is not None
        mine, theirs = list(self.cells[player]), list(self.cells[1 - player])
        my_names, their_names = NAMES[player], NAMES[1 - player]

        origin = first = _cell(move) - 1
        hand, mine[origin] = mine[origin], 0
        yield Lift(my_names[origin], hand)
        for lap in range(1, LAP_LIMIT + 1):
            for step in range(1, hand + 1):
                cell = (origin + step) % CELLS
                mine[cell] += 1
                yield Sow(my_names[cell], mine[cell])
            last = (origin + hand) % CELLS
            if not any(theirs):
                break  # every bead is home: this was the final lap
            if lap == LAP_LIMIT:
                yield LapLimit(lap)
            elif self._captures(last, mine[last] > 1, theirs):
                hand = 0
                for facing in _facing(last):
                    if theirs[facing]:
                        yield Capture(their_names[facing], theirs[facing])
                        hand, theirs[facing] = hand + theirs[facing], 0
                if self.game.restart == "turn":
                    origin = first
            elif mine[last] > 1:
                origin, hand, mine[last] = last, mine[last], 0
                yield Relay(my_names[origin], hand)
            else:
                break

        halves = (tuple(mine), tuple(theirs)) if player == 0 else (tuple(theirs), tuple(mine))
        loser = self.game._loser(halves, 1 - player)
        after = UrubuguPosition(self.game, halves, 1 - player if loser is None else None, loser)
        outcome = after.outcome()
        if outcome is not None:
            yield End(outcome)
        return after

    def _captures(self, last: int, occupied: bool, theirs: list[int]) -> bool:
        """Whether a lap that ends in this cell captures."""
        if last < 8 or (self.game.landing == "occupied" and not occupied):
            return False
        beads = [theirs[facing] for facing in _facing(last)]
        return all(beads) if self.game.capture == "both" else any(beads)

    # ---- end

    def outcome(self) -> Outcome | None:
        """The player without beads has lost; so has one who cannot start a turn."""
        if self.loser is None:
            return None
        scores = self.scores()
        reason = Reason.NO_MOVES if scores[self.loser] else Reason.ALL_BEADS
        return Outcome(1 - self.loser, scores, reason)

    def scores(self) -> tuple[int, int]:
        """The beads in each base."""
        return sum(self.cells[0]), sum(self.cells[1])

    def places(self) -> dict[str, Lying]:
        """The beads in the cells of both."""
        return lying_singly((*NAMES[0], *NAMES[1]), self.cells[0] + self.cells[1])

    def marks(self) -> dict[str, Any]:
        """The beads of both."""
        return {"beads": list(self.scores())}

    # ---- notation

    def __str__(self) -> str:
        """`2,2,…/2,2,… 0`."""
        halves = "/".join(",".join(map(str, half)) for half in self.cells)
        return f"{halves} {letter_of(self.turn, '01')}"

    def to_json(self) -> dict[str, Any]:
        """{"p0": [16], "p1": [16], "to_move": 0 | 1 | null}."""
        return {"p0": list(self.cells[0]), "p1": list(self.cells[1]), "to_move": self.turn}

    def diagram(self, *, colour: bool = False) -> str:
        """Four rows of eight with their cell numbers, North on top and South below."""
        south, north = self.cells
        back, front = range(8), range(15, 7, -1)  # from left to right, seen from South's seat

        def numbers(order: range) -> str:
            return "   " + " ".join(f"{cell + 1:^4}" for cell in order).rstrip()

        def beads(half: tuple[int, ...], order: range, zone: str) -> str:
            row = "|".join(f"{half[cell] or '.':^4}" for cell in order)
            player = 0 if half is south else 1
            return f"  |{painted(row, player, turn=self.turn, colour=colour)}|  {zone}"

        names = [f"  {self.game.side(p)} ({sum(self.cells[p])})" for p in (0, 1)]
        line, ridge = "  +" + "----+" * 8, "  " + "=" * 41
        return "\n".join(
            [
                names[1],
                numbers(back[::-1]),
                line,
                beads(north, back[::-1], _("cemetery")),
                beads(north, front[::-1], _("active zone")),
                line,
                numbers(front[::-1]),
                ridge,
                numbers(front),
                line,
                beads(south, front, _("active zone")),
                beads(south, back, _("cemetery")),
                line,
                numbers(back),
                names[0],
            ]
        )


def _facing(cell: int) -> tuple[int, int]:
    """The opponent's front and back cell in the column of a front cell (indices from 0)."""
    return 23 - cell, cell - 8

"""Kalah.

Two rows of pits and a store for each player. Sowing goes counter-clockwise: along one's own row to
one's store, then along the opponent's row. South starts and sits on top, his store on the left.

                  S6  S5  S4  S3  S2  S1
    South    S                              N    North
                  N1  N2  N3  N4  N5  N6

- Sow all stones of one of your pits, one in each following pit. Your own store receives, the
  opponent's store is passed over; the pit of departure receives like any other.
- Last stone in your own store: you move again.
- Last stone in a pit of your own that was empty, while the pit across is not: both go to your store.
- The game ends when a row is empty, even if a move again was due. Each player puts the stones left
  in his row into his store; more stones win.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from mbegu.core.ansi import painted
from mbegu.core.board import Board, Lying
from mbegu.core.errors import InvalidMove, InvalidOption, InvalidPosition, shorten
from mbegu.core.events import Capture, End, ExtraTurn, Lift, Skip, Sow
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
from mbegu.core.options import option
from mbegu.core.outcome import Outcome, Reason, by_score
from mbegu.core.symmetry import Symmetry, rotations
from mbegu.games.kalah.board import ROWS, SIDES, board_of, names_of
from mbegu.games.sowing import check_turn, hole_of, letter_of, lying_singly, sweeps, turn_of

__all__ = ["Kalah", "KalahPosition"]

MOST_STONES = 255


@dataclass(frozen=True)
class Kalah(Game):
    """Kalah with any number of pits and stones."""

    # ---- the card

    name = "kalah"
    id = "kalah@1"
    aliases = ("kalaha", "mancala")
    title = N_("Kalah")
    summary = N_("Sow into your own store, move again, and capture what lies across.")
    people = N_(
        "William Julius Champion Jr. of the United States made Kalah in the 1940s out of the mancala "
        "family, the sowing games that the peoples of Africa have played for many centuries. It has "
        "since been many people's first step into that family."
    )
    sides = (N_("South"), N_("North"))
    rulebook = N_("""\
Each player owns a row of pits, six unless you choose otherwise, and a store at the end of it. Each
pit begins with the same number of stones, usually four; the stores are empty. South starts.

Sowing. Take all stones of one of your pits and sow them counter-clockwise, one in each pit. When you
pass your own store you drop a stone there too; your opponent's store you pass over. If the stones go
all the way round, the pit you started from receives one as well.

Moving again. If your last stone falls into your own store, you move again, as often as that happens.

Capturing. If your last stone falls into an empty pit of your own and the pit across holds stones,
that stone and all stones across go to your store.

The end. The game ends as soon as one player's pits are all empty, also when a player was to move
again. Stones left in the other player's pits go to that player's store. The fuller store wins; equal
stores are a draw.""")

    single_letters = True

    pits: int = option(6, N_("Pits on each side"), label=N_("Pits"), low=1, high=10, always=True)
    seeds: int = option(
        4,
        N_("Stones in each pit at the start"),
        label=N_("Stones"),
        low=1,
        high=127,
        always=True,
        start=True,
    )
    empty_capture: bool = option(
        False,
        N_("A last stone alone in its pit is taken even when the pit across is empty"),
        label=N_("Empty captures"),
    )

    def check_options(self) -> None:
        """A board holds at most 255 stones."""
        stones = 2 * self.pits * self.seeds
        if stones > MOST_STONES:
            raise InvalidOption(
                _(
                    "pits={pits} with seeds={seeds} makes {count} stones; a board may hold {most}"
                ).format(pits=self.pits, seeds=self.seeds, count=stones, most=MOST_STONES)
            )

    def hole_name(self, hole: str, player: int | None) -> str:
        """The letter on the board as shown, which tells the owner, too: capitals are South's."""
        owner = SIDES.index(hole[0])
        if hole not in SIDES:
            return ROWS[owner][int(hole[1:]) - 1]
        if player == owner:
            return _("the store")
        return _("{side}'s store").format(side=self.side(owner))

    def typed(self, text: str, position: Position) -> str:
        """Letters as they stand on the board: South's are capitals."""
        return text.upper() if position.turn == 0 else text.lower()

    @property
    def board(self) -> Board:
        """A row of pits and a store for each player."""
        return board_of(self.pits)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """The board turned round, for the other player."""
        return rotations(2 * self.pits, self.pits)

    # ---- start

    def start(self) -> "KalahPosition":
        """The same number of stones in each pit, the stores empty; South moves."""
        return KalahPosition(self, ((self.seeds,) * self.pits + (0,)) * 2, 0)

    def from_json(self, obj: Any) -> "KalahPosition":
        """{"pits": [2n + 2], "to_move": 0 | 1 | null}: South's pits and store, North's pits and store."""
        pits = read_counts(obj, "pits", 2 * self.pits + 2)
        return self._settled(pits, read_player(obj, "to_move"))

    def _settled(self, pits: tuple[int, ...], turn: int | None) -> "KalahPosition":
        """A position set up by hand, checked; nobody is to move when a row is empty."""
        if sum(pits) > MOST_STONES:
            raise InvalidPosition(
                _("{count} stones are too many: a board may hold {most}").format(
                    count=sum(pits), most=MOST_STONES
                )
            )
        over = not all(any(row) for row in _rows(pits))
        return KalahPosition(self, pits, check_turn(turn, over))

    # ---- notation

    def position(self, text: str) -> "KalahPosition":
        """`<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S`: pits, stores, both rows, the side to move (`.` if over).

        The part in brackets is the literal of the Kalah Game Protocol; alone, it means South to move.
        """
        words = text.split() if isinstance(text, str) else []
        literal, side = (*words, "S")[:2] if 1 <= len(words) <= 2 else ("", "")
        parts = literal[1:-1].split(",")
        if literal[:1] + literal[-1:] != "<>" or side not in ("S", "N", "."):
            raise InvalidPosition(self._unreadable(text))
        if read_number(parts[0], _("pits")) != self.pits:
            raise InvalidPosition(
                _("{text} has pits={found}, but this game has pits={pits}").format(
                    text=shorten(text), found=parts[0], pits=self.pits
                )
            )
        if len(parts) != 3 + 2 * self.pits:
            raise InvalidPosition(self._unreadable(text))
        south, north = (read_number(part, _("store")) for part in parts[1:3])
        places = [place for place in names_of(self.pits) if place not in SIDES]
        counts = tuple(
            read_number(part, _("pit {name}").format(name=place))
            for part, place in zip(parts[3:], places, strict=True)
        )
        pits = (*counts[: self.pits], south, *counts[self.pits :], north)
        return self._settled(pits, turn_of(side, SIDES))

    def _unreadable(self, text: str) -> str:
        return _(
            "{text} is not a Kalah position: write the number of pits, South's store, North's store, "
            "South's pits, North's pits and S or N, like {start}"
        ).format(text=shorten(text), start=self.start())

    def read_move(self, text: str, position: Position) -> int:
        """A letter, `A`..`F` for South and `a`..`f` for North, or a number; both count along the sowing.

        Older records name South's pits by small letters, against the sowing: `a` lies next to the store.
        """
        capitals, small = (row[: self.pits] for row in ROWS)
        numbers = [str(number) for number in range(1, self.pits + 1)]
        if len(text) == 1 and text in capitals:
            return capitals.index(text)
        if len(text) == 1 and text in small:
            pit = small.index(text)
            return pit if position.turn == 1 else self.pits - 1 - pit
        if text in numbers:
            return numbers.index(text)
        first, last = (row[0 :: self.pits - 1 or 1][:2] for row in (capitals, small))
        raise InvalidMove(
            _(
                "{move} is not a pit: South plays {south}, North plays {north}, or write a number "
                "from 1 to {number}"
            ).format(
                move=shorten(text),
                south="–".join(first),
                north="–".join(last),
                number=self.pits,
            )
        )

    def format_move(self, move: Move, position: Position) -> str:
        """The letter of the pit, along the sowing: a capital for South."""
        pit = self._pit(move)
        return ROWS[1 if position.turn == 1 else 0][pit]

    def _pit(self, move: Move) -> int:
        told = N_("{move} is not a pit: pits are 0 to {last}")
        return hole_of(move, range(self.pits), told, last=self.pits - 1)


@dataclass(frozen=True, slots=True, repr=False)
class KalahPosition(Position):
    """Both rows in the order of sowing, each followed by its store, and who is to move."""

    game: Kalah
    pits: tuple[int, ...]
    turn: int | None

    # ---- moves

    def legal_moves(self) -> list[Move]:
        """Pits 0..n-1 of the player to move in the order of sowing: the last is next to his store."""
        if self.turn is None:
            return []
        row = _rows(self.pits)[self.turn]
        return [pit for pit, stones in enumerate(row) if stones]

    def forbids(self, move: Move) -> str | None:
        """Any pit may be sown that holds stones."""
        pit = self.game._pit(move)
        if self.turn is None:
            return over_message()
        if not self.pits[self.turn * (self.game.pits + 1) + pit]:
            return _("this pit is empty")
        return None

    # ---- play

    def _story(self, move: Move) -> Story:
        player, size = self.turn, self.game.pits
        assert player is not None
        pits, places = list(self.pits), names_of(size)
        first = player * (size + 1)
        store, barred = first + size, 2 * size + 1 - first  # his own and the opponent's

        hole = first + self.game._pit(move)
        stones, pits[hole] = pits[hole], 0
        yield Lift(places[hole], stones)
        while stones:
            hole = (hole + 1) % len(pits)
            if hole == barred:
                yield Skip(places[hole])
                continue
            pits[hole] += 1
            stones -= 1
            yield Sow(places[hole], pits[hole])

        if first <= hole < store and pits[hole] == 1:
            across = 2 * size - hole
            if pits[across] or self.game.empty_capture:
                for taken in (hole, across):
                    if pits[taken]:
                        yield Capture(places[taken], pits[taken], places[store])
                    pits[store] += pits[taken]
                    pits[taken] = 0

        if not all(any(row) for row in _rows(pits)):
            own = (range(size), range(size + 1, 2 * size + 1))
            yield from sweeps(own, pits, places)
            for row in own:
                pits[row.stop] += sum(pits[pit] for pit in row)
                pits[row.start : row.stop] = [0] * size
            after = KalahPosition(self.game, tuple(pits), None)
            yield End(by_score(after.tally(), Reason.SIDE_EMPTY))
            return after
        if hole == store:
            yield ExtraTurn(player)
            return KalahPosition(self.game, tuple(pits), player)
        return KalahPosition(self.game, tuple(pits), 1 - player)

    # ---- end

    def outcome(self) -> Outcome | None:
        """Stones left in a row count for its owner."""
        return by_score(self.tally(), Reason.SIDE_EMPTY) if self.turn is None else None

    def scores(self) -> tuple[int, int]:
        """The stones in the stores."""
        return self.pits[self.game.pits], self.pits[-1]

    def places(self) -> dict[str, Lying]:
        """The stones in the pits and in the stores."""
        return lying_singly(names_of(self.game.pits), self.pits)

    def barred(self, starts: Collection[str]) -> dict[str, str]:
        """Stores are no moves either."""
        still = _("stones in a store stay there")
        return {**Position.barred(self, starts), **dict.fromkeys(SIDES, still)}

    def tally(self) -> tuple[int, int]:
        """The stones in one's store and in one's row."""
        half = self.game.pits + 1
        return sum(self.pits[:half]), sum(self.pits[half:])

    # ---- notation

    def __str__(self) -> str:
        """`<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S`."""
        south, north = _rows(self.pits)
        numbers = (self.game.pits, *self.scores(), *south, *north)
        return f"<{','.join(map(str, numbers))}> {letter_of(self.turn, SIDES)}"

    def to_json(self) -> dict[str, Any]:
        """{"pits": [2n + 2], "to_move": 0 | 1 | null}."""
        return {"pits": list(self.pits), "to_move": self.turn}

    def diagram(self, *, colour: bool = False) -> str:
        """South on top, his store on the left; letters for the player to move, along the sowing."""
        width = max(2, len(str(max(self.pits))))
        south, north = _rows(self.pits)
        stores = [f"{count:{width}}" for count in self.scores()]
        names = [self.game.side(player) for player in (0, 1)]
        pad, blank = " " * len(names[0]), " " * width

        def cells(counts: Sequence[int], player: int) -> str:
            row = " | ".join(f"{count:{width}}" for count in counts)
            return f"{blank} | {painted(row, player, turn=self.turn, colour=colour)} | {blank}"

        dashes = "-" * (width + 2)
        rule = "+".join([dashes] * self.game.pits)
        names_south, names_north = (
            f"{pad}   {blank}" + "".join(f"{letter:>{width + 3}}" for letter in row)
            for row in (ROWS[0][: self.game.pits][::-1], ROWS[1][: self.game.pits])
        )
        board = [
            f"{pad} +{dashes}+{rule}+{dashes}+",
            f"{pad} | {cells(south[::-1], 0)} |",
            f"{names[0]} | {stores[0]} +{rule}+ {stores[1]} | {names[1]}",
            f"{pad} | {cells(north, 1)} |",
            f"{pad} +{dashes}+{rule}+{dashes}+",
        ]
        over, under = [names_south] * (self.turn == 0), [names_north] * (self.turn == 1)
        return "\n".join(over + board + under)


def _rows(pits: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
    """The pits of South and of North, without the stores."""
    half = len(pits) // 2
    return pits[: half - 1], pits[half:-1]

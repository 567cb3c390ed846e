"""Follows the story of a move with seeds and cows of its own, and compares the end with the board.

An event that told a wrong count, skipped a seed or forgot a capture would not arrive at the position
that `play` gives.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from mbegu.core.events import (
    Capture,
    End,
    Event,
    ExtraTurn,
    Fly,
    Forfeit,
    LapLimit,
    Lift,
    Mill,
    MillBroken,
    Place,
    Relay,
    Shoot,
    Skip,
    Slide,
    Sow,
    Sweep,
)
from mbegu.core.game import Move, Position
from mbegu.core.outcome import Outcome
from mbegu.games.morabaraba import MILLS, NEIGHBOURS, POINTS

Holes = Counter[tuple[str, str]]  # (hole, colour) → seeds; stores are holes too


@dataclass
class Told:
    """What a story says, added up."""

    picked: int = 0
    sown: list[str] = field(default_factory=list)
    captures: list[tuple[str, int]] = field(default_factory=list)
    laps: int = 0
    lap_captures: list[tuple[str, int]] = field(
        default_factory=list
    )  # (where the lap ended, beads)
    forfeited: tuple[str, ...] = ()
    swept: list[int] = field(default_factory=lambda: [0, 0])
    extra_turn: bool = False
    outcome: Outcome | None = None

    @property
    def captured(self) -> int:
        return sum(seeds for _hole, seeds in self.captures)


def replay(position: Position, move: Move) -> Told:
    """Follows the events of a move; AssertionError where they do not lead to `position.play(move)`."""
    events, after = list(position.events(move)), position.play(move)
    mill = position.game.board.family == "mill"
    told = _cows(position, after, events) if mill else _seeds(position, after, events)
    assert told.outcome == after.outcome()
    assert (after.turn is None) == (told.outcome is not None)
    if after.turn is not None and not mill:
        assert told.extra_turn == (after.turn == position.turn)
    return told


# ---- sowing games -----------------------------------------------------------------------------------


def holes_of(position: Position) -> Holes:
    """The board and the stores by the names that events use."""
    holes: Holes = Counter()
    board = position.game.board
    letters = [kind[0].upper() for kind in board.kinds] if len(board.kinds) > 1 else [""]
    for name, lying in position.places().items():
        if board.place(name) in board.stores:
            holes[name, ""] = sum(lying.counts)
            continue
        for letter, count in zip(letters, lying.counts, strict=True):
            holes[name, letter] = count
    return +holes


# Where the end's sweep puts the seeds. Oware's board stays as the last move left it: only the tally
# counts them.
SWEPT_INTO = {"kalah": ("S", "N"), "awale2": ("Odd", "Even")}


def _seeds(position: Position, after: Position, events: list[Event]) -> Told:
    holes, told, hand = holes_of(position), Told(), 0
    before = sum(holes.values())
    capturing = False  # several holes may be captured at the end of one lap

    def take(hole: str, seeds: int, colours: tuple[str, ...] = ("", "R", "B")) -> None:
        assert seeds > 0, f"nothing is taken from {hole}"
        assert sum(holes[hole, colour] for colour in colours) == seeds, f"{hole} has not {seeds}"
        for colour in colours:
            del holes[hole, colour]

    for number, event in enumerate(events):
        assert (number == 0) == isinstance(event, Lift), "a move begins with a lift, and only once"
        match event:
            case Lift(hole, seeds, colour):
                take(hole, seeds, (colour,))
                hand, told.picked, told.laps = seeds, seeds, 1
            case Sow(hole, now, colour):
                told.laps += capturing
                hand, capturing = hand - 1, False
                assert hand >= 0, "more seeds are sown than were taken up"
                holes[hole, colour] += 1
                assert sum(holes[hole, each] for each in ("", "R", "B")) == now
                told.sown.append(hole)
            case Skip():
                assert hand > 0
            case Capture(hole, seeds, store):
                take(hole, seeds)
                told.captures.append((hole, seeds))
                if store:
                    assert hand == 0
                    holes[store, ""] += seeds
                else:
                    if not capturing:
                        assert hand == 0
                        told.lap_captures.append((told.sown[-1], 0))
                    where, beads = told.lap_captures.pop()
                    told.lap_captures.append((where, beads + seeds))
                    hand, capturing = hand + seeds, True
            case Relay(hole, seeds):
                assert (hand, hole) == (0, told.sown[-1])
                take(hole, seeds)
                hand, told.laps = seeds, told.laps + 1
            case Forfeit(forfeited):
                told.forfeited = forfeited
                assert all(holes[hole, ""] in (2, 3) for hole in forfeited)
            case LapLimit(laps):
                assert laps == told.laps
            case Sweep(player, swept, seeds):
                assert seeds == sum(holes[hole, each] for hole in swept for each in ("", "R", "B"))
                told.swept[player] += seeds
                into = SWEPT_INTO.get(position.game.name)
                if into is not None:
                    for hole in swept:
                        for colour in ("", "R", "B"):
                            holes[into[player], ""] += holes.pop((hole, colour), 0)
            case ExtraTurn(player):
                assert player == position.turn
                told.extra_turn = True
            case End(outcome):
                assert number == len(events) - 1
                told.outcome = outcome
            case _:
                raise AssertionError(f"{event} in a sowing game")
    assert hand == 0, "seeds are left in the hand"
    assert +holes == holes_of(after), "the story leads elsewhere"
    assert sum(holes.values()) == before, "seeds were lost or found"
    return told


# ---- mill games -------------------------------------------------------------------------------------


def _cows(position: Any, after: Any, events: list[Event]) -> Told:
    told, player = Told(), position.side
    board = dict(zip(POINTS, position.board, strict=True))
    hands, score = list(position.hands), list(position.score)
    mark, other = "xo"[player], "xo"[1 - player]
    standing = [mill for mill in MILLS if all(board[point] == mark for point in mill)]
    mills, came = [], ""
    for event in events:
        assert getattr(event, "player", player) == player
        match event:
            case Place(_, point):
                hands[player] -= 1
                assert board[point] == "."
                board[point], came = mark, point
            case Slide(_, start, end) | Fly(_, start, end):
                assert (board[start], board[end]) == (mark, ".")
                if isinstance(event, Slide):
                    assert end in NEIGHBOURS[start]
                board[start], board[end], came = ".", mark, end
            case Mill(_, points):
                assert came in points
                assert all(board[point] == mark for point in points)
                mills.append(points)
            case MillBroken(_, points):
                assert points in standing
                assert not all(board[point] == mark for point in points)
            case Shoot(_, point):
                assert board[point] == other
                board[point] = "."
                score[player] += 1
                told.captures.append((point, 1))
            case End(outcome):
                assert event is events[-1]
                told.outcome = outcome
            case _:
                raise AssertionError(f"{event} in a mill game")
    made = [m for m in MILLS if came in m and all(board[point] == mark for point in m)]
    assert sorted(mills) == sorted(made)
    assert "".join(board.values()) == after.board
    assert (tuple(hands), tuple(score)) == (after.hands, after.score)
    assert after.shot == bool(mills)
    assert after.side == (player if mills else 1 - player)
    return told

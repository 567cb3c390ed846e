"""A move as a film: what lies where after each of its events, how much is in the hand, which lap it is.

>>> from mbegu.core.registry import game
>>> [(frame.hand, frame.lit) for frame in film(game("oware").start(), 0)]
[(4, ('A',)), (3, ('B',)), (2, ('C',)), (1, ('D',)), (0, ('E',)), (0, ())]
"""

from dataclasses import dataclass

from mbegu.core import events as ev
from mbegu.core.board import Board, Lying
from mbegu.core.game import Game, Move, Position
from mbegu.core.story import tell_event

__all__ = ["Camera", "Frame", "film", "still"]

SOWN_ONE_BY_ONE = (
    ev.Sow,
    ev.Lift,
    ev.Skip,
)  # told by the board itself; a sentence for each is too much


@dataclass(frozen=True)
class Frame:
    """A moment: what lies in each place, the places that something happens in, the hand and the lap."""

    lying: dict[str, Lying]
    lit: tuple[str, ...] = ()
    hand: int = 0
    lap: int = 0
    told: str = ""
    taken: bool = False  # whether what is lit is being captured


def still(position: Position) -> Frame:
    """A position in which nothing moves."""
    return Frame(position.places())


def film(position: Position, move: Move) -> list[Frame]:
    """The moments of a move; the last one is the position after it."""
    story, after = position.unfold(move)
    assert position.turn is not None
    camera = Camera(position.game, position.turn, dict(position.places()))
    frames = [frame for event in story if (frame := camera.take(event)) is not None]
    return [*frames, still(after)]


class Camera:
    """What lies where so far."""

    def __init__(self, game: Game, player: int, lying: dict[str, Lying]) -> None:
        self.game, self.player, self.lying = game, player, lying
        self.board: Board = game.board
        self.hand, self.lap = 0, 0
        self.last: type[ev.Event] | None = None

    def take(self, event: ev.Event) -> Frame | None:
        """The moment after an event; None for one that shows nothing."""
        lit, taken = self._show(event)
        self.last = type(event)
        if not lit and not event.sentence:
            return None
        told = "" if isinstance(event, SOWN_ONE_BY_ONE) else self._told(event)
        return Frame(dict(self.lying), lit, self.hand, self.lap, told, taken)

    def _told(self, event: ev.Event) -> str:
        return tell_event(self.game, event, self.player)

    def _show(self, event: ev.Event) -> tuple[tuple[str, ...], bool]:
        """Lets an event happen; the places in which it does, and whether something is taken."""
        match event:
            case ev.Lift():
                self.lap += 1
                self.hand += self._out(event.hole, event.colour)
                return (event.hole,), False
            case ev.Sow():
                self.hand = max(0, self.hand - 1)
                self._add(event.hole, self._kind(event.colour), 1)
                return (event.hole,), False
            case ev.Relay():
                self.lap += 1
                self.hand += self._out(event.hole)
                return (event.hole,), False
            case ev.Capture():
                return self._capture(event), True
            case ev.Sweep():
                for hole in event.holes:
                    self._out(hole)
                store = self.board.store(event.player)
                if store is not None:
                    self._add(store.name, 0, event.seeds)
                return event.holes, True
            case ev.Forfeit():
                return event.holes, False
            case ev.Skip():
                return (event.hole,), False
            case ev.Place():
                self._from_hand(event.player)
                self._add(event.point, self._herd(event.player), 1)
                return (event.point,), False
            case ev.Slide() | ev.Fly():
                self._carry(event.start, event.end)
                return (event.start, event.end), False
            case ev.Mill() | ev.MillBroken():
                return event.points, False
            case ev.Shoot():
                self._out(event.point)
                return (event.point,), True
        return self._strange(event)

    def _strange(self, event: ev.Event) -> tuple[tuple[str, ...], bool]:
        """An event of the game's own shows its effect."""
        start, end = getattr(event, "start", None), getattr(event, "end", None)
        hole = getattr(event, "hole", None)
        if event.effect == "move" and start and end:
            self._carry(start, end)
            return (start, end), False
        if event.effect == "take" and hole:
            self._out(hole)
            return (hole,), True
        return ((hole,) if isinstance(hole, str) else ()), False

    # ---- what lies where

    def _capture(self, event: ev.Capture) -> tuple[str, ...]:
        counts = self.lying[event.hole].counts if event.hole in self.lying else (event.seeds,)
        self._out(event.hole)
        if event.to:
            for kind, count in enumerate(counts):
                self._add(event.to, kind, count)
        else:  # sown on, as a lap of its own; two holes that face each other are one
            self.lap += self.last is not ev.Capture
            self.hand += event.seeds
        return (event.hole,)

    def _out(self, name: str, colour: str = "") -> int:
        """Takes everything, or all of one colour, out of a place; how much that is."""
        there = self.lying.get(name)
        if there is None:
            return 0
        kind = self._kind(colour) if colour else None
        taken = sum(there.counts) if kind is None else there.counts[kind]
        left = tuple(0 if kind in (None, at) else count for at, count in enumerate(there.counts))
        self.lying[name] = Lying(left, there.marks)
        return taken

    def _add(self, name: str, kind: int, count: int) -> None:
        there = self.lying.get(name)
        if there is None:
            return
        counts = list(there.counts)
        counts[min(kind, len(counts) - 1)] += count
        self.lying[name] = Lying(tuple(counts), there.marks)

    def _carry(self, start: str, end: str) -> None:
        there = self.lying.get(start)
        if there is None:
            return
        self._out(start)
        for kind, count in enumerate(there.counts):
            if count:
                self._add(end, kind, count)

    def _from_hand(self, player: int) -> None:
        hand = self.board.store(player, "hand")
        if hand is not None and any(self.lying[hand.name].counts):
            self._add(hand.name, self._herd(player), -1)

    def _herd(self, player: int) -> int:
        """The kind of a player's pieces, where each has his own."""
        return min(player, len(self.board.kinds) - 1)

    def _kind(self, colour: str) -> int:
        """The kind that a colour of an event (R, B) is the first letter of."""
        for at, kind in enumerate(self.board.kinds):
            if colour and kind[:1].upper() == colour[:1].upper():
                return at
        return 0

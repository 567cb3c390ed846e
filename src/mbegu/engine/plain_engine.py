"""A search over the readable rules, for games without a kernel: slower, and in need of nothing else.

Alpha-beta with iterative deepening. A position that is not decided is worth what its scores tell. It
takes the place of `mbegu.engine.compiled_engine` where a game, or a position, has no compiled rules.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue

from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import _
from mbegu.core.outcome import Outcome
from mbegu.engine.engine import MOST_DEPTH, EngineError, Info, Limits, Line, Score

__all__ = ["PlainEngine", "choose_plainly"]

WON = 1_000_000.0  # less a ply for each move to the end
SURE = WON / 2
INFINITE = 10 * WON
LOOK = 64  # nodes between two looks at the clock
MOST_KEPT = 200_000  # positions whose best move is remembered
SHARE = 30  # of the time on a clock, one move takes so small a part


class _Stopped(Exception):
    """Time, nodes or patience are at an end."""


class PlainEngine:
    """The readable half of an engine; it has the methods of `mbegu.engine.compiled_engine.CompiledEngine`."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.game, self.seed = game, seed
        self.best: dict[Position, Move] = {}
        self.stopping = threading.Event()
        self._busy = threading.Lock()

    def pack(self, position: Position) -> Position:
        """The position itself; EngineError if it belongs to another game."""
        if position.game != self.game:
            raise EngineError(
                _("this engine plays {game}, not {other}").format(
                    game=self.game, other=position.game
                )
            )
        return position

    def warm_up(self) -> None:
        """Nothing needs compiling."""

    def stop(self) -> None:
        """Ends the thought that is going on."""
        self.stopping.set()

    def forget(self) -> None:
        """Forgets everything."""
        self.best.clear()

    def think(
        self,
        position: Position,
        limits: Limits,
        history: Sequence[Position],
        pulse: float | None = None,
    ) -> Iterator[Info]:
        """See `Engine.think`."""
        self.pack(position)
        return self._run(_Search(self, position, limits, history), pulse)

    def _run(self, search: _Search, pulse: float | None) -> Iterator[Info]:
        """The search runs in a thread of its own, so that whoever asked can still be reached."""
        if not self._busy.acquire(blocking=False):
            raise EngineError(_("this engine is thinking already"))
        self.stopping.clear()
        told: SimpleQueue[Info | BaseException] = SimpleQueue()
        thread = threading.Thread(target=search.run, args=(told,), daemon=True)
        info: Info | None = None
        try:
            thread.start()
            while info is None or not info.final:
                try:
                    heard = told.get(timeout=pulse)
                except Empty:
                    if info is not None:
                        yield replace(info, nodes=search.nodes, seconds=search.seconds())
                    continue
                if isinstance(heard, BaseException):
                    raise heard
                info = heard
                yield info
        finally:
            self.stopping.set()
            thread.join()
            self._busy.release()


@dataclass(frozen=True)
class _Found:
    value: float
    moves: tuple[Move, ...]


class _Search:
    """One thought: its limits, its nodes, and what it has found so far."""

    def __init__(
        self, engine: PlainEngine, position: Position, limits: Limits, history: Sequence[Position]
    ) -> None:
        self.engine, self.position, self.limits = engine, position, limits
        self.began = time.perf_counter()
        self.deadline = _deadline(limits, self.began)
        self.nodes = 0
        self.settled = False  # nothing in this iteration was cut off by its depth
        self.path = list(history)
        while self.path and self.path[-1] == position:
            self.path.pop()  # some count the position itself
        moves = position.legal_moves()
        self.roots = [
            move for move in moves if not limits.searchmoves or move in limits.searchmoves
        ]
        if engine.seed:
            random.Random(engine.seed).shuffle(self.roots)  # noqa: S311

    def seconds(self) -> float:
        """Since the thought began."""
        return time.perf_counter() - self.began

    def run(self, told: SimpleQueue[Info | BaseException]) -> None:
        """Deepens until a limit is reached, and tells of every iteration."""
        try:
            last: Info | None = None
            for info in self._deepen():
                if last is not None:
                    told.put(last)
                last = info
            assert last is not None
            told.put(replace(last, nodes=self.nodes, seconds=self.seconds(), final=True))
        except BaseException as error:  # told to the thread that waits
            told.put(error)

    def _deepen(self) -> Iterator[Info]:
        found = [_Found(0.0, (move,)) for move in self.roots[: self.limits.lines]]
        yield self._info(0, found)
        for depth in range(1, (self.limits.depth or MOST_DEPTH) + 1):
            self.settled = True
            try:
                found = self._iteration(depth)
            except _Stopped:
                return
            yield self._info(depth, found)
            first = [each.moves[0] for each in found]
            self.roots.sort(key=lambda move: first.index(move) if move in first else len(first))
            if self.settled or abs(found[0].value) > SURE:
                return

    def _iteration(self, depth: int) -> list[_Found]:
        """The best lines of this depth, best first."""
        found: list[_Found] = []
        wanted = min(self.limits.lines, len(self.roots))
        for move in self.roots:
            floor = found[wanted - 1].value if len(found) >= wanted else -INFINITE
            value, line = self._child(self.position, move, depth, floor, INFINITE, 0)
            if value > floor or len(found) < wanted:
                found.append(_Found(value, (move, *line)))
                found.sort(key=lambda each: -each.value)
                del found[wanted:]
        return found

    def _child(
        self, position: Position, move: Move, depth: int, alpha: float, beta: float, ply: int
    ) -> tuple[float, tuple[Move, ...]]:
        """What a move is worth to the player who makes it."""
        child = position.play(move)
        self._count()
        self.path.append(position)
        try:
            if child.turn == position.turn:
                return self._value(child, depth - 1, alpha, beta, ply + 1)
            value, line = self._value(child, depth - 1, -beta, -alpha, ply + 1, position.turn)
        finally:
            self.path.pop()
        return -value, line

    def _value(
        self,
        position: Position,
        depth: int,
        alpha: float,
        beta: float,
        ply: int,
        mover: int | None = None,
    ) -> tuple[float, tuple[Move, ...]]:
        """What a position is worth to the player to move, or, when it is over, to the one who would be."""
        outcome = position.outcome() or self._by_match(position, ply)
        me = position.turn if position.turn is not None else _other(mover)
        if outcome is not None:
            return _final(outcome, me, ply), ()
        if depth <= 0:
            self.settled = False
            first, second = position.scores()
            return float(first - second if me == 0 else second - first), ()
        best = -INFINITE
        line: tuple[Move, ...] = ()
        moves = position.legal_moves()
        hint = self.engine.best.get(position)
        if hint in moves:
            moves.remove(hint)
            moves.insert(0, hint)
        for move in moves:
            value, rest = self._child(position, move, depth, alpha, beta, ply)
            if value > best:
                best, line = value, (move, *rest)
                alpha = max(alpha, value)
                if alpha >= beta:
                    break
        if len(self.engine.best) < MOST_KEPT and line:
            self.engine.best[position] = line[0]
        return best, line

    def _by_match(self, position: Position, ply: int) -> Outcome | None:
        """How a match would end here: a position that came back, or a game that lasted too long."""
        game = position.game
        if game.repetition_limit is not None:
            before = sum(earlier == position for earlier in self.path)
            if before + 1 >= game.repetition_limit:
                return game.repetition_outcome(position)
        if game.ply_cap is not None and len(self.path) >= game.ply_cap:
            return game.ply_cap_outcome(position)
        return None

    def _count(self) -> None:
        """Counts a node and looks at the limits; the first move of all is always looked at."""
        self.nodes += 1
        if self.limits.nodes is not None and self.nodes >= self.limits.nodes:
            raise _Stopped
        if self.nodes % LOOK == 0 and (
            self.engine.stopping.is_set()
            or (self.deadline is not None and time.perf_counter() >= self.deadline)
        ):
            raise _Stopped

    def _info(self, depth: int, found: list[_Found]) -> Info:
        lines = tuple(Line(_score(each.value, self.settled), each.moves) for each in found)
        return Info(depth, self.nodes, self.seconds(), lines)


def _other(player: int | None) -> int:
    """Who would be to move after this player."""
    return 0 if player is None else 1 - player


def _final(outcome: Outcome, player: int, ply: int) -> float:
    """A won game counts before every margin, the sooner the better."""
    if outcome.winner is None:
        return 0.0
    return WON - ply if outcome.winner == player else ply - WON


def _score(value: float, settled: bool) -> Score:
    if abs(value) > SURE:
        sign = 1 if value > 0 else -1  # the whole path was looked at, so it is proved
        return Score(margin=float(sign), win=sign * round(WON - abs(value)), result=sign)
    drawn = settled and value == 0
    return Score(margin=value + 0.0, exact=drawn, result=0 if drawn else None)


def _deadline(limits: Limits, now: float) -> float | None:
    if limits.movetime is not None:
        return now + limits.movetime
    if limits.remaining is not None:
        share = limits.remaining / SHARE + limits.increment * 0.8
        return now + min(share, limits.remaining / 2)
    return None


# ---- as a person ------------------------------------------------------------------------------------


def choose_plainly(position: Position, depth: int, seed: int, miss: int, blur: float) -> Move:
    """The move of a engine who looks `depth` plies ahead, overlooks and misjudges so much.

    The readable twin of `mbegu.engine.humanlike`; `miss` is a chance in 1/1024, `blur` is in points.
    """
    lot = random.Random(f"{seed} {position}")  # noqa: S311 (a game, not a secret)
    moves = position.legal_moves()
    seen = [move for move in moves if lot.randrange(2048) >= miss] or moves
    turn = position.turn
    assert turn is not None
    return max(
        seen,
        key=lambda move: (_foresee(position.play(move), depth - 1, turn, seed, blur), lot.random()),
    )


def _foresee(position: Position, depth: int, player: int, seed: int, blur: float) -> float:
    """What a position seems to be worth to a player, looking so many plies ahead."""
    outcome = position.outcome()
    if outcome is not None:
        return _final(outcome, player, 0)
    if depth <= 0:
        lot = random.Random(f"{seed} {position}")  # noqa: S311
        scores = position.scores()
        return scores[player] - scores[1 - player] + blur * lot.triangular(-1, 1)
    values = [
        _foresee(position.play(move), depth - 1, player, seed, blur)
        for move in position.legal_moves()
    ]
    return max(values) if position.turn == player else min(values)

"""Solving by null windows: the exact final margin of a position, and how both sides reach it.

    solution = solve(mbegu.game("kalah(pits=4,seeds=3)").start())
    solution.margin, solution.exact          # (6, True), for the player who begins: player 0

A game that has a prover of its own (Kalah) is asked again and again whether the margin is at least so
much, and the bounds close in. What was proved stays true, so a search that is stopped leaves a checkpoint
from which the same call goes on. For other games the engine thinks until its proof is complete, or until
the time is over; then only what is proved is told.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from mbegu.core.errors import MbeguError
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import _
from mbegu.engine.kernels.door import beside_kernel

__all__ = ["Bounds", "Interrupted", "Prover", "Solution", "SolveError", "has_prover", "solve"]

MEMORY_MB = 1024
PULSE = 0.25  # seconds between two looks at the clock
SAVE_EVERY = 600.0  # seconds: what a killed process may lose


class SolveError(MbeguError):
    """A position that cannot be solved as asked."""


@dataclass(frozen=True)
class Bounds:
    """How far it is: between which margins for player 0 the answer lies, None for no bound."""

    low: int | None
    high: int | None
    nodes: int
    seconds: float
    building: float | None = (
        None  # which share of the endgame table is built, before the search begins
    )


@dataclass(frozen=True)
class Solution:
    """What is proved of a position: margins for player 0, the best moves of both, and what it took."""

    position: Position
    low: int | None
    high: int | None
    line: tuple[Move, ...]
    nodes: int
    seconds: float

    @property
    def exact(self) -> bool:
        """Whether the margin is proved."""
        return self.low is not None and self.low == self.high

    @property
    def margin(self) -> int | None:
        """The final margin of player 0, None if it is not proved."""
        return self.low if self.exact else None

    def words(self) -> list[str]:
        """The line as people write it."""
        words, position = [], self.position
        for move in self.line:
            words.append(position.game.format_move(move, position))
            position = position.play(move)
        return words

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "game": str(self.position.game),
            "position": str(self.position),
            "margin": self.margin,
            "exact": self.exact,
            "low": self.low,
            "high": self.high,
            "line": self.words(),
            "seconds": round(self.seconds, 3),
            "nodes": self.nodes,
        }


class Interrupted(KeyboardInterrupt):
    """Somebody pressed Ctrl-C; what was proved until then."""

    def __init__(self, solution: Solution) -> None:
        super().__init__()
        self.solution = solution


Teller = Callable[[Bounds], None]


class Prover(Protocol):
    """Who answers whether a position is worth so much; margins are those of the player to move."""

    low: int
    high: int

    def ask(self, beta: int) -> int | None:
        """A lower bound of at least beta, or else an upper bound; None when it was stopped."""

    def line(self) -> list[Move]:
        """The best moves of both sides, once the bounds have met; shorter when it is stopped."""

    def stop(self) -> None:
        """Ends what is going on, from any thread."""

    def nodes(self) -> int:
        """The positions so far."""

    def dearest(self, most: int) -> Any:
        """What was proved about positions, the dearest so many, as rows of two words."""

    def believe(self, rows: Any) -> None:
        """Takes such rows over."""


def has_prover(game: Game) -> bool:
    """Whether the game brings a prover of its own."""
    return beside_kernel(game.name, "solve") is not None


def solve(
    position: Position,
    *,
    threads: int = 1,
    memory_mb: int = MEMORY_MB,
    seconds: float | None = None,
    folder: Path | None = None,
    tell: Teller | None = None,
) -> Solution:
    """Solves a position with so many threads and no more than so much memory.

    With a `folder` a checkpoint is read from there and left there when it is stopped, by Ctrl-C or
    after so many seconds, and taken away when all is proved.
    """
    _check_memory(memory_mb)
    outcome = position.outcome()
    if outcome is not None:
        assert outcome.scores is not None
        margin = outcome.scores[0] - outcome.scores[1]
        return Solution(position, margin, margin, (), 0, 0.0)
    own = beside_kernel(position.game.name, "solve")
    if own is None:
        return _by_thinking(position, threads, memory_mb, seconds, tell)
    module = import_module(own)
    began = time.monotonic()

    def told(share: float) -> None:
        if tell is not None:
            tell(Bounds(None, None, 0, time.monotonic() - began, building=share))

    prover: Prover = module.prover(position, threads, memory_mb, told)
    work = _Work(position, prover, began, folder, tell)
    return work.done(seconds)


def _check_memory(memory_mb: int) -> None:
    from mbegu.engine.engine import free_memory_mb  # noqa: PLC0415 - with all that belongs to it

    free = free_memory_mb()
    if free is not None and memory_mb > free:
        raise SolveError(
            _("{size} MB are more than the memory that is free: {free} MB would fit").format(
                size=memory_mb, free=free
            )
        )


class _Work:
    """A position while it is being solved: the bounds, the clock and the checkpoint."""

    def __init__(
        self,
        position: Position,
        prover: Prover,
        began: float,
        folder: Path | None,
        tell: Teller | None,
    ) -> None:
        self.position, self.prover, self.began, self.tell = position, prover, began, tell
        self.earlier = (0, 0.0)  # nodes and seconds before this process
        self.saved_at = began
        self.checkpoint = None
        if folder is not None:
            from mbegu.engine.checkpoint import Checkpoint  # noqa: PLC0415 - NumPy

            self.checkpoint = Checkpoint(position, folder)
            self._resume()

    def _resume(self) -> None:
        assert self.checkpoint is not None
        found = self.checkpoint.read()
        if found is not None:
            facts, rows = found
            self.prover.low = max(self.prover.low, facts["low"])
            self.prover.high = min(self.prover.high, facts["high"])
            self.earlier = facts["nodes"], facts["seconds"]
            self.prover.believe(rows)

    def save(self) -> None:
        """Leaves a checkpoint, if anybody wants one."""
        if self.checkpoint is not None:
            facts = {
                "low": self.prover.low,
                "high": self.prover.high,
                "nodes": self.nodes(),
                "seconds": self.seconds(),
            }
            self.checkpoint.write(facts, self.prover.dearest(self.checkpoint.most_rows))
            self.saved_at = time.monotonic()

    def nodes(self) -> int:
        """All positions, also of earlier processes."""
        return self.earlier[0] + self.prover.nodes()

    def seconds(self) -> float:
        """All seconds, also of earlier processes."""
        return self.earlier[1] + time.monotonic() - self.began

    def done(self, limit: float | None) -> Solution:
        """Works until it is solved or stopped."""
        until = None if limit is None else self.began + limit
        try:
            proved = self._attended(self._close_in, until)
            line = self._attended(self.prover.line, until) if proved else []
        except KeyboardInterrupt:
            self.save()
            raise Interrupted(self._solution([])) from None
        if not proved:
            self.save()
        elif self.checkpoint is not None:
            self.checkpoint.remove()
        return self._solution(line)

    def _solution(self, line: list[Move]) -> Solution:
        low, high = self._margins()
        return Solution(self.position, low, high, tuple(line), self.nodes(), self.seconds())

    def _close_in(self) -> bool:
        """From what is likely outwards: each answer tells where to ask next."""
        prover = self.prover
        guess = min(max(0, prover.low), prover.high)
        while prover.low < prover.high:
            answer = prover.ask(max(guess, prover.low + 1))
            if answer is None:
                return False
            if answer > prover.low and answer >= guess:
                prover.low = answer
            else:
                prover.high = answer
            guess = answer
        return True

    def _margins(self) -> tuple[int, int]:
        low, high = self.prover.low, self.prover.high
        return (low, high) if self.position.turn == 0 else (-high, -low)

    def _attended(self, work: Callable[[], Any], until: float | None) -> Any:
        """Has the work done in a thread: compiled code hears no Ctrl-C."""
        answers: list[Any] = []

        def run() -> None:
            try:
                answers.append((work(), None))
            except BaseException as error:  # told to the thread that waits
                answers.append((None, error))

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        try:
            while thread.is_alive():
                left = PULSE if until is None else max(until - time.monotonic(), 0.0)
                thread.join(min(left, PULSE))
                self._look(until)
        except BaseException:
            self.prover.stop()
            thread.join()
            raise
        answer, error = answers[0]
        if error is not None:
            raise error
        return answer

    def _look(self, until: float | None) -> None:
        now = time.monotonic()
        if until is not None and now >= until:
            self.prover.stop()
        if now - self.saved_at > SAVE_EVERY:
            self.save()
        if self.tell is not None:
            self.tell(Bounds(*self._margins(), self.nodes(), self.seconds()))


# ---- games without a prover


def _by_thinking(
    position: Position, threads: int, memory_mb: int, seconds: float | None, tell: Teller | None
) -> Solution:
    """The engine thinks until its best line is proved. Of an unproved margin nothing is told."""
    from mbegu.engine.engine import Engine, Limits  # noqa: PLC0415 - with all that belongs to it

    engine = Engine(position.game, hash_mb=memory_mb, threads=threads)
    limits = Limits(infinite=True) if seconds is None else Limits(movetime=seconds)
    sign = 1 if position.turn == 0 else -1
    low = high = None
    line: tuple[Move, ...] = ()
    nodes, spent = 0, 0.0
    try:
        for info in engine.think(position, limits, pulse=PULSE):
            nodes, spent = info.nodes, info.seconds
            if info.lines and info.lines[0].score.exact:
                low = high = sign * round(info.lines[0].score.margin)
                line = info.lines[0].moves
                engine.stop()
            if tell is not None:
                tell(Bounds(low, high, nodes, spent))
    except KeyboardInterrupt:
        raise Interrupted(Solution(position, low, high, line, nodes, spent)) from None
    return Solution(position, low, high, line, nodes, spent)

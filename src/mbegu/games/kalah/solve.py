"""Kalah's prover: the table of small boards, the memory for the others, and the threads."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import Any

import numpy as np

from mbegu.core.game import Move, Position
from mbegu.core.i18n import _
from mbegu.engine.solve import SolveError
from mbegu.engine.tables.build import Threads
from mbegu.engine.tables.ready import at_hand
from mbegu.engine.tables.solver import Layer
from mbegu.games.kalah import proof
from mbegu.games.kalah.pits import board_of, half_word, most_stones
from mbegu.games.kalah.table import most_within, solver, table_size

__all__ = ["KalahProver", "prover"]

MB = 1 << 20
LINE_BYTES = 64
# Boards of the table, by the stones of the position up to which it pays: they take a tenth of a second, two
# seconds, and some twelve; the more there is to search, the more.
WORTH = ((36, 3_000_000), (50, 31_000_000), (1 << 30, 230_000_000))


def prover(
    position: Position,
    threads: int,
    memory_mb: int,
    tell: Callable[[float], None] | None = None,
) -> KalahProver:
    """The prover of a position, its table built; `tell` hears which share of it."""
    pits = int(getattr(position.game, "pits"))  # noqa: B009
    stones = sum(sum(side) for side in sides(position))
    if stones > most_stones(pits):
        raise SolveError(
            _(
                "a board of pits={pits} is solved with at most {most} stones in them, not {count}"
            ).format(pits=pits, most=most_stones(pits), count=stones)
        )
    return KalahProver(position, stones, threads, memory_mb, tell)


def sides(position: Position) -> tuple[list[int], list[int]]:
    """The pits of the player to move, and the other's."""
    pits = position.to_json()["pits"]
    half = len(pits) // 2
    south, north = pits[: half - 1], pits[half:-1]
    return (south, north) if position.turn == 0 else (north, south)


def ahead(position: Position) -> int:
    """How far the stores of player 0 are ahead."""
    pits = position.to_json()["pits"]
    south: int = pits[len(pits) // 2 - 1]
    north: int = pits[-1]
    return south - north


class KalahProver:
    """Proves bounds of a position. Its own margins are those of the whole game for the player to move;
    the compiled search knows the stones in the pits only."""

    def __init__(
        self,
        position: Position,
        stones: int,
        threads: int,
        memory_mb: int,
        tell: Callable[[float], None] | None = None,
    ) -> None:
        self.position, self.stones, self.threads = position, stones, threads
        self.solver = solver(position.game)
        self.lead = ahead(position) * (1 if position.turn == 0 else -1)
        self.low, self.high = self.lead - stones, self.lead + stones
        self._built = 0  # boards of a table that was not there
        self.tabled, self.table = self._small_boards(memory_mb * MB // 4, tell)
        self._stop = np.zeros(1, np.int64)
        self._ended = False
        self._lay_thread_data(self._lines(memory_mb * MB))
        if stones <= self.tabled:
            self.low = self.high = self.lead + self._looked_up(position)

    def _small_boards(self, room: int, tell: Callable[[float], None] | None) -> tuple[int, Any]:
        """The table at hand, or a new one, of all stones if that is quick."""
        pits, known = self.solver.pits, at_hand(self.position.game)
        most = min(self.stones, self.solver.most)
        worth = next(boards for stones, boards in WORTH if self.stones <= stones)
        wanted = most_within(pits, min(worth, room), most)
        if known is not None and known.header.seeds >= wanted:
            return known.header.seeds, known.data
        table = np.zeros(table_size(pits, wanted), np.uint8)
        told = None if tell is None else lambda progress: tell(progress.share)
        with Threads(self.threads, len(table), told) as crew:
            for count in range(wanted + 1):
                crew.begin(Layer(str(count), table_size(pits, count) - table_size(pits, count - 1)))
                self.solver.solve(count, table, (), crew)
        self._built = len(table)
        return wanted, table

    def _lines(self, room: int) -> int:
        """Lines of the transposition table in what the other one has left."""
        least = 1024
        if self.stones <= self.tabled:
            return 1
        return max((room - table_size(self.solver.pits, self.tabled)) // LINE_BYTES, least)

    def _lay_thread_data(self, lines: int) -> None:
        self._memory = np.zeros((lines + 1) * 8, np.uint64)
        skip = -self._memory.ctypes.data % LINE_BYTES // 8
        self._rows = self._memory[skip : skip + lines * 8].reshape(-1, 2)
        self._busy = np.zeros(proof.BUSY_SLOTS, np.uint64)
        self._scratch = np.zeros((self.threads, proof.MOST_PLIES * proof.PLY), np.int64)
        self._thread_data = np.tile(self.solver.facts.thread, (self.threads, 1))
        for name, value in (
            *((proof.TABLE, self.table.ctypes.data), (proof.TABLED, self.tabled)),
            *((proof.LINES_AT, self._rows.ctypes.data), (proof.LINES, lines)),
            *((proof.STOP, self._stop.ctypes.data), (proof.BUSY_AT, self._busy.ctypes.data)),
            (proof.SHARED, self.threads > 1),
        ):
            self._thread_data[:, name] = value
        for number in range(self.threads):
            self._thread_data[number, proof.SCRATCH] = self._scratch[number].ctypes.data

    # ---- proving

    def ask(self, beta: int) -> int | None:
        """Whether the margin is at least so much."""
        answer = self._prove(self.position, beta - self.lead, self.threads)
        return None if answer is None else answer + self.lead

    def stop(self) -> None:
        """Ends what is going on, and what would come after it."""
        self._ended = True
        self._stop[0] = 1

    def nodes(self) -> int:
        """The positions of all threads, and those of the table if it was built for this."""
        return self._built + int(self._thread_data[:, proof.NODES].sum())

    def _prove(self, position: Position, beta: int, threads: int) -> int | None:
        """A bound of the stones in the pits, for the player to move; the first thread that knows it wins."""
        mine, his = sides(position)
        stones = sum(mine) + sum(his)
        if self._ended:
            return None
        self._thread_data[:, proof.STOPPED] = 0
        self._stop[0] = self._ended
        arguments = half_word(mine), half_word(his), stones, beta, 0
        if threads == 1:
            return self._run(0, arguments)
        with ThreadPoolExecutor(threads) as pool:
            waiting = [pool.submit(self._run, number, arguments) for number in range(threads)]
            wait(waiting, return_when=FIRST_COMPLETED)
            self._stop[0] = 1
        answers = [future.result() for future in waiting]
        self._busy[:] = 0
        return next((answer for answer in answers if answer is not None), None)

    def _run(self, number: int, arguments: tuple[Any, ...]) -> int | None:
        board = board_of(self.solver.pits, self._thread_data[number])
        answer = int(proof.prove(board, *arguments))
        return None if self._thread_data[number, proof.STOPPED] else answer

    # ---- the line

    def line(self) -> list[Move]:
        """From move to move: one of them brings what the position is worth."""
        moves: list[Move] = []
        position, value = self.position, self.low - self.lead
        while position.turn is not None and not self._ended:
            found = self._best(position, value)
            if found is None:
                break
            move, value = found
            moves.append(move)
            position = position.play(move)
        return moves

    def _best(self, position: Position, value: int) -> tuple[Move, int] | None:
        """A move that keeps the value, and what the next position is worth to who is to move there."""
        first = self._remembered(position)
        moves = sorted(position.legal_moves(), key=lambda move: (move != first, -int(move)))
        for move in moves:
            child = position.play(move)
            sign = 1 if position.turn == 0 else -1
            kept = sign * (ahead(child) - ahead(position))
            if child.turn is None:
                if kept == value:
                    return move, 0
                continue
            same = child.turn == position.turn
            wanted = value - kept if same else kept - value
            if self._is_worth(child, wanted, same):
                return move, wanted
        return None

    def _is_worth(self, child: Position, wanted: int, same: bool) -> bool:
        """Whether a child reaches the value; more than it no move can bring."""
        if sum(sum(side) for side in sides(child)) <= self.tabled:
            return self._looked_up(child) == wanted
        if same:
            answer = self._prove(child, wanted, 1)
            return answer is not None and answer >= wanted
        answer = self._prove(child, wanted + 1, 1)
        return answer is not None and answer <= wanted

    def _looked_up(self, position: Position) -> int:
        stones, at = self.solver.place_of(*sides(position))
        return 2 * int(self.table[at]) - stones

    def _remembered(self, position: Position) -> int:
        mine, his = sides(position)
        return int(
            proof.remembered(half_word(mine), half_word(his), self._thread_data[0].ctypes.data)
        )

    # ---- checkpoints

    def dearest(self, most: int) -> Any:
        """The entries of the transposition table that cost most, as key and contents."""
        counts = np.zeros(64, np.int64)
        proof.count_work(self._rows, counts)
        from_top = np.cumsum(counts[::-1])[::-1]
        least = next((level for level in range(1, 64) if from_top[level] <= most), 64)
        picked = np.empty((int(from_top[least]) if least < 64 else 0, 2), np.uint64)
        return picked[: proof.pick_out(self._rows, least, picked)]

    def believe(self, rows: Any) -> None:
        """Puts such entries where they belong."""
        proof.refill(np.array(rows, np.uint64), self._thread_data[0].ctypes.data)

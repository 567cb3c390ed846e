"""Iterative deepening with aspiration windows: one thought, its threads, its deadline, what it has found.

The search always runs in threads of its own, so that the thread that asked can still be reached by
signals. In a browser's tab there are none: the leader runs where it is asked, and helpers in workers.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from mbegu.core.game import Position
from mbegu.core.i18n import _
from mbegu.engine import root_search, transposition
from mbegu.engine import thread_data as layout
from mbegu.engine.abdada import await_task
from mbegu.engine.engine import MOST_DEPTH, EngineError, Info, Limits, Line
from mbegu.engine.last_stand import OWN_MOVES, stand
from mbegu.engine.machine import Tab
from mbegu.engine.proving import Proofs, lift_share
from mbegu.engine.search_threads import FOREVER, Task, ThreadData
from mbegu.engine.time_management import time_budget
from mbegu.engine.values import INFINITE, SEED, SURE
from mbegu.engine.verdict import Found, Past, score

if TYPE_CHECKING:
    from mbegu.engine.compiled_engine import CompiledEngine

AWAKE = 200_000  # looks for a new task, about a tenth of a millisecond, before a helper sleeps
SOLVE_FROM = 10  # iterations before the first try to solve the game
WORTHWHILE = 0.005  # seconds for which a search that was stopped is begun again
PATIENT = 20.0  # seconds; whoever gives so much wants to know the exact value


class IterativeDeepening:
    """Iterative deepening, one thought: its threads, its deadline, and what it has found so far."""

    def __init__(
        self,
        engine: CompiledEngine,
        position: Position,
        state: Any,
        past: Past,
        limits: Limits,
        pulse: float | None,
    ) -> None:
        assert position.turn is not None
        self.engine, self.state, self.limits = engine, state, limits
        self.player = position.turn
        self.began, self.computed = time.perf_counter(), time.process_time()
        self.soft, self.hard = time_budget(limits)
        self.told: SimpleQueue[Info | BaseException] = SimpleQueue()
        self.ended = threading.Event()
        self.table = engine.address(engine.memory)
        self.lines: list[Found] = []
        self.depth = 0
        self.task: Task | None = None
        self.past, self.pulse = past, pulse
        self.count = 0  # moves to choose from
        self.proofs = Proofs(engine, state, past)

    def _prepare_threads(self) -> None:
        engine = self.engine
        for thread in engine.thread_data:
            engine._prepare(thread, self.state, engine.buckets, self.limits.nodes or FOREVER)
            self._recall(thread)
            self._choose_moves(thread)
        self.count = int(engine.thread_data[0].words[layout.ROOT_COUNT])
        self.proofs.consult(engine.thread_data[0])

    def _recall(self, thread: ThreadData) -> None:
        for i, earlier in enumerate(self.past.states):
            thread.words[layout.BASE] = i
            root_search.prepare(earlier, thread.address)
        thread.words[layout.BASE] = len(self.past.states)
        thread.words[layout.DANGER] = bool(self.past.dangers)
        root_search.prepare(self.state, thread.address)

    def _choose_moves(self, thread: ThreadData) -> None:
        moves = thread.root_moves()
        if self.limits.searchmoves:
            to_move, options = self.engine.kernel.to_move, self.engine.options
            asked = {to_move(move, self.player, options) for move in self.limits.searchmoves}
            moves = [move for move in moves if move in asked]
        if self.engine.seed:
            random.Random(self.engine.seed).shuffle(moves)  # noqa: S311
        thread.allow(moves)

    # ---- running

    def run(self) -> Iterator[Info]:
        """Starts the threads, and tells what they tell."""
        engine = self.engine
        if not engine._busy.acquire(blocking=False):
            raise EngineError(_("this engine is thinking already"))
        self.computed = time.process_time()
        self.began = time.perf_counter()  # who asked may have done other things before he listens
        running: list[threading.Thread] = []
        told: Info | None = None
        try:
            engine.grow_older(self.state, self.past)
            self._prepare_threads()
            engine.memo[:] = 0
            engine.signal[:], engine.told_to_stop = 0, False
            for i, thread in enumerate(engine.thread_data):
                engine.signal[layout.THREAD_DATA + i] = thread.address
            if not engine.machine.has_threads:
                yield from self._alone()
                return
            for work in self._work():
                running.append(threading.Thread(target=work, daemon=True))
                running[-1].start()
            while True:
                told = self._next(told)
                yield told
                if told.final:
                    break
        finally:
            self._end()
            for each in running:
                each.join()
            if isinstance(engine.machine, Tab):
                engine.machine.finish_helpers()
            if engine.age == transposition.AGES - 1:
                engine.forget()  # no age may come round again, see mbegu.engine.repetition
            engine._busy.release()

    def _next(self, before: Info | None) -> Info:
        """What is told next; after a pulse without news, how far the count of nodes has come."""
        while True:
            try:
                told = self.told.get(timeout=self.pulse)
            except Empty:
                if before is None:
                    continue
                return replace(before, nodes=self._nodes(), seconds=self._seconds())
            if isinstance(told, BaseException):
                raise told
            return told

    def _alone(self) -> Iterator[Info]:
        """What the leader finds, told by itself."""
        if self.hard is not None:
            self._set_clocks(self.began + self.hard - time.perf_counter())
        yield from self._thought()

    def _work(self) -> Iterator[Callable[[], None]]:
        """What the threads of this thought do."""
        for number in range(1, self.engine.threads):
            yield partial(self._help, number)
        if self.hard is not None and self.engine.machine.clock()[0]:
            self._set_clocks(self.began + self.hard - time.perf_counter())
        elif self.hard is not None:
            yield self._watch_clock
        yield self._lead

    def _end(self) -> None:
        self.engine.signal[layout.STOP] = 1
        self.ended.set()

    def _set_clocks(self, seconds: float) -> None:
        """Lets the search see by itself when its time is up: a thread that sleeps may wake late."""
        machine = self.engine.machine
        now = machine.now()
        for thread in self.engine.thread_data:
            thread.words[layout.CLOCK], thread.words[layout.WHICH_CLOCK] = machine.clock()
            thread.words[layout.DEADLINE] = now + int(max(seconds, 0.0) * layout.SECOND)

    def _watch_clock(self) -> None:
        """Sleeps until the time is up, where the system has no clock that the search can read."""
        assert self.hard is not None
        self.ended.wait(max(self.began + self.hard - time.perf_counter(), 0))
        self.engine.signal[layout.STOP] = 1

    def _lead(self) -> None:
        try:
            for info in self._thought():
                self.told.put(info)
        except BaseException as error:  # told to the thread that waits
            self.told.put(error)

    def _thought(self) -> Iterator[Info]:
        """What the leader finds, step by step; the last step is `final`."""
        thread = self.engine.thread_data[0]
        yield from self._deepen(thread)
        if self.limits.practical and self.engine.kernel.lost_soon:
            self._stand(thread)
        yield self._info(final=True)

    def _help(self, number: int) -> None:
        """A helper searches what the leader searches, and leaves what it finds in the table."""
        thread, signal = self.engine.thread_data[number], self.engine.signal
        shared = self.engine.address(signal)
        done = None
        while not self.ended.is_set():
            known = int(signal[layout.TASKS])
            task = self.task
            if task is None or task is done:
                if not await_task(shared, known, AWAKE):
                    self.ended.wait(0.0005)
                continue
            thread.words[layout.STOPPED] = 0
            thread.words[layout.NODE_LIMIT] = FOREVER
            if task is self.task:  # else it was changed between the lines above
                self.engine._search(thread, self.state, task, self.table)
                done = task

    def _search(self, thread: ThreadData, task: Task) -> tuple[int, int, bool]:
        self.task = task
        self.engine.signal[layout.TASKS] += 1
        for number, helper in enumerate(self.engine.thread_data[1:], 1):
            helper.words[layout.NODE_LIMIT] = 0  # ends what it is doing
            if isinstance(self.engine.machine, Tab):
                self._send(self.engine.machine, number, helper, task)
        found = self.engine._search(thread, self.state, task, self.table)
        while thread.words[layout.STOPPED] and self._goes_on(thread):
            found = self.engine._search(thread, self.state, task, self.table)
        return found

    def _send(self, tab: Tab, number: int, helper: ThreadData, task: Task) -> None:
        """Gives the task to another worker of the tab, which has no Python to fetch it."""
        tab.host.finish(number)
        helper.words[layout.STOPPED] = 0
        helper.words[layout.NODE_LIMIT] = FOREVER
        window = task.depth, task.alpha, task.beta, task.skip
        tab.begin(number, "search_root", (self.state, *window, helper.address, self.table))

    # ---- a computer that others keep busy

    def _goes_on(self, thread: ThreadData) -> bool:
        """Whether a search that its deadline has stopped has waited for a processor, and gets that back.

        It begins again then, with all that it has found in the table.
        """
        words, waited = thread.words, self._waited()
        by_clock = words[layout.DEADLINE] and words[layout.NODES] < words[layout.NODE_LIMIT]
        if self.hard is None or not waited or not by_clock or self.ended.is_set():
            return False
        left = self.hard + waited - self._seconds()
        if left < WORTHWHILE:
            return False
        self._set_clocks(left)
        self.engine.signal[layout.STOP] = 0
        if self.engine.told_to_stop:
            self.engine.signal[layout.STOP] = 1
            return False
        words[layout.STOPPED] = 0
        return True

    def _waited(self) -> float:
        """Seconds of this thought without a processor, as far as they are given back.

        With several threads it cannot be known: one may wait for another.
        """
        if not self.limits.waiting or self.engine.threads > 1:
            return 0.0
        waited = self._seconds() - (time.process_time() - self.computed)
        return max(0.0, min(waited, self.limits.waiting))

    # ---- deepening

    def _deepen(self, thread: ThreadData) -> Iterator[Info]:
        wanted = min(self.limits.lines, self.count)
        for depth in range(1, (self.limits.depth or MOST_DEPTH) + 1):
            lines: list[Found] = []
            for skip in range(wanted):
                before = self.lines[skip].value if skip < len(self.lines) else None
                found = self._line(thread, depth, skip, before)
                if found is not None:
                    self.proofs.learn(found, skip)
                    lines.append(found)
                if thread.words[layout.STOPPED]:
                    break
            self._accept(lines, wanted, depth)
            self.proofs.measure(self.lines, thread)
            if thread.words[layout.STOPPED] and not self._goes_on(thread):
                break
            if self._enough(wanted):
                break
            yield self._info()
            if self._may_solve(depth, wanted) and self._solve(thread):
                break
            if self.proofs.survey(thread) and self._surveyed(wanted):
                self.proofs.measure(self.lines, thread)
                break
        if not self.lines:  # stopped before the first move was searched
            self.lines = [Found(0, 0, (thread.root_moves()[0],))]

    def _line(self, thread: ThreadData, depth: int, skip: int, before: int | None) -> Found | None:
        """The best line among the moves from the `skip`-th on; None if stopped too early to tell.

        It begins with an aspiration window about the value of the last iteration, and widens it.
        """
        width = SEED
        alpha, beta = -INFINITE, INFINITE
        if before is not None and depth > 4 and abs(before) < SURE:
            alpha, beta = before - width, before + width
        while True:
            value, proved, inside = self._search(thread, Task(depth, alpha, beta, skip))
            if thread.words[layout.STOPPED]:
                return Found(value, proved, thread.line()) if value > alpha else None
            if inside or (alpha <= -INFINITE and beta >= INFINITE):
                root_search.follow(self.state, thread.address, self.table)
                return Found(value, proved, thread.line())
            width *= 4
            if value <= alpha:
                alpha = value - width if width < 64 * SEED else -INFINITE
            else:
                beta = value + width if width < 64 * SEED else INFINITE

    def _may_solve(self, depth: int, wanted: int) -> bool:
        """Whether to try a search without horizon now."""
        ends = root_search.ends_by_itself(self.state)
        return bool(ends and depth >= SOLVE_FROM and wanted == 1 and self.limits.depth is None)

    def _solve(self, thread: ThreadData) -> bool:
        """Tries to find the exact margin with null windows; gives up after a share of the nodes.

        What it has proved until then stays in the table, so the next try begins further on.
        """
        limits, words = self.limits, thread.words
        patient = limits.infinite or (limits.movetime or 0) >= PATIENT
        spent, limit = int(words[layout.NODES]), int(words[layout.NODE_LIMIT])
        words[layout.NODE_LIMIT] = min(limit, spent + (spent * 12 if patient else spent // 2))
        low, high = -256, 256
        guess = round(self.lines[0].value / SEED)
        line = self.lines[0].moves
        while low < high:
            task = Task(root_search.SOLVE_DEPTH, (guess - 1) * SEED, guess * SEED, 0)
            value, proved, _inside = self._search(thread, task)
            bound = transposition.LOWER if value > task.alpha else transposition.UPPER
            if words[layout.STOPPED] or not proved & bound:
                break
            if value > task.alpha:
                low, line = value // SEED, thread.line()
                guess = low + 1
            else:
                high = value // SEED
                guess = high
        if low == high:
            words[layout.NODE_LIMIT] = limit
            self.lines = [Found(low * SEED, transposition.EXACT, line)]
            self.proofs.learn(self.lines[0], 0)
            return True
        lift_share(self.engine, thread, limit)
        return bool(words[layout.STOPPED])

    def _accept(self, lines: list[Found], wanted: int, depth: int) -> None:
        """Takes the lines of an iteration, and of the last one what this one did not reach."""
        if not lines:
            return
        if len(lines) == wanted:
            self.depth = depth
        lines.sort(key=lambda line: -line.value)
        known = {line.moves[0] for line in lines}
        # Old lines come after all new ones, whatever they promised: a move that has been found out
        # to be worse than it looked must not stay in front.
        lines += [line for line in self.lines if line.moves[0] not in known]
        self.lines = self.proofs.heeded(lines, wanted)

    def _surveyed(self, wanted: int) -> bool:
        """Puts the moves in front of which most is proved; tells whether nothing is left to find."""
        self.lines = self.proofs.heeded(self.lines, wanted)
        return self.proofs.exact(self.lines)

    def _enough(self, wanted: int) -> bool:
        """Whether more depth would be a waste."""
        if len(self.lines) == wanted and self.proofs.exact(self.lines):
            return True
        if self.soft is None or not self.lines:
            return False
        if self.count == 1 or self.proofs.told(0, self.lines[0].moves[0]).result in (1, -1):
            return True
        return self._seconds() - self._waited() > self.soft

    def _stand(self, thread: ThreadData) -> None:
        """In a lost game, puts the move in front that a short-sighted opponent answers worst."""
        lost = self.lines[0]
        if lost.value > -SURE or len(self.lines) > 1 or self.limits.searchmoves:
            return
        for own_moves in range(1, OWN_MOVES + 1):
            move = int(stand(self.state, own_moves, thread.address))
            if thread.words[layout.STOPPED]:
                break
            self.lines[0] = replace(lost, moves=(move,))
            # The line speaks for the position still, whatever this move is worth.
            self.proofs.by_move[move] = self.proofs.by_move[lost.moves[0]]

    # ---- telling

    def _info(self, *, final: bool = False) -> Info:
        return Info(
            depth=self.depth,
            nodes=self._nodes(),
            seconds=self._seconds(),
            lines=tuple(self._tell(rank, line) for rank, line in enumerate(self.lines)),
            hashfull=self.engine.fullness(),
            final=final,
        )

    def _nodes(self) -> int:
        return sum(int(thread.words[layout.NODES]) for thread in self.engine.thread_data)

    def _seconds(self) -> float:
        return time.perf_counter() - self.began

    def _tell(self, rank: int, line: Found) -> Line:
        moves = self.engine.unpack_line(self.state, self.player, line.moves)
        known = self.proofs.told(rank, line.moves[0])
        return Line(score(line.value, known, self.engine.scored), moves)

"""Between the engine's face and the compiled search: desks, threads, deadlines, and the deepening.

The search always runs in threads of its own, so that the thread that asked can still be reached by
signals; whoever wants it to end writes to one word in memory that all of them watch.
"""

from __future__ import annotations

import ctypes
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np

from mbegu.core.errors import InvalidPosition
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import _
from mbegu.engine import desk as the_desk
from mbegu.engine import search as the_search
from mbegu.engine import table as the_table
from mbegu.engine.ending import told_by_table
from mbegu.engine.engine import MOST_DEPTH, EngineError, Info, Limits, Line
from mbegu.engine.forced import MEMO_WORDS, forced, forced_by
from mbegu.engine.kernels.driver import Kernel, kernel_of
from mbegu.engine.kernels.driver import play as play_packed
from mbegu.engine.last_stand import OWN_MOVES, stand
from mbegu.engine.proving import Proofs, lift_share
from mbegu.engine.sharing import await_task
from mbegu.engine.tables.file import Table
from mbegu.engine.tables.probe import TABLE_AT, TABLE_FACTS, TABLED, packed_facts
from mbegu.engine.tables.ready import at_hand
from mbegu.engine.values import INFINITE, SEED, SURE
from mbegu.engine.verdict import Found, Past, score

FOREVER = 2**62
AWAKE = 200_000  # looks for a new task, about a tenth of a millisecond, before a helper sleeps
LATE = (2, 4)  # see LATE and LATER in mbegu.engine.desk
SOLVE_FROM = 10  # iterations before the first try to solve the game
TO_TELL = 0.004  # seconds between the end of a search and its answer, with some to spare
PATIENT = 20.0  # seconds; whoever gives so much wants to know the exact value


@dataclass(frozen=True, eq=False)
class Task:
    """What all threads are searching at the moment."""

    depth: int
    alpha: int
    beta: int
    skip: int


class Desk:
    """A thread's workplace; see `mbegu.engine.desk`."""

    def __init__(self) -> None:
        self.words = np.zeros(the_desk.DESK_WORDS, np.int64)
        self.address = self.words.ctypes.data

    def line(self) -> tuple[int, ...]:
        """The principal variation that the search has written down."""
        length = int(self.words[the_desk.PV_LENGTH])
        return tuple(int(move) for move in self.words[the_desk.PV : the_desk.PV + length])

    def root_moves(self) -> Any:
        """The moves of the root, best first; a view."""
        first = the_desk.ROOT_MOVES
        return self.words[first : first + int(self.words[the_desk.ROOT_COUNT])]


class Thinker:
    """The compiled half of an engine."""

    def __init__(
        self, game: Game, hash_mb: int, threads: int, seed: int, tables: bool = True
    ) -> None:
        self.game = game
        self.options = {name: getattr(game, name) for name in game.options()}
        self.kernel = _kernel(game)
        self.threads, self.seed = threads, seed
        self.tables = tables  # whether it may look into them
        self.ending: Table | None = None
        self.ending_facts: Any = None
        self.lines = hash_mb * 2**20 // the_table.LINE_BYTES
        self.age = 0
        self.last_root: Any = None  # with its past
        self.late = LATE
        self.signal = np.zeros(the_desk.SHARED_WORDS, np.int64)
        self.warm: set[type] = set()
        self._touched = False
        self._busy = threading.Lock()
        try:
            self.memory = _aligned_words(self.lines * 8)
            self.memo = np.zeros(MEMO_WORDS, np.uint64)
            self.desks = [Desk() for _thread in range(threads)]
        except MemoryError:
            raise EngineError(
                _("a hash of {size} MB is more than the memory that is free").format(size=hash_mb)
            ) from None

    # ---- positions

    def pack(self, position: Position) -> Any:
        """The position as the kernel holds it."""
        if position.game != self.game:
            raise EngineError(
                _("this engine plays {game}, not {other}").format(
                    game=self.game, other=position.game
                )
            )
        try:
            return self.kernel.pack(position.to_json(), self.options)
        except (ValueError, OverflowError) as error:
            raise InvalidPosition(str(error)) from None

    def unpack_line(self, state: Any, player: int, moves: Sequence[int]) -> tuple[Move, ...]:
        """A line in the game's own moves."""
        told = []
        for move in moves:
            told.append(self.kernel.from_move(move, player, self.options))
            state, again = play_packed(state, move)
            player = player if again else 1 - player
        return tuple(told)

    # ---- compiling

    def warm_up(self) -> None:
        """Compiles or loads everything that a thought will need."""
        position = self.game.start()
        if position.turn is not None:
            self._warm_up(self.pack(position))

    def _warm_up(self, state: Any) -> None:
        self._touch()
        if type(state) in self.warm:
            return
        desk, table = Desk(), _aligned_words(8)
        self._lay(desk, state, 1, FOREVER)
        self._search(desk, state, Task(1, -INFINITE, INFINITE, 0), table.ctypes.data)
        the_search.follow(state, desk.address, table.ctypes.data)
        move = int(desk.words[the_desk.ROOT_MOVES])
        play_packed(state, move)
        the_search.ends_by_itself(state)
        await_task(self.signal.ctypes.data, -1, 1)
        the_search.facts_of(state)
        told_by_table(state, desk.address)
        the_search.is_irreversible(state, state)
        forced_by(state, move, 1, 1, desk.address, self.memo.ctypes.data)
        forced(state, 0, 0, 0, desk.address, self.memo.ctypes.data)
        if self.kernel.lost_soon:
            stand(state, 1, desk.address)
        self.warm.add(type(state))

    def _touch(self) -> None:
        """Writes once to every page of the table, before a clock runs.

        The system finds memory only when it is written to. A search reaches into the whole table
        before its first look at the clock: on a busy computer it came out of that a second later.
        """
        if not self._touched:
            self.memory[:] = 0
            self._touched = True

    # ---- thinking

    def stop(self) -> None:
        """Ends the thought that is going on."""
        self.signal[the_desk.STOP] = 1

    def forget(self) -> None:
        """Empties the table."""
        self.memory[:] = 0
        self.age = 0
        self.last_root = None

    def grow_older(self, state: Any, past: Past) -> None:
        """Begins another age, unless the same root with the same past is thought about again."""
        if not past.dangers or (state, past) != self.last_root:
            self.age = (self.age + 1) % the_table.AGES
            self.last_root = state, past

    def think(
        self,
        position: Position,
        limits: Limits,
        history: Sequence[Position],
        pulse: float | None = None,
    ) -> Iterator[Info]:
        """See `Engine.think`."""
        state = self.pack(position)
        began = time.perf_counter()
        self._warm_up(state)
        ready = time.perf_counter()
        if limits.remaining is not None:
            limits = replace(limits, remaining=max(limits.remaining - (ready - began), 0.0))
        past = Past.of(self, position, state, history)
        self._fetch_table()
        return Thought(self, position, state, past, limits, pulse).run()

    def _fetch_table(self) -> None:
        """Takes the endgame table that is there now: one may have been built since the last thought."""
        found = at_hand(self.game) if self.tables else None
        if found is not self.ending:
            self.ending = found
            self.ending_facts = None if found is None else packed_facts(found.header.layers)

    def _lay(self, desk: Desk, state: Any, lines: int, nodes: int) -> None:
        """Makes a desk ready for a new root without history."""
        words = desk.words
        words[the_desk.NODES] = 0
        words[the_desk.NODE_LIMIT] = nodes
        words[the_desk.SIGNAL] = self.signal.ctypes.data
        words[the_desk.STOPPED] = 0
        words[the_desk.LINES] = lines
        words[the_desk.AGE] = self.age
        words[the_desk.BASE] = 0
        words[the_desk.THREADS] = self.threads
        words[the_desk.LATE], words[the_desk.LATER] = self.late
        words[the_desk.REPEATS] = (self.game.repetition_limit or 2) - 1
        words[the_desk.DEADLINE] = 0
        words[the_desk.DANGER] = 0
        words[TABLED] = -1
        if self.ending is not None:
            words[TABLED], words[TABLE_AT] = self.ending.header.seeds, self.ending.address
            words[TABLE_FACTS] = self.ending_facts.ctypes.data
        words[the_desk.NEWS] = 0
        words[the_desk.TRAIL : the_desk.HISTORY] = 0
        words[the_desk.KILLERS : the_desk.PATH] = -1
        words[the_desk.HISTORY : the_desk.LISTS] = 0
        the_search.prepare(state, desk.address)

    def _search(self, desk: Desk, state: Any, task: Task, table: int) -> tuple[int, int, bool]:
        value, proved, inside = the_search.search_root(
            state, task.depth, task.alpha, task.beta, task.skip, desk.address, table
        )
        return int(value), int(proved), bool(inside)

    def fullness(self) -> int:
        """How full the table is, in per mille, by a sample of it."""
        sample = self.memory[1 : 8 * 1000 : 8]
        return int(np.count_nonzero(sample)) * 1000 // max(len(sample), 1)


class Thought:
    """One thought: its threads, its deadline, and what it has found so far."""

    def __init__(
        self,
        thinker: Thinker,
        position: Position,
        state: Any,
        past: Past,
        limits: Limits,
        pulse: float | None,
    ) -> None:
        assert position.turn is not None
        self.thinker, self.state, self.limits = thinker, state, limits
        self.player = position.turn
        self.began = time.perf_counter()
        self.soft, self.hard = _budget(limits)
        self.told: SimpleQueue[Info | BaseException] = SimpleQueue()
        self.ended = threading.Event()
        self.table = thinker.memory.ctypes.data
        self.lines: list[Found] = []
        self.depth = 0
        self.task: Task | None = None
        self.past, self.pulse = past, pulse
        self.count = 0  # moves to choose from
        self.proofs = Proofs(thinker, state, past)

    def _lay_desks(self) -> None:
        thinker = self.thinker
        for desk in thinker.desks:
            thinker._lay(desk, self.state, thinker.lines, self.limits.nodes or FOREVER)
            self._recall(desk)
            self._choose_moves(desk)
        self.count = int(thinker.desks[0].words[the_desk.ROOT_COUNT])
        self.proofs.consult(thinker.desks[0])

    def _recall(self, desk: Desk) -> None:
        for i, earlier in enumerate(self.past.states):
            desk.words[the_desk.BASE] = i
            the_search.prepare(earlier, desk.address)
        desk.words[the_desk.BASE] = len(self.past.states)
        desk.words[the_desk.DANGER] = bool(self.past.dangers)
        the_search.prepare(self.state, desk.address)

    def _choose_moves(self, desk: Desk) -> None:
        moves = [int(move) for move in desk.root_moves()]
        if self.limits.searchmoves:
            to_move, options = self.thinker.kernel.to_move, self.thinker.options
            asked = {to_move(move, self.player, options) for move in self.limits.searchmoves}
            moves = [move for move in moves if move in asked]
        if self.thinker.seed:
            random.Random(self.thinker.seed).shuffle(moves)  # noqa: S311
        desk.words[the_desk.ROOT_COUNT] = len(moves)
        desk.root_moves()[:] = moves

    # ---- running

    def run(self) -> Iterator[Info]:
        """Starts the threads, and tells what they tell."""
        thinker = self.thinker
        if not thinker._busy.acquire(blocking=False):
            raise EngineError(_("this engine is thinking already"))
        self.began = time.perf_counter()  # who asked may have done other things before he listens
        threads: list[threading.Thread] = []
        told: Info | None = None
        try:
            thinker.grow_older(self.state, self.past)
            self._lay_desks()
            thinker.memo[:] = 0
            thinker.signal[:] = 0
            for i, desk in enumerate(thinker.desks):
                thinker.signal[the_desk.DESKS + i] = desk.address
            for work in self._work():
                threads.append(threading.Thread(target=work, daemon=True))
                threads[-1].start()
            while True:
                told = self._next(told)
                yield told
                if told.final:
                    break
        finally:
            self._end()
            for thread in threads:
                thread.join()
            if thinker.age == the_table.AGES - 1:
                thinker.forget()  # no age may come round again, see mbegu.engine.history
            thinker._busy.release()

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

    def _work(self) -> Iterator[Callable[[], None]]:
        """What the threads of this thought do."""
        for number in range(1, self.thinker.threads):
            yield partial(self._help, number)
        if self.hard is not None and SYSTEM_CLOCK:
            self._set_clocks(self.began + self.hard - time.perf_counter())
        elif self.hard is not None:
            yield self._watch_clock
        yield self._lead

    def _end(self) -> None:
        self.thinker.signal[the_desk.STOP] = 1
        self.ended.set()

    def _set_clocks(self, seconds: float) -> None:
        """Lets the search see by itself when its time is up: a thread that sleeps may wake late."""
        now = time.clock_gettime_ns(the_desk.WHICH_CLOCK)
        for desk in self.thinker.desks:
            desk.words[the_desk.CLOCK] = SYSTEM_CLOCK
            desk.words[the_desk.DEADLINE] = now + int(max(seconds, 0.0) * the_desk.SECOND)

    def _watch_clock(self) -> None:
        """Sleeps until the time is up, where the system has no clock that the search can read."""
        assert self.hard is not None
        self.ended.wait(max(self.began + self.hard - time.perf_counter(), 0))
        self.thinker.signal[the_desk.STOP] = 1

    def _lead(self) -> None:
        try:
            self._deepen(self.thinker.desks[0])
            if self.limits.practical and self.thinker.kernel.lost_soon:
                self._stand(self.thinker.desks[0])
        except BaseException as error:  # told to the thread that waits
            self.told.put(error)
            return
        self.told.put(self._info(final=True))

    def _help(self, number: int) -> None:
        """A helper searches what the leader searches, and leaves what it finds in the table."""
        desk, signal = self.thinker.desks[number], self.thinker.signal
        done = None
        while not self.ended.is_set():
            known = int(signal[the_desk.TASKS])
            task = self.task
            if task is None or task is done:
                if not await_task(signal.ctypes.data, known, AWAKE):
                    self.ended.wait(0.0005)
                continue
            desk.words[the_desk.STOPPED] = 0
            desk.words[the_desk.NODE_LIMIT] = FOREVER
            if task is self.task:  # else it was changed between the lines above
                self.thinker._search(desk, self.state, task, self.table)
                done = task

    def _search(self, desk: Desk, task: Task) -> tuple[int, int, bool]:
        self.task = task
        self.thinker.signal[the_desk.TASKS] += 1
        for helper in self.thinker.desks[1:]:
            helper.words[the_desk.NODE_LIMIT] = 0  # ends what it is doing
        return self.thinker._search(desk, self.state, task, self.table)

    # ---- deepening

    def _deepen(self, desk: Desk) -> None:
        wanted = min(self.limits.lines, self.count)
        for depth in range(1, (self.limits.depth or MOST_DEPTH) + 1):
            lines: list[Found] = []
            for skip in range(wanted):
                before = self.lines[skip].value if skip < len(self.lines) else None
                found = self._line(desk, depth, skip, before)
                if found is not None:
                    self.proofs.learn(found, skip)
                    lines.append(found)
                if desk.words[the_desk.STOPPED]:
                    break
            self._accept(lines, wanted, depth)
            self.proofs.measure(self.lines, desk)
            if desk.words[the_desk.STOPPED] or self._enough(wanted):
                break
            self.told.put(self._info())
            if self._may_solve(depth, wanted) and self._solve(desk):
                break
            if self.proofs.survey(desk) and self._surveyed(wanted):
                break
        if not self.lines:  # stopped before the first move was searched
            self.lines = [Found(0, 0, (int(desk.root_moves()[0]),))]

    def _line(self, desk: Desk, depth: int, skip: int, before: int | None) -> Found | None:
        """The best line among the moves from the `skip`-th on; None if stopped too early to tell."""
        width = SEED
        alpha, beta = -INFINITE, INFINITE
        if before is not None and depth > 4 and abs(before) < SURE:
            alpha, beta = before - width, before + width
        while True:
            value, proved, inside = self._search(desk, Task(depth, alpha, beta, skip))
            if desk.words[the_desk.STOPPED]:
                return Found(value, proved, desk.line()) if value > alpha else None
            if inside or (alpha <= -INFINITE and beta >= INFINITE):
                the_search.follow(self.state, desk.address, self.table)
                return Found(value, proved, desk.line())
            width *= 4
            if value <= alpha:
                alpha = value - width if width < 64 * SEED else -INFINITE
            else:
                beta = value + width if width < 64 * SEED else INFINITE

    def _may_solve(self, depth: int, wanted: int) -> bool:
        """Whether to try a search without horizon now."""
        ends = the_search.ends_by_itself(self.state)
        return bool(ends and depth >= SOLVE_FROM and wanted == 1 and self.limits.depth is None)

    def _solve(self, desk: Desk) -> bool:
        """Tries to find the exact margin with null windows; gives up after a share of the nodes.

        What it has proved until then stays in the table, so the next try begins further on.
        """
        limits, words = self.limits, desk.words
        patient = limits.infinite or (limits.movetime or 0) >= PATIENT
        spent, limit = int(words[the_desk.NODES]), int(words[the_desk.NODE_LIMIT])
        words[the_desk.NODE_LIMIT] = min(limit, spent + (spent * 12 if patient else spent // 2))
        low, high = -256, 256
        guess = round(self.lines[0].value / SEED)
        line = self.lines[0].moves
        while low < high:
            task = Task(the_search.SOLVE_DEPTH, (guess - 1) * SEED, guess * SEED, 0)
            value, proved, _inside = self._search(desk, task)
            bound = the_table.LOWER if value > task.alpha else the_table.UPPER
            if words[the_desk.STOPPED] or not proved & bound:
                break
            if value > task.alpha:
                low, line = value // SEED, desk.line()
                guess = low + 1
            else:
                high = value // SEED
                guess = high
        if low == high:
            words[the_desk.NODE_LIMIT] = limit
            self.lines = [Found(low * SEED, the_table.EXACT, line)]
            self.proofs.learn(self.lines[0], 0)
            return True
        lift_share(self.thinker, desk, limit)
        return bool(words[the_desk.STOPPED])

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
        if self.soft is None:
            return False
        if self.count == 1 or self.proofs.told(0, self.lines[0].moves[0]).result in (1, -1):
            return True
        return time.perf_counter() - self.began > self.soft

    def _stand(self, desk: Desk) -> None:
        """In a lost game, puts the move in front that a short-sighted opponent answers worst."""
        lost = self.lines[0]
        if lost.value > -SURE or len(self.lines) > 1 or self.limits.searchmoves:
            return
        for own_moves in range(1, OWN_MOVES + 1):
            move = int(stand(self.state, own_moves, desk.address))
            if desk.words[the_desk.STOPPED]:
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
            hashfull=self.thinker.fullness(),
            final=final,
        )

    def _nodes(self) -> int:
        return sum(int(desk.words[the_desk.NODES]) for desk in self.thinker.desks)

    def _seconds(self) -> float:
        return time.perf_counter() - self.began

    def _tell(self, rank: int, line: Found) -> Line:
        moves = self.thinker.unpack_line(self.state, self.player, line.moves)
        return Line(score(line.value, self.proofs.told(rank, line.moves[0])), moves)


def _kernel(game: Game) -> Kernel:
    try:
        return kernel_of(game.name)
    except ValueError as error:
        raise EngineError(str(error)) from None


def _system_clock() -> int:
    """The address of a C function that tells the time in two words; 0 where there is none."""
    if sys.maxsize < 2**32 or not hasattr(time, "CLOCK_MONOTONIC"):
        return 0
    try:
        function = ctypes.CDLL(None).clock_gettime
    except (AttributeError, OSError):
        return 0
    return ctypes.cast(function, ctypes.c_void_p).value or 0


SYSTEM_CLOCK = _system_clock()


def _aligned_words(count: int) -> Any:
    """Words that begin on a cache line."""
    words = np.zeros(count + 8, np.uint64)
    skip = -words.ctypes.data % 64 // 8
    return words[skip : skip + count]


def _budget(limits: Limits) -> tuple[float | None, float | None]:
    """Seconds after which no new iteration begins, and after which the thought ends."""
    if limits.movetime is not None:
        return None, limits.movetime - min(TO_TELL, limits.movetime / 10)
    if limits.remaining is None:
        return None, None
    usable = max(limits.remaining - 0.05, limits.remaining / 10)
    share = min(usable / 25 + limits.increment * 0.8, usable)
    return share * 0.6, min(share * 2.5, usable / 2)

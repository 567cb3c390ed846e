"""The compiled half of an engine: the transposition table, the data of its threads, and the kernel.

How a thought goes is told in `mbegu.engine.deepening`; whoever wants it to end writes to one word in
memory that all threads watch.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mbegu.core.errors import InvalidPosition
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import _
from mbegu.engine import root_search, transposition
from mbegu.engine import thread_data as layout
from mbegu.engine.abdada import await_task
from mbegu.engine.cycles import name_of, survey
from mbegu.engine.deepening import IterativeDeepening
from mbegu.engine.ending import told_by_table
from mbegu.engine.engine import EngineError, Info, Limits
from mbegu.engine.forced import MEMO_WORDS, forced, forced_by
from mbegu.engine.kernels.driver import Kernel, kernel_of, over
from mbegu.engine.kernels.driver import play as play_packed
from mbegu.engine.last_stand import stand
from mbegu.engine.machine import Tab, machine_of
from mbegu.engine.search_threads import FOREVER, Task, ThreadData
from mbegu.engine.tables.lent import LentTable, lent_table
from mbegu.engine.tables.probe import TABLE_AT, TABLE_FACTS, TABLED, packed_facts
from mbegu.engine.values import INFINITE
from mbegu.engine.verdict import Past

if TYPE_CHECKING:
    from mbegu.engine.tables.file import Table

FULLNESS_SAMPLE = 1000
LATE = (2, 4)  # see LATE and LATER in mbegu.engine.thread_data


class CompiledEngine:
    """The compiled half of an engine."""

    def __init__(
        self, game: Game, hash_mb: int, threads: int, seed: int, tables: bool = True
    ) -> None:
        self.game = game
        self.options = {name: getattr(game, name) for name in game.options()}
        self.kernel = _kernel(game)
        self.scored = self.kernel.scored(self.options)
        self.seed = seed
        self.tables = tables  # whether it may look into them
        self.ending: Table | LentTable | None = None
        self.ending_facts: Any = None
        self.buckets = hash_mb * 2**20 // transposition.BUCKET_BYTES
        self.age = 0
        self.last_root: Any = None  # with its past
        self.late = LATE
        self.machine = machine_of(type(self.pack(game.start())))
        self.threads = self.machine.most_threads(threads)
        self.signal = self.machine.zeros(layout.SHARED_WORDS, "int64")
        self.warm: set[type] = set()
        self._touched = False
        self._busy = threading.Lock()
        self.told_to_stop = False
        try:
            self.memory = self.machine.lines(self.buckets * 8)
            self.memo = self.machine.zeros(MEMO_WORDS, "uint64")
            self.thread_data = [ThreadData(self.machine) for _thread in range(self.threads)]
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
        with self.machine.scratch():
            table = self.machine.address(self.machine.lines(8))
            self._try(state, ThreadData(self.machine), table)
        self.warm.add(type(state))

    def _try(self, state: Any, thread: ThreadData, table: int) -> None:
        """Calls everything once."""
        self._prepare(thread, state, 1, FOREVER)
        self._search(thread, state, Task(1, -INFINITE, INFINITE, 0), table)
        root_search.follow(state, thread.address, table)
        move = int(thread.words[layout.ROOT_MOVES])
        play_packed(state, move)
        root_search.ends_by_itself(state)
        if self.machine.has_threads:
            await_task(self.address(self.signal), -1, 1)
        root_search.facts_of(state)
        told_by_table(state, thread.address)
        root_search.is_irreversible(state, state)
        forced_by(state, move, 1, 1, thread.address, self.address(self.memo))
        forced(state, 0, 0, 0, thread.address, self.address(self.memo))
        if self.kernel.lost_soon:
            stand(state, 1, thread.address)
        over(state)
        name_of(
            state, 0
        )  # of positions that have been: a game is not at its start when it is thought about
        if not root_search.ends_by_itself(state):
            survey(state, [], 1, thread.address)

    def address(self, words: Any) -> int:
        """Where some memory lies."""
        return self.machine.address(words)

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
        self.told_to_stop = True
        self.signal[layout.STOP] = 1

    def forget(self) -> None:
        """Empties the table."""
        self.memory[:] = 0
        self.age = 0
        self.last_root = None

    def grow_older(self, state: Any, past: Past) -> None:
        """Begins another age, unless the same root with the same past is thought about again."""
        if not past.dangers or (state, past) != self.last_root:
            self.age = (self.age + 1) % transposition.AGES
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
        return IterativeDeepening(self, position, state, past, limits, pulse).run()

    def _fetch_table(self) -> None:
        """Takes the endgame table that is there now: one may have been built since the last thought."""
        found = self._table() if self.tables else None
        if found is not self.ending:
            self.ending = found
            facts = packed_facts(found.layers if found is not None else ())
            self.ending_facts = self.machine.zeros(len(facts), "int64")
            self.ending_facts[:] = facts

    def _table(self) -> Table | LentTable | None:
        """The one that is at hand; a tab has no files, and lends one."""
        if isinstance(self.machine, Tab):
            return lent_table(self.machine, self.game)
        from mbegu.engine.tables.ready import at_hand  # noqa: PLC0415 - needs NumPy

        return at_hand(self.game)

    def _prepare(self, thread: ThreadData, state: Any, buckets: int, nodes: int) -> None:
        """Makes a thread ready for a new root without history."""
        words = thread.words
        words[layout.NODES] = 0
        words[layout.NODE_LIMIT] = nodes
        words[layout.SIGNAL] = self.address(self.signal)
        words[layout.STOPPED] = 0
        words[layout.BUCKETS] = buckets
        words[layout.AGE] = self.age
        words[layout.BASE] = 0
        words[layout.THREADS] = self.threads
        words[layout.LATE], words[layout.LATER] = self.late
        words[layout.REPEATS] = (self.game.repetition_limit or 2) - 1
        words[layout.DEADLINE] = 0
        words[layout.DANGER] = 0
        words[layout.LEAST] = 1
        words[TABLED] = -1
        if self.ending is not None:
            words[TABLED], words[TABLE_AT] = len(self.ending.layers) - 1, self.ending.address
            words[TABLE_FACTS] = self.address(self.ending_facts)
        words[layout.NEWS] = 0
        words[layout.TRAIL : layout.HISTORY] = 0
        words[layout.KILLERS : layout.PATH] = -1
        words[layout.HISTORY : layout.LISTS] = 0
        root_search.prepare(state, thread.address)

    def _search(
        self, thread: ThreadData, state: Any, task: Task, table: int
    ) -> tuple[int, int, bool]:
        value, proved, inside = root_search.search_root(
            state, task.depth, task.alpha, task.beta, task.skip, thread.address, table
        )
        return int(value), int(proved), bool(inside)

    def fullness(self) -> int:
        """How full the table is, in per mille, by a sample of it."""
        # A list, because other threads go on writing: NumPy's own count gives up when they do.
        sample = list(self.memory[1 : 8 * FULLNESS_SAMPLE : 8])
        return sum(1 for word in sample if word) * 1000 // max(len(sample), 1)


def _kernel(game: Game) -> Kernel:
    try:
        return kernel_of(game.name)
    except ValueError as error:
        raise EngineError(str(error)) from None

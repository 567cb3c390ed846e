"""What a thought has proved about the moves of its root, and how it proves more than its search does."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mbegu.engine import root_search
from mbegu.engine import thread_data as layout
from mbegu.engine.cycles import MOST_STATES, name_of, survey
from mbegu.engine.ending import told_by_table
from mbegu.engine.forced import FARTHEST, forced, forced_by
from mbegu.engine.kernels.driver import margin
from mbegu.engine.knowledge import KEEP_SEEDS
from mbegu.engine.transposition import EXACT, LOWER, UPPER
from mbegu.engine.values import SURE
from mbegu.engine.verdict import NOTHING, Found, Known, Past, folded, margin_of, unfolded

if TYPE_CHECKING:
    from mbegu.engine.compiled_engine import CompiledEngine
    from mbegu.engine.search_threads import ThreadData

__all__ = ["Proofs", "lift_share"]

FORCED_NODES = 5_000  # that finding out a distance may always cost
SETTLED_NODES = 100_000  # the same when all is proved, for all lines together
FIRST_SURVEY = 1 << 12  # states
GROWTH = 4  # from one survey to the next
# How many states may wait for a look, for each one looked at, when a survey of this size is full: with more
# of them there is no end in sight. Chosen by random endings of Oware: those with nine seeds or fewer came to
# an end, those with eleven or more were given up after a survey of 1 << 16 states at the latest.
WIDE = {1 << 12: 3.0, 1 << 14: 1.5, 1 << 16: 1.0, 1 << 18: 0.5}


class Proofs:
    """What is proved about the moves of a root. A proof stays one for the whole thought."""

    def __init__(self, engine: CompiledEngine, state: Any, past: Past) -> None:
        self.engine, self.state, self.past = engine, state, past
        self.by_move: dict[int, Known] = {}
        self.position = NOTHING  # that no move is worth more; and how soon every move loses
        self.keeping: set[int] = (
            set()
        )  # the moves that the endgame table thinks no worse than others
        self.lines: dict[int, tuple[int, ...]] = {}  # of the survey
        # The nodes when a distance was last looked for, by the move and the least margin.
        self.measured: dict[tuple[int | None, int], int] = {}
        # Which wins the memo holds: the least margin of the root's player, below zero of the other.
        self.remembered = 0
        self.most_states = 0 if past.blind else FIRST_SURVEY  # of the next survey; 0 for no more

    def told(self, rank: int, move: int) -> Known:
        """What may be said about the move of a line. The first line speaks for the position."""
        return self.past.trusted(self._proved(rank, move))

    def _proved(self, rank: int, move: int) -> Known:
        """What would be said if the match could last for ever."""
        known = self.by_move.get(move, NOTHING)
        if rank == 0:
            known = replace(known, high=self.position.high)
            if known.result == -1:
                known = replace(known, win=self.position.win, settled=self.position.settled)
        return known

    def exact(self, lines: list[Found]) -> bool:
        """Whether the value of every line is proved."""
        return all(
            self.told(rank, line.moves[0]).result is not None
            and self.told(rank, line.moves[0]).exact
            for rank, line in enumerate(lines)
        )

    def learn(self, line: Found, skip: int) -> None:
        """Notes what is proved by a line that is the best of all moves but the first `skip` ones."""
        known = self.by_move.get(line.moves[0], NOTHING)
        self.by_move[line.moves[0]] = known.joined(line.value, line.proved)
        if skip == 0:
            self.position = self.position.joined(line.value, line.proved & UPPER)

    def consult(self, thread: ThreadData) -> None:
        """Asks the endgame table about the root: no move is worth more, if nothing can come back.

        That one is worth as much it knows as well, but not which: two moves may rest on each other.
        """
        tabled, _guess, _least, most = told_by_table(self.state, thread.address)
        if tabled and not self.past.blind and not self.past.dangers:
            self.position = replace(self.position, high=most)

    # ---- how soon

    def measure(self, lines: list[Found], thread: ThreadData) -> None:
        """Finds out within how many plies the results that are proved can be forced."""
        if self.past.blind:
            return
        for rank, line in enumerate(lines):
            move = line.moves[0]
            told = self._proved(rank, move)  # near the end of the longest match the plies decide
            if told.result not in (1, -1):
                continue
            target = None if told.result < 0 and rank == 0 else move  # None: every move loses
            if told.win is None:
                win = self._distance(line, told.result == 1)
                if win is None:
                    win = self._forced(thread, target, told.result, FORCED_NODES)
                self._keep(target, replace(self._known(target), win=win))
            if told.exact and told.settled is None and self.engine.scored:
                nodes = max(FORCED_NODES, SETTLED_NODES // len(lines))
                settled = self._forced(thread, target, told.low, nodes)
                self._keep(target, replace(self._known(target), settled=settled))

    def _known(self, move: int | None) -> Known:
        """Of a move, or of all of them."""
        return self.position if move is None else self.by_move[move]

    def _keep(self, move: int | None, known: Known) -> None:
        if move is None:
            self.position = known
        else:
            self.by_move[move] = known

    def _distance(self, line: Found, wins: bool) -> int | None:
        """The distance in a value, if no other margin could be preferred to a nearer end."""
        if abs(line.value) <= SURE or not line.proved & (LOWER if wins else UPPER):
            return None
        if self.engine.ending is not None:  # its wins have no distance
            return None
        _recurrence, low, high, _key = root_search.facts_of(self.state)
        points, plies = unfolded(line.value)
        return plies if points == (high if wins else low) else None

    def _forced(self, thread: ThreadData, move: int | None, margin: int, nodes: int) -> int | None:
        """The plies within which a move forces this margin or more, below zero for the other player; without
        a move, whatever is played. None if that takes more than some nodes, or a share of those before."""
        words, memo = thread.words, self.engine.address(self.engine.memo)
        spent, limit = int(words[layout.NODES]), int(words[layout.NODE_LIMIT])
        if words[layout.STOPPED] or spent < 4 * self.measured.get((move, margin), 0):
            return None
        if root_search.ends_by_itself(self.state):
            return None
        words[layout.NODE_LIMIT] = min(limit, spent + nodes + spent // 4)
        if (
            margin != self.remembered
        ):  # with the players exchanged a board is the same, but not its past
            self.remembered = margin
            self.engine.memo[:] = 0
        words[layout.LEAST], sign = abs(margin), 1 if margin > 0 else -1
        found = None
        for plies in range(1, FARTHEST):
            if move is None:
                there = forced(self.state, plies, 0, 0, thread.address, memo)
            else:
                there = forced_by(self.state, move, plies, int(sign > 0), thread.address, memo)
            if words[layout.STOPPED] or there:
                found = None if words[layout.STOPPED] else sign * plies
                break
        lift_share(self.engine, thread, limit)
        words[layout.LEAST] = 1
        self.measured[move, margin] = int(words[layout.NODES])
        return found

    # ---- circles

    def survey(self, thread: ThreadData) -> bool:
        """Values everything that can be reached, if that is not much; tells whether it has done so.

        It looks at no more states than the search has looked at nodes, and gives up where there are
        ever more of them.
        """
        words = thread.words
        if not 0 < self.most_states <= words[layout.NODES]:
            return False
        if root_search.ends_by_itself(self.state):  # and has no circles
            self.most_states = 0
            return False
        found = survey(self.state, self._ends(), self.most_states, thread.address)
        if not found.moves:
            wide = found.open_share > WIDE.get(self.most_states, 0.0)
            self.most_states = 0 if wide else min(self.most_states * GROWTH, MOST_STATES)
            return False
        self.most_states = 0
        spent = int(words[layout.NODES]) + found.states
        words[layout.NODES] = min(spent, int(words[layout.NODE_LIMIT]))
        allowed = {int(move) for move in thread.root_moves()}
        for move in allowed:
            low, high, win, line = found.moves[move]
            known = self.by_move.get(move, NOTHING)
            low, high = max(low, known.low), min(high, known.high)
            self.by_move[move] = Known(low, high, win if low > 0 or high < 0 else None)
            self.lines[move] = line
        every = [self.by_move[move] for move in allowed]
        high = min(self.position.high, max(known.high for known in every))
        lost = [known.win for known in every if known.result == -1 and known.win is not None]
        win = min(lost) if len(lost) == len(every) else None
        self.position = replace(self.position, high=high, win=win)
        return True

    def _ends(self) -> list[tuple[int, int]]:
        """The dangerous positions, and what the match makes of them when they come back."""
        keeps = root_search.facts_of(self.state)[0] == KEEP_SEEDS
        return [
            (name_of(state, player), margin(state) if keeps else 0)
            for state, player in self.past.dangers
        ]

    def heeded(self, lines: list[Found], wanted: int) -> list[Found]:
        """The lines after a survey: within what it has proved, and the best ones of all moves."""
        if not self.lines:
            return lines[:wanted]
        searched = {line.moves[0]: line for line in lines}
        found = [self._within(move, searched.get(move)) for move in self.lines]
        return sorted(found, key=lambda line: -line.value)[:wanted]

    def _within(self, move: int, searched: Found | None) -> Found:
        """A line with a value that contradicts nothing that is proved."""
        known = self.by_move[move]
        if known.exact:
            return Found(folded(known.low, known.win), EXACT, self.lines[move])
        if searched is None:  # worse, as far as the search has seen
            return Found(folded(known.low, known.win), 0, self.lines[move])
        points = margin_of(searched.value)
        if known.low <= points <= known.high:
            return searched
        nearest = known.low if points < known.low else known.high
        return Found(folded(nearest, known.win), 0, searched.moves)


def lift_share(engine: CompiledEngine, thread: ThreadData, limit: int) -> None:
    """Goes on after a share of the nodes was spent, if there are any left."""
    words = thread.words
    words[layout.NODE_LIMIT] = limit
    if not engine.signal[layout.STOP] and words[layout.NODES] < limit:
        words[layout.STOPPED] = 0

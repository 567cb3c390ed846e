"""A second opinion about endings: the graph of all positions, and the path only where it matters.

The positions that can be reached are listed by the readable rules. Whoever is *attracted* to a set of ends
gets there within so many plies whatever the other one does, and never meets a position twice on the way; so an
attractor proves what can be forced, and that of the other player what cannot. The game before the root is told
exactly: a position in which the match would end by repetition is an end. Between the two proofs the
moves are tried one by one, with a longer past.

It shares nothing with `oracle.py` but the questions, so that each can be held against the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from oracle import TooLarge

from mbegu.core.game import Game, Position
from mbegu.core.outcome import Outcome

NEVER = 1 << 30


class Second:
    """Answers for one game; it plays so many moves for each question, and tries so many positions."""

    def __init__(self, game: Game, patience: int = 3_000, tries: int = 10) -> None:
        self.game, self.patience, self.tries = game, patience, tries
        self.limit = game.repetition_limit or NEVER
        self.numbers: dict[Position, int] = {}
        self.positions: list[Position] = []
        self.ends: list[int | None] = []  # what player 0 is ahead when the game is over
        self.circles: list[int] = []  # and when the match ends here because the position came back
        self.children: list[list[int] | None] = []  # None: nobody has looked yet
        self.turns: list[int] = []

    def forces(
        self,
        position: Position,
        history: Sequence[Position],
        player: int,
        margin: int,
        plies: int | None = None,
    ) -> bool:
        """Whether a player can force this margin or more, after the positions of the history."""
        root = self._number(position)
        reached = self._reach(root)
        seen: dict[int, int] = {}
        for earlier in [*history, position]:
            number = self.numbers.get(earlier, -1)
            seen[number] = seen.get(number, 0) + 1
        if self.ends[root] is not None or seen[root] >= self.limit:
            return self._is_good(root, player, margin)
        question = _Question(self, reached, player, margin, self.tries)
        return question.answer(root, seen, NEVER if plies is None else plies)

    def _is_good(self, number: int, player: int, margin: int) -> bool:
        end = self.ends[number]
        ahead = self.circles[number] if end is None else end
        return (ahead if player == 0 else -ahead) >= margin

    def _number(self, position: Position) -> int:
        number = self.numbers.setdefault(position, len(self.positions))
        if number == len(self.positions):
            outcome = position.outcome()
            self.positions.append(position)
            self.ends.append(None if outcome is None else _ahead(outcome))
            self.circles.append(
                _ahead(self.game.repetition_outcome(position))
                if outcome is None and self.limit < NEVER
                else 0
            )
            self.children.append([] if outcome is not None else None)
            self.turns.append(-1 if position.turn is None else position.turn)
        return number

    def _reach(self, root: int) -> list[int]:
        """Everything that can be reached, breadth first, as far as patience goes."""
        reached, known, new = [root], {root}, 0
        for here in reached:
            children = self.children[here]
            if children is None and new < self.patience:
                position = self.positions[here]
                children = [self._number(position.play(move)) for move in position.legal_moves()]
                self.children[here] = children
                new += len(children)
            for child in children or ():
                if child not in known:
                    known.add(child)
                    reached.append(child)
        return reached


class _Question:
    """Whether a player can force a margin, in a part of the graph."""

    def __init__(
        self, graph: Second, reached: list[int], player: int, margin: int, tries: int
    ) -> None:
        self.graph, self.reached, self.player, self.tries = graph, reached, player, tries
        self.good = {number: graph._is_good(number, player, margin) for number in reached}
        self.parents: dict[int, list[int]] = {number: [] for number in reached}
        for number in reached:
            for child in graph.children[number] or ():
                self.parents[child].append(number)

    def answer(self, here: int, seen: dict[int, int], plies: int) -> bool:
        self.tries -= 1
        children = self.graph.children[here]
        if children is None or self.tries < 0:
            raise TooLarge
        mine = self.graph.turns[here] == self.player
        # Within so many plies, where nothing that comes back is needed.
        if self._soon(children, self._attracted(self.player, True, seen), mine) < plies:
            return True
        if self._soon(children, self._attracted(1 - self.player, False, seen), not mine) < NEVER:
            return False
        if plies <= 0:
            return False
        undecided = False
        for child in children:
            try:
                won = self._after(child, seen, plies)
            except TooLarge:
                undecided = True
                continue
            if won == mine:
                return mine
        if undecided:
            raise TooLarge
        return not mine

    def _after(self, child: int, seen: dict[int, int], plies: int) -> bool:
        if self._is_end(child, seen):
            return self.good[child]
        deeper = {**seen, child: seen.get(child, 0) + 1}
        return self.answer(child, deeper, plies if plies == NEVER else plies - 1)

    def _is_end(self, number: int, seen: dict[int, int]) -> bool:
        over = self.graph.ends[number] is not None
        return over or seen.get(number, 0) + 1 >= self.graph.limit

    @staticmethod
    def _soon(children: list[int], attracted: dict[int, int], chooses: bool) -> int:
        """In how many plies after the next one the end comes; NEVER if it need not."""
        best_or_worst = min if chooses else max
        return best_or_worst(attracted.get(child, NEVER) for child in children)

    def _attracted(self, player: int, good: bool, seen: dict[int, int]) -> dict[int, int]:
        """The positions from which a player gets to a good (or bad) end, and in how many plies."""
        graph = self.graph
        ends = {number for number in self.reached if self._is_end(number, seen)}
        queue = [number for number in self.reached if number in ends and self.good[number] == good]
        plies = dict.fromkeys(queue, 0)
        left: dict[int, int] = {}
        for number in queue:
            for parent in self.parents[number]:
                if parent in plies or parent in ends:
                    continue
                if graph.turns[parent] != player:
                    # Equal children are listed as often as there are moves to them.
                    left[parent] = left.get(parent, len(graph.children[parent] or ())) - 1
                    if left[parent]:
                        continue
                plies[parent] = plies[number] + 1
                queue.append(parent)
        return plies


def _ahead(outcome: Outcome) -> int:
    """What player 0 is ahead; a draw is 0, and who wins without being ahead wins by one."""
    if outcome.winner is None:
        return 0
    sign = 1 - 2 * outcome.winner
    return sign * max(1, sign * (outcome.scores[0] - outcome.scores[1]))

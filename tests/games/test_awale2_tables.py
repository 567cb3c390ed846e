"""Two-colour Awale's endgame tables: against searches that only know the readable rules."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import mbegu
from mbegu.core.game import Game, Position
from mbegu.core.match import Match
from mbegu.engine.engine import Engine, Limits
from mbegu.engine.jit import compiled
from mbegu.engine.kernels.driver import kernel_of
from mbegu.engine.tables.build import build, verify
from mbegu.engine.tables.file import Table
from mbegu.engine.tables.probe import TABLE_AT, TABLE_FACTS, TABLED, consult, packed_facts
from mbegu.engine.tables.solver import solver_of
from mbegu.engine.tables.store import open_table

SEEDS = 8
GAME = "awale2"
NOTHING = 1000  # in a search: more than any margin


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Built once: it takes some seconds."""
    game, folder = mbegu.game(GAME), tmp_path_factory.mktemp("tables")
    build(game, SEEDS, folder=folder)
    return open_table(game, folder)


def ending(game: Game, dice: random.Random, seeds: int = SEEDS, **more: Any) -> Position:
    """So many seeds by lot, nothing captured yet unless told."""
    while True:
        colours = [[0] * 16, [0] * 16]
        for _seed in range(seeds):
            dice.choice(colours)[dice.randrange(16)] += 1
        facts = {"red": colours[0], "blue": colours[1], "score": [0, 0]}
        position = game.from_json({**facts, "to_move": dice.randrange(2), **more})
        if position.turn is not None:
            return position


def ahead(position: Position, player: int) -> int:
    scores = position.scores()
    return scores[player] - scores[1 - player]


def looked_ahead(position: Position, plies: int, seeds: int) -> tuple[int, int]:
    """The least and the greatest margin of the player to move, by the readable rules and so many plies."""
    player = position.turn
    assert player is not None
    low, high = -NOTHING, -NOTHING
    for move in position.legal_moves():
        after = position.play(move)
        if after.turn is None:
            least = most = ahead(after, player)
        elif plies == 1:
            least, most = -NOTHING, NOTHING
        else:
            most, least = (-margin for margin in looked_ahead(after, plies - 1, seeds))
        low, high = max(low, least), max(high, most)
    return low, high


def test_a_table_tells_what_looking_ahead_finds(table: Table) -> None:
    game, dice, settled, open_ = mbegu.game(GAME), random.Random(4), 0, 0
    for _sample in range(120):
        position = ending(game, dice)
        low, high = looked_ahead(position, 4, SEEDS)
        found = table.look_up(position)
        assert found is not None
        assert max(low, -SEEDS) <= found.low, str(position)
        assert found.high <= min(high, SEEDS), str(position)
        if low == high:
            assert (found.value, found.low, found.high) == (low, low, low), str(position)
            settled += 1
        open_ += low < high and found.exact
    assert settled > 20  # the test compares whole answers
    assert open_ > 20  # and the table knows more than the search


def test_every_position_is_worth_what_its_best_move_is_worth(table: Table) -> None:
    game = mbegu.game(GAME)
    assert verify(table.path, game)[1] == 0
    spoilt = table.data.copy()
    facts = table.header.layers[SEEDS].facts
    spoilt[12_345] = (int(spoilt[12_345]) + 1) % len(facts)
    wrong = solver_of(game).check(SEEDS, spoilt, table.header.layers, Alone())
    assert wrong >= 1


class Alone:
    """A crew of one."""

    def share(self, work: Any, begin: int, end: int, *rest: Any) -> None:
        work(begin, end, *rest)

    def each(self, work: Any, count: int, *rest: Any) -> None:
        work(0, count, *rest)

    def tell(self, share: float) -> None:
        pass


def test_a_turned_ring_is_the_same_board(table: Table) -> None:
    game, dice = mbegu.game(GAME), random.Random(5)
    for _sample in range(50):
        position = ending(game, dice)
        facts, turn = position.to_json(), dice.randrange(16)
        turned = {
            name: [facts[name][(i + turn) % 16] for i in range(16)] for name in ("red", "blue")
        }
        mover = (position.turn or 0) ^ turn & 1
        other = game.from_json({**turned, "score": [0, 0], "to_move": mover})
        assert table.solver.place(position) == table.solver.place(other)


def test_boards_are_found_again_by_their_number() -> None:
    solver, dice = solver_of(mbegu.game(GAME)), random.Random(6)
    game = mbegu.game(GAME)
    for seeds in (8, 9, 10):
        for _sample in range(30):
            number = dice.randrange(solver.sizes(seeds)[seeds])
            (board,) = solver.boards(seeds, number, number + 1)
            a, b, op_a, op_b = (board[i : i + 8] for i in range(0, 32, 8))
            red = [count for pair in zip(a, op_a, strict=True) for count in pair]
            blue = [count for pair in zip(b, op_b, strict=True) for count in pair]
            position = game.from_json({"red": red, "blue": blue, "score": [0, 0], "to_move": 0})
            if position.turn is not None:
                before = sum(solver.sizes(seeds)[:seeds])
                assert solver.place(position) == (seeds, before + number)


@compiled
def asked(state, thread):  # type: ignore[no-untyped-def]
    return consult(state, thread)


def ask(table: Table, position: Position) -> tuple[int, int, int]:
    """What compiled code finds: a guess of the final margin, the least and the greatest."""
    thread, facts = np.zeros(64, np.int64), np.array(packed_facts(table.header.layers))
    thread[TABLED], thread[TABLE_AT] = table.header.seeds, table.address
    thread[TABLE_FACTS] = facts.ctypes.data
    state = kernel_of(GAME).pack(position.to_json(), {})
    guess, least, most = asked(state, thread.ctypes.data)
    return int(guess), int(least), int(most)


def test_compiled_code_finds_the_same(table: Table) -> None:
    game, dice, kinds = mbegu.game(GAME), random.Random(7), set()
    for _sample in range(300):
        score = [dice.randrange(24), dice.randrange(24)]
        position = ending(game, dice, score=score)
        found = table.look_up(position)
        assert found is not None
        assert position.turn is not None
        lead = ahead(position, position.turn)
        assert ask(table, position) == tuple(lead + m for m in (found.value, found.low, found.high))
        kinds.add(found.exact)
    assert kinds == {False, True}


def test_who_keeps_the_game_from_ending_makes_a_draw(table: Table) -> None:
    """Where circles matter nothing is exact, and the guess is the draw that a match makes of them."""
    game, dice, seen = mbegu.game(GAME), random.Random(8), 0
    for _sample in range(2000):
        position = ending(game, dice, score=dice.choice([[10, 9], [9, 10], [9, 9]]))
        guess, least, most = ask(table, position)
        if least < most:
            assert guess == min(max(0, least), most), str(position)
            seen += 1
    assert seen > 10


def test_a_majority_ends_the_game_before_the_table_does(table: Table) -> None:
    game, dice, seen = mbegu.game(GAME), random.Random(9), set()
    for _sample in range(400):
        score = dice.choice([[31, 25], [25, 31], [32, 24], [30, 26], [28, 28]])
        position = ending(game, dice, score=score)
        found = table.look_up(position)
        assert found is not None
        assert position.turn is not None
        _guess, least, most = ask(table, position)
        lead = ahead(position, position.turn)
        assert (least > 0) == (lead + found.low > 0), str(position)
        assert (most < 0) == (lead + found.high < 0), str(position)
        low, high = looked_ahead(position, 3, SEEDS)
        assert low <= most, str(position)
        assert least <= high, str(position)
        seen.add((least > 0, most < 0))
    assert seen == {(True, False), (False, True), (False, False)}


def test_an_engine_with_a_table_brings_a_won_game_home(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does not go in circles with a win in hand."""
    monkeypatch.setenv("MBEGU_TABLES", str(table.path.parent))
    game, dice, won = mbegu.game(GAME), random.Random(10), 0
    engine = Engine(game, hash_mb=4)
    while won < 8:
        position = ending(game, dice, score=[28, 28])
        if ask(table, position)[1] <= 0 or looked_ahead(position, 5, SEEDS)[0] > 0:
            continue  # not won, or so soon that anybody finds it
        winner, match = position.turn, Match(game, position)
        while match.outcome is None and len(match.moves) < 200:
            before = [*match.positions[:-1]]
            *_others, last = engine.think(match.position, Limits(nodes=3000), before)
            match.play(last.lines[0].moves[0])
        assert match.outcome is not None, str(position)
        assert match.outcome.winner == winner, str(position)
        won += 1

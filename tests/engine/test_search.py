"""The search against a plain minimax over the readable rules, and the engine's manners."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import mbegu
from mbegu.core.errors import IllegalMove, MbeguError
from mbegu.core.game import Game, Position
from mbegu.engine.engine import Engine, EngineError, Info, Limits, free_memory_mb

GAMES = ("oware", "kalah", "awale2", "urubugu", "morabaraba")


class TooLarge(Exception):
    """The tree is not small."""


def minimax(position: Position, seen: tuple[Position, ...], left: list[int]) -> int:
    """The margin for player 0 with best play; a position that comes back ends the game."""
    left[0] -= 1
    if left[0] < 0:
        raise TooLarge
    outcome = position.outcome()
    if outcome is None and position.game.repetition_limit and position in seen:
        outcome = position.game.repetition_outcome(position)
        if outcome.winner is None:
            return 0
    if outcome is not None:
        return outcome.scores[0] - outcome.scores[1]
    best = max if position.turn == 0 else min
    path = (*seen, position)
    return best(minimax(position.play(move), path, left) for move in position.legal_moves())


def endings(game: Game, seed: int, count: int, size: int) -> Iterator[tuple[Position, int]]:
    """Positions from random games with a tree of at most `size` nodes, and their value."""
    lots = random.Random(seed)
    found = 0
    for _try in range(400):
        line = [game.start()]
        while line[-1].turn is not None and len(line) < 400:
            line.append(line[-1].play(lots.choice(line[-1].legal_moves())))
        if line[-1].turn is not None:
            continue
        for back in (9, 6, 4, 3, 2):
            if back >= len(line):
                continue
            position = line[-back]
            try:
                value = minimax(position, (), [size])
            except (TooLarge, RecursionError):
                continue
            yield position, value
            found += 1
            break
        if found == count:
            return


def last(engine: Engine, position: Position, limits: Limits, **others: object) -> Info:
    """The final word of a thought."""
    infos = list(engine.think(position, limits, **others))  # type: ignore[arg-type]
    assert infos[-1].final
    assert not any(info.final for info in infos[:-1])
    return infos[-1]


@pytest.fixture(scope="module")
def engines() -> dict[str, Engine]:
    return {name: Engine(mbegu.game(name), hash_mb=4) for name in GAMES}


# ---- values ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "oware",
        "kalah",
        "awale2",
        "morabaraba",
        "kalah(empty_capture=True)",
        "kalah(pits=4,seeds=3)",
    ],
)
def test_solved_endings_have_the_value_of_plain_minimax(name: str) -> None:
    game = mbegu.game(name)
    engine = Engine(game, hash_mb=4)
    checked = 0
    for position, value in endings(game, seed=7, count=5, size=250):
        engine.new_game()
        info = last(engine, position, Limits(depth=60, nodes=300_000))
        score = info.lines[0].score
        if score.exact:
            assert score.margin == (value if position.turn == 0 else -value), str(position)
            checked += 1
        assert info.best in position.legal_moves()
    assert checked >= 2


def wins_in(position: Position, plies: int) -> bool:
    """Whether the player to move can win within so many plies, an odd number."""
    for move in position.legal_moves():
        after = position.play(move)
        if after.turn is None:
            return True
        if plies > 1 and all(
            (answer := after.play(reply)).turn is not None and wins_in(answer, plies - 2)
            for reply in after.legal_moves()
        ):
            return True
    return False


def test_wins_of_urubugu_are_those_of_the_readable_rules(engines: dict[str, Engine]) -> None:
    lots = random.Random(11)
    game = engines["urubugu"].game
    distances = []
    for _game in range(4):
        line = [game.start()]
        while line[-1].turn is not None:
            line.append(line[-1].play(lots.choice(line[-1].legal_moves())))
        for position in (line[-2], line[-4]):
            expected = next((plies for plies in (1, 3) if wins_in(position, plies)), None)
            score = last(engines["urubugu"], position, Limits(depth=5)).lines[0].score
            if expected or (score.win or 0) in (1, 2, 3):
                assert score.win == expected
            distances.append(expected)
    assert 1 in distances


@pytest.mark.parametrize("name", GAMES)
def test_lines_can_be_played(name: str, engines: dict[str, Engine]) -> None:
    position = engines[name].game.start()
    info = last(engines[name], position, Limits(depth=6, lines=3))
    assert len(info.lines) == 3
    assert len({line.moves[0] for line in info.lines}) == 3
    margins = [line.score.margin for line in info.lines]
    assert margins == sorted(margins, reverse=True)
    for line in info.lines:
        there = position
        for move in line.moves:
            there = there.play(move)


def test_a_forced_win_has_its_distance(engines: dict[str, Engine]) -> None:
    position = engines["urubugu"].game.start()
    for expected in (7, -6, 5, -4, 3, -2, 1):
        score = (info := last(engines["urubugu"], position, Limits(depth=12))).lines[0].score
        assert (score.win, score.exact) == (expected, True)
        assert abs(score.margin) == 64
        position = position.play(info.best)
    assert position.turn is None


@pytest.mark.parametrize("name", ["oware", "awale2", "urubugu"])
def test_the_distance_of_a_win_does_not_depend_on_its_line(
    name: str, engines: dict[str, Engine]
) -> None:
    """The winner needs so many plies against every defence, however much of the line is told."""
    engine, lots = engines[name], random.Random(8)
    wins = 0
    for _game in range(12):
        line = [engine.game.start()]
        while line[-1].turn is not None:
            line.append(line[-1].play(lots.choice(line[-1].legal_moves())))
        position = line[-4]
        engine.new_game()
        info = last(engine, position, Limits(depth=12, nodes=200_000))
        win = info.lines[0].score.win
        if win is None or win < 2:
            continue
        wins += 1
        position = position.play(info.best)
        for answer in position.legal_moves():
            after = position.play(answer)
            rest = last(engine, after, Limits(depth=12, nodes=200_000)).lines[0].score
            assert rest.win is not None, str(after)
            assert rest.win <= win - 2 or rest.margin > info.lines[0].score.margin, str(after)
    assert wins


def test_a_move_that_is_found_out_does_not_stay_in_front(engines: dict[str, Engine]) -> None:
    """A better one takes its place although it promises less than the other did at first."""
    position = mbegu.game("urubugu").position(
        "5,3,0,2,1,1,0,0,5,10,4,0,11,4,0,5/0,2,0,0,0,1,0,0,6,0,0,0,0,0,4,0 1"
    )
    infos = list(engines["urubugu"].think(position, Limits(depth=20)))
    firsts = [info.lines[0] for info in infos]
    assert any(
        before.moves[0] != after.moves[0] and before.score.margin > after.score.margin
        for before, after in itertools.pairwise(firsts)
    )
    assert firsts[-1].score.exact, "every reply is a forced loss, and that is told"
    assert firsts[-1].score.win == -8
    best = max(
        [
            last(engines["urubugu"], position, Limits(depth=20, searchmoves=(move,)))
            for move in position.legal_moves()
        ],
        key=lambda info: -(info.lines[0].score.win or 0),
    )
    assert best.lines[0].score == firsts[-1].score


def test_lines_are_told_to_the_end_but_not_in_circles(engines: dict[str, Engine]) -> None:
    engine = engines["oware"]
    position = engine.game.position("0-1-1-0-0-0-1-1-0-0-1-1-21-21-N")
    line = last(engine, position, Limits(depth=12)).lines[0]
    seen = {position}
    for move in line.moves:
        position = position.play(move)
        assert position not in seen
        seen.add(position)
    assert len(line.moves) > 6


def test_kalah_is_solved_from_the_start() -> None:
    game = mbegu.game("kalah(seeds=2)")
    for threads in (1, 2):
        engine = Engine(game, hash_mb=16, threads=threads)
        score = last(engine, game.start(), Limits(infinite=True)).lines[0].score
        assert (score.margin, score.exact) == (6, True)


def test_a_single_winning_capture_is_found(engines: dict[str, Engine]) -> None:
    # F reaches a with the second seed there: 24 + 2 is a majority.
    position = engines["oware"].game.position("0-0-0-0-0-1-1-4-4-4-0-0-24-10-S")
    info = last(engines["oware"], position, Limits(depth=8))
    assert info.best == 5
    assert info.lines[0].score.win == 1


# ---- repetition -----------------------------------------------------------------------------------


def test_a_position_of_the_history_is_a_repetition(engines: dict[str, Engine]) -> None:
    game = engines["oware"].game
    lots = random.Random(3)
    position = game.start()
    while position.turn is not None and sum(position.scores()) < 36:
        position = position.play(lots.choice(position.legal_moves()))
    assert position.turn is not None
    quiet = [m for m in position.legal_moves() if position.play(m).scores() == position.scores()]
    assert quiet
    for move in quiet:
        # Had the position after the move occurred before, the game would end with it.
        after = position.play(move)
        outcome = game.repetition_outcome(after)
        margin = outcome.scores[position.turn] - outcome.scores[1 - position.turn]
        engines["oware"].new_game()
        limits = Limits(depth=3, searchmoves=(move,))
        score = last(engines["oware"], position, limits, history=(after,)).lines[0].score
        assert score.margin == margin


# ---- limits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "limits",
    [
        Limits(),
        Limits(infinite=True, depth=3),
        Limits(movetime=1, remaining=10),
        Limits(depth=0),
        Limits(nodes=-1),
        Limits(movetime=float("nan")),
        Limits(depth=3, lines=0),
    ],
)
def test_bad_limits_are_refused(limits: Limits, engines: dict[str, Engine]) -> None:
    with pytest.raises(EngineError):
        engines["oware"].think(engines["oware"].game.start(), limits)


def test_moves_that_are_not_legal_are_refused(engines: dict[str, Engine]) -> None:
    start = engines["oware"].game.start()
    with pytest.raises(IllegalMove):
        engines["oware"].think(start, Limits(depth=3, searchmoves=(7,)))
    assert last(engines["oware"], start, Limits(depth=5, searchmoves=(3,))).best == 3


def test_a_finished_game_is_refused(engines: dict[str, Engine]) -> None:
    position = engines["oware"].game.position("0-0-0-0-0-1-0-0-0-0-0-1-26-20-S")
    with pytest.raises(EngineError, match="over"):
        engines["oware"].think(position, Limits(depth=1))


def test_another_game_is_refused(engines: dict[str, Engine]) -> None:
    with pytest.raises(MbeguError, match="plays oware"):
        engines["oware"].think(mbegu.game("kalah").start(), Limits(depth=1))


def test_a_hash_larger_than_memory_is_refused() -> None:
    with pytest.raises(EngineError, match="would fit" if free_memory_mb() else "more than"):
        Engine(mbegu.game("oware"), hash_mb=10**9).warm_up()
    with pytest.raises(EngineError):
        Engine(mbegu.game("oware"), hash_mb=0)


@pytest.mark.parametrize("name", GAMES)
def test_one_thread_and_a_node_limit_think_the_same_again(name: str) -> None:
    def thought() -> list[tuple[object, ...]]:
        engine = Engine(mbegu.game(name), hash_mb=2, seed=5)
        infos = engine.think(mbegu.game(name).start(), Limits(nodes=30_000))
        return [(info.depth, info.nodes, info.lines) for info in infos]

    assert thought() == thought()


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("nodes", [1, 200, 5_000])
def test_nodes_are_kept(name: str, nodes: int, engines: dict[str, Engine]) -> None:
    lots = random.Random(nodes)
    position = engines[name].game.start()
    for _ply in range(6):
        if position.turn is None:
            return
        engines[name].new_game()
        info = last(engines[name], position, Limits(nodes=nodes))
        assert info.nodes <= nodes
        assert info.nodes == nodes or info.lines[0].score.exact
        position = position.play(lots.choice(position.legal_moves()))


# ---- time and threads -----------------------------------------------------------------------------


@contextmanager
def by_itself(engine: Engine) -> Iterator[None]:
    """A thought in here must end without help. How late it ends, on a quiet machine, is told by
    `python -m benchmarks.search --only stop`."""
    helped: list[bool] = []

    def help_it() -> None:
        helped.append(True)
        engine.stop()

    timer = threading.Timer(60, help_it)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
    assert not helped


def test_it_stops_when_told(engines: dict[str, Engine]) -> None:
    engine = engines["morabaraba"]
    told = threading.Event()

    def stop() -> None:
        told.set()
        engine.stop()

    timer = threading.Timer(0.2, stop)
    with by_itself(engine):
        timer.start()
        info = last(engine, engine.game.start(), Limits(infinite=True))
    assert told.is_set(), "an endless thought ends when it is told to, and not before"
    timer.join()
    assert info.best in engine.game.start().legal_moves()


@pytest.mark.parametrize("limits", [Limits(movetime=0.2), Limits(remaining=10.0)])
def test_it_keeps_to_its_time(limits: Limits, engines: dict[str, Engine]) -> None:
    engine = engines["oware"]
    with by_itself(engine):
        info = last(engine, engine.game.start(), limits)
    assert info.best in engine.game.start().legal_moves()


def test_it_keeps_to_its_time_where_no_clock_can_be_read(
    engines: dict[str, Engine], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then a thread sleeps until the time is up."""
    monkeypatch.setattr("mbegu.engine.machine.SYSTEM_CLOCK", 0)
    engine = engines["oware"]
    with by_itself(engine):
        info = last(engine, engine.game.start(), Limits(movetime=0.2))
    assert info.best in engine.game.start().legal_moves()


def test_a_thought_may_be_abandoned(engines: dict[str, Engine]) -> None:
    engine = engines["kalah"]
    for _info in engine.think(engine.game.start(), Limits(infinite=True)):
        break
    assert last(engine, engine.game.start(), Limits(depth=4)).depth == 4


@pytest.mark.parametrize("name", GAMES)
def test_threads_find_a_legal_move(name: str) -> None:
    game = mbegu.game(name)
    engine = Engine(game, hash_mb=4, threads=3)
    position = game.start()
    for _ply in range(4):
        info = last(engine, position, Limits(movetime=0.05))
        assert info.best in position.legal_moves()
        position = position.play(info.best)


# ---- loading --------------------------------------------------------------------------------------

THINK = """
import sys, mbegu
from mbegu.engine.engine import Engine, Limits
assert "numba" not in sys.modules
game = mbegu.game("kalah")
print(list(Engine(game, hash_mb=1).think(game.start(), Limits(depth=5)))[-1].nodes)
"""


def test_it_thinks_the_same_from_the_disk_cache(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MBEGU_CACHE", str(tmp_path))
    runs = [
        subprocess.run([sys.executable, "-c", THINK], capture_output=True, text=True, check=True)
        for _run in range(2)
    ]
    assert runs[0].stdout == runs[1].stdout

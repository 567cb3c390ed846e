"""What the engine plays when the game is lost."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

import mbegu
from mbegu.arena.bots import Greedy
from mbegu.core.clock import Clock
from mbegu.core.game import Position
from mbegu.core.match import Match
from mbegu.engine.engine import Engine, Info, Limits

URUBUGU = mbegu.game("urubugu")
PLENTY = 100_000  # nodes


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(URUBUGU, hash_mb=4)


def last(
    engine: Engine, position: Position, limits: Limits, history: Sequence[Position] = ()
) -> Info:
    engine.new_game()
    *_before, info = engine.think(position, limits, history)
    return info


def as_second(engine: Engine, seed: int, *, practical: bool) -> bool:
    """Whether the engine wins as the second player, who is lost, against a greedy one."""
    match, greedy = Match(URUBUGU), Greedy(seed)
    while match.outcome is None:
        if match.position.turn == 0:
            match.play(greedy.choose(match.position, Clock()))
        else:
            limits = Limits(nodes=PLENTY, practical=practical)
            match.play(last(engine, match.position, limits, match.positions[:-1]).best)
    return match.outcome.winner == 1


def test_a_lost_game_is_turned_against_a_greedy_player(engine: Engine) -> None:
    assert last(engine, URUBUGU.start(), Limits(nodes=PLENTY)).lines[0].score.win == 7
    assert sum(as_second(engine, seed, practical=True) for seed in range(12)) >= 11
    assert sum(as_second(engine, seed, practical=False) for seed in range(12)) <= 8


def lost(engine: Engine) -> Position:
    """A position in which the two ways to lose differ."""
    start = URUBUGU.start()
    return start.play(last(engine, start, Limits(nodes=PLENTY)).best)


def test_the_score_stays_that_of_the_longest_defence(engine: Engine) -> None:
    position = lost(engine)
    plain = last(engine, position, Limits(nodes=PLENTY))
    practical = last(engine, position, Limits(nodes=PLENTY, practical=True))
    assert plain.lines[0].score.win == -6
    assert practical.lines[0].score == plain.lines[0].score
    assert practical.best in position.legal_moves()
    assert practical.best != plain.best
    assert practical.nodes > plain.nodes


def test_without_nodes_to_spare_it_is_the_longest_defence(engine: Engine) -> None:
    position = lost(engine)
    plain = last(engine, position, Limits(nodes=PLENTY))
    practical = last(engine, position, Limits(nodes=plain.nodes, practical=True))
    assert practical.lines == plain.lines


@pytest.mark.parametrize("lines", [1, 2])
def test_who_asks_for_lines_or_moves_gets_them(engine: Engine, lines: int) -> None:
    position = lost(engine)
    moves = tuple(position.legal_moves()[:2]) if lines == 1 else ()
    limits = Limits(nodes=PLENTY, lines=lines, searchmoves=moves)
    plain = last(engine, position, limits)
    assert last(engine, position, replace(limits, practical=True)).lines == plain.lines

"""Levels: legal, repeatable, ordered."""

import random
import subprocess
import sys
from itertools import pairwise

import pytest

import mbegu
from mbegu.arena.bots import BOTS, Minimax, make_bot
from mbegu.core.clock import Clock, TimeControl
from mbegu.core.errors import MbeguError
from mbegu.core.match import Match
from mbegu.engine.engine import Engine, Limits
from mbegu.engine.kernels.door import told_levels
from mbegu.engine.levels import LEVELS, LevelBot, Strength, strength_of

GAMES = ("awale2", "kalah", "morabaraba", "oware", "urubugu")
HURRY = Clock(TimeControl(per_move=0.05))


def opened(name: str, seed: int, plies: int = 4) -> mbegu.Position:
    """A position after some moves by lot; in Urubugu after set-ups by lot."""
    game, lot = mbegu.game(name), random.Random(seed)
    while True:
        position = game.start()
        if name == "urubugu":
            position = game.start(game.random_setup(lot), game.random_setup(lot))  # type: ignore
        for _ in range(plies):
            if position.turn is not None:
                position = position.play(lot.choice(position.legal_moves()))
        if position.turn is not None:
            return position


@pytest.mark.parametrize("name", GAMES)
def test_every_level_moves_by_the_rules(name: str) -> None:
    for seed in (1, 2):
        position = opened(name, seed)
        for level in LEVELS:
            move = LevelBot(level, seed).choose(position, HURRY)
            assert move in position.legal_moves()


@pytest.mark.parametrize("name", GAMES)
def test_a_seed_repeats_a_move(name: str) -> None:
    position = opened(name, 3)
    history = [position.game.start()]
    for level in LEVELS[:-1]:
        moves = {LevelBot(level, 5).think(position, history, Clock()) for _try in range(2)}
        assert len(moves) == 1
    beginner = {LevelBot(1, seed).think(position, history, Clock()) for seed in range(30)}
    assert len(beginner) > 1, "a beginner does not always play the same"


def points(name: str, strong: int, weak: int, pairs: int) -> float:
    """The share of the points of one level against another, each opening from both sides."""
    game, won = mbegu.game(name), 0.0
    for seed in range(pairs):
        start = opened(name, seed)
        for side in (0, 1):
            bots = {side: LevelBot(strong, seed), 1 - side: LevelBot(weak, seed)}
            match = Match(game, start)
            while match.turn is not None and len(match.moves) < 300:
                match.play(bots[match.turn].choose(match.position, Clock()))
            winner = match.outcome.winner if match.outcome else None
            won += 0.5 if winner is None else float(winner == side)
    return won / (2 * pairs)


@pytest.mark.parametrize("name", GAMES)
def test_level_6_beats_level_1(name: str) -> None:
    pairs, share = (25, 0.65) if name == "urubugu" else (4, 0.75)  # there the first move decides
    assert points(name, 6, 1, pairs) >= share


def test_a_level_knows_what_has_been_played() -> None:
    """It remembers the game it is in, for rules of repetition, and forgets another one."""
    game = mbegu.game("oware")
    bot = LevelBot(7, seed=1)
    match = Match(game)
    for _ in range(4):
        match.play(bot.choose(match.position, Clock()))
        match.play(match.position.legal_moves()[0])
    assert bot._past == match.positions[:-1]
    bot.choose(game.position("0-0-0-0-0-3-1-1-1-0-0-9-20-13-S"), Clock())
    assert len(bot._past) == 2


@pytest.mark.parametrize("level", [1, 5, 10])
@pytest.mark.parametrize("control", ["1+0", "0.3/move", "0.1/move", "30+1"])
def test_clocks_are_kept(level: int, control: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time that the engine is given ends before the clock does, so that the move can arrive."""
    given = []
    think = Engine.think

    def watched(self, position, limits, *more):  # type: ignore[no-untyped-def]
        given.append(limits)
        return think(self, position, Limits(nodes=100), *more)

    monkeypatch.setattr(Engine, "think", watched)
    # What stands in a book needs no time.
    monkeypatch.setattr("mbegu.engine.levels._in_book", lambda *_position: None)
    clock = Clock(TimeControl.parse(control), now=lambda: 0.0)
    clock.start(0)
    LevelBot(level, seed=1).choose(mbegu.game("kalah").start(), clock)
    left = clock.remaining(0)
    assert left is not None
    for limits in given:
        if limits.remaining is not None:
            assert limits.remaining <= left
        else:
            assert limits.movetime < left
    assert given or strength_of(mbegu.game("kalah"), level).depth is not None


def test_a_forced_move_needs_no_thought() -> None:
    position = mbegu.game("oware").position("0-0-0-0-0-1-0-0-0-0-0-5-20-22-S")
    assert LevelBot(10, seed=1).think(position, [], Clock()) == 5


def test_bad_input_is_explained() -> None:
    with pytest.raises(MbeguError, match="no level 11"):
        LevelBot(11)
    with pytest.raises(MbeguError, match="no level 0"):
        strength_of(mbegu.game("oware"), 0)
    over = mbegu.game("oware").position("0-0-0-0-0-0-0-0-0-0-0-0-25-23-S")
    for level in LEVELS:
        with pytest.raises(MbeguError, match="the game is over"):
            LevelBot(level, seed=1).think(over, [], Clock())


def test_the_table_is_whole() -> None:
    for game in GAMES:
        told = told_levels(game)
        strengths = [strength_of(mbegu.game(game), level) for level in LEVELS]
        assert len(strengths) == len(set(strengths)) == len(LEVELS)
        assert strengths[-1] == Strength(), "the last one uses all it has"
        rated = told["ratings"]
        assert len(rated["elo"]) == len(rated["error"]) == len(LEVELS)
        steps = [high - low for low, high in pairwise(rated["elo"])]
        assert all(100 <= step <= 300 for step in steps), f"uneven steps in {game}: {steps}"


def test_bots_by_name() -> None:
    position = opened("oware", 1)
    assert isinstance(make_bot("3", 1), LevelBot)
    assert isinstance(make_bot("level10", 1), LevelBot)
    assert {"random", "greedy", "minimax", "level1", "level10"} <= set(BOTS)
    for name in ("level0", "11", "-1", "level", "²"):
        with pytest.raises(MbeguError, match="no bot is called"):
            make_bot(name)
    for name in ("random", "greedy", "minimax", "1"):
        assert make_bot(name, 7).choose(position, Clock()) in position.legal_moves()


def test_minimax_sees_what_the_other_takes() -> None:
    """B takes two, and lets the other take five; A takes nothing, and keeps all."""
    game = mbegu.game("kalah")
    for seed in range(20):
        position = opened("kalah", seed)
        deep, me = Minimax(1, depth=3), position.turn
        assert me is not None
        move = deep.choose(position, Clock())
        worths = {each: deep.worth(position.play(each), me, 2) for each in position.legal_moves()}
        assert worths[move] == max(worths.values())
    assert game.start().turn == 0


def test_importing_the_levels_is_cheap() -> None:
    code = (
        "import sys, mbegu.engine.levels, mbegu.arena.bots;"
        "print(sorted({'numba', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

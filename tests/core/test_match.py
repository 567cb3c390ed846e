"""A match: history, repetition, length, undo, and the ends that players bring about."""

import random

import pytest

import mbegu
from mbegu.core.clock import Clock, TimeControl
from mbegu.core.errors import IllegalMove, MatchError
from mbegu.core.match import Match
from mbegu.core.outcome import Reason


def play_at_random(match: Match, seed: int, most: int = 5000) -> None:
    lot = random.Random(seed)
    for _ in range(most):
        if match.turn is None:
            return
        match.play(lot.choice(match.position.legal_moves()))


def test_oware_stops_when_a_position_comes_back() -> None:
    # Two seeds each chase round the board; min_seeds=0 keeps the game alive.
    game = mbegu.game("oware", min_seeds=0)
    match = Match(game, game.position("1-0-0-0-0-0-1-0-0-0-0-0-20-20-S"))
    for ply in range(100):
        if match.outcome:
            break
        match.play(match.position.legal_moves()[-1 if ply % 2 else 0])
    outcome = match.outcome
    assert outcome is not None
    assert outcome.reason is Reason.REPETITION
    assert match.positions.count(match.position) == 2
    assert match.position.turn is not None, "the position itself is not over"
    assert match.turn is None
    assert sum(outcome.scores) == 42, "each side keeps the seeds on its side"


def test_urubugu_draws_at_the_third_time() -> None:
    # Both players keep out of each other's way: nobody captures, and the beads go round.
    game = mbegu.game("urubugu")
    start = game.position("0,0,1,1,0,0,0,0,0,0,0,0,0,0,1,0/0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,2 0")
    match = Match(game, start)
    while match.outcome is None:
        moves = match.position.legal_moves()
        quiet = [m for m in moves if match.position.play(m).scores() == match.position.scores()]
        match.play((quiet or moves)[0])
    assert match.outcome.reason is Reason.REPETITION
    assert match.positions.count(match.position) == 3
    assert match.outcome.winner is None


def test_awale2_is_a_draw_after_a_thousand_plies(monkeypatch: pytest.MonkeyPatch) -> None:
    game = mbegu.game("awale2")
    assert game.ply_cap == 1000
    monkeypatch.setattr(type(game), "ply_cap", 10)
    match = Match(game)
    play_at_random(match, 1)
    assert len(match.moves) == 10
    outcome = match.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (None, Reason.PLY_CAP)


def test_undo_goes_all_the_way_back() -> None:
    match = Match(mbegu.game("kalah"))
    play_at_random(match, 3)
    assert match.outcome
    plies = len(match.moves)
    match.undo()
    assert match.outcome is None
    match.undo(plies - 1)
    assert match.position == mbegu.game("kalah").start()
    with pytest.raises(MatchError, match="no move to take back"):
        match.undo()


def test_undo_forgets_repetitions() -> None:
    game = mbegu.game("oware", min_seeds=0)
    match = Match(game, game.position("1-0-0-0-0-0-1-0-0-0-0-0-20-20-S"))
    first = match.position.legal_moves()[0]
    for _ in range(5):
        match.play(first)
        match.undo()
    assert match.outcome is None


def test_resignation_and_forfeit() -> None:
    match = Match(mbegu.game("oware"))
    outcome = match.resign(0)
    assert (outcome.winner, outcome.reason, outcome.result) == (1, Reason.RESIGNATION, "0-1")
    with pytest.raises(MatchError, match="over"):
        match.play(0)
    with pytest.raises(MatchError, match="over"):
        match.resign(1)
    match = Match(mbegu.game("oware"))
    assert match.forfeit(1, Reason.ABANDONED).winner == 0


def test_a_draw_needs_both() -> None:
    match = Match(mbegu.game("oware"))
    assert match.offer_draw(0) is None
    assert match.offer_draw(0) is None, "asking twice is not agreeing"
    match.play(0)
    assert match.draw_offered_by == 0, "the offer stands while the other thinks"
    match.play(6)
    assert match.draw_offered_by is None, "who moves on declines"
    match.offer_draw(1)
    match.decline_draw(0)
    assert match.outcome is None
    match.offer_draw(1)
    outcome = match.offer_draw(0)
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (None, Reason.AGREEMENT)


def test_time_runs_out() -> None:
    now = [0.0]
    match = Match(mbegu.game("oware"), clock=Clock(TimeControl.parse("1"), lambda: now[0]))
    match.clock.start(0)
    now[0] = 0.9
    match.play(0)
    match.clock.start(1)
    now[0] = 2.5
    with pytest.raises(MatchError, match="North has run out of time"):
        match.play(6)
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.reason) == (0, Reason.TIMEOUT)
    assert match.moves == [0]


def test_an_illegal_move_changes_nothing() -> None:
    match = Match(mbegu.game("oware"))
    with pytest.raises(IllegalMove, match="belongs to North"):
        match.play(7)
    assert (match.moves, match.turn, len(match.positions)) == ([], 0, 1)


@pytest.mark.parametrize("name", mbegu.game_names())
def test_a_record_brings_the_match_back(name: str) -> None:
    match = Match(mbegu.game(name), players=("Amina", "Jean"))
    play_at_random(match, 5, most=40)
    again = Match.from_record(match.record())
    assert again.positions == match.positions
    assert again.outcome == match.outcome
    assert again.players == match.players


def test_a_record_keeps_how_it_ended() -> None:
    match = Match(mbegu.game("oware"))
    match.play(2)
    match.resign(1)
    again = Match.from_record(match.record())
    assert again.outcome == match.outcome
    assert again.turn is None


@pytest.mark.parametrize("name", ["oware", "kalah", "awale2", "urubugu", "morabaraba"])
def test_a_move_unfolds_into_its_story_and_its_end(name: str) -> None:
    lot, match = random.Random(name), Match(mbegu.game(name))
    while match.outcome is None and len(match.moves) < 80:
        position, move = match.position, lot.choice(match.position.legal_moves())
        story, after = position.unfold(move)
        assert (story, after) == (list(position.events(move)), position.play(move))
        assert match.play(move, after) is after is match.position
    with pytest.raises(ValueError, match=r"."):
        mbegu.game(name).start().unfold("nowhere")

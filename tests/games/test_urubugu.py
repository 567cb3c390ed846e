"""Urubugu: set-ups, turns, options, and what it refuses."""

import random

import pytest

import mbegu
from mbegu.core.events import Capture, End, LapLimit, Lift, Relay, Sow
from mbegu.core.outcome import Outcome, Reason
from mbegu.games.urubugu import Urubugu
from mbegu.games.urubugu import rules as urubugu

EMPTY = [0] * 16


def game(**options: object) -> Urubugu:
    found = mbegu.game("urubugu", **options)
    assert isinstance(found, Urubugu)
    return found


def half(**cells: int) -> list[int]:
    """Sixteen cells from names like c9=3."""
    return [cells.get(f"c{cell}", 0) for cell in range(1, 17)]


def board(south: list[int], north: list[int], turn: int = 0, **options: object) -> mbegu.Position:
    return game(**options).from_json({"p0": south, "p1": north, "to_move": turn})


def test_the_default_set_up_is_two_in_each_cell() -> None:
    start = game().start()
    assert start.scores() == (32, 32)
    assert start == game().start([2] * 16, ",".join(["2"] * 16))


def test_each_player_lays_his_beads_as_he_likes() -> None:
    pile = [32] + [0] * 15
    assert game().start(pile, None).to_json()["p0"] == pile
    assert game().start(None, pile).to_json()["p1"] == pile
    for seed in range(20):
        beads = game().random_setup(random.Random(seed))
        assert game().setup(beads) == beads


@pytest.mark.parametrize(
    ("beads", "words"),
    [
        ([2] * 15 + [1], "exactly 32 beads, not 31"),
        ([2] * 15 + [3], "exactly 32 beads, not 33"),
        ([2] * 17, "16 cells, not 17"),
        ([2] * 15, "16 cells, not 15"),
        ([-2] + [2] * 15, "“-2” is not a number from 0 to 32"),
        ([2.0] * 16, "“2.0” is not a number"),
        ([True] * 16, "“True” is not a number"),
        (["2"] * 16, "is not a number"),
        ("2," * 15 + "x", "“x” is not a number of beads"),
        ("", "“” is not a number of beads"),
        ("33" + ",0" * 15, "“33” is not a number of beads"),
        (7, "16 cells, not 1"),
    ],
)
def test_refused_set_ups(beads: object, words: str) -> None:
    with pytest.raises(mbegu.InvalidSetUp) as caught:
        game().start(beads)  # type: ignore[arg-type]
    assert words in str(caught.value)


def test_capture_is_sown_from_the_same_origin() -> None:
    position = board(half(c8=1), half(c16=2, c1=3, c5=1))
    # South's 9 faces North's front cell 16 and back cell 1.
    assert list(position.events(8)) == [
        Lift("S8", 1),
        Sow("S9", 1),
        Capture("N16", 2),
        Capture("N1", 3),
        Sow("S9", 2),
        Sow("S10", 1),
        Sow("S11", 1),
        Sow("S12", 1),
        Sow("S13", 1),
        Capture("N5", 1),
        Sow("S9", 3),
        End(Outcome(0, (7, 0), Reason.ALL_BEADS)),
    ]


def test_relay_goes_on_from_an_occupied_cell() -> None:
    position = board(half(c1=1, c2=2), half(c8=1))
    assert list(position.events(1)) == [
        Lift("S1", 1),
        Sow("S2", 3),
        Relay("S2", 3),
        Sow("S3", 1),
        Sow("S4", 1),
        Sow("S5", 1),
    ]


def test_sixteen_beads_end_in_their_origin() -> None:
    position = board(half(c1=16), half(c5=1))
    story = list(position.events(1))
    assert story[16] == Sow("S1", 1)
    assert position.play(1).to_json()["p0"] == [1] * 16


@pytest.mark.parametrize(
    ("options", "captures"),
    [
        ({}, True),
        ({"restart": "turn"}, True),
        ({"capture": "both"}, False),
        ({"landing": "occupied"}, False),
    ],
)
def test_options_about_captures(options: dict[str, object], captures: bool) -> None:
    # One facing cell is empty, and so is the cell in which the only bead lands.
    position = board(half(c8=1), half(c1=2, c5=1), **options)
    told = [event for event in position.events(8) if isinstance(event, Capture)]
    assert told[:1] == ([Capture("N1", 2)] if captures else [])


def test_restart_from_the_turns_first_cell() -> None:
    south, north = half(c6=1, c7=1), half(c1=3, c5=1)
    # The relay ends in 9; the captured beads start again after 7 (the lap's origin) or after 6.
    by_lap = [event for event in board(south, north).events(6) if isinstance(event, Sow)]
    by_turn = [
        event for event in board(south, north, restart="turn").events(6) if isinstance(event, Sow)
    ]
    assert [event.hole for event in by_lap][:4] == ["S7", "S8", "S9", "S8"]
    assert [event.hole for event in by_turn][:4] == ["S7", "S8", "S9", "S7"]


def test_start_min() -> None:
    position = board(half(c1=1, c2=2), half(c8=1), start_min=2)
    assert position.legal_moves() == [2]
    with pytest.raises(mbegu.IllegalMove, match="at least 2 beads"):
        position.play(1)


@pytest.mark.parametrize("turn", [0, 1])
def test_who_cannot_start_has_lost(turn: int) -> None:
    position = board(half(c1=1), half(c1=1), turn, start_min=2)
    assert position.turn is None
    assert position.outcome() == Outcome(1 - turn, (1, 1), Reason.NO_MOVES)


def test_an_endless_turn_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(urubugu, "LAP_LIMIT", 3)
    position = game().start()
    story = list(position.events(1))
    assert story[-1] == LapLimit(3)
    assert sum(position.play(1).scores()) == 64, "no bead is lost"


def test_impaga() -> None:
    """A win in one single turn: the opponent never moves."""
    rng = random.Random(1)
    for _ in range(200):
        start = game().start(game().random_setup(rng))
        for move in start.legal_moves():
            outcome = start.play(move).outcome()
            if outcome is not None:
                assert outcome == Outcome(0, (64, 0), Reason.ALL_BEADS)
                return
    pytest.fail("one random setting in six beats the default one")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is not an Urubugu position"),
        ("2,2/2,2 0", "is not an Urubugu position"),
        (f"{','.join('2' * 16)}/{','.join('2' * 16)}", "the player to move"),
        (f"{','.join('2' * 16)}/{','.join('2' * 16)} 2", "the player to move"),
        (f"{','.join('2' * 16)}/{','.join('5' * 16)} 0", "1 to 64 beads, not 112"),
        (f"{','.join('0' * 16)}/{','.join('0' * 16)} 0", "1 to 64 beads, not 0"),
        (f"{','.join('2' * 16)}/{','.join('2' * 16)} .", "somebody must be to move"),
        (f"-1,{','.join('2' * 15)}/{','.join('2' * 16)} 0", "“-1” is not a number of beads"),
    ],
)
def test_refused_texts(text: str, words: str) -> None:
    with pytest.raises(mbegu.InvalidPosition) as caught:
        game().position(text)
    assert words in str(caught.value)


@pytest.mark.parametrize("text", ["0", "17", "x", "1 2", "-1", "٣", ""])
def test_refused_moves(text: str) -> None:
    start = game().start()
    with pytest.raises(mbegu.InvalidMove, match="cells are 1 to 16"):
        game().parse_move(text, start)


def test_an_empty_cell_is_refused() -> None:
    with pytest.raises(mbegu.IllegalMove, match="this cell is empty"):
        board(half(c1=1), half(c8=1)).play(2)

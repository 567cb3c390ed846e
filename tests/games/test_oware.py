"""Oware: its options, its stories, and what it refuses."""

import pytest

import mbegu
from mbegu.core.events import Capture, End, Forfeit, Lift, Skip, Sow, Sweep
from mbegu.core.i18n import speaking
from mbegu.core.outcome import Outcome, Reason

SLAM = "1-2-3-4-5-6-1-1-1-2-2-1-0-0-S"  # F would capture everything that North has


def test_a_capture_is_told_seed_by_seed() -> None:
    position = mbegu.game("oware").position("0-3-0-6-1-2-0-0-2-1-0-3-0-0-S")
    assert list(position.events(3)) == [
        Lift("D", 6),
        Sow("E", 2),
        Sow("F", 3),
        Sow("a", 1),
        Sow("b", 1),
        Sow("c", 3),
        Sow("d", 2),
        Capture("d", 2, "South"),
        Capture("c", 3, "South"),
    ]


def test_the_house_of_departure_is_passed_over() -> None:
    position = mbegu.game("oware").position("0-0-0-0-0-24-4-4-0-0-0-0-0-0-S")
    story = list(position.events(5))
    assert story.count(Skip("F")) == 2
    after = position.play(5)
    assert after.to_json()["board"] == [2, 2, 2, 2, 2, 0, 7, 7, 2, 2, 2, 2]


def test_an_end_sweeps_and_tells_the_outcome() -> None:
    position = mbegu.game("oware").position("0-1-0-0-3-0-0-1-0-1-0-0-22-18-S")
    outcome = Outcome(0, (26, 20), Reason.FEW_SEEDS)
    assert list(position.events(4))[-4:] == [
        Capture("b", 2, "South"),
        Sweep(0, ("B", "F"), 2),
        Sweep(1, ("a", "d"), 2),
        End(outcome),
    ]
    after = position.play(4)
    assert after.outcome() == outcome
    assert after.scores() == (24, 18), "during play only captured seeds count"
    assert str(after) == "0-1-0-0-0-1-1-0-0-1-0-0-24-18-."


@pytest.mark.parametrize(
    ("option", "board", "score"),
    [
        ("forfeit", [1, 2, 3, 4, 5, 0, 2, 2, 2, 3, 3, 2], [0, 0]),
        ("take", [1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0, 0], [14, 0]),
    ],
)
def test_grand_slam_options(option: str, board: list[int], score: list[int]) -> None:
    position = mbegu.game("oware", grand_slam=option).position(SLAM)
    after = position.play(5).to_json()
    assert (after["board"], after["score"]) == (board, score)
    told = [event for event in position.events(5) if isinstance(event, Forfeit)]
    assert told == ([Forfeit(tuple("fedcba"))] if option == "forfeit" else [])


def test_a_grand_slam_may_be_illegal_unless_there_is_no_other_move() -> None:
    position = mbegu.game("oware", grand_slam="illegal").position(SLAM)
    assert position.legal_moves() == [0, 1, 2, 3, 4]
    with pytest.raises(mbegu.IllegalMove, match="a grand slam is barred"):
        position.play(5)
    only = mbegu.game("oware", grand_slam="illegal", min_seeds=0).position(
        "0-0-0-0-0-1-1-0-0-0-0-0-0-0-S"
    )
    assert only.legal_moves() == [5]
    assert only.play(5).scores() == (2, 0)  # as in Awari: what must be played is played in full


def test_min_seeds() -> None:
    text = "0-0-0-0-0-2-1-0-0-0-0-1-20-20-S"
    assert mbegu.game("oware").position(text).turn is None
    assert mbegu.game("oware", min_seeds=0).position(text).turn == 0
    assert mbegu.game("oware", min_seeds=4).position(text).turn == 0


def test_no_move_ends_it_for_the_owners_of_the_seeds() -> None:
    position = mbegu.game("oware").position("0-0-0-0-0-0-1-3-1-0-1-0-20-20-N")
    assert position.turn is None
    assert position.outcome() == Outcome(1, (20, 26), Reason.NO_MOVE)


def test_boards_set_up_by_hand_need_not_hold_48_seeds() -> None:
    game = mbegu.game("oware")
    assert game.position("9-9-9-9-9-9-9-9-9-9-9-9-0-0-S").turn == 0
    assert game.position("1-0-0-0-0-0-9-0-0-0-0-0-0-0-N").turn == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is not an Oware position"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0", "like 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-X", "S or N"),
        ("4-4-4-4-4-4-4-4-4-4-4-x-0-0-S", "house f: “x” is not a number"),
        ("4-4-4-4-4-4-4-4-4-4-4-04-0-0-S", "“04” is not a number"),
        ("400-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "house A: “400”"),
        ("99-99-99-4-4-4-4-4-4-4-4-4-0-0-S", "are too many"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-.", "somebody must be to move"),
    ],
)
def test_refused_texts(text: str, words: str) -> None:
    with pytest.raises(mbegu.InvalidPosition) as caught:
        mbegu.game("oware").position(text)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "state",
    [
        None,
        [],
        {},
        {"board": [4] * 11, "score": [0, 0], "to_move": 0},
        {"board": [4] * 12, "score": [0], "to_move": 0},
        {"board": [4] * 12, "score": [0, 0], "to_move": 2},
        {"board": [4] * 12, "score": [0, 0], "to_move": True},
        {"board": [4] * 12, "score": [0, 0]},
        {"board": [4.0] * 12, "score": [0, 0], "to_move": 0},
        {"board": [True] * 12, "score": [0, 0], "to_move": 0},
        {"board": [-1] * 12, "score": [0, 0], "to_move": 0},
        {"board": "444444444444", "score": [0, 0], "to_move": 0},
        {"board": [10**30] * 12, "score": [0, 0], "to_move": 0},
    ],
)
def test_refused_states(state: object) -> None:
    with pytest.raises(mbegu.InvalidPosition):
        mbegu.game("oware").from_json(state)


@pytest.mark.parametrize("move", [-1, 12, True, "C", None, 2.0])
def test_refused_moves(move: object) -> None:
    with pytest.raises(mbegu.InvalidMove, match="houses are 0 to 11"):
        mbegu.game("oware").start().play(move)  # type: ignore[arg-type]


def test_after_the_end() -> None:
    position = mbegu.game("oware").position("4-4-4-0-0-0-4-4-3-0-0-0-25-0-N")
    with pytest.raises(mbegu.IllegalMove, match="the game is over"):
        position.play(6)


def test_the_diagram_speaks_the_language_of_the_player() -> None:
    with speaking("sw"):
        lines = mbegu.game("oware").start().diagram().splitlines()
    assert lines[1:3] == [
        "Kaskazini ( 0) [ 4] [ 4] [ 4] [ 4] [ 4] [ 4]",
        "               [ 4] [ 4] [ 4] [ 4] [ 4] [ 4] ( 0) Kusini",
    ]

"""The awale module: the sessions it must reproduce, and what they do not show."""

import doctest
import pickle
import random
from pathlib import Path

import pytest

from mbegu.compat import awale as module
from mbegu.compat.awale import (
    ALGORITHMS,
    Awale,
    AwaleError,
    EndOfGame,
    InvalidSown,
    NoMoreMove,
)


def test_every_session_holds_to_the_space() -> None:
    path = Path(__file__).with_name("awale_rules.txt")
    failed, tried = doctest.testfile(str(path), module_relative=False, optionflags=0)
    assert (failed, tried) == (0, 40)


def test_a_star_brings_the_names_and_no_others() -> None:
    names: dict[str, object] = {}
    exec("from mbegu.compat.awale import *", names)
    assert set(names) - {"__builtins__"} == set(module.__all__)


def test_the_module_agrees_with_its_own_description_of_a_game() -> None:
    awale = Awale()
    for house in (3, 6, 2, 6, 1):
        awale.sow_and_capture(house)
    assert awale.best_sown(1) == 10
    awale.sow_and_capture(10)
    assert repr(awale) == "{'board': [5, 1, 0, 0, 7, 7, 0, 7, 5, 5, 0, 6], 'score': [0, 5]}"


def some_boards(count: int) -> list[Awale]:
    chance = random.Random(1)
    boards = [Awale()]
    while len(boards) < count:
        board = [chance.choice((0, 0, 1, 1, 2, 3, 5, 8, 13)) for _house in range(12)]
        score = [chance.randrange(25), chance.randrange(25)]
        boards.append(Awale(board, score))
    return boards


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_minimax_negamax_and_alphabeta_give_one_answer(depth: int) -> None:
    answers = 0
    for board in some_boards(25):
        for player in (0, 1):
            found = set()
            for algorithm in ("minimax", "negamax", "alphabeta"):
                awale = Awale(board.board, board.score, algorithm, depth)
                try:
                    found.add(awale.best_sown(player))
                except AwaleError as error:
                    found.add(repr(error))
            assert len(found) == 1, (board, player)
            answers += found.pop() in range(12)
    assert answers > 20


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("depth", [1, 2, 4])
def test_every_algorithm_answers_with_a_house_that_can_be_sown(algorithm: str, depth: int) -> None:
    awale = Awale(algorithm=algorithm, depth=depth)
    for turn in range(4):
        awale.sow_and_capture(awale.best_sown(turn % 2))
    # A winning capture is seen by all of them, however they think.
    awale = Awale([1, 1, 3, 3, 1, 1, 0, 5, 0, 3, 3, 0], [4, 23], algorithm, depth)
    with pytest.raises(EndOfGame, match="North player wins!"):
        awale.sow_and_capture(awale.best_sown(1))


def test_what_sets_the_algorithms_apart() -> None:
    board, score = [1, 1, 3, 3, 1, 1, 0, 5, 0, 3, 3, 0], [4, 23]
    assert Awale(board, score, "maxi").best_sown(1) == 10  # the most seeds
    assert Awale(board, score, "bfs").best_sown(1) == 7  # the nearest win


@pytest.mark.parametrize(
    ("house", "message"),
    [
        (12, "12 is not a house: houses are 0 to 11"),
        (-1, "-1 is not a house"),
        ("D", "'D' is not a house"),
        (None, "None is not a house"),
        (True, "True is not a house"),
        (0, "A: this house is empty"),
    ],
)
def test_a_house_that_cannot_be_sown_changes_nothing(house: int, message: str) -> None:
    awale = Awale([0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4])
    before = repr(awale)
    with pytest.raises(InvalidSown, match=message):
        awale.sow_and_capture(house)
    assert repr(awale) == before


def test_the_opponent_must_be_fed() -> None:
    awale = Awale([0, 0, 0, 0, 0, 0, 5, 1, 1, 2, 2, 1])
    with pytest.raises(InvalidSown, match="South has no seeds: you must feed"):
        awale.sow_and_capture(6)


def test_after_the_end_nothing_is_sown() -> None:
    awale = Awale(score=[25, 3])
    for player in (0, 1):
        with pytest.raises(EndOfGame, match="South player wins!"):
            awale.best_sown(player)
    with pytest.raises(EndOfGame, match="South player wins!"):
        awale.sow_and_capture(3)
    awale = Awale([0, 0, 0, 0, 0, 0, 1, 3, 1, 0, 1, 0], [23, 23])
    with pytest.raises(NoMoreMove, match="No move available!"):
        awale.sow_and_capture(7)
    assert awale.board == [0, 0, 0, 0, 0, 0, 1, 3, 1, 0, 1, 0]
    awale = Awale([1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0], [23, 23])
    with pytest.raises(EndOfGame, match="No enough seeds!"):
        awale.best_sown(0)


def test_leaving_the_opponent_without_a_move_is_found_by_the_opponent() -> None:
    awale = Awale([3, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1], [20, 20])
    awale.sow_and_capture(11)
    assert awale.board == [4, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
    with pytest.raises(NoMoreMove):
        awale.best_sown(0)


@pytest.mark.parametrize(
    ("board", "score"),
    [([4] * 11, [0, 0]), ([-1] + [4] * 11, [0, 0]), (["4"] * 12, [0, 0]), ([4] * 12, [0])],
)
def test_a_board_that_is_none(board: list[int], score: list[int]) -> None:
    awale = Awale()
    awale.board, awale.score = board, score
    assert repr(awale)
    for attempt in (
        lambda: str(awale),
        lambda: awale.best_sown(0),
        lambda: awale.sow_and_capture(1),
    ):
        with pytest.raises(AwaleError, match=r"must be a list of|is not a number"):
            attempt()


def test_what_cannot_be_chosen() -> None:
    with pytest.raises(AwaleError, match="no algorithm 'luck'; there are: bfs, minimax"):
        Awale(algorithm="luck")
    for depth in (0, -1, "3", 1.5):
        with pytest.raises(AwaleError, match="depth must be a number from 1"):
            Awale(depth=depth)  # type: ignore[arg-type]
    with pytest.raises(AwaleError, match="2 is not a player"):
        Awale().best_sown(2)


def test_two_boards_share_nothing() -> None:
    first, second = Awale(), Awale()
    first.board[0] = 0
    first.score[0] = 9
    assert repr(second) == repr(Awale())


def test_the_errors_are_a_tree_and_travel_between_processes() -> None:
    for kind in (InvalidSown, NoMoreMove, EndOfGame):
        assert issubclass(kind, AwaleError)
        again = pickle.loads(pickle.dumps(kind("why")))
        assert type(again) is kind
        assert again.args == ("why",)

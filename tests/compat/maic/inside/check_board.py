"""Every row of the board's table."""

import copy

import numpy as np
from core import Color
from morabaraba.morabaraba_board import MorabarabaBoard
from morabaraba.morabaraba_player import Color as WindowColor

NAMES = "a1 a4 a7 b2 b4 b6 c3 c4 c5 d1 d2 d3 d5 d6 d7 e3 e4 e5 f2 f4 f6 g1 g4 g7".split()
ROWS = [
    (0, 0),
    (0, 3),
    (0, 6),
    (1, 1),
    (1, 3),
    (1, 5),
    (2, 2),
    (2, 3),
    (2, 4),
    (3, 0),
    (3, 1),
    (3, 2),
]
ROWS += [
    (3, 4),
    (3, 5),
    (3, 6),
    (4, 2),
    (4, 3),
    (4, 4),
    (5, 1),
    (5, 3),
    (5, 5),
    (6, 0),
    (6, 3),
    (6, 6),
]


def board(white="", green=""):
    new = MorabarabaBoard((7, 7))
    for names, color in ((white, Color.white), (green, Color.green)):
        for name in names.split():
            new.fill_cell(new.coordinates(name), color)
    return new


def check_points():
    new = board()
    assert new.d7 == (6, 3)
    assert new.a1 == (0, 0)
    assert [getattr(new, name) for name in NAMES] == new.actives_cells
    assert [new.names(cell) for cell in new.actives_cells] == NAMES
    assert type(new.actives_cells) is list
    assert (new.board_shape, new.max_per_cell) == ((7, 7), 1)
    assert new.names((1, 1)) == "b2"
    assert new.names((0, 1)) is None
    assert new.names([1, 1]) is None  # a list is no cell, and no crash either
    assert new.coordinates("b2") == (1, 1)
    assert new.coordinates("a2") is None


def check_live_array():
    new = board("a1", "g7")
    array = new._board_state
    assert array is new.get_board_state()
    assert (type(array), array.dtype, array.shape, array.size) == (np.ndarray, object, (7, 7), 49)
    assert all(isinstance(color, Color) for color in array.flat)
    array[0, 3] = Color.green
    assert new.get_cell_color((0, 3)) is Color.green


def check_masks_and_assignment():
    # The way several contestants turn the colours round.
    new = board("a1 d1", "g7")
    array = new._board_state.__copy__()
    array[array == Color(-1)] = 2
    array[array == Color(1)] = Color(-1)
    array[array == 2] = Color(1)
    other = MorabarabaBoard((7, 7))
    other._board_state = array
    assert other.get_player_pieces_on_board(Color(1)) == [(0, 0), (0, 3)]
    assert other.get_player_pieces_on_board(Color(-1)) == [(6, 6)]
    assert new.get_player_pieces_on_board(Color(-1)) == [(0, 0), (0, 3)]


def check_tab():
    tab = board().tab
    assert tab.shape == (7, 7)
    assert {
        (row, column) for row in range(7) for column in range(7) if tab[row, column] == "0"
    } == set(ROWS)
    assert set(tab.flat) == {"0", "-"}


def check_empty_cells():
    assert board().get_all_empty_cells() == ROWS
    assert board("a1", "d1").get_all_empty_cells() == ROWS[2:]


def check_pieces():
    new = board("g7 a1 d5 b2")
    assert new.get_player_pieces_on_board(Color.white) == [(0, 0), (1, 1), (4, 3), (6, 6)]
    assert new.get_player_pieces_on_board(Color.green) == []
    assert all(type(n) is int for cell in new.get_player_pieces_on_board(Color.white) for n in cell)
    for wrong in (-1, 1, WindowColor(1), None):
        try:
            new.get_player_pieces_on_board(wrong)
        except AssertionError as fault:
            assert str(fault) == "Color need to be a valid Color object"  # noqa: PT017
        else:
            raise AssertionError(wrong)


def check_cell_questions():
    new = board("a1")
    assert new.get_cell_color((0, 0)) is Color.white
    assert new.get_cell_color((0, 1)) is Color.empty
    assert new.get_cell_color((7, 0)) is None
    assert new.get_cell_color((-1, 0)) is None
    assert new.is_empty_cell((0, 1)) is True
    assert new.is_empty_cell((3, 3)) is True
    assert new.is_empty_cell((0, 0)) is False
    assert new.is_empty_cell((0, 7)) is False
    assert new.is_cell_on_board((0, 1)) is True
    assert new.is_cell_on_board((6, 6)) is True
    assert new.is_cell_on_board((7, 6)) is False
    assert new.is_cell_on_board((0, -1)) is False


def check_fill_and_empty():
    new = board("a1")
    assert new.fill_cell((0, 0), Color.green) is None
    assert new.get_cell_color((0, 0)) is Color.white
    for cell in ((0, 1), (3, 3), (9, 9), (-1, -1)):
        assert new.fill_cell(cell, Color.green) is None
    assert new.get_player_pieces_on_board(Color.green) == []
    new.fill_cell((0, 3), Color.green)
    assert new.get_cell_color((0, 3)) is Color.green
    assert new.empty_cell((0, 0)) is None
    assert new.empty_cell((9, 9)) is None
    assert new.is_empty_cell((0, 0))


def check_mills():
    new = board()
    text = " ".join("-".join(new.names(cell) for cell in mill) for mill in new.mills())
    assert text == (
        "a1-a4-a7 b2-b4-b6 c3-c4-c5 d1-d2-d3 d5-d6-d7 e3-e4-e5 f2-f4-f6 g1-g4-g7 "
        "a1-d1-g1 b2-d2-f2 c3-d3-e3 a4-b4-c4 e4-f4-g4 c5-d5-e5 b6-d6-f6 a7-d7-g7 "
        "a1-b2-c3 c5-b6-a7 g1-f2-e3 e5-f6-g7"
    )
    assert type(new.mills()[0]) is list
    assert new.mills()[0] == [(0, 0), (3, 0), (6, 0)]
    new.mills()[0].clear()
    new.mills().clear()
    assert len(new.mills()) == 20
    assert len(new.mills()[0]) == 3


def check_player_mills():
    new = board("g1 d1 a1 a4 a7", "b2 b4 b6 c4")
    assert new.player_mills(-1) == [[(0, 0), (3, 0), (6, 0)], [(0, 0), (0, 3), (0, 6)]]
    assert new.player_mills(1) == [[(1, 1), (3, 1), (5, 1)]]
    assert new.player_mills(1, [(2, 2), (1, 1), (0, 0)]) == [[(0, 0), (1, 1), (2, 2)]]
    assert new.player_mills(1, []) == []
    assert new.player_mills(1, [[2, 2], [1, 1], [0, 0]]) == []
    assert new.player_mills(1, {(2, 2), (1, 1), (0, 0)}) == [[(0, 0), (1, 1), (2, 2)]]


def check_json():
    rows = board("a1", "g7").get_json_board()
    assert rows[0] == ["white"] + ["empty"] * 6
    assert rows[6] == ["empty"] * 6 + ["green"]
    assert [len(row) for row in rows] == [7] * 7


def check_left_overs_of_another_game():
    new = board()
    assert new.is_center((3, 3)) is True
    assert new.is_center((0, 0)) is False
    assert new.get_opponent_neighbours((0, 0)) is None
    cells = new.get_all_empty_cells_without_center()
    assert len(cells) == 48
    assert cells[:3] == [(0, 0), (0, 1), (0, 2)]
    assert (3, 3) not in cells


def check_deepcopy():
    new = board("a1", "g7")
    copied = copy.deepcopy(new)
    copied.fill_cell((0, 3), Color.green)
    copied.empty_cell((0, 0))
    copied.actives_cells.clear()
    assert new.get_player_pieces_on_board(Color.white) == [(0, 0)]
    assert new.get_player_pieces_on_board(Color.green) == [(6, 6)]
    assert len(new.actives_cells) == 24

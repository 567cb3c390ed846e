"""Each function of the contest's document, with the example that is printed there."""

from core import Color
from morabaraba.morabaraba_action import MorabarabaAction, MorabarabaActionType
from morabaraba.morabaraba_board import MorabarabaBoard
from morabaraba.morabaraba_rules import MorabarabaRules
from morabaraba.morabaraba_state import MorabarabaState

rules = MorabarabaRules()  # the document writes `rules.`; the class itself will do as well


def board_with(first="", second=""):
    board = MorabarabaBoard((7, 7))
    for names, color in ((first, Color(1)), (second, Color(-1))):
        for name in names.split():
            board.fill_cell(board.coordinates(name), color)
    return board


def check_get_effective_cell_moves():
    state = MorabarabaState(board_with(first="a1"))
    assert rules.get_effective_cell_moves(state, (0, 0)) == [(3, 0), (1, 1), (0, 3)]


def check_get_player_actions():
    state = MorabarabaState(board_with())
    actions = rules.get_player_actions(state, -1)
    assert len(actions) == 24
    first = actions[0].get_action_as_dict()
    assert first["action_type"] is MorabarabaActionType.ADD
    assert set(first["action"]) == {"to"}


def check_is_making_mill():
    board = board_with(first="a1 a4 a7")
    assert rules.is_making_mill(board, 1, (0, 0)) == [True, [[(0, 0), (3, 0), (6, 0)]]]
    assert rules.is_making_mill(board_with(first="a1 a4"), 1, (0, 0))[0] is False


def check_stealables_are_the_cows_of_the_player_named():
    """`stealables(p, board)` lists cows of p, the victim; for what p may shoot, ask for -p."""
    board = board_with(second="a1 b2 g7")
    assert sorted(rules.stealables(-1, board)) == [(0, 0), (1, 1), (6, 6)]
    board = board_with(first="d1 d2", second="a1 a4 a7 g7")
    assert rules.stealables(-1, board) == [(6, 6)], "cows in a mill are safe"
    state = MorabarabaState(board, next_player=1)
    assert rules.stealables(1, state.get_board()) == [(0, 3), (1, 3)]


def check_state():
    board = board_with()
    state = MorabarabaState(board)
    assert state.get_board() is board
    assert state.get_latest_move() is None


def check_board():
    board = board_with(first="a1 b2 c5 d7", second="e3")
    assert board.get_player_pieces_on_board(Color(1)) == [(0, 0), (1, 1), (4, 2), (6, 3)]
    empty = [
        *((0, 3), (0, 6), (1, 3), (1, 5), (2, 2), (2, 3), (3, 0), (3, 1), (3, 2), (3, 4)),
        *((3, 5), (3, 6), (4, 3), (4, 4), (5, 1), (5, 3), (5, 5), (6, 0), (6, 6)),
    ]
    assert board.get_all_empty_cells() == empty
    assert len(board.mills()) == 20
    board = board_with(first="a1 a4 a7 c3 c4 c5")
    assert board.player_mills(1) == [[(0, 0), (3, 0), (6, 0)], [(2, 2), (3, 2), (4, 2)]]
    assert board.names((1, 1)) == "b2"
    assert board.coordinates("a1") == (0, 0)


def check_actions():
    for kind, points in (
        (MorabarabaActionType.ADD, {"to": (0, 1)}),
        (MorabarabaActionType.MOVE, {"at": (0, 1), "to": (0, 2)}),
        (MorabarabaActionType.FLY, {"at": (0, 1), "to": (0, 2)}),
        (MorabarabaActionType.STEAL, {"at": (0, 1)}),
    ):
        told = MorabarabaAction(action_type=kind, **points).get_action_as_dict()
        assert told == {"action_type": kind, "action": points}

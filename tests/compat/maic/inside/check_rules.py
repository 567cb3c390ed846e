"""Every row of the state's and the rules' tables, and the way a game ends."""

import copy
import json
import random

from core import Color
from morabaraba.morabaraba_action import MorabarabaAction, MorabarabaActionType
from morabaraba.morabaraba_board import MorabarabaBoard
from morabaraba.morabaraba_rules import MorabarabaRules as Rules
from morabaraba.morabaraba_state import MorabarabaState

NEIGHBOURS = """
a1: a4 b2 d1; a4: a1 a7 b4; a7: a4 b6 d7; b2: a1 b4 c3 d2; b4: a4 b2 b6 c4; b6: a7 b4 d6 c5;
c3: b2 c4 d3; c4: b4 c3 c5; c5: b6 c4 d5; d1: a1 d2 g1; d2: b2 d1 d3 f2; d3: c3 d2 e3;
d5: c5 d6 e5; d6: b6 d5 d7 f6; d7: a7 d6 g7; e3: d3 f2 e4; e4: e3 f4 e5; e5: d5 e4 f6;
f2: d2 e3 f4 g1; f4: e4 f2 f6 g4; f6: d6 e5 f4 g7; g1: d1 f2 g4; g4: f4 g1 g7; g7: d7 f6 g4
"""
BOARD = MorabarabaBoard((7, 7))


def cell(name):
    return BOARD.coordinates(name)


def names(cells):
    return " ".join(BOARD.names(c) for c in cells)


def new(white="", green="", hand=(0, 0), turn=-1, limit=200):
    state = MorabarabaState(MorabarabaBoard((7, 7)), turn, limit)
    for points, color in ((white, Color.white), (green, Color.green)):
        for name in points.split():
            state.board.fill_cell(cell(name), color)
    state.in_hand = {-1: hand[0], 1: hand[1]}
    state.set_latest_player(-turn)
    return state


def action(text):
    kind, *points = text.split()
    keywords = {"ADD": ["to"], "STEAL": ["at"]}.get(kind, ["at", "to"])
    cells = dict(zip(keywords, map(cell, points), strict=True))
    return MorabarabaAction(MorabarabaActionType[kind], **cells)


def act(state, *texts):
    for text in texts:
        answer = Rules.act(state, action(text), state.get_next_player())
        assert answer is not False, text
    return answer[1:]


def listed(state, player):
    return [
        " ".join([a.get_action(), names(a.action.values())])
        for a in Rules.get_player_actions(state, player)
    ]


def check_new_state():
    board = MorabarabaBoard((7, 7))
    state = MorabarabaState(board)
    assert state.board is board is state.get_board()
    assert state.get_latest_player() is None
    assert state._latest_player is None
    assert state.get_latest_move() is None
    assert state._latest_move is None
    assert state.get_next_player() == state._next_player == -1
    assert state.score == {-1: 0, 1: 0}
    assert state.in_hand == {-1: 12, 1: 12}
    assert state.mill is False
    assert state.captured is None
    assert (state.boring_moves, state.just_stop) == (0, 50)
    assert MorabarabaState(board, next_player=1, boring_limit=200).just_stop == 200
    assert (state.fly_case, state.fly_moves) == (False, 0)
    assert state.player1_forbidden_mill == state.player2_forbidden_mill == [False, None]
    assert state.get_player_info(-1) == {"in_hand": 12, "on_board": 0, "score": 0}
    assert list(state.get_player_info(1)) == ["in_hand", "on_board", "score"]


def check_attributes_of_earlier_releases():
    state = MorabarabaState(MorabarabaBoard((7, 7)))
    for name in ("latest_player1_move", "latest_player2_move"):
        assert getattr(state, name) == [False, []]
        assert getattr(state, f"before_{name}") == [False, []]
    assert state.player1_forbidden_cell == [False, None]
    assert state.player2_forbidden_cell == [False, None]
    other = MorabarabaState(MorabarabaBoard((7, 7)))
    state.latest_player1_move[1].append(1)
    assert other.latest_player1_move == [False, []]


def check_setters():
    state = new()
    board = MorabarabaBoard((7, 7))
    state.set_board(board)
    state.set_latest_player(1)
    state.set_latest_move({"action_type": "ADD", "action": {"to": (0, 0)}})
    state.set_next_player(1)
    assert (state.board, state._latest_player, state._next_player) == (board, 1, 1)
    assert state._latest_move["action_type"] == "ADD"


def check_json_state():
    state = new(hand=(12, 12))
    act(state, "ADD a1")
    told = json.loads(state.get_json_state())
    assert (
        list(told)
        == (
            "latest_player latest_move next_player score in_hand rewarding_move boring_moves just_stop board"
        ).split()
    )
    assert told["latest_player"] == -1
    assert told["latest_move"] == {"action_type": "ADD", "action": {"to": [0, 0]}}
    assert told["next_player"] == 1
    assert told["score"] == {"-1": 0, "1": 0}
    assert told["in_hand"] == {"-1": 11, "1": 12}
    assert told["rewarding_move"] is False
    assert (told["boring_moves"], told["just_stop"]) == (1, 200)
    assert told["board"][0][0] == "white"


def check_instances():
    rules = Rules("anything")
    assert (rules.players, rules.current_player) == ("anything", -1)
    assert Rules(-1).moment_player(new(turn=1)) == 1


def check_neighbour_order():
    table = dict(line.strip().split(": ") for line in NEIGHBOURS.split(";"))
    assert len(table) == 24
    state = new()
    for name, wanted in table.items():
        assert names(Rules.get_rules_possibles_moves(cell(name), state.board)) == wanted
        assert names(Rules.get_effective_cell_moves(state, cell(name))) == wanted
    assert Rules.get_effective_cell_moves(state, (0, 0)) == [(3, 0), (1, 1), (0, 3)]


def check_neighbours_are_the_callers_own():
    Rules.get_rules_possibles_moves((0, 0), None).clear()
    assert len(Rules.get_rules_possibles_moves((0, 0), None)) == 3
    assert Rules.get_rules_possibles_moves((0, 1), None) is None
    assert Rules.get_rules_possibles_moves((9, 9), None) is None
    assert Rules.get_rules_possibles_moves([0, 0], None) is None


def check_effective_moves():
    state = new("a1 a4", "b2", hand=(5, 5))
    state.player1_forbidden_mill = [True, [[(0, 0), (0, 3), (0, 6)]]]
    assert names(Rules.get_effective_cell_moves(state, cell("a1"))) == "d1"
    assert Rules.get_effective_cell_moves(state, (7, 7)) is None
    try:
        Rules.get_effective_cell_moves(state, (0, 1))
    except TypeError:
        pass
    else:
        raise AssertionError


def check_listing_adds():
    state = new("a1", "d1", hand=(11, 11))
    order = "g1 b2 d2 f2 c3 d3 e3 a4 b4 c4 e4 f4 g4 c5 d5 e5 b6 d6 f6 a7 d7 g7".split()
    assert listed(state, -1) == [f"ADD {name}" for name in order] == listed(state, 1)


def check_listing_moves():
    state = new("g7 a1 b6 d2", "a4")
    assert listed(state, -1) == (
        "MOVE a1 b2,MOVE a1 d1,MOVE d2 b2,MOVE d2 d1,MOVE d2 d3,MOVE d2 f2,MOVE b6 a7,MOVE b6 b4,"
        "MOVE b6 d6,MOVE b6 c5,MOVE g7 d7,MOVE g7 f6,MOVE g7 g4"
    ).split(",")
    assert state.fly_case is False
    assert list(Rules.get_player_actions(state, -1)[0].action) == ["at", "to"]


def check_listing_flies_starts_the_fly_counter():
    state = new("g7 a1 d2", "a4 a7 b4 b6")
    flies = listed(state, -1)
    free = [names([c]) for c in state.board.get_all_empty_cells()]
    assert flies == [f"FLY {at} {to}" for at in ("a1", "d2", "g7") for to in free]
    assert state.fly_case is True
    assert state.fly_moves == 0


def check_listing_for_either_player():
    state = new("a1 a4 a7 b2", "g1 g4 g7", turn=-1)
    assert listed(state, 1)[0].startswith("FLY g1 ")
    assert state.fly_case is True


def check_listing_steals():
    # Whoever is asked about: the cows of the other one.
    state = new("a1 a4 a7", "g1 b2")
    state.mill = True
    assert listed(state, -1) == ["STEAL g1", "STEAL b2"]
    assert listed(state, 1) == ["STEAL a1", "STEAL a4", "STEAL a7"]
    assert state.fly_case is False


def check_stealables():
    assert names(Rules.stealables(1, new("", "g7 a1 b2 c4").board)) == "a1 b2 c4 g7"
    assert names(Rules.stealables(1, new("", "g7 a1 b2 c3").board)) == "g7"
    # All in mills: in the order of the mills, once each.
    assert names(Rules.stealables(1, new("", "a1 a4 a7 d1 g1").board)) == "a1 a4 a7 d1 g1"
    crossing = new("", "b2 b4 b6 d2 f2 a4 c4")
    assert names(Rules.stealables(1, crossing.board)) == "b2 b4 b6 d2 f2 a4 c4"
    assert Rules.stealables(-1, crossing.board) == []


def check_is_making_mill():
    state = new("a1 a4 a7 d1 g1", "b2")
    board = state.board
    assert Rules.is_making_mill(board, -1, (0, 0)) == [
        True,
        [[(0, 0), (3, 0), (6, 0)], [(0, 0), (0, 3), (0, 6)]],
    ]
    assert Rules.is_making_mill(board, -1, cell("d7")) == [False, []]
    assert Rules.is_making_mill(board, 1, cell("b2")) == [False, []]
    assert Rules.is_making_mill(board, 1, (0, 0)) == [False, []]


def check_is_legal_move_is_as_strict_as_the_list():
    state = new("a1 a4", "b2", hand=(5, 5))
    assert Rules.is_legal_move(state, action("ADD a7"), -1)
    for text in ("ADD a1", "ADD b2", "MOVE a4 a7", "FLY a4 a7", "STEAL b2"):
        assert not Rules.is_legal_move(state, action(text), -1), text
    for wrong in ((0, 1), (3, 3), (9, 9), (-1, 0)):
        add = MorabarabaAction(MorabarabaActionType.ADD, to=wrong)
        assert not Rules.is_legal_move(state, add, -1)
    state = new("a1 a4 b4", "b2 g1 g4 g7")
    assert Rules.is_legal_move(state, action("FLY a1 d7"), -1)
    assert not Rules.is_legal_move(state, action("MOVE a4 a7"), -1)
    assert not Rules.is_legal_move(state, action("FLY b2 d7"), -1)
    assert not Rules.is_legal_move(state, action("ADD d7"), -1)
    assert Rules.is_legal_move(state, action("MOVE b2 d2"), 1)
    assert not Rules.is_legal_move(state, action("FLY b2 d7"), 1)
    assert not Rules.is_legal_move(state, action("MOVE b2 d7"), 1)
    assert state.fly_case is False  # asking changes nothing
    state.mill = True
    assert Rules.is_legal_move(state, action("STEAL b2"), -1)
    assert not Rules.is_legal_move(state, action("STEAL g1"), -1)  # in a mill
    assert Rules.is_legal_move(state, action("STEAL a1"), 1)  # as the list: whoever asks
    assert not Rules.is_legal_move(state, action("STEAL b2"), 1)
    assert not Rules.is_legal_move(state, action("FLY a1 d7"), -1)


def check_is_legal_move_agrees_with_the_list_in_play():
    rng = random.Random(7)
    for _ in range(6):
        state, done = new(hand=(12, 12)), False
        while not done:
            player = state.get_next_player()
            actions = Rules.get_player_actions(state, player)
            assert all(Rules.is_legal_move(state, a, player) for a in actions)
            _, done, _ = Rules.act(state, rng.choice(actions), player)


def check_act_changes_the_state_itself():
    state = new(hand=(12, 12))
    board = state.board
    same, done, mill = Rules.act(state, action("ADD a1"), -1)
    assert same is state
    assert state.board is board
    assert (done, mill) == (False, False)
    before = copy.deepcopy(vars(state))
    assert Rules.act(state, action("ADD a1"), 1) is False
    assert {k: v for k, v in vars(state).items() if k != "board"} == {
        k: v for k, v in before.items() if k != "board"
    }


def check_act_out_of_turn():
    # AIs look ahead with one player several times in a row.
    state = new("", "g7", hand=(12, 11))
    for name in ("a1", "a4"):
        assert Rules.act(state, action(f"ADD {name}"), -1) == (state, False, False)
    assert Rules.act(state, action("ADD a7"), -1) == (state, False, True)
    assert (state.get_next_player(), state.get_latest_player()) == (-1, -1)
    # Some let the other one shoot after a mill: the list offers it, so it is done.
    (shot, *_rest) = Rules.get_player_actions(state, 1)
    assert (shot.get_action(), names(shot.action.values())) == ("STEAL", "a1")
    assert Rules.act(state, shot, 1) == (state, False, False)
    assert (state.score, state.get_next_player()) == ({-1: 0, 1: 1}, -1)


def check_an_add():
    state = new(hand=(12, 12))
    act(state, "ADD a1", "ADD g7")
    assert state.in_hand == {-1: 11, 1: 11}
    assert state.boring_moves == 2
    assert (state.get_latest_player(), state.get_next_player()) == (1, -1)
    assert state.get_latest_move() == {"action_type": "ADD", "action": {"to": (6, 6)}}


def check_captured_and_boring_moves():
    state = new("a1 a4", "g7 g1", hand=(10, 10))
    assert act(state, "ADD a7") == (False, True)
    assert (state.boring_moves, state.captured, state.mill) == (1, None, True)
    assert act(state, "STEAL g1") == (False, False)
    assert (state.boring_moves, state.captured, state.mill) == (0, (0, 6), False)
    assert state.score == {-1: 1, 1: 0}
    assert (state.get_latest_player(), state.get_next_player()) == (-1, 1)
    act(state, "ADD g1")
    assert (state.boring_moves, state.captured) == (1, None)


def check_a_broken_mill_is_banned_for_one_own_move():
    state = new("a1 a4 a7 g1", "f2 f4 f6 g7")
    act(state, "MOVE a4 b4")
    mill = [(0, 0), (3, 0), (6, 0)]
    assert state.player1_forbidden_mill == [True, [mill]]
    assert state.player2_forbidden_mill == [False, None]
    act(state, "MOVE g7 d7")
    assert "MOVE b4 a4" not in listed(state, -1)
    assert not Rules.is_legal_move(state, action("MOVE b4 a4"), -1)
    assert "MOVE a1 a4" in listed(state, -1)  # completes nothing
    act(state, "MOVE g1 d1", "MOVE d7 g7")
    assert state.player1_forbidden_mill == [False, None]
    assert act(state, "MOVE b4 a4") == (False, True)


def check_a_ban_holds_for_every_cow():
    state = new("a1 a4 a7 b2 f4", "g1 g7 d7 f6")
    act(state, "MOVE a4 b4", "MOVE g7 g4", "MOVE b4 c4")
    assert state.player1_forbidden_mill == [False, None]
    state = new("a1 a4 a7 b2", "g1 g7 d7 f6")
    act(state, "MOVE a1 d1", "MOVE g7 g4")
    assert "MOVE b2 a1" not in listed(state, -1)
    assert "MOVE d1 a1" not in listed(state, -1)


def check_a_shot_does_not_end_a_ban():
    state = new("a1 a4 a7 d2 d3 g4", "f2 f4 c5 g7")
    assert act(state, "MOVE a1 d1") == (False, True)
    assert state.player1_forbidden_mill == [True, [[(0, 0), (3, 0), (6, 0)]]]
    act(state, "STEAL f2")
    assert state.player1_forbidden_mill[0] is True
    act(state, "FLY f4 f2")
    assert "MOVE d1 a1" not in listed(state, -1)


def check_a_ban_on_two_mills_and_on_flying():
    state = new("a1 a4 a7 d1 g1", "f2 f4 f6 b4")
    act(state, "MOVE a1 b2")
    assert state.player1_forbidden_mill[1] == [
        [(0, 0), (3, 0), (6, 0)],
        [(0, 0), (0, 3), (0, 6)],
    ]
    state = new("a1 a4 a7", "f2 f4 f6 b4")
    act(state, "FLY a1 g7", "MOVE b4 b2")
    assert "FLY g7 a1" not in listed(state, -1)
    assert "FLY g7 d7" in listed(state, -1)
    assert Rules.act(state, action("FLY g7 a1"), -1) is False
    # Shot at in between, the mill cannot come back, and the point is free again.
    state.board.empty_cell(cell("a7"))
    assert "FLY g7 a1" in listed(state, -1)


def check_bans_are_not_shared_between_copies():
    state = new("a1 a4 a7 g1", "f2 f4 f6 g7")
    ban = state.player1_forbidden_mill
    act(state, "MOVE a4 b4")
    assert ban == [False, None]


def check_make_move_does_not_ask():
    state = new("a1 a4 a7 g1", "f2 f4 f6 g7")
    same, done, mill = Rules.make_move(state, action("MOVE a1 d7"), -1)
    assert (same is state, done, mill) == (True, False, False)
    assert names(state.board.get_player_pieces_on_board(Color.white)) == "g1 a4 a7 d7"


def check_random_play_uses_the_module():
    state = new("a1", "d1", hand=(11, 11))
    for seed in range(5):
        random.seed(seed)
        chosen = Rules.random_play(state, -1)
        after = random.random()
        random.seed(seed)
        expected = random.choice(Rules.get_player_actions(state, -1))
        assert chosen.action == expected.action
        assert after == random.random()
    random.seed(1)
    before = random.getstate()
    assert Rules.random_play(new("a1 a4 b2 d1", "a7 b4 b6 c3 d2 g1"), -1) is None
    assert random.getstate() == before


def check_stuck():
    state = new("a1 a4 b2 d1", "a7 b4 c3 d2 g1")
    assert Rules.is_player_stuck(state, -1) is True
    assert Rules.is_player_stuck(state, 1) is False


def check_is_end_game_before_the_first_action():
    state = MorabarabaState(MorabarabaBoard((7, 7)))
    try:
        Rules.is_end_game(state)
    except KeyError as fault:
        assert fault.args == (None,)  # noqa: PT017
    else:
        raise AssertionError


def check_end_by_score():
    state = new("a1 a4 a7 b2", "g1 g4 g7 d7")
    state.set_latest_player(1)
    state.score[-1] = 10
    assert not Rules.is_end_game(state)
    state.set_latest_player(-1)
    assert Rules.is_end_game(state)
    state.score[-1] = 11
    assert Rules.is_end_game(state)


def check_end_by_two_cows():
    assert Rules.is_end_game(new("a1 a4", "g1 g4 g7 d7", hand=(0, 0)))
    assert Rules.is_end_game(new("a1 a4 a7", "g1 g4", hand=(0, 5)))
    assert not Rules.is_end_game(new("a1 a4", "g1 g4", hand=(1, 1)))
    # Exactly two: one cow left does not end it.
    assert not Rules.is_end_game(new("a1", "g1 g4 g7", hand=(0, 0)))


def check_end_when_the_next_player_is_stuck():
    stuck = ("a1 a4 b2 d1", "a7 b4 c3 d2 g1")
    assert Rules.is_end_game(new(*stuck, turn=-1))
    assert not Rules.is_end_game(new(*stuck, turn=1))


def check_end_by_boredom_even_with_a_shot_pending():
    state = new("a1 a4 b4 g1", "f2 f4 c5 g7", limit=3)
    state.boring_moves = 1
    act(state, "MOVE b4 b6", "MOVE g7 g4")
    assert Rules.is_boring(state)
    assert Rules.is_end_game(state)
    state.boring_moves = 2
    assert act(state, "MOVE b6 a7") == (True, True)
    assert state.mill


def check_the_fly_counter():
    state = new("a1 a4 c4 d7", "g1 g4 g7 e3 e4")
    assert act(state, "MOVE c4 b4", "MOVE e4 f4") == (False, False)
    assert (state.fly_case, state.fly_moves) == (False, 0)
    state.board.empty_cell(cell("d7"))
    act(state, "FLY b4 a7")  # a mill: started by listing, but not counted
    assert (state.fly_case, state.fly_moves) == (False, 0)
    act(state, "STEAL f4")
    assert (state.fly_case, state.fly_moves) == (False, 0)
    act(state, "MOVE e3 e4")  # next is the one with three cows: the end test lists his actions
    assert (state.fly_case, state.fly_moves) == (True, 0)
    act(state, "FLY a7 b4")
    assert state.fly_moves == 1
    act(state, "MOVE e4 e5", "FLY b4 b6", "MOVE e5 e4")
    assert state.fly_moves == 4
    assert act(state, "FLY b6 a7")[1]
    assert state.fly_moves == 4  # forming a mill is not counted,
    act(state, "STEAL e4")
    assert state.fly_moves == 5  # the shot is, and nothing is reset


def check_the_shot_that_leaves_three_is_not_counted():
    state = new("a1 a4 b4 d7 f2", "g1 g4 e3 e4")
    act(state, "MOVE b4 b6", "MOVE g4 g7", "MOVE b6 a7", "STEAL g7")
    assert (state.fly_case, state.fly_moves) == (True, 0)
    act(state, "FLY g1 g7")
    assert state.fly_moves == 1


def check_end_when_the_fly_counter_equals_ten():
    state = new("a1 a4 b6", "g1 g4 e3 e4")
    state.fly_case = True
    state.fly_moves = 9
    assert act(state, "FLY b6 c5") == (True, False)
    state.fly_moves = 11
    assert not Rules.is_end_game(state)


def check_act_after_the_end():
    state = new("a1 a4 b6", "g1 g4 e3 e4")
    state.fly_case = True
    state.fly_moves = 9
    act(state, "FLY b6 c5")
    assert act(state, "MOVE e3 d3") == (False, False)
    assert state.fly_moves == 11


def check_results():
    state = new()
    assert Rules.get_results(state) == {"tie": True, "winner": -1, "score": {-1: 0, 1: 0}}
    state.score = {-1: 2, 1: 3}
    assert Rules.get_results(state) == {"tie": False, "winner": 1, "score": {-1: 2, 1: 3}}
    state.score = {-1: 4, 1: 3}
    assert Rules.get_results(state) == {"tie": False, "winner": -1, "score": {-1: 4, 1: 3}}


def check_any_in():
    assert Rules.is_elmt_in_first_is_in_second([1, 2], [2, 3]) is True
    assert Rules.is_elmt_in_first_is_in_second([1], [2, 3]) is False
    assert Rules.is_elmt_in_first_is_in_second([], [2, 3]) is False


def check_deepcopy_is_independent():
    state = new("a1 a4 a7 g1", "f2 f4 f6 g7")
    act(state, "MOVE a4 b4")
    before = state.get_json_state()
    copied = copy.deepcopy(state)
    assert copied.get_json_state() == before
    act(copied, "MOVE g7 d7", "MOVE g1 d1")
    copied.player2_forbidden_mill[0] = True
    copied.get_latest_move()["action"]["to"] = (9, 9)
    assert state.get_json_state() == before
    assert state.player1_forbidden_mill == [True, [[(0, 0), (3, 0), (6, 0)]]]
    assert state.player2_forbidden_mill == [False, None]

"""How the arena asks an AI of the contest."""

from pathlib import Path

from core import ActionType, Color
from morabaraba.morabaraba_action import MorabarabaAction, MorabarabaActionType
from morabaraba.morabaraba_board import MorabarabaBoard
from morabaraba.morabaraba_rules import MorabarabaRules
from morabaraba.morabaraba_state import MorabarabaState

import mbegu
from mbegu.compat.maic_bot import Contest, _action, _action_text

AIS = Path(__file__).parent / "ais"
GAME = mbegu.game("morabaraba")


def order(player=0, position=None):
    start = str(position or GAME.start())
    return {"game": "morabaraba", "position": start, "seed": 1, "player": player}


def asked(fly_moves):
    """What the AI of -1 answers with three cows against four, after so many moves that count."""
    contest = Contest({"path": str(AIS / "first.py")})
    contest.game(order())
    state = contest.state
    for cell in ((0, 0), (0, 3), (3, 0)):
        state.board.fill_cell(cell, Color(-1))
    for cell in ((6, 6), (5, 5), (6, 3), (2, 2)):
        state.board.fill_cell(cell, Color(1))
    state.in_hand = {-1: 0, 1: 0}
    state.fly_case, state.fly_moves = True, fly_moves
    state.set_latest_player(1)
    given = []
    play = contest.ai.play
    contest.ai.play = lambda state, left: given.append(left) or play(state, left)
    answer = contest.choose({"moves": [], "left": [1.5, 2.0], "player": 0})
    return answer, given


def check_an_ai_is_asked_with_its_time():
    answer, given = asked(9)
    assert answer.startswith("FLY a1 ")
    assert given == [1.5]


def check_no_ai_is_asked_after_the_contests_own_end():
    answer, given = asked(10)
    assert answer.startswith("FLY ")
    assert not given


def check_the_ai_is_made_for_its_side():
    made = []
    first = Contest({"path": str(AIS / "first.py")})

    class Counted(first.type):
        def __init__(self, color):
            made.append(color)
            self.position = color.value  # and no color of its own: some never call the base class

    for player in (0, 1):  # each in a process of its own
        contest = Contest({"path": str(AIS / "first.py")})
        contest.type = Counted
        contest.game(order(player))
        assert (contest.ai.in_hand, contest.ai.score) == (12, 0)  # as New Game did
    assert made == [Color(-1), Color(1)]


def check_cells_off_the_grid_make_an_illegal_action_and_no_fault():
    def text(to):
        return _action_text(MorabarabaAction(MorabarabaActionType.ADD, to=to))

    assert text((0, 6)) == "ADD g1"
    assert text((0, -1)) == "ADD (0, -1)"  # not the last column
    assert text((-1, 0)) == "ADD (-1, 0)"
    assert text((7, 7)) == "ADD (7, 7)"
    assert text((0.5, 0)) == "ADD (0.5, 0)"
    assert text(("a", 1)) == "ADD ('a', 1)"
    for no_action in (None, "ADD a1", (0, 0), ActionType.ADD):
        assert isinstance(_action_text(no_action), list)


def told(state):
    counted = ("score", "in_hand", "mill", "boring_moves", "player1_forbidden_mill")
    return [state.get_json_state()] + [getattr(state, name) for name in counted]


def check_a_game_may_begin_anywhere():
    # Played by both: the framework's state and our position tell the same at each ply.
    state = MorabarabaState(MorabarabaBoard((7, 7)), boring_limit=200)
    position, contest = GAME.start(), Contest({"path": str(AIS / "first.py")})
    contest.game(order(0, position))
    assert told(contest.state) == told(state)
    assert contest.state.get_latest_player() is None
    seen = set()
    for ply in range(160):
        if position.turn is None:
            break
        move = position.legal_moves()[ply * 7 % len(position.legal_moves())]
        position = position.play(move)
        MorabarabaRules.make_move(state, _action(move), state.get_next_player())
        if position.turn is None:
            break
        contest.game(order(position.turn, position))
        state._latest_move = None  # what it was, no position tells
        assert told(contest.state) == told(state), position
        bans = contest.state.player1_forbidden_mill, contest.state.player2_forbidden_mill
        assert bans == (state.player1_forbidden_mill, state.player2_forbidden_mill)
        seen |= {move.split()[0], f"ban {bans[0][0] or bans[1][0]}"}
        answer = contest.choose({"moves": [], "left": [1.0, 1.0], "player": position.turn})
        assert answer in position.legal_moves()
    assert seen >= {"ADD", "MOVE", "STEAL", "ban True"}

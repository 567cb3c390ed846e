"""Import paths, enums, the player and the action."""

import copy
import pickle
from enum import Enum

import gui
import numpy as np
from core import ActionType, Color
from core.utils import BoardStateGenerator
from morabaraba import MorabarabaAction as Action
from morabaraba import MorabarabaRules as Rules
from morabaraba import MorabarabaState as State
from morabaraba.morabaraba_action import MorabarabaAction
from morabaraba.morabaraba_action import MorabarabaActionType as Type
from morabaraba.morabaraba_board import MorabarabaBoard
from morabaraba.morabaraba_player import Color as WindowColor
from morabaraba.morabaraba_player import MorabarabaPlayer
from morabaraba.morabaraba_rules import MAX_SCORE, MorabarabaRules
from morabaraba.morabaraba_state import MorabarabaState
from utils.timer import Timer, TimerError
from utils.trace import Trace


def raises(kind, call, *args, **kwargs):
    try:
        call(*args, **kwargs)
    except kind as fault:
        return str(fault)
    raise AssertionError(f"no {kind.__name__}")


def check_every_import_of_the_contestants():
    assert (Action, Rules, State) == (MorabarabaAction, MorabarabaRules, MorabarabaState)
    assert WindowColor is not Color
    assert MAX_SCORE == 10
    assert all((BoardStateGenerator, MorabarabaBoard, MorabarabaPlayer, Timer, Trace))


def check_core_star_import():
    names = {}
    exec("from core import *", names)
    wanted = "Action ActionType Board BoardEnv Color Player State Enum Tuple BSG np"
    assert set(wanted.split()) <= set(names)

    assert names["np"] is np
    assert names["Enum"] is Enum
    assert names["BSG"] is BoardStateGenerator


def check_names_that_numpy_had_in_2022():
    assert np.Inf == np.PINF == -np.NINF == float("inf")
    assert (np.int, np.float, np.object, np.float_) == (int, float, object, np.float64)
    assert np.zeros(2, dtype=np.int).sum() == 0
    assert np.product([2, 3]) == 6
    assert np.bool is not None
    assert np.array([1, 2]).__copy__().tolist() == [1, 2]


def check_enums():
    def values(enum):
        return {member.name: member.value for member in enum}

    assert values(Color) == {"white": -1, "empty": 0, "green": 1}
    assert values(WindowColor) == {"white": 1, "empty": 0, "black": -1}
    assert values(Type) == {"ADD": 1, "MOVE": 2, "STEAL": 3, "FLY": 4}
    assert values(ActionType) == {"MOVE": 1, "ADD": 2, "REMOVE": 3}
    assert Color(-1) is Color.white
    assert Color(-1) != -1  # plain enums: AIs compare array cells with Color(1), never with 1
    assert copy.deepcopy(Color.green) is Color.green
    assert pickle.loads(pickle.dumps(Color.green)) is Color.green


def check_player():
    class AI(MorabarabaPlayer):
        name = "Lord of War"

        def __init__(self, color):
            super(AI, self).__init__(color)  # noqa: UP008 - as the contestants write it
            self.position = color.value

    assert MorabarabaPlayer.name == "Dark"
    ai = AI(Color(-1))
    assert (ai.color, ai.pieces_in_hand, ai.position) == (Color.white, 12, -1)
    assert ai.get_name() == "Lord of War"
    assert not hasattr(ai, "score")
    assert not hasattr(ai, "in_hand")
    ai.update_player_infos({"in_hand": 9, "on_board": 3, "score": 1})
    assert (ai.in_hand, ai.score) == (9, 1)
    ai.set_score(4)
    assert ai.score == 4
    ai.reset_player_informations()
    assert (ai.in_hand, ai.score) == (12, 0)
    ai.pieces_in_hand = 3
    ai._reset_player_info()
    assert ai.pieces_in_hand == 12
    raises(NotImplementedError, ai.play, None)


def check_action_forms():
    add = Action(action_type=Type.ADD, to=(0, 1))
    assert repr(add) == "{'action_type': <MorabarabaActionType.ADD: 1>, 'action': {'to': (0, 1)}}"
    assert repr(add) == str(add) == str(add.get_action_as_dict())
    move = Action(Type.MOVE, at=(0, 0), to=(0, 3))
    assert move.get_action_as_dict() == {
        "action_type": Type.MOVE,
        "action": {"at": (0, 0), "to": (0, 3)},
    }
    assert move.get_json_action() == {
        "action_type": "MOVE",
        "action": {"at": (0, 0), "to": (0, 3)},
    }
    assert move.get_action() == "MOVE"
    assert (move.action_type, move.action) == (Type.MOVE, {"at": (0, 0), "to": (0, 3)})
    assert list(Action(Type.FLY, to=(0, 0), at=(6, 6)).action) == ["to", "at"]
    assert Action(Type.STEAL, at=(99, 99)).action == {"at": (99, 99)}


def check_action_refusals():
    raises(AssertionError, Action, Type.ADD, to=[0, 1])
    raises(AssertionError, Action, Type.ADD, at=(0, 0))
    raises(AssertionError, Action, Type.ADD, at=(0, 0), to=(0, 3))
    raises(AssertionError, Action, Type.ADD)
    raises(AssertionError, Action, Type.MOVE, at=(0, 0))
    raises(AssertionError, Action, Type.FLY, at=(0, 0), to=[0, 3])
    raises(AssertionError, Action, Type.STEAL, to=(0, 0))
    raises(AssertionError, Action, ActionType.ADD, to=(0, 0))
    raises(AssertionError, Action, "ADD", to=(0, 0))
    raises(AssertionError, Action, 1, to=(0, 0))


def check_equal_actions_are_unequal():
    one, other = Action(Type.ADD, to=(0, 0)), Action(Type.ADD, to=(0, 0))
    assert one != other
    assert one not in [other]
    assert len({one, other}) == 2
    # An array of actions is an array of objects, not of characters or cells.
    array = np.array([one, other])
    assert array.shape == (2,)
    assert array[np.array([0, 3]) == 3].tolist() == [other]


def check_timer():
    lines = []
    timer = Timer("first_player", logger=lines.append)
    raises(TimerError, timer.stop)
    timer.start()
    raises(TimerError, timer.start)
    elapsed = timer.stop()
    assert lines == [f"Elapsed time: {elapsed:0.4f} seconds"]
    with timer:
        pass
    assert timer.timers["first_player"] >= elapsed
    # A second game starts with a fresh account.
    assert Timer("first_player").timers == {"first_player": 0.0}
    assert not hasattr(Timer, "timers")


def check_window():
    assert "mbegu maic" in gui.__doc__
    message = raises(ImportError, exec, "from gui import MorabarabaGUI")
    assert "mbegu maic" in message
    assert not hasattr(gui, "__wrapped__")

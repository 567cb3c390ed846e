"""Mbegu's own vectors, wherever Mbegu's rules and the framework's agree."""

import copy
import json
from pathlib import Path

from morabaraba.morabaraba_action import MorabarabaAction, MorabarabaActionType
from morabaraba.morabaraba_board import MorabarabaBoard
from morabaraba.morabaraba_rules import MorabarabaRules
from morabaraba.morabaraba_state import MorabarabaState

VECTORS = Path(__file__).parents[3] / "vectors" / "morabaraba.jsonl"
ORDER = "a1 d1 g1 b2 d2 f2 c3 d3 e3 a4 b4 c4 e4 f4 g4 c5 d5 e5 b6 d6 f6 a7 d7 g7".split()
BOARD = MorabarabaBoard((7, 7))
SIGN = {"white": "x", "green": "o", "empty": "."}


def action(text):
    kind, *points = text.split()
    keywords = {"ADD": ["to"], "STEAL": ["at"]}.get(kind, ["at", "to"])
    cells = dict(zip(keywords, map(BOARD.coordinates, points), strict=True))
    return MorabarabaAction(MorabarabaActionType[kind], **cells)


def text(action):
    return " ".join([action.get_action(), *map(BOARD.names, action.action.values())])


def told(state):
    bans = (state.player1_forbidden_mill, state.player2_forbidden_mill)
    return {
        "board": "".join(
            SIGN[state.board.get_cell_color(BOARD.coordinates(p)).name] for p in ORDER
        ),
        "turn": state.get_next_player(),
        "in_hand": [state.in_hand[-1], state.in_hand[1]],
        "score": [state.score[-1], state.score[1]],
        "ban": [sorted("-".join(map(BOARD.names, mill)) for mill in ban[1] or []) for ban in bans],
        "quiet": state.boring_moves,
    }


def wanted(state):
    return {
        **{key: state[key] for key in ("board", "turn", "in_hand", "score", "quiet")},
        "ban": [sorted(ban) for ban in state["ban"]],
    }


def replay(history):
    # The framework's limits differ from Mbegu's, so they are set aside.
    state = MorabarabaState(MorabarabaBoard((7, 7)), boring_limit=10**9)
    for ply in history:
        answer = MorabarabaRules.act(state, action(ply), state.get_next_player())
        assert answer is not False, (history, ply)
    return state


def check_the_vectors():
    seen = set()
    lines = VECTORS.read_text(encoding="utf-8").splitlines()
    assert len(lines) >= 200
    for line in lines:
        vector = json.loads(line)
        state = replay(vector["history"])
        assert told(state) == wanted(vector["state"]), vector["id"]
        phase = vector["state"]["phase"]
        seen.add(phase)
        if phase == "OVER":
            continue
        actions = MorabarabaRules.get_player_actions(state, state.get_next_player())
        assert sorted(map(text, actions)) == [a["action"] for a in vector["actions"]], vector["id"]
        assert {a.get_action() for a in actions} == {phase}
        assert state.mill == (phase == "STEAL")
        for entry in vector["actions"]:
            after = copy.deepcopy(state)
            player = after.get_next_player()
            _, done, mill = MorabarabaRules.act(after, action(entry["action"]), player)
            assert told(after) == wanted(entry["next"]), (vector["id"], entry["action"])
            assert mill == (entry["next"]["phase"] == "STEAL")
            over = entry["next"]["over"]
            if over and over["reason"] in {"two_cows", "no_moves"}:
                assert done
                winner = MorabarabaRules.get_results(after)
                assert (0 if winner["tie"] else winner["winner"]) == over["winner"]
    assert {"ADD", "MOVE", "FLY", "STEAL"} <= seen

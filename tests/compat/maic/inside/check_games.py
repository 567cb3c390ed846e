"""Whole games by seeded AIs, refereed as the contest did; they must never change.

Written anew by `python run.py <framework> check_games.py` with MBEGU_WRITE_GAMES=1, and then
looked at: a difference means that AIs decide differently than before.
"""

import copy
import importlib
import os
import random
import sys
from pathlib import Path

import numpy as np
from core import Color
from morabaraba.morabaraba_board import MorabarabaBoard
from morabaraba.morabaraba_rules import MorabarabaRules
from morabaraba.morabaraba_state import MorabarabaState

GAMES = Path(__file__).with_name("games.txt")
PAIRS = [
    ("first", "first"),
    ("drunk", "first"),
    ("drunk", "drunk"),
    ("herder", "drunk"),
    ("drunk", "herder"),
    ("herder", "herder"),
]
SIDES = {-1: 0, 1: 1}
sys.path.append(str(Path(__file__).parent / "ais"))


def text(action):
    names = MorabarabaBoard((7, 7)).names
    return " ".join([action.get_action(), *map(names, action.action.values())])


def game(pair, seed):
    random.seed(seed)
    np.random.seed(seed)
    players = {
        player: importlib.import_module(pair[side]).AI(Color(player))
        for player, side in SIDES.items()
    }
    state, done, plies = MorabarabaState(MorabarabaBoard((7, 7)), boring_limit=200), False, []
    while not done:
        mover = state.get_next_player()
        action = players[mover].play(copy.deepcopy(state), 5.0)
        answer = MorabarabaRules.act(state, action, mover)
        assert answer is not False, (pair, seed, plies, action)
        _, done, _ = answer
        players[mover].update_player_infos(state.get_player_info(mover))
        plies.append(text(action))
        assert sum(state.in_hand.values()) + sum(state.score.values()) <= 24
        for player in SIDES:
            info = state.get_player_info(player)
            assert info["in_hand"] + info["on_board"] + state.score[-player] == 12
    return plies, state


def told():
    lines = []
    for pair in PAIRS:
        for seed in (1, 2):
            plies, state = game(pair, seed)
            result = MorabarabaRules.get_results(state)
            end = "draw" if result["tie"] else f"{result['winner']} wins"
            score = f"{state.score[-1]}:{state.score[1]}"
            lines.append(f"{' '.join(pair)} {seed}: {end} {score}: {', '.join(plies)}\n")
    return "".join(lines)


def check_seeded_games():
    now = told()
    if os.environ.get("MBEGU_WRITE_GAMES"):
        GAMES.write_text(now, encoding="utf-8")
    assert now == GAMES.read_text(encoding="utf-8")
    assert now == told()

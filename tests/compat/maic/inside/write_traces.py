"""Writes traces into a folder, with the framework's own classes: `write_traces.py <framework> <folder>`."""

import pickle
import random
import sys
from pathlib import Path

framework, folder = sys.argv[1], Path(sys.argv[2])
sys.path.insert(0, framework)

import numpy as np  # noqa: E402
from morabaraba import MorabarabaBoard, MorabarabaRules, MorabarabaState  # noqa: E402
from utils.trace import Trace  # noqa: E402


def play(seed, plies=None, numpy_cells=False):
    """A trace as the contest's window wrote it; its cells could be pairs of numpy integers."""
    random.seed(seed)
    state = MorabarabaState(MorabarabaBoard((7, 7)), boring_limit=200)
    trace = Trace(state, {-1: "Lord of War", 1: "Haricrim"})
    while not trace.done and len(trace.actions) - 1 != plies:
        player = state.get_next_player()
        action = MorabarabaRules.random_play(state, player)
        if numpy_cells:
            action.action = {key: tuple(map(np.int64, cell)) for key, cell in action.action.items()}
        _, trace.done, _ = MorabarabaRules.act(state, action, player)
        trace.add(state)
    return trace


def old_style(trace):
    """What the old board kept in every object, and ours keeps in the class."""
    for state in trace.actions:
        board = state.board
        board.tab = np.array(board.tab)
        for name in ("a1", "d7"):
            setattr(board, name, getattr(board, name))
    return trace


play(1).write(folder / "game.trace")
play(2, plies=30).write(folder / "unfinished.trace")
old_style(play(1, numpy_cells=True)).write(folder / "numpy.trace")
for protocol in (2, 3, 5):
    data = pickle.dumps(old_style(play(1, numpy_cells=True)), protocol)
    (folder / f"protocol{protocol}.trace").write_bytes(data)

twice = play(1)
twice.actions.insert(5, twice.actions[4])  # a refused ply
twice.write(folder / "refused.trace")
two_games = play(1)
two_games.actions += play(3).actions
two_games.write(folder / "two_games.trace")
fortran = play(1)
for state in fortran.actions:
    state.board._board_state = np.asfortranarray(state.board._board_state)
fortran.write(folder / "fortran.trace")

wrong = play(1)
del wrong.actions[6]
wrong.write(folder / "gap.trace")
nameless = play(1)
nameless.players = {}
nameless.write(folder / "nameless.trace")
rude = play(1)
rude.players = {-1: "a\x1b[2J\n\udc80", 1: "x" * 1000}
rude.write(folder / "rude.trace")

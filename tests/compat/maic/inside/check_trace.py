"""`utils.trace.Trace`: what it writes and what it reads back."""

import pickle
import random
import tempfile
from pathlib import Path

from core import Color
from morabaraba import MorabarabaBoard, MorabarabaRules, MorabarabaState
from utils.trace import Trace, TraceError


def play():
    random.seed(5)
    state, done = MorabarabaState(MorabarabaBoard((7, 7)), boring_limit=200), False
    trace = Trace(state, {-1: "A", 1: "B"})
    while not done:
        player = state.get_next_player()
        _, done, _ = MorabarabaRules.act(state, MorabarabaRules.random_play(state, player), player)
        trace.add(state)
    trace.done = True
    return trace, state


def check_keeps_copies():
    trace, state = play()
    assert trace.get_actions() is trace.actions
    assert trace.actions[0].get_board().get_all_empty_cells().__len__() == 24
    assert trace.get_last_board() is trace.actions[-1].get_board()
    assert trace.get_last_board() is not state.get_board()
    assert trace.actions[-1].get_json_state() == state.get_json_state()


def check_round_trip():
    trace, _ = play()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.trace"
        trace.write(str(path))
        loaded = Trace()
        assert loaded.load(str(path)) is loaded
    assert (loaded.done, loaded.players) == (True, {-1: "A", 1: "B"})
    assert len(loaded.actions) == len(trace.actions)
    for ours, theirs in zip(loaded.actions, trace.actions, strict=True):
        assert type(ours) is MorabarabaState
        assert type(ours.board) is MorabarabaBoard
        assert {**vars(ours), "board": 0} == {**vars(theirs), "board": 0}
        assert (ours.board._board_state == theirs.board._board_state).all()
        assert ours.board.get_cell_color((0, 0)) in Color
    # A loaded state can be played on.
    state = loaded.actions[3]
    assert MorabarabaRules.act(state, MorabarabaRules.random_play(state, 1), 1)


def refused(data):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bad.trace"
        path.write_bytes(data)
        try:
            Trace().load(path)
        except TraceError as fault:
            return str(fault)
    raise AssertionError(data)


class Evil:
    def __reduce__(self):
        return (print, ("ran",))


def check_runs_nothing():
    assert "forbidden name builtins.print" in refused(pickle.dumps(Evil()))
    trace, _ = play()
    trace.actions[0].score = Evil()
    assert "forbidden name builtins.print" in refused(pickle.dumps(trace))
    assert "cut short" in refused(pickle.dumps(play()[0])[:5000])


def check_a_failed_load_changes_nothing():
    trace, _ = play()
    before = len(trace.actions)
    with tempfile.TemporaryDirectory() as folder:
        try:
            trace.load(Path(folder) / "missing.trace")
        except TraceError as fault:
            assert "no such file" in str(fault)  # noqa: PT017
    assert len(trace.actions) == before
    many = play()[0]
    shared = [0]
    for _ in range(12):
        shared = [shared] * 100  # 100**12 values for a naive walk
    many.actions[0].captured = shared
    assert "more than any state" in refused(pickle.dumps(many))

"""What a host can choose: time of each side, time to begin, the engine, the policy of a check."""

import pickle
from pathlib import Path

import pytest
from click.testing import CliRunner

import mbegu
from mbegu.arena.archive import GameArchive
from mbegu.arena.check import examine
from mbegu.arena.plan import read_plan
from mbegu.arena.referee import Conditions, play_game
from mbegu.arena.roster import find_bot
from mbegu.arena.runner import BotFault, BotProcess, Fault
from mbegu.arena.series import series_jobs
from mbegu.arena.tournament import Tournament
from mbegu.cli.match import match
from mbegu.cli.records import replay
from mbegu.core.clock import Clock, TimeControl
from mbegu.core.errors import InvalidTimeControl, MbeguError

OWARE = mbegu.game("oware")
FIRST = "return position.legal_moves()[0]"


# ---- time


def test_each_side_has_its_own_time() -> None:
    clock = Clock(TimeControl.parse("0.5/move"), now=lambda: 0, second=TimeControl.parse("60+2"))
    assert (clock.remaining(0), clock.remaining(1)) == (0.5, 60)
    clock.start(1)
    clock.moved(1)
    assert (clock.remaining(0), clock.remaining(1)) == (0.5, 62)


def test_the_time_goes_with_the_bot_when_the_sides_change() -> None:
    bots = (find_bot("greedy"), find_bot("random"))
    jobs = list(series_jobs(OWARE, bots, 2, Conditions("0.5/move,5/move")))
    told = [
        dict(zip((bot.name for bot in job.bots), job.conditions.controls(), strict=True))
        for job in jobs
    ]
    assert told[0] == told[1]
    assert str(told[0]["greedy"]) == "0.5/move"


@pytest.mark.usefixtures("cage")
def test_each_bot_sees_its_own_clock(write_bot) -> None:
    path = write_bot(
        f"print(clock.remaining(position.turn), file=sys.stderr)\n{FIRST}", top="import sys"
    )
    with BotProcess(find_bot(path)) as one, BotProcess(find_bot(path)) as two:
        played = play_game(OWARE, (one, two), Conditions("9/move,70+1"))
        assert 8 < float(one.stderr().split()[0]) <= 9
        assert 69 < float(two.stderr().split()[0]) <= 70
    assert mbegu.parse_record(played.record).time_control == "9/move,70+1"


@pytest.mark.parametrize("wrong", ["5/move,", "1,2,3", "x,5"])
def test_what_is_no_time(wrong: str) -> None:
    with pytest.raises(InvalidTimeControl):
        Conditions(wrong)


def test_the_command_line_takes_two_times() -> None:
    arguments = ["oware", "greedy", "random", "--games", "2", "--movetime", "0.5,5", "--seed", "1"]
    done = CliRunner().invoke(match, arguments, standalone_mode=False)
    assert done.exception is None, done.output
    for wrong in ("0.5,", "1,2,3", "0,1"):
        assert CliRunner().invoke(match, [*arguments[:-3], wrong]).exit_code == 2


# ---- beginning, and the engine


@pytest.mark.usefixtures("cage")
def test_the_time_to_begin_is_a_setting(write_bot) -> None:
    path = write_bot(FIRST, top="import time\ntime.sleep(30)")
    with BotProcess(find_bot(path), start_seconds=0.5) as bot, pytest.raises(BotFault) as caught:
        bot.start()
    assert caught.value.fault is Fault.TIMEOUT
    assert "0.5 seconds" in caught.value.detail


@pytest.mark.usefixtures("cage")
@pytest.mark.parametrize("engine", [True, False])
def test_the_engine_is_the_hosts_choice(engine: bool, write_bot) -> None:
    """Also for a bot that looks for its files by itself."""
    body = """
        import glob, os, mbegu
        files = glob.glob(os.path.join(os.path.dirname(mbegu.__file__), "engine", "**"), recursive=True)
        try:
            import mbegu.engine.levels as found
        except ImportError:
            found = None
        print(len(files) > 5, bool(found), file=sys.stderr)
    """
    path = write_bot(f"{body}\n        {FIRST}", top="import sys")
    with BotProcess(find_bot(path), engine=engine) as bot:
        bot.new_game(OWARE, OWARE.start(), 0, 1)
        bot.choose(OWARE.start(), [], Clock(TimeControl.parse("60/move")))
        assert bot.stderr().split() == [str(engine)] * 2


def test_a_plan_says_so_too(tmp_path: Path) -> None:
    head = 'game = "oware"\nbot = ["random", "greedy"]\n'
    (tmp_path / "a.toml").write_text(f"{head}start = 3\nengine = false")
    conditions = read_plan(str(tmp_path / "a.toml")).conditions
    assert (conditions.start, conditions.engine) == (3, False)
    (tmp_path / "a.toml").write_text(f"{head}start = 0")
    with pytest.raises(MbeguError, match=r"start goes from 0.1"):
        read_plan(str(tmp_path / "a.toml"))


# ---- seeds


def test_a_drawn_seed_stays_with_the_tournament(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('game = "oware"\nbot = ["random", "greedy"]\n')
    plan, seeds = read_plan(str(tmp_path / "a.toml")), []
    for name in ("a.db", "a.db", "b.db"):
        with GameArchive(str(tmp_path / name)) as archive:
            archive.claim(plan.fingerprint())
            seeds.append(Tournament(plan, archive).seed)
    assert seeds[0] == seeds[1] != seeds[2]


# ---- old contests


ILLEGAL = """
from morabaraba.morabaraba_player import MorabarabaPlayer
class AI(MorabarabaPlayer):
    def __init__(self, color):
        self.position = color.value
    def play(self, state, remain_time):
        return None
"""


@pytest.mark.usefixtures("cage")
def test_a_check_by_the_contests_policy(tmp_path: Path) -> None:
    (tmp_path / "ai.py").write_text(
        ILLEGAL.replace("return None", "return act(state, self.position)")
        + """
from morabaraba.morabaraba_action import MorabarabaAction, MorabarabaActionType
def act(state, player):
    return MorabarabaAction(MorabarabaActionType.ADD, to=(0, 0))
"""
    )
    game = mbegu.game("morabaraba")
    strict = list(examine(str(tmp_path / "ai.py"), game, games=2))
    contest = list(examine(str(tmp_path / "ai.py"), game, games=2, policy="maic"))
    assert any(found.trouble for found in strict)
    assert not any(found.trouble for found in contest)
    assert any("replaced by lot" in found.remark for found in contest)


def test_a_trace_says_how_to_convert_it(tmp_path: Path) -> None:
    path = tmp_path / "old game.trace"
    path.write_bytes(pickle.dumps({"done": True}))
    done = CliRunner().invoke(replay, [str(path)])
    assert f"mbegu maic convert '{path}'" in str(done.exception)


RAGGED = """
import numpy as np
from morabaraba.morabaraba_player import MorabarabaPlayer
from morabaraba.morabaraba_rules import MorabarabaRules
lines = np.array([[(0, 0), (0, 3)], [(1, 1)]])
assert lines.dtype == object and len(lines[0]) == 2
assert np.asarray([1, [2, 3]]).dtype == object
assert np.array([1, 2]).dtype.kind == "i"
for wrong in (lambda: np.array([[1], [2, 3]], dtype=int), lambda: np.array(["x"], float)):
    try:
        wrong()
    except ValueError:
        continue
    raise AssertionError
class AI(MorabarabaPlayer):
    def __init__(self, color):
        self.position = color.value
    def play(self, state, remain_time):
        return MorabarabaRules.random_play(state, self.position)
"""


@pytest.mark.usefixtures("cage")
def test_ragged_arrays_of_2022(tmp_path: Path) -> None:
    import numpy as np

    (tmp_path / "ai.py").write_text(RAGGED)
    with (
        BotProcess(find_bot(str(tmp_path / "ai.py"))) as one,
        BotProcess(find_bot("random")) as two,
    ):
        played = play_game(mbegu.game("morabaraba"), (one, two), Conditions("9+0", policy="maic"))
    assert played.verdict.player is None, played.verdict
    with pytest.raises(ValueError, match="inhomogeneous"):
        np.array([[1], [2, 3]])  # in this process NumPy is as it is

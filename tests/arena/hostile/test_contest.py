"""A contest of AIs in the styles that students write, run unattended, with every fault reported."""

import json
from pathlib import Path

import pytest

import mbegu
from mbegu.arena.archive import GameArchive
from mbegu.arena.plan import read_plan
from mbegu.arena.referee import Conditions, play_game
from mbegu.arena.roster import find_bot
from mbegu.arena.runner import BotProcess
from mbegu.arena.tournament import Tournament

pytestmark = pytest.mark.usefixtures("cage")
AIS = Path(__file__).parents[2] / "compat" / "maic" / "inside" / "ais"
TOP = """
from morabaraba.morabaraba_player import MorabarabaPlayer
from morabaraba.morabaraba_rules import MorabarabaRules
from morabaraba.morabaraba_action import MorabarabaAction, MorabarabaActionType
class Mine(MorabarabaPlayer):
    def __init__(self, color):
        self.position = color.value
    def play(self, state, remain_time):
        return MorabarabaRules.random_play(state, self.position)
"""
HEAD = 'game = "morabaraba"\npolicy = "maic"\ntime = "2+0"\nsanity = false\nseed = 4\n'


def test_every_style_plays_and_every_fault_is_told(tmp_path: Path) -> None:
    names = sorted(path.stem for path in AIS.glob("*.py"))
    assert len(names) >= 12
    bots = f'[[bot]]\nbot = "{AIS}/*.py"\n'
    (tmp_path / "contest.toml").write_text(f'{HEAD}format = "swiss"\nrounds = 1\ngames = 1\n{bots}')
    plan = read_plan(str(tmp_path / "contest.toml"))
    with GameArchive(str(tmp_path / "results.db")) as archive:
        playing = Tournament(plan, archive)
        playing.run()
        rows = {row.name: row for row in playing.standings()}
    assert set(rows) == set(names)
    told = [json.dumps(played.to_json()) for played in archive.games.values()]
    for name, row in rows.items():
        # A crash is the author's; whoever answers badly goes on with moves by lot.
        assert set(row.verdicts) <= ({"crash"} if name == "late_crash" else set()), row
    assert "get_possible_moves" in "".join(told)  # what late_crash asked for and nobody has
    assert "illegal, a move is drawn by lot" in "".join(told)
    for played in archive.games.values():
        mbegu.parse_record(played.record).check()


# However a file comes by its AI, it is one.
WAYS = {
    "inherits": "class AI(Mine): name = 'by its base'",
    "assigned": "AI = Mine",
    "guarded": "if True:\n    class AI(Mine): pass",
    "utils": "from utils.timer import Timer\nclass AI(Mine): pass",
    "core": "from core import Color\nclass AI(Mine): pass",
}


@pytest.mark.parametrize("name", WAYS)
def test_every_way_to_write_an_ai(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.py"
    path.write_text(TOP + WAYS[name])
    assert find_bot(str(path)) == find_bot(f"{path}:AI")
    with BotProcess(find_bot(str(path))) as one, BotProcess(find_bot("random")) as other:
        for sides in ((one, other), (other, one)):  # the second AI has no colour to be asked for
            played = play_game(mbegu.game("morabaraba"), sides, Conditions("5+0"))
            assert played.verdict.player is None, played.verdict


def test_an_action_off_the_board_is_illegal_and_not_fatal(tmp_path: Path) -> None:
    path = tmp_path / "off.py"
    answer = "return MorabarabaAction(MorabarabaActionType.ADD, to=(0, -1))"
    path.write_text(f"{TOP}\nclass AI(Mine):\n    def play(self, state, time): {answer}\n")
    with BotProcess(find_bot(str(path))) as one, BotProcess(find_bot("random")) as other:
        bots, game = (one, other), mbegu.game("morabaraba")
        by_lot = play_game(game, bots, Conditions("5+0", policy="maic"))
        strict = play_game(game, bots, Conditions("5+0"))
    assert by_lot.verdict.player is None
    assert "ADD (0, -1)" in by_lot.notes[0]
    assert (strict.verdict.word, strict.plies) == ("illegal", 0)


def test_a_set_of_texts_has_the_same_order_in_every_process(write_bot) -> None:
    path = write_bot("return next(iter(set(position.legal_moves())))")
    games = []
    for _again in range(3):
        with BotProcess(find_bot(path)) as one, BotProcess(find_bot("random")) as other:
            game = mbegu.game("morabaraba")
            games.append(play_game(game, (one, other), Conditions("5+0"), seed=3).record)
    assert games[0] == games[1] == games[2]


OWN_MEMORY = Path(__file__).parent / "contest"


@pytest.mark.parametrize("name", sorted(path.stem for path in OWN_MEMORY.glob("*.py")))
def test_an_ai_that_remembers_is_new_in_each_game(name: str) -> None:
    """Always on the same side, as a tournament may want it."""
    game, records = mbegu.game("morabaraba"), []
    with BotProcess(find_bot(str(OWN_MEMORY / f"{name}.py"))) as one:
        for _again in range(3):
            with BotProcess(find_bot("random")) as other:
                played = play_game(game, (one, other), Conditions("9+0"), seed=5)
            assert played.verdict.player is None, played.verdict
            records.append(played.record)
    assert records[0] == records[1] == records[2]


def test_the_same_table_with_one_worker_and_with_two(tmp_path: Path) -> None:
    (tmp_path / "contest.toml").write_text(
        f'{HEAD}games = 2\n[[bot]]\nbot = "{OWN_MEMORY}/*.py"\n[[bot]]\nbot = "random"\n'
    )
    plan = read_plan(str(tmp_path / "contest.toml"))
    tables = []
    for workers in (1, 2):
        with GameArchive(str(tmp_path / f"{workers}.db")) as archive:
            playing = Tournament(plan, archive)
            playing.run(workers)
            rows = [(row.name, row.points, row.verdicts) for row in playing.standings()]
            tables.append((rows, {key: game.record for key, game in playing.games().items()}))
    assert tables[0] == tables[1]
    assert not any(verdicts for _name, _points, verdicts in tables[0][0])

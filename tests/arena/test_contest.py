"""A contest of AIs in the styles that students write, run unattended, with every fault reported."""

import json
from pathlib import Path

import pytest

import mbegu
from mbegu.arena.plan import read_plan
from mbegu.arena.store import Store
from mbegu.arena.tournament import Tournament

pytestmark = pytest.mark.usefixtures("cage")
AIS = Path(__file__).parent.parent / "compat" / "maic" / "inside" / "ais"
HEAD = 'game = "morabaraba"\npolicy = "maic"\ntime = "2+0"\nsanity = false\nseed = 4\n'


def test_every_style_plays_and_every_fault_is_told(tmp_path: Path) -> None:
    names = sorted(path.stem for path in AIS.glob("*.py"))
    assert len(names) >= 12
    bots = "".join(f'[[bot]]\nbot = "{AIS}/{name}.py"\n' for name in names)
    (tmp_path / "contest.toml").write_text(f'{HEAD}format = "swiss"\nrounds = 1\ngames = 1\n{bots}')
    plan = read_plan(str(tmp_path / "contest.toml"))
    with Store(str(tmp_path / "results.db")) as store:
        playing = Tournament(plan, store)
        playing.run()
        rows = {row.name: row for row in playing.standings()}
    assert set(rows) == set(names)
    told = [json.dumps(played.to_json()) for played in store.games.values()]
    for name, row in rows.items():
        # A crash is the author's; whoever answers badly goes on with moves by lot.
        assert set(row.verdicts) <= ({"crash"} if name == "late_crash" else set()), row
    assert "get_possible_moves" in "".join(told)  # what late_crash asked for and nobody has
    assert "illegal, a move is drawn by lot" in "".join(told)
    for played in store.games.values():
        mbegu.parse_record(played.record).check()

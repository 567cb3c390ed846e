"""The report of a tournament: every fault counted and linked, nothing of the host in it, small."""

import base64
import json
import re
import zlib
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from mbegu.arena.archive import GameArchive
from mbegu.arena.plan import read_plan
from mbegu.arena.referee import Played, Verdict
from mbegu.arena.tournament import Tournament
from mbegu.arena.tournament_report import report

pytestmark = pytest.mark.usefixtures("cage")
PLAN = """
game = "oware"
games = 4
seed = 1
bot = ["broken.py", "late.py", "random", "greedy", "half.py", "deep/empty.py", "deep/none.py"]
"""
BROKEN = """
import json, sys


class Bot:
    def choose(self, position, clock):
        print(f"in {__file__}", file=sys.stderr)
        return json.loads("</script>")
"""
LATE = """
class Bot:
    asked = 0

    def choose(self, position, clock):
        self.asked += 1
        return position.legal_moves()[0] if self.asked < 4 else [][0]
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, Any], Tournament]:
    folder = tmp_path_factory.mktemp("cup")
    for name, text in {"cup.toml": PLAN, "broken.py": BROKEN, "late.py": LATE}.items():
        (folder / name).write_text(text)
    (folder / "half.py").write_text("class Bot(\n")
    (folder / "deep").mkdir()
    (folder / "deep/empty.py").write_text("")
    with GameArchive(str(folder / "results.db")) as archive:
        playing = Tournament(read_plan(str(folder / "cup.toml")), archive)
        playing.run()
        page = report(playing)
    packed = re.search(r'octet-stream">([A-Za-z0-9+/=]*)</script>', page)
    assert packed is not None
    return page, json.loads(zlib.decompress(base64.b64decode(packed[1]))), playing


def test_every_fault_is_counted_and_leads_to_its_game(told) -> None:
    page, data, playing = told
    faults = [key for key, game in playing.archive.games.items() if game.verdict.player is not None]
    links = [int(number) for number in re.findall(r'data-game="(\d+)"', page)]
    assert sorted(playing.ordered()[number] for number in links) == sorted(faults)
    for number in links:
        assert data["games"][number]["verdict"] == "crash"
    counts = [int(count) for count in re.findall(r"<summary>[^<]*?crash × (\d+)", page)]
    assert sum(counts) == len(faults) > 20


def test_cells_lead_to_the_games_of_the_two(told) -> None:
    page, data, _playing = told
    pairs = re.findall(r'data-pair="(\d+) (\d+)"', page)
    assert len(pairs) == 4 * 3
    for one, other in pairs:
        names = {data["names"][int(one)], data["names"][int(other)]}
        assert any(set(game["players"]) == names for game in data["games"])


def test_who_made_no_move_has_no_time_of_a_move(told) -> None:
    page, _data, playing = told
    rows = {row.name: row for row in playing.standings()}
    assert rows["broken"].mean is None
    # Three in each game that it lost, and one before a broken bot broke down.
    assert rows["late"].moves == 3 * rows["late"].verdicts["crash"] + 2
    assert re.search(r"<td>broken</td><td>–</td>", page)


def test_nothing_of_the_host_is_told(told) -> None:
    page, data, playing = told
    text = page + json.dumps(data)
    text += "".join(json.dumps(game.to_json()) for game in playing.archive.games.values())
    assert "json/decoder.py" in text
    for place in (str(Path(__file__).parent), "/lib/python3", "/tmp/", str(Path.home()) + "/"):
        assert place not in text, place


def test_who_could_not_begin_is_told_by_his_own_path(told) -> None:
    page = unescape(told[0])
    for line in ("half.py:1: this is not Python", "</b>: deep/empty.py: ", "deep/none.py"):
        assert line in page, line


def test_a_files_name_does_nothing_to_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "a\x1b[2J.py").write_text("class Bot(\n")
    (tmp_path / "cup.toml").write_text('game = "oware"\nbot = ["*.py", "random", "greedy"]')
    (trouble,) = read_plan(str(tmp_path / "cup.toml")).troubles
    assert "this is not Python" in trouble[1]
    assert "".join(trouble).isprintable()


def test_the_pictures_come_out_whole(told) -> None:
    _page, data, playing = told
    for number, key in enumerate(playing.ordered()):
        game = data["games"][number]
        assert len(game["frames"]) == playing.archive.games[key].plies + 1
        svg = "".join(data["pieces"][piece] for piece in data["frames"][game["frames"][-1]])
        assert svg.startswith("<svg")
        assert svg.rstrip().endswith("</svg>")
        assert svg.count("<g") >= svg.count("</g>") > 0


def test_a_title_does_nothing_to_a_terminal(tmp_path: Path) -> None:
    plan = (
        r'title = "Cup \u001b[2J\nof\u0007 all"' + '\ngame = "oware"\nbot = ["random", "greedy"]\n'
    )
    (tmp_path / "cup.toml").write_text(plan)
    assert read_plan(str(tmp_path / "cup.toml")).title == "Cup ?[2J of? all"


@pytest.mark.parametrize("names", [("²", "①", "٣", "7"), ("a", "b|c", "a|b", "c")])
def test_no_name_spoils_the_order_of_games(names: tuple[str, ...], tmp_path: Path) -> None:
    """A bot may be called ², which is a digit and no number, or as if two names were one."""
    bots = "".join(f'[[bot]]\nname = "{name}"\nbot = "random"\n' for name in names)
    (tmp_path / "cup.toml").write_text(f'game = "oware"\n{bots}')
    with GameArchive(str(tmp_path / "cup.db")) as archive:
        playing = Tournament(read_plan(str(tmp_path / "cup.toml")), archive)
        (pairings,) = playing.rounds()
        jobs = [job for pairing in pairings for job in playing._jobs(pairing)]
        assert len({job.key for job in jobs}) == len(jobs) == 12
        for job in (*playing._sanity_jobs(), *jobs):
            names_of = (job.bots[0].name, job.bots[1].name)
            verdict = Verdict("draw")
            archive.games[job.key] = Played(names_of, "1/2-1/2", verdict, "", 0, (0, 0), (0, 0))
        assert len(playing.games()) == 12
        assert {row.games for row in playing.standings()} == {6}
        assert len(playing.ordered()) == len(list(archive.records())) == 12 + 8

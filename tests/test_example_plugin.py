"""The example of a game from another package, Toguz Kumalak, driven wherever a game can be."""

import json
import shutil
from pathlib import Path

import pytest
from plugins import cup, install, mbegu, run, statistics

EXAMPLE = Path(__file__).parent.parent / "examples" / "plugin"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("toguz")
    leave_out = shutil.ignore_patterns("__pycache__")
    shutil.copytree(EXAMPLE / "src", folder, dirs_exist_ok=True, ignore=leave_out)
    points = {
        "mbegu.games": {"toguz": "mbegu_toguz.rules:Toguz"},
        "mbegu.kernels": {"toguz": "mbegu_toguz.kernel"},
    }
    for group, values in points.items():
        for name, value in values.items():
            told = (EXAMPLE / "pyproject.toml").read_text("utf-8")
            assert f'[project.entry-points."{group}"]\n{name} = "{value}"' in told
    install(folder, "mbegu-toguz", {}, points)
    return folder


def test_its_own_tests_pass(installed: Path) -> None:
    tests = EXAMPLE / "tests"
    said = run(installed, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tests))
    assert said.returncode == 0, said.stdout + said.stderr


def test_the_command_line(installed: Path) -> None:
    def said(*arguments: str) -> str:
        return mbegu(installed, *arguments)

    assert "Nine houses, nine balls" in said("games")
    assert "tuzdyk" in said("rules", "toguz")
    assert "## Whose game it is" in said("rules", "toguz", "--page")
    assert said("perft", "toguz", "4").strip() == "5,199"
    assert said("perft", "toguz", "3", "--readable").strip() == "613"
    assert "Best for South" in said("analyse", "toguz", "--nodes", "5000")
    assert "level3" in said("match", "toguz", "level3", "random", "--games", "2")
    assert "moves of a game" in statistics(installed, "toguz")
    assert "toguz is ready." in said("game", "check", "toguz", "--games", "2")


def test_a_tournament_and_a_game_at_the_terminal(installed: Path, tmp_path: Path) -> None:
    assert "level2" in cup(installed, "toguz", tmp_path)
    words = ("play", "toguz", "--vs", "level1", "--seed", "1")
    played = run(installed, "-m", "mbegu", *words, typed="3\nresign\ny\n")
    assert "Traceback" not in played.stderr
    assert "South sows 3 (9), last ball in North 2." in played.stdout
    assert "seed" not in played.stdout


SCRIPT = """
import json
import mbegu
from mbegu.core.i18n import speaking
from mbegu.core.story import tell
from mbegu.games.pictures import picture
from mbegu.rl.aec import env
from mbegu.rl.batch import BatchEnv
from mbegu.server.play.views import card, view

game = mbegu.game("toguz")
position = game.position("1,0,0,0,0,0,0,4,0/5,2,3,0,0,0,0,0,4 70/73 -/- S")
seen = view(position.play(8))
with speaking("fr"):
    french = tell(position, 8)
batch = BatchEnv("toguz", 4, seed=1)
batch.step(batch.sample())
one = env("toguz")
one.reset(seed=1)
one.step(int(one.observe(one.agent_selection)["action_mask"].argmax()))
print(json.dumps({
    "card": card(type(game))["compiled"], "family": seen["board"]["family"], "places": seen["places"]["S8"],
    "tags": seen["tags"], "picture": picture(position).count("data-place"), "french": french,
    "seen": list(batch.observations.shape), "acts": one.agent_selection,
}))
"""


def test_views_pictures_words_and_learning(installed: Path) -> None:
    said = run(installed, "-c", SCRIPT)
    assert said.returncode == 0, said.stderr
    told = json.loads(said.stdout)
    assert told["card"] is True
    assert told["family"] == "two_rows"
    assert told["places"] == [1]
    assert told["tags"] == {"N2": ["tuzdyk"]}
    assert told["picture"] == 20
    assert "devient le touzdyk de Sud" in told["french"]
    assert "dernière bille" in told["french"]
    assert told["seen"] == [4, 32]
    assert told["acts"]


def test_nothing_outside_its_folder_knows_it() -> None:
    source = Path(__file__).parent.parent / "src" / "mbegu"
    knows = [path for path in source.rglob("*.py") if "mbegu_toguz" in path.read_text("utf-8")]
    assert knows == []

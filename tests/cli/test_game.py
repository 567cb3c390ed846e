"""`mbegu game`: a skeleton that passes its own tests, and a check that finds what is wrong."""

import ast
from pathlib import Path

import pytest
from plugins import install, run

from mbegu.cli.game import skeleton


def written(folder: Path, **changes: tuple[str, str]) -> Path:
    """The skeleton as if installed; changes are by file, old text and new."""
    files = {}
    for path, text in skeleton("zama").items():
        old, new = changes.get(Path(path).stem, ("", ""))
        assert old in text
        files[path.removeprefix("src/")] = text.replace(old, new) if old else text
    points = {
        "mbegu.games": {"zama": "mbegu_zama.rules:Zama"},
        "mbegu.kernels": {"zama": "mbegu_zama.kernel"},
    }
    install(folder, "mbegu-zama", files, points)
    return folder


def test_a_new_game_passes_its_own_tests(tmp_path: Path) -> None:
    made = run(tmp_path, "-m", "mbegu", "game", "new", "zama", "--folder", str(tmp_path / "new"))
    assert made.returncode == 0, made.stderr
    assert (tmp_path / "new" / "pyproject.toml").exists()
    source = (tmp_path / "new" / "src" / "mbegu_zama" / "rules.py").read_text("utf-8")
    assert "@" not in source.replace("@dataclass", "").replace("@property", "").replace(
        "@classmethod", ""
    ).replace("zama@1", "")
    folder = written(tmp_path)
    tested = run(folder, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder / "tests"))
    assert tested.returncode == 0, tested.stdout
    checked = run(folder, "-m", "mbegu", "game", "check", "zama", "--games", "2")
    assert checked.stdout.endswith("zama is ready.\n"), checked.stdout + checked.stderr
    assert checked.stdout.count("yes") == 11


BROKEN = [
    ({"kernel": ("caught == U(3)", "caught == U(4)")}, "The kernel plays by the same rules."),
    ({"lesson": ("accept=(3,)", "accept=(2,)")}, "The lesson follows the rules."),
    ({"rules": ("Lift(HOUSES[house], hand)", "Lift(HOUSES[house], hand + 9)")}, "The board says"),
    ({"rules": ("Capture(HOUSES[last],", 'Capture(HOUSES[last] + "!",')}, "The board says"),
]


@pytest.mark.parametrize(("changes", "part"), BROKEN)
def test_what_is_wrong_is_found(
    changes: dict[str, tuple[str, str]], part: str, tmp_path: Path
) -> None:
    folder = written(tmp_path, **changes)
    checked = run(folder, "-m", "mbegu", "game", "check", "zama", "--games", "3")
    assert checked.returncode == 1, checked.stdout + checked.stderr
    assert f"no   {part}" in checked.stdout
    assert "zama is not ready" in checked.stdout
    assert "Traceback" not in checked.stdout + checked.stderr


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("oware", "there is a game called oware already"),
        ("My Game", "is not a name for a game"),
        ("../x", "is not a name for a game"),
    ],
)
def test_names_that_cannot_be(name: str, said: str, tmp_path: Path) -> None:
    made = run(tmp_path, "-m", "mbegu", "game", "new", name, "--folder", str(tmp_path / "new"))
    assert made.returncode != 0
    assert said in made.stderr
    assert not (tmp_path / "new").exists()


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("dear to me")
    made = run(tmp_path, "-m", "mbegu", "game", "new", "zama", "--folder", str(tmp_path))
    assert "exists and is not empty" in made.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize(
    ("name", "kind"), [("end", "EndRules"), ("none", "NoneRules"), ("zama_two", "ZamaTwo")]
)
def test_a_name_that_the_skeleton_needs_itself(name: str, kind: str) -> None:
    files = skeleton(name)
    tree = ast.parse(files[f"src/mbegu_{name}/rules.py"])
    assert kind in [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    assert f'{name} = "mbegu_{name}.rules:{kind}"' in files["pyproject.toml"]

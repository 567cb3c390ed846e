"""`mbegu site` on whatever folder and port somebody names: a site, or one sentence, and nothing of anybody's is lost."""

import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from plugins import install_nim, run

from mbegu.core.registry import OURS
from mbegu.site import build as site_build
from mbegu.site.build import SiteError, build_site

ROOT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.skipif(
    not (site_build.STATIC / "index.html").exists(), reason="the web app is not built"
)


@pytest.fixture(autouse=True)
def tab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python for browsers of which only the name is there."""
    folder = tmp_path / "tab"
    folder.mkdir()
    (folder / "tab.json").write_text("{}")
    monkeypatch.setattr(site_build, "TAB", folder)


def is_site(folder: Path) -> bool:
    """Whether it has a page and all that its service worker keeps, and nothing that is left over."""
    head = (folder / "sw.js").read_text("utf-8").partition("\n")[0]
    told = json.loads(head.removeprefix("const MBEGU = ").rstrip(";"))
    left = [path.name for path in folder.iterdir() if path.name.startswith(f"{site_build.MARK}-")]
    return not left and all((folder / path).is_file() for path in told["files"])


def test_the_folder_in_which_one_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = tmp_path / "public"
    here.mkdir()
    monkeypatch.chdir(here)
    for _time in range(2):
        build_site(Path())
        assert is_site(Path())  # still the same folder: whoever stands in it sees the site
    assert is_site(here)


def test_a_folder_behind_a_link(tmp_path: Path) -> None:
    there, link = tmp_path / "stick", tmp_path / "link"
    there.mkdir()
    link.symlink_to(there, target_is_directory=True)
    for _time in range(2):
        build_site(link)
        assert link.is_symlink()
        assert is_site(there)


def test_a_folder_beside_it_is_left_alone(tmp_path: Path) -> None:
    beside = tmp_path / "public.part"
    beside.mkdir()
    (beside / "thesis.txt").write_text("all of it")
    build_site(tmp_path / "public")
    assert (beside / "thesis.txt").read_text() == "all of it"


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a file")
    with pytest.raises(SiteError, match="file/public cannot be used: "):
        build_site(tmp_path / "file" / "public")


def test_what_goes_wrong_leaves_the_site_that_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "public"
    build_site(folder)
    page = (folder / "index.html").read_bytes()

    def full(*_given: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(site_build, "_write_version", full)
        with pytest.raises(SiteError, match="No space left"):
            build_site(folder)
    assert is_site(folder)
    rename, count = Path.rename, 0

    def held(path: Path, to: Path) -> Path:
        nonlocal count
        count += 1
        if count == 3:
            raise PermissionError(13, "another program has it open")
        return rename(path, to)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", held)
        with pytest.raises(SiteError, match="another program"):
            build_site(folder)
    assert is_site(folder)
    assert (folder / "index.html").read_bytes() == page


def test_what_a_build_that_was_killed_has_left_goes(tmp_path: Path) -> None:
    folder = tmp_path / "public"
    build_site(folder)
    (folder / f"{site_build.MARK}-left").mkdir()
    shutil.copytree(site_build.STATIC / "icons", folder / "old")
    build_site(folder)
    assert is_site(folder)
    assert not (folder / "old").exists()


def test_an_empty_base_is_named() -> None:
    with pytest.raises(SiteError, match="--base must end with a slash"):
        build_site(Path("nowhere"), "")


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [sys.executable, "-m", "mbegu", "site", "serve", str(tmp_path), "--port", port],
            env={**os.environ, "MBEGU_LANG": "en"},
            capture_output=True,
            text=True,
            timeout=60,
        )
    assert done.returncode == 2
    assert done.stderr.startswith(f"mbegu: port {port} is in use")
    assert "Traceback" not in done.stderr


BUILT = """
import json
import sys
from pathlib import Path

from click.testing import CliRunner

from mbegu.cli import mbegu
from mbegu.site import build

build.TAB = Path(sys.argv[1])
done = CliRunner().invoke(mbegu, ["site", "build", sys.argv[2]])
assert done.exit_code == 0, done.output
print(done.output)
"""


def test_a_game_of_another_package_is_not_promised(tmp_path: Path) -> None:
    """A tab's Python does not know it: its card would lead nowhere."""
    package, there = tmp_path / "package", tmp_path / "public"
    package.mkdir()
    install_nim(package)
    found = run(package, "-c", BUILT, str(site_build.TAB), str(there))
    assert found.returncode == 0, found.stderr
    assert "left out: nim" in found.stdout
    (first,) = there.rglob("first/en.json")
    answers = json.loads(first.read_text("utf-8"))
    assert [card["name"] for card in answers["/games"]["games"]] == list(OURS)
    assert not any("nim" in question for question in answers)
    (rooms,) = there.rglob("first/rooms-en.json")
    assert set(json.loads(rooms.read_text("utf-8"))) == set(OURS)

"""A stranger's package, installed as a folder on the path: sources and the card that pip would write."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
CUP = """
title = "Sand cup"
game = "{game}"
format = "round-robin"
games = 2
movetime = 2
seed = 1

[[bot]]
bot = "random"

[[bot]]
bot = "level2"
"""


def install(
    folder: Path, name: str, files: dict[str, str], points: dict[str, dict[str, str]]
) -> None:
    """Writes the sources, and the entry points by group."""
    for file, source in files.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(source, "utf-8")
    card = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    card.mkdir(exist_ok=True)
    (card / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = []
    for group, values in points.items():
        lines += [f"[{group}]", *(f"{key} = {value}" for key, value in values.items())]
    (card / "entry_points.txt").write_text("\n".join(lines) + "\n")


def install_nim(folder: Path, *, kernel: bool = False) -> None:
    """The game of tests/nim.py, with its kernel if asked."""
    files = {
        "strangers_nim/__init__.py": "",
        "strangers_nim/rules.py": (HERE / "nim.py").read_text(),
    }
    points = {"mbegu.games": {"nim": "strangers_nim.rules:Nim"}}
    if kernel:
        files["strangers_nim/kernel.py"] = (HERE / "nim_kernel.py").read_text()
        points["mbegu.kernels"] = {"nim": "strangers_nim.kernel"}
    install(folder, "strangers-nim", files, points)


def run(
    folder: Path, *arguments: str, typed: str | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Python with the packages of a folder; an argument list that begins with -c or -m."""
    return subprocess.run(
        [sys.executable, *arguments],
        input=typed,
        env={**os.environ, "PYTHONPATH": str(folder), "MBEGU_LANG": "en", **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def mbegu(folder: Path, *arguments: str) -> str:
    """What a command says that ends well and without a traceback."""
    found = run(folder, "-m", "mbegu", *arguments)
    assert "Traceback" not in found.stderr
    assert found.returncode == 0, found.stdout + found.stderr
    return found.stdout


def cup(folder: Path, game: str, to: Path) -> str:
    """What a tournament of two bots says, and its report."""
    file = to / "cup.toml"
    file.write_text(CUP.format(game=game), "utf-8")
    told = mbegu(folder, "tournament", str(file), "--folder", str(to / "cup"))
    assert list((to / "cup").glob("*.html"))
    return told


def statistics(folder: Path, game: str) -> str:
    """What the lab counts in a few games."""
    return mbegu(
        *(folder, "lab", "stats", game, "--games", "50"),
        *("--levels", "1", "--level-games", "1", "--nodes", "100"),
    )

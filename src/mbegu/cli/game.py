"""`mbegu game`: write a game of one's own, and check it."""

import json
import keyword
import re
import shlex
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

import click

from mbegu.cli.options import json_option
from mbegu.cli.parameters import GAME
from mbegu.core.errors import MbeguError, shorten
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.core.registry import game_names

__all__ = ["game"]

FILES = {  # of the skeleton, and where they go
    "pyproject.toml": "pyproject.toml",
    "README.md": "README.md",
    "__init__.py": "src/@package@/__init__.py",
    "rules.py": "src/@package@/rules.py",
    "board.py": "src/@package@/board.py",
    "lesson.py": "src/@package@/lesson.py",
    "kernel.py": "src/@package@/kernel.py",
    "perft.txt": "src/@package@/perft.txt",
    "page.md": "src/@package@/page.md",
    "test.py": "tests/test_@name@.py",
}
NAME = re.compile(r"[a-z][a-z0-9_]{1,30}")


@click.group(help=_("Write a game of your own, and check it."))
def game() -> None:
    """Everything about one game."""


@game.command(help=_("Write a package with a small game into a new folder. It plays as it is."))
@click.argument("name")
@click.option(
    "--folder", type=click.Path(path_type=Path), metavar="FOLDER", help=_("The folder; else NAME.")
)
def new(name: str, folder: Path | None) -> None:
    """Write a skeleton."""
    if not NAME.fullmatch(name):
        raise MbeguError(
            _("{name} is not a name for a game: write small letters, like toguz").format(
                name=shorten(name)
            )
        )
    if name in game_names():
        raise MbeguError(_("there is a game called {name} already").format(name=name))
    folder = Path(name) if folder is None else folder
    if folder.exists() and any(folder.iterdir()):
        raise MbeguError(_("{folder} exists and is not empty").format(folder=folder))
    for path, text in skeleton(name).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    click.echo(_("{folder} is a game that can be played. Try:").format(folder=folder))
    click.echo(f"  pip install -e {shlex.quote(str(folder))}")
    click.echo(f"  mbegu game check {name}")
    click.echo(f"  mbegu play {name}")


def skeleton(name: str) -> dict[str, str]:
    """The files of a new game, by their place in the folder."""
    source = files("mbegu.testing") / "skeleton"
    texts = {place: (source / f"{file}.txt").read_text("utf-8") for file, place in FILES.items()}
    words = {"name": name, "package": f"mbegu_{name}", "Class": _class_name(name, texts.values())}

    def filled(text: str) -> str:
        for word, value in words.items():
            text = text.replace(f"@{word}@", value)
        return text

    return {filled(place): filled(text) for place, text in texts.items()}


def _class_name(name: str, texts: Iterable[str]) -> str:
    """A name for the game's class that the skeleton does not use for something else, as `End`."""
    found = name.title().replace("_", "")
    used = any(re.search(rf"\b{found}\b", text.replace("@Class@", "")) for text in texts)
    return f"{found}Rules" if used or keyword.iskeyword(found) else found


@game.command(help=_("Check that a game is complete, and say in plain words what is wrong."))
@click.argument("game", type=GAME)
@click.option(
    "--games",
    type=click.IntRange(1, 10_000),
    default=20,
    show_default=True,
    help=_("How many games are tried, by random moves."),
)
@click.option("--seed", type=int, default=0, show_default=True, help=_("Other games by lot."))
@json_option()
def check(game: Game, games: int, seed: int, as_json: bool) -> int:
    """Check a game."""
    from mbegu.testing import examine_plugin  # noqa: PLC0415 - heavy

    if as_json:
        parts = [part._asdict() for part in examine_plugin(game, games=games, seed=seed)]
        ready = not any(part["trouble"] for part in parts)
        told = {"game": str(game), "ready": ready, "parts": parts}
        click.echo(json.dumps(told, ensure_ascii=False))
        return 0 if ready else 1
    wrong = 0
    for part in examine_plugin(game, games=games, seed=seed):
        wrong += bool(part.trouble)
        verdict = "no" if part.trouble else "-" if part.missing else "yes"
        click.echo(f"{verdict:<3}  {part.what}")
        if part.trouble:
            click.echo("".join(f"       {line}\n" for line in part.trouble.splitlines()), nl=False)
    if wrong:
        click.echo(
            _("{game} is not ready; parts that are wrong: {count}.").format(game=game, count=wrong)
        )
        return 1
    click.echo(_("{game} is ready.").format(game=game))
    return 0

"""`mbegu bot` and `mbegu arena`."""

import ast
import json
import os
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import click

from mbegu.arena.bots import BOTS
from mbegu.arena.bundle import ARCHIVE
from mbegu.arena.cage import LAYERS, bubblewrap, offered
from mbegu.arena.check import examine
from mbegu.arena.referee import POLICIES
from mbegu.arena.roster import CONTEST_GAME, BotSpec, find_bot, installed_bots
from mbegu.arena.runner import BotFault, BotProcess
from mbegu.arena.starter import starter
from mbegu.cli.options import json_option
from mbegu.cli.parameters import GAME
from mbegu.core.errors import MbeguError
from mbegu.core.files import save_text
from mbegu.core.game import Game
from mbegu.core.i18n import N_, _
from mbegu.core.registry import USUAL
from mbegu.core.registry import game as find_game

__all__ = ["arena", "bot"]


@click.group(help=_("Write a bot, check it, and see which there are."))
def bot() -> None:
    """Everything about one bot."""


@bot.command(help=_("Write a starting bot for GAME into FILE. It runs as it is; make it better."))
@click.argument("game", type=GAME)
@click.argument("file")
@click.option("--overwrite", is_flag=True, help=_("Replace FILE if it exists."))
def new(game: Game, file: str, overwrite: bool) -> None:
    """Write a starting bot."""
    if not file.endswith(".py"):
        raise MbeguError(
            _("{file}: a bot is a Python file; its name ends in .py").format(file=file)
        )
    save_text(file, starter(game, file), overwrite)
    name = shlex.quote(str(game))
    click.echo(_("{file} is a bot that plays {game}. Try:").format(file=file, game=game))
    click.echo(f"  mbegu bot check {shlex.quote(file)}")
    click.echo(f"  mbegu match {name} {shlex.quote(file)} random")


@bot.command(help=_("Check that a bot is fit to play, and say in plain words what is wrong."))
@click.argument("file")
@click.option("--game", type=GAME, help=_("The game it plays; else its class says: game = …"))
@click.option(
    "--games",
    type=click.IntRange(0, 1000),
    default=4,
    show_default=True,
    help=_("How many games against a random player."),
)
@click.option(
    "--time",
    "control",
    default="1/move",
    show_default=True,
    metavar="CONTROL",
    help=_("60+1 (bank and increment), 5/move, or - for no limit."),
)
@click.option("--seed", type=int, default=0, show_default=True, help=_("Other games by lot."))
@click.option(
    "--policy",
    type=click.Choice(POLICIES),
    default="strict",
    show_default=True,
    help=_("strict: illegal or late is lost; maic: as in the contest of 2022."),
)
@click.option("--trust", is_flag=True, help=_("Run the bot without a cage."))
@json_option()
def check(
    file: str,
    *,
    game: Game | None,
    games: int,
    control: str,
    seed: int,
    policy: str,
    trust: bool,
    as_json: bool,
) -> int:
    """Check a bot."""
    chosen = game or _game_of(file)
    if not as_json and _can_be_found(file):  # what is not there plays nothing
        click.echo(_("{file} plays {game}.").format(file=file, game=chosen))
    troubles, told = 0, []
    looked_at = examine(
        file, chosen, games=games, control=control, seed=seed, trust=trust, policy=policy
    )
    for found in looked_at:
        told.append({"what": found.what, "trouble": found.trouble, "remark": found.remark})
        troubles += bool(found.trouble)
        if as_json:
            continue
        mark = click.style("✗", fg="red") if found.trouble else click.style("✓", fg="green")
        click.echo(f"{mark} {found.what}" + (f" {found.remark}" if found.remark else ""))
        for line in found.trouble.splitlines():
            click.echo(f"    {line}")
    if as_json:
        result = {"bot": file, "game": str(chosen), "fit": not troubles, "checks": told}
        click.echo(json.dumps(result, ensure_ascii=False))
        return int(bool(troubles))
    if troubles:
        click.echo(_("Not yet fit to play."))
        return 1
    click.echo(_("Fit to play."))
    return 0


def _can_be_found(file: str) -> bool:
    try:
        find_bot(file)
    except MbeguError:  # the check will say so
        return False
    return True


def _game_of(file: str) -> Game:
    """What the class in a file says that it plays; the usual game if it does not say."""
    try:
        spec = find_bot(file)
    except MbeguError:  # the check will say so
        return find_game(USUAL)
    if spec.kind == "contest":
        return find_game(CONTEST_GAME)
    if spec.kind != "class":
        return find_game(USUAL)
    for cls in ast.parse(spec.source()).body:
        if not isinstance(cls, ast.ClassDef) or cls.name != spec.class_name:
            continue
        for line in cls.body:
            match line:
                case ast.Assign([ast.Name("game")], ast.Constant(str(name))):
                    return find_game(name)
    return find_game(USUAL)


@bot.command(
    name="list", help=_("List the bots: ours, those of installed packages, those in FOLDERS.")
)
@click.argument("folders", nargs=-1, type=click.Path())
@json_option()
def list_bots(folders: tuple[str, ...], as_json: bool) -> None:
    """List the bots."""
    if as_json:
        return click.echo(json.dumps(list(_all_bots(folders)), ensure_ascii=False))
    for name in BOTS:
        click.echo(f"{name:20} {_('comes with Mbegu')}")
    for name, spec in installed_bots().items():
        click.echo(f"{name:20} {spec.path}")
    for folder in folders:
        if not os.path.isdir(folder):
            raise MbeguError(_("{folder} is not a folder").format(folder=folder))
        for path in sorted(Path(folder).iterdir()):
            if path.suffix in (".py", ".toml", ARCHIVE):
                click.echo(f"{path!s:20} {_kind(str(path))}")
    return None


def _all_bots(folders: tuple[str, ...]) -> Iterator[dict[str, str]]:
    """The bots as plain data."""
    for name in BOTS:
        yield {"name": name, "kind": "builtin"}
    for name, spec in installed_bots().items():
        yield {"name": name, "kind": "entry", "path": spec.path}
    for folder in folders:
        if not os.path.isdir(folder):
            raise MbeguError(_("{folder} is not a folder").format(folder=folder))
        for path in sorted(Path(folder).iterdir()):
            if path.suffix in (".py", ".toml", ARCHIVE):
                yield {"name": path.stem, "kind": _kind(str(path)), "path": str(path)}


KINDS = {
    "class": N_("a class: {name}"),
    "contest": N_("an AI of the MAIC contest"),
    "program": N_("a program: {name}"),
}


def _kind(path: str) -> str:
    try:
        spec = find_bot(path)
    except MbeguError as error:
        return _("no bot: {error}").format(error=error)
    return _(KINDS[spec.kind]).format(name=spec.class_name or " ".join(spec.command))


@click.group(help=_("What this computer offers for matches of strangers' bots."))
def arena() -> None:
    """About the arena itself."""


WALLS = {
    "limits": N_("memory, file sizes and open files are limited"),
    "namespaces": N_("its own network, processes and messages"),
    "landlock": N_("no files but those it is shown"),
    "seccomp": N_("no new processes, no sockets, no tracing"),
}


def _help_with_namespaces() -> str:
    if shutil.which("bwrap") is None:
        return _(
            "the program bubblewrap may make namespaces on some hosts that refuse them to others: "
            "try to install it (on Debian and Ubuntu: apt install bubblewrap)"
        )
    return _("bubblewrap is installed, but this host refuses namespaces to it as well")


@arena.command(help=_("Show which walls of a cage this computer can build, and try one."))
@json_option()
def doctor(as_json: bool) -> int:
    """Say how safely bots are locked up here."""
    missing = 0
    walls = offered()
    if as_json:
        safe = not any(walls.values())
        click.echo(json.dumps({"safe": safe, "missing": {k: v for k, v in walls.items() if v}}))
        return 0 if safe else 1
    for layer in LAYERS:
        reason = walls[layer]
        mark = click.style("✓", fg="green") if reason is None else click.style("✗", fg="red")
        told = _(WALLS[layer]) if reason is None else _("missing: {reason}").format(reason=reason)
        if layer == "namespaces" and bubblewrap():
            told += " " + _("(by bubblewrap: this host refuses them to others)")
        click.echo(f"{mark} {layer:11} {told}")
        missing += reason is not None
    if walls["namespaces"] is not None:
        click.echo(f"  {'':11} {_help_with_namespaces()}")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    click.echo(_("  cores       {cores}: so many games at once with --workers").format(cores=cores))
    if missing:
        click.echo(
            _(
                "Bots of strangers are not safely locked up here. Matches need --trust, which runs "
                "them like any other program of yours."
            )
        )
        return 1
    try:
        with BotProcess(BotSpec("trial", "entry", "mbegu.arena.bots:Random", "Random")) as trial:
            trial.start()
    except BotFault as fault:
        click.echo(_("A trial failed: {fault}").format(fault=fault))
        return 1
    click.echo(_("A bot was started in a cage and answered: all is well."))
    return 0

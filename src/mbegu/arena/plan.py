"""What a tournament is: a TOML file, read and checked.

    game = "oware"
    format = "round-robin"        # double-round-robin, swiss, gauntlet, knock-out
    games = 2                     # of each pairing; each opening twice with sides changed
    time = "10+0.1"               # or movetime = 0.2, or nodes = 10000
    openings = "random:4"
    seed = 1

    [[bot]]
    bot = "greedy"

    [[bot]]
    name = "Amina"
    bot = "bots/amina.py"

    [[bot]]
    bot = "bots/baraka.py"
    files = ["openings.txt"]      # what it may read besides its own modules

    [[bot]]
    bot = "class/*.py"            # every file of that form, in the order of the names

Files are looked for beside the TOML file. A bot that cannot be found is reported and left out.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from glob import glob, has_magic
from pathlib import Path
from typing import Any

from mbegu.arena.openings import openings
from mbegu.arena.referee import Conditions
from mbegu.arena.roster import BotSpec, find_bot, read_toml, with_own_names
from mbegu.arena.series import check_bots
from mbegu.core.errors import MbeguError, shorten
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.core.printable import one_line, printable
from mbegu.core.registry import game as find_game

__all__ = ["FORMATS", "Plan", "read_plan"]

FORMATS = ("round-robin", "double-round-robin", "swiss", "gauntlet", "knock-out")
SEEDINGS = ("listed", "random", "sanity")
MIB = 1 << 20

# key: type, default
_KEYS: dict[str, tuple[type | tuple[type, ...], Any]] = {
    "title": (str, ""),
    "game": (str, None),
    "format": (str, "round-robin"),
    "games": (int, 2),
    "rounds": (int, 0),
    "time": (str, None),
    "movetime": ((int, float), None),
    "nodes": (int, None),
    "openings": (str, "start"),
    "seed": (int, None),
    "policy": (str, "strict"),
    "memory": (int, None),
    "fresh": (bool, False),
    "start": ((int, float), None),
    "engine": (bool, True),
    "sanity": (bool, True),
    "seeding": (str, "listed"),
    "challengers": (list, []),
    "folder": (str, None),
    "bot": (list, []),
}


@dataclass(frozen=True)
class Plan:
    """A tournament as it will be played."""

    title: str
    game: str
    format: str
    games: int
    rounds: int
    openings: str
    seed: int | None  # None: drawn when the first game is played
    conditions: Conditions
    sanity: bool
    seeding: str
    challengers: tuple[str, ...]
    bots: tuple[BotSpec, ...]
    folder: str
    troubles: tuple[tuple[str, str], ...] = ()  # bots that cannot be found, and why

    def fingerprint(self) -> dict[str, str]:
        """What must be the same for games to belong to the same tournament, each with its digest."""
        rules = asdict(self)
        for key in ("title", "folder", "troubles", "bots"):
            del rules[key]
        rules["conditions"].pop("trust")
        parts = {"": json.dumps(rules, sort_keys=True, default=str)}
        for bot in self.bots:
            parts[bot.name] = f"{bot.kind} {bot.class_name} {_digest(bot)}"
        return {name: hashlib.sha256(told.encode()).hexdigest() for name, told in parts.items()}


def _digest(bot: BotSpec) -> str:
    """Of everything that belongs to a bot."""
    files = bot.contents()
    if bot.kind == "program":
        files = {"": Path(bot.path).read_bytes()}
    told = hashlib.sha256()
    for name, data in sorted(files.items()):
        told.update(f"{name} {len(data)}\0".encode() + data)
    return told.hexdigest()


def read_plan(path: str, *, trust: bool = False) -> Plan:
    """The plan in a file; MbeguError says what is wrong with it, and where."""
    told = read_toml(path)
    values = {key: _value(path, told, key) for key in _KEYS}
    for key in told:
        if key not in _KEYS:
            raise MbeguError(
                _("{path}: {key} means nothing here; there are: {keys}").format(
                    path=path, key=shorten(key), keys=", ".join(_KEYS)
                )
            )
    if values["game"] is None:
        raise MbeguError(_('{path}: say which game, like game = "oware"').format(path=path))
    _one_of(path, "format", values["format"], FORMATS)
    _one_of(path, "seeding", values["seeding"], SEEDINGS)
    if not 1 <= values["games"] <= 10_000 or not 0 <= values["rounds"] <= 1_000:
        raise MbeguError(
            _("{path}: games go from 1 to 10000, rounds from 0 to 1000").format(path=path)
        )
    here = os.path.dirname(os.path.abspath(path))
    try:
        game = find_game(values["game"])
        conditions = _conditions(values, trust)
        opening = _beside(here, values["openings"])
        openings(game, opening, 0)
    except MbeguError as error:
        raise MbeguError(f"{path}: {error}") from None
    bots, troubles = _bots(path, here, game, values["bot"])
    if len(bots) < 2:
        why = "; ".join(f"{name}: {error}" for name, error in troubles)
        raise MbeguError(
            _("{path}: a tournament needs two bots that can play. {why}").format(path=path, why=why)
        )
    challengers = tuple(str(name) for name in values["challengers"])
    for name in challengers:
        _one_of(path, "challengers", name, [bot.name for bot in bots])
    folder = values["folder"] or f"{Path(path).stem}-results"
    return Plan(
        title=printable(one_line(values["title"]) or Path(path).stem),
        game=str(game),
        format=values["format"],
        games=values["games"],
        rounds=values["rounds"],
        openings=opening,
        seed=values["seed"],
        conditions=conditions,
        sanity=values["sanity"],
        seeding=values["seeding"],
        challengers=challengers,
        bots=tuple(bots),
        folder=os.path.join(here, folder),
        troubles=tuple(troubles),
    )


def _value(path: str, told: dict[str, Any], key: str) -> Any:
    kind, default = _KEYS[key]
    value = told.get(key, default)
    wrong_bool = isinstance(value, bool) and kind is not bool
    if key in told and (wrong_bool or not isinstance(value, kind)):
        raise MbeguError(
            _("{path}: {key} cannot be {value}").format(path=path, key=key, value=shorten(value))
        )
    return value


def _one_of(path: str, key: str, value: str, choices: Iterable[str]) -> None:
    if value not in choices:
        raise MbeguError(
            _("{path}: {key} cannot be {value}; there are: {choices}").format(
                path=path, key=key, value=shorten(value), choices=", ".join(choices)
            )
        )


def _conditions(values: dict[str, Any], trust: bool) -> Conditions:
    control = "10+0.1" if values["nodes"] is None else "-"
    if values["time"] is not None and values["movetime"] is not None:
        raise MbeguError(_("give time or movetime, not both"))
    if values["movetime"] is not None:
        control = f"{values['movetime']:g}/move"
    elif values["time"] is not None:
        control = values["time"]
    if values["nodes"] is not None and values["nodes"] < 1:
        raise MbeguError(_("nodes must be 1 or more"))
    if values["memory"] is not None and values["memory"] < 64:
        raise MbeguError(_("memory must be 64 (megabytes) or more"))
    if values["start"] is not None and not 0.1 <= values["start"] <= 3600:
        raise MbeguError(_("start goes from 0.1 to 3600 seconds"))
    return Conditions(
        control,
        values["nodes"],
        values["policy"],
        trust,
        None if values["memory"] is None else values["memory"] * MIB,
        values["fresh"],
        values["start"],
        values["engine"],
    )


def _beside(here: str, text: str) -> str:
    """A file's name, seen from the folder of the plan."""
    beside = os.path.join(here, text)
    return (
        beside
        if os.path.exists(beside.partition(".py:")[0] + (".py" if ".py:" in beside else ""))
        else text
    )


def _bots(
    path: str, here: str, game: Game, entries: list[Any]
) -> tuple[list[BotSpec], list[tuple[str, str]]]:
    found, troubles = list[BotSpec](), list[tuple[str, str]]()
    # What is a bot's, or was meant to be one, is no module of another one.
    others = tuple(
        os.path.join(here, text) for text, _name, _files in _entries(path, here, entries)
    )
    for text, name, files in _entries(path, here, entries):
        try:
            spec = replace(find_bot(_beside(here, text)), files=files, others=others)
            check_bots(game, (spec,))
            spec.contents()  # one that has too much is left out; it does not stop the others
        except MbeguError as error:
            # Reports are mailed: they tell no folder of the host. A file's name may hold anything.
            told = str(error).replace(os.path.join(here, ""), "")
            troubles.append((printable(name or text), printable(told)))
            continue
        found.append(replace(spec, name=_clean(spec.name if name is None else name)))
    named = with_own_names(found)
    for before, after in zip(found, named, strict=True):
        if before.name != after.name:
            troubles.append(
                (
                    after.name,
                    _("two bots are called {name}: this is the later one").format(name=before.name),
                )
            )
    return named, troubles


def _entries(
    path: str, here: str, entries: list[Any]
) -> Iterator[tuple[str, str | None, tuple[str, ...]]]:
    """Each bot, its name if it is given one, and its files; a pattern stands for all that match."""
    for number, entry in enumerate(entries, 1):
        text = entry.get("bot") if isinstance(entry, dict) else entry
        name = entry.get("name") if isinstance(entry, dict) else None
        more = entry.get("files", []) if isinstance(entry, dict) else []
        files = tuple(os.path.join(here, str(file)) for file in more)
        if not isinstance(text, str) or not isinstance(name, str | None):
            raise MbeguError(
                _('{path}: bot {number} needs a line like bot = "my_bot.py"').format(
                    path=path, number=number
                )
            )
        matches = sorted(glob(text, root_dir=here, recursive=True)) if has_magic(text) else []
        if name is not None and len(matches) > 1:
            raise MbeguError(
                _("{path}: {bot} are {count} bots, so they cannot be called {name}").format(
                    path=path, bot=shorten(text), count=len(matches), name=shorten(name)
                )
            )
        for match in matches or [text]:
            yield match, name, files


def _clean(name: str) -> str:
    """A name for tables and files; a bar would make two pairings look like one."""
    return printable(name.strip()).replace("|", "¦")[:60] or "?"

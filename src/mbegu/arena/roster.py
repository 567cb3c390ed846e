"""Finding bots: by name, by file, by class.

random, greedy, level5          the bots that come with the package
path/to/file.py:MyBot           a class with the method choose(position, clock)
path/to/file.py                 the same, when the file has one such class;
                                or an AI of the MAIC 2022 contest, which is always called AI
path/to/folder, path/to/bot.zip a bot of several files (`mbegu.arena.bundle`)
path/to/program.toml            a program that speaks UGI or UCI, with its command line and options
a name of an entry point in the group mbegu.bots
"""

import ast
import os
import shutil
import sys
import tomllib
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mbegu.arena import java
from mbegu.arena.bots import BOTS, is_search, make_bot
from mbegu.arena.bundle import ARCHIVE, Files, contents, main_file, read_source
from mbegu.core.errors import MbeguError, shorten, system_words
from mbegu.core.i18n import _
from mbegu.core.nearest import did_you_mean

__all__ = ["BotSpec", "find_bot", "installed_bots", "with_own_names"]

GROUP = "mbegu.bots"
CONTEST_GAME = "morabaraba"  # what AIs of the MAIC contest play, and nothing else
IN_FILES = ("class", "contest")  # kinds of bots that are laid out in a folder of their own

PROTOCOLS = ("ugi", "uci")
MIB = 1 << 20
MOST_BESIDE = 1000  # files of a folder that a program opens by a bare name
PROGRAM_MEMORY = 2048 * MIB  # a program may be a whole interpreter with a compiler in it


@dataclass(frozen=True)
class BotSpec:
    """How a bot is called and how it is started."""

    name: str
    kind: str  # builtin, class, entry, contest or program
    path: str = ""
    class_name: str = ""
    # of a program
    command: tuple[str, ...] = ()
    protocol: str = "ugi"
    options: tuple[tuple[str, str | int | float | bool], ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    read: tuple[str, ...] = ()  # more files and folders that it may read
    beside: tuple[str, ...] = ()  # what it finds in its folder, under the same names
    memory: int | None = None  # bytes, where it needs more or less than the others
    # of a class or an AI of the contest
    main: str = ""  # its file in the folder or the archive that `path` then is
    files: tuple[str, ...] = ()  # what the host gives it besides
    others: tuple[str, ...] = ()  # files of other bots, which it does not get

    @property
    def trusted(self) -> bool:
        """Whether it is our own."""
        return self.kind == "builtin"

    def contents(self) -> Files:
        """All files that belong to it."""
        if self.kind not in IN_FILES:
            return {}
        return contents(self.path, main=self.main, more=self.files, others=self.others)

    def source(self) -> bytes:
        """The text of the file in which its class is."""
        return self.contents()[self.main or Path(self.path).name]

    def order(self) -> dict[str, Any]:
        """What the worker needs to know."""
        told: dict[str, Any] = {
            "kind": self.kind,
            "name": self.class_name or self.name,
            "path": self.path,
        }
        if self.kind == "program":
            told |= {"name": self.name, "command": list(self.command), "protocol": self.protocol}
            told |= {"options": dict(self.options), "env": dict(self.env)}
            told["beside"] = list(self.beside)
        return told


def find_bot(text: str) -> BotSpec:
    """The bot that a text names; nothing of it is run yet."""
    if is_search(text):
        make_bot(text)  # a depth that makes no sense is told now
    if text in BOTS or is_search(text):
        return BotSpec(text, "builtin", class_name=text)
    if text.endswith(".toml"):
        return _program(text)
    path, _colon, class_name = text.rpartition(":") if text.rpartition(":")[0] else (text, "", "")
    if path.endswith((".py", ARCHIVE)) or os.sep in path:
        return _in_file(path, class_name)
    installed = installed_bots()
    if text in installed:
        return installed[text]
    raise MbeguError(
        _(
            "no bot is called {name}{maybe}; there are: {names}, or give a file like my_bot.py"
        ).format(
            name=shorten(text),
            maybe=did_you_mean(text, [*BOTS, *installed]),
            names=", ".join([*BOTS, *installed]),
        )
    )


def installed_bots() -> dict[str, BotSpec]:
    """The bots of installed packages."""
    from importlib.metadata import entry_points  # noqa: PLC0415 (slow, and seldom needed)

    return {
        point.name: BotSpec(point.name, "entry", point.value, point.value.rpartition(":")[2])
        for point in entry_points(group=GROUP)
    }


def with_own_names(specs: Iterable[BotSpec]) -> list[BotSpec]:
    """The same bots, in which a second one of the same name is called name (2)."""
    found: list[BotSpec] = []
    for spec in specs:
        name, number, taken = spec.name, 1, {other.name for other in found}
        while name in taken:
            number += 1
            name = f"{spec.name} ({number})"
        found.append(replace(spec, name=name))
    return found


def _in_file(path: str, class_name: str) -> BotSpec:
    """Reads a file without running it, to see which class in it is the bot."""
    main, name = "", Path(path).stem
    try:
        if path.endswith(ARCHIVE) or os.path.isdir(path):
            files = contents(path, main=path)
            main = main_file(path, files)
            source = files[main]
        else:
            source = read_source(path)
        with warnings.catch_warnings(action="ignore"):  # of a stranger's "\\d", say
            tree = ast.parse(source, filename=path)
    except OSError as error:
        raise MbeguError(f"{path}: {system_words(error)}") from None
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        if isinstance(error, MbeguError):
            raise
        place = f"{path}:{getattr(error, 'lineno', None) or 1}"
        raise MbeguError(
            _("{place}: this is not Python: {error}").format(
                place=place, error=getattr(error, "msg", error)
            )
        ) from None
    path = os.path.abspath(path)
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    bots = _bots_among(classes)
    if class_name in ("", "AI") and _is_contest(tree, classes, bots):
        return BotSpec(name, "contest", path, "AI", main=main)
    if class_name:
        bots = [cls for cls in classes if cls == class_name]
    if len(bots) != 1:
        raise MbeguError(
            _(
                "{path}: expected one class with a method choose (or AI, as in the MAIC contest), "
                "found: {names}; name the class like this: {path}:MyBot"
            ).format(path=path, names=", ".join(bots) or _("none"))
        )
    return BotSpec(name, "class", path, bots[0], main=main)


def _bots_among(classes: dict[str, ast.ClassDef]) -> list[str]:
    """The classes with a method choose, of their own or of a class above them in the file."""
    bots: list[str] = []
    for name, node in classes.items():
        above = {base.id for base in node.bases if isinstance(base, ast.Name)}
        if _has_method(node, "choose") or above.intersection(bots):
            bots.append(name)
    return bots


# What a program's file may say, and of which type.
_PROGRAM_KEYS: dict[str, tuple[type, ...]] = {
    "name": (str,),
    "command": (list,),
    "protocol": (str,),
    "options": (dict,),
    "env": (dict,),
    "read": (list,),
    "memory": (int,),
}


def _program(path: str) -> BotSpec:
    """A program by its TOML file."""
    told = read_toml(path)
    for key, value in told.items():
        if key not in _PROGRAM_KEYS:
            raise MbeguError(
                _("{path}: {key} means nothing here; there are: {keys}").format(
                    path=path, key=shorten(key), keys=", ".join(_PROGRAM_KEYS)
                )
            )
        if not isinstance(value, _PROGRAM_KEYS[key]) or isinstance(value, bool):
            if key == "command":
                break  # what it should look like is said below
            raise MbeguError(
                _("{path}: {key} cannot be {value}").format(
                    path=path, key=key, value=shorten(value)
                )
            )
    command = told.get("command")
    if not isinstance(command, list) or not command:
        raise MbeguError(
            _(
                '{path}: a program needs its command line, like command = ["mbegu", "engine", "oware"]'
            ).format(path=path)
        )
    command = [str(word) for word in command]
    protocol = told.get("protocol", "ugi")
    if protocol not in PROTOCOLS:
        raise MbeguError(
            _("{path}: {protocol} is not a protocol; there are: {protocols}").format(
                path=path, protocol=shorten(protocol), protocols=", ".join(PROTOCOLS)
            )
        )
    folder = os.path.dirname(os.path.abspath(path))
    program = _which(command[0], folder)
    if program is None:
        raise MbeguError(
            _("{path}: there is no program {program}").format(
                path=path, program=shorten(command[0])
            )
        )
    words, files = _words(command[1:], folder)
    memory = told["memory"] * MIB if "memory" in told else PROGRAM_MEMORY
    if java.is_java(program):
        memory = max(memory, java.MEMORY) if "memory" not in told else memory
        words, on_path = java.class_path(words, folder)
        words = [*java.heap_words(words, memory), *words]
        files += [*on_path, *java.java_files(program)]
    more = [os.path.join(folder, os.path.expanduser(str(place))) for place in told.get("read", [])]
    return BotSpec(
        str(told.get("name", Path(path).stem))[:60],
        "program",
        path=path,
        command=(program, *words),
        protocol=protocol,
        options=tuple(told.get("options", {}).items()),
        env=tuple((name, str(value)) for name, value in told.get("env", {}).items()),
        read=(*_own_files(path, folder, program), *files, *more),
        beside=tuple(_beside(path, folder, [*files, *more])),
        memory=memory,
    )


def _own_files(path: str, folder: str, program: str) -> Iterator[str]:
    """What a program may read unasked, beside the files of its command: itself, and the folder of its name."""
    for place in (program, os.path.realpath(program)):
        yield place if os.path.dirname(place) == folder else os.path.dirname(place)
    yield os.path.join(folder, Path(path).stem)


def _words(words: list[str], folder: str) -> tuple[list[str], list[str]]:
    """The words of a command, in which a file beside its TOML has its whole name; and these files.

    A program runs in a folder of its own. A bare word may be a command, as in `mbegu engine oware`, and stays as
    it is; so does a setting such as `-Dbook=book.txt`, whose file is found there (see `_beside`).
    """
    files = {word: os.path.join(folder, word.rpartition("=")[2]) for word in words}
    files = {word: place for word, place in files.items() if os.path.isfile(place)}
    whole = {
        word: place
        for word, place in files.items()
        if set(word) & {".", os.sep} and "=" not in word
    }
    return [whole.get(word, word) for word in words], list(files.values())


def _beside(path: str, folder: str, may_read: list[str]) -> list[str]:
    """What a program opens by a bare name: what it may read of the folder of its TOML, and all of its own folder."""
    own, found = os.path.join(folder, Path(path).stem), dict[str, str]()
    for place in map(os.path.abspath, [*may_read, own]):
        inside = place in (folder, own) and os.path.isdir(place)
        names = sorted(os.listdir(place))[:MOST_BESIDE] if inside else []
        for each in (place, *(os.path.join(place, name) for name in names)):
            if os.path.dirname(each) in (folder, own) and os.path.exists(each):
                found.setdefault(os.path.basename(each), each)
    return list(found.values())


def _which(word: str, folder: str) -> str | None:
    """The program of a command: beside the file that names it, with Python, or on the path."""
    if os.sep in word:
        found = os.path.join(folder, os.path.expanduser(word))
        return found if os.access(found, os.X_OK) else None
    beside = os.path.dirname(sys.executable)
    return shutil.which(word, path=os.pathsep.join([beside, os.environ.get("PATH", os.defpath)]))


def read_toml(path: str) -> dict[str, Any]:
    """A TOML file; what is wrong with it is said in one line."""
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise MbeguError(f"{path}: {system_words(error)}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise MbeguError(
            _("{path}: this is not TOML: {error}").format(path=path, error=error)
        ) from None


def _is_contest(tree: ast.Module, classes: dict[str, ast.ClassDef], bots: list[str]) -> bool:
    """Whether a file holds an AI of the MAIC contest: something by that name, however it gets there."""
    if "AI" in classes and _has_method(classes["AI"], "play"):
        return True
    return not bots and any("AI" in _names(line) for line in tree.body)


def _names(line: ast.stmt) -> set[str]:
    """What a line of a module gives a name: a class, a variable, something that it imports."""
    match line:
        case ast.ClassDef(name=name):
            return {name}
        case ast.Assign(targets=targets):
            return {part.id for part in targets if isinstance(part, ast.Name)}
        case ast.ImportFrom(names=names):
            return {part.asname or part.name for part in names}
        case ast.If(body=body) | ast.Try(body=body):
            return set[str]().union(*map(_names, body))
    return set()


def _has_method(node: ast.ClassDef, name: str) -> bool:
    return any(isinstance(part, ast.FunctionDef) and part.name == name for part in node.body)

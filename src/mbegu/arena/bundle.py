"""What belongs to a bot: its file, its modules and data, and nothing of anybody else.

    amina.py                  one file, with the modules beside it that it imports
    amina.py and amina/       the folder of its name goes along, whatever is in it
    amina/                    a folder with the bot in bot.py, or in its one file that is a bot
    amina.zip                 the same, packed

Each bot is laid out in a folder of its own and sees no other one. So a module that is a bot itself is never
taken along, nor what begins with a dot, nor what a link points to; nor one by the name of a module that everybody
imports, for whoever laid a random.py into the folder of a class would play for all of it.

To find all this the host itself reads the sources of strangers, and a syntax tree takes a thousand times the room
of its source: so there is an end to the sources of one bot, and what is no source is never read as one.
"""

import ast
import io
import lzma
import os
import stat
import sys
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from mbegu.core.errors import MbeguError, shorten, system_words
from mbegu.core.i18n import _

__all__ = [
    "ARCHIVE",
    "BOT_FILE",
    "MOST_SOURCE",
    "contents",
    "has_bot",
    "lay_out",
    "main_file",
    "read_archive",
    "read_source",
]

ARCHIVE = ".zip"
BOT_FILE = "bot.py"  # of a folder with several
SOURCE = ".py"
MOST_FILES, MOST_BYTES = 1000, 64 << 20
MOST_SOURCE = 1 << 20  # bytes of Python, in all: what is taken apart here, outside of any cage
EVERYBODYS = sys.stdlib_module_names | {"mbegu", "numpy"}
LONGEST_NAME = 255  # bytes of a part of a path
MOST_LISTED = 1 << 20  # bytes of the list of what is in an archive
CHUNK = 1 << 16
_BROKEN = (  # what an archive can be: no archive, damaged, locked, packed in a way that nobody knows
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    NotImplementedError,
    RuntimeError,
    EOFError,
    ValueError,
    MemoryError,
)

Files = dict[str, bytes]  # by their names inside the bot's folder, with slashes


def contents(
    path: str, *, main: str = "", more: tuple[str, ...] = (), others: tuple[str, ...] = ()
) -> Files:
    """The files of a bot; `main` is its file in a folder or an archive.

    `more` are files and folders that the host gives it, `others` are those of other bots.
    """
    if main:
        found = read_archive(path) if path.endswith(ARCHIVE) else dict(_folder(Path(path)))
    else:
        found = _beside(Path(path), {os.path.abspath(other) for other in others} - {path})
    for place in map(Path, more):
        kept = _folder(place) if place.is_dir() else [(place.name, _read(place))]
        found |= {f"{place.name}/{name}" if place.is_dir() else name: data for name, data in kept}
    _check_size(path, found)
    return found


def lay_out(files: Files, folder: str) -> None:
    """Writes the files of a bot into a folder of its own."""
    for name, data in files.items():
        place = Path(folder, name)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)


def main_file(path: str, files: Files) -> str:
    """Which file of a folder or an archive is the bot."""
    _check_source(path, files)
    bots = [name for name in files if name.endswith(SOURCE) and has_bot(files[name])]
    top = [name for name in bots if name.count("/") == min(map(_depth, bots))]
    for wanted in (BOT_FILE, f"{Path(path).stem}.py"):
        if any(PurePosixPath(name).name == wanted for name in top):
            top = [name for name in top if PurePosixPath(name).name == wanted]
    if len(top) != 1:
        raise MbeguError(
            _("{path}: expected one file that is a bot, found: {names}; call it {name}").format(
                path=path, names=", ".join(map(shorten, sorted(top))) or _("none"), name=BOT_FILE
            )
        )
    return top[0]


def _depth(name: str) -> int:
    return name.count("/")


def read_source(path: str) -> bytes:
    """A file of Python, of no more than the host reads."""
    source = _read(Path(path))
    _check_source(path, {Path(path).name: source})
    return source


def has_bot(source: bytes) -> bool:
    """Whether there is a bot in a file: a class with choose, or an AI as in the contest."""
    tree = _parsed(source)
    return tree is not None and any(_is_bot(node) for node in ast.walk(tree))


def _is_bot(node: ast.AST) -> bool:
    match node:
        case ast.ClassDef(name="AI"):
            return True
        case ast.ClassDef(body=body):
            return any(isinstance(part, ast.FunctionDef) and part.name == "choose" for part in body)
        case ast.Assign(targets=[ast.Name(id="AI")]):
            return True
    return False


def _parsed(source: bytes) -> ast.Module | None:
    try:
        with warnings.catch_warnings(action="ignore"):
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


# ---- a file and what it needs ---------------------------------------------------------------------


def _beside(path: Path, others: set[str]) -> Files:
    """A file, the folder of its name, and the modules beside it that they import."""
    found, folder = {path.name: _read(path)}, path.parent
    own = folder / path.stem
    if own.is_dir() and not own.is_symlink():
        found |= {f"{own.name}/{name}": data for name, data in _folder(own)}
    waiting = _sources(str(path), found)
    while waiting:
        for name in _imports(waiting.pop()):
            news = {key: data for key, data in _module(folder, name, others) if key not in found}
            found |= news
            _check_source(str(path), found)
            waiting += _sources(str(path), news)
            if len(found) > MOST_FILES:
                raise _too_much(str(path))
    return found


def _sources(path: str, files: Files) -> list[bytes]:
    """Those of some files that are Python: a table of numbers could be read as that, too."""
    _check_source(path, files)
    return [data for name, data in files.items() if name.endswith(SOURCE)]


def _imports(source: bytes) -> set[str]:
    """The modules that a file imports, by the first part of their names."""
    tree, found = _parsed(source), set[str]()
    for node in [] if tree is None else ast.walk(tree):
        match node:
            case ast.Import(names=names):
                found |= {part.name.partition(".")[0] for part in names}
            case ast.ImportFrom(module=str(module)):
                found.add(module.partition(".")[0])
            case ast.ImportFrom(names=names):  # from . import helper
                found |= {part.name for part in names}
    return found


def _module(folder: Path, name: str, others: set[str]) -> Iterator[tuple[str, bytes]]:
    """A module beside a bot, unless it is a bot or belongs to one, or is called like everybody's."""
    if name in EVERYBODYS:
        return
    file, package = folder / f"{name}.py", folder / name
    if file.is_file() and not file.is_symlink():
        if str(file) not in others and not has_bot(source := read_source(str(file))):
            yield file.name, source
    elif (package / "__init__.py").is_file() and not package.is_symlink():
        files = dict(_folder(package))
        mine = not any(other.startswith(f"{package}{os.sep}") for other in others)
        if mine and not any(map(has_bot, _sources(str(package), files))):
            yield from ((f"{name}/{key}", data) for key, data in files.items())


def _folder(folder: Path) -> Iterator[tuple[str, bytes]]:
    """What is in a folder: no links, nothing that begins with a dot, nothing compiled."""
    count = size = 0
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not _hidden(name))
        for name in sorted(names):
            file = Path(place, name)
            if _hidden(name) or not stat.S_ISREG(file.lstat().st_mode):
                continue
            count, size = count + 1, size + file.lstat().st_size
            if count > MOST_FILES or size > MOST_BYTES:
                raise _too_much(str(folder))
            yield file.relative_to(folder).as_posix(), _read(file)


def _hidden(name: str) -> bool:
    return name.startswith(".") or name in ("__pycache__", "__MACOSX")


def _read(file: Path) -> bytes:
    try:
        _check_file(file)
        with file.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise MbeguError(f"{file}: {system_words(error)}") from None
    if len(data) > MOST_BYTES:
        raise _too_much(str(file))
    return data


def _check_file(file: Path) -> None:
    """A pipe would be waited for for ever, and a device might never end."""
    if not stat.S_ISREG(file.stat().st_mode):
        raise MbeguError(_("{path}: this is not a file").format(path=file))


def _check_size(path: str, files: Files) -> None:
    if len(files) > MOST_FILES or sum(map(len, files.values())) > MOST_BYTES:
        raise _too_much(path)


def _check_source(path: str, files: Files) -> None:
    if sum(len(data) for name, data in files.items() if name.endswith(SOURCE)) > MOST_SOURCE:
        raise MbeguError(
            _(
                "{path}: a bot has at most {size} MB of Python: keep tables in files of another kind"
            ).format(path=path, size=MOST_SOURCE >> 20)
        )


def _too_much(path: str) -> MbeguError:
    return MbeguError(
        _("{path}: a bot has at most {files} files and {size} MB in all").format(
            path=path, files=MOST_FILES, size=MOST_BYTES >> 20
        )
    )


# ---- archives -------------------------------------------------------------------------------------


def read_archive(path: str) -> Files:
    """The files of a .zip; nothing in it is believed, neither names nor sizes."""
    try:
        _check_file(Path(path))
        with _Sparing(path) as file, zipfile.ZipFile(file) as archive:
            return _unpacked(path, archive)
    except MbeguError:
        raise
    except OSError as error:
        raise MbeguError(f"{path}: {system_words(error)}") from None
    except _BROKEN as error:
        raise MbeguError(
            _("{path}: this archive cannot be read: {error}").format(
                path=path, error=shorten(error)
            )
        ) from None


class _Sparing(io.FileIO):
    """A file of which nobody reads much at once.

    The list of what is in an archive is read in one go, and takes a hundred times its room: a name for each
    byte of a large file would be gigabytes.
    """

    def read(self, size: int | None = -1, /) -> bytes:
        """The next bytes; `_too_much` if somebody wants a very long list."""
        if size is not None and size > MOST_LISTED:
            raise _too_much(os.fsdecode(self.name))
        return super().read(size) or b""


def _unpacked(path: str, archive: zipfile.ZipFile) -> Files:
    found, size = Files(), 0
    if len(archive.infolist()) > MOST_FILES:
        raise _too_much(path)
    for entry in archive.infolist():
        name = _safe_name(path, entry)
        if entry.is_dir() or any(map(_hidden, name.split("/"))):
            continue
        with archive.open(entry) as packed:
            parts = list[bytes]()
            while part := packed.read(CHUNK):  # it may be longer than it says
                size += len(part)
                if size > MOST_BYTES:
                    raise _too_much(path)
                parts.append(part)
        found[name] = b"".join(parts)
    _check_places(path, found)
    return found


def _check_places(path: str, files: Files) -> None:
    """No file stands where a folder must be."""
    for name in files:
        for folder in map(str, PurePosixPath(name).parents):
            if folder in files:
                raise _bad_name(path, folder)


def _safe_name(path: str, entry: zipfile.ZipInfo) -> str:
    """The name of an entry, which must not lead out of the folder."""
    name, kind = entry.filename, stat.S_IFMT(entry.external_attr >> 16)
    parts = name.rstrip("/").split("/")
    bad = (
        "\\" in name
        or "\0" in name
        or ":" in name
        or any(part in ("", ".", "..") for part in parts)
        or any(len(part.encode(errors="replace")) > LONGEST_NAME for part in parts)
        or not name.isprintable()
    )
    if bad or kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise _bad_name(path, name)
    return "/".join(parts)


def _bad_name(path: str, name: str) -> MbeguError:
    return MbeguError(
        _("{path}: {name} is not a file that may be unpacked").format(path=path, name=shorten(name))
    )

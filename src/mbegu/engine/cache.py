"""The disk cache of compiled kernels.

Numba's own cache looks only at the file of the function itself: a search would not notice that a
kernel below it has changed. Here every entry stands in a folder named after all that it was made
from — the engine's compiled sources, the versions of Python, NumPy, Numba and LLVM, the processor — so a
stale kernel cannot be found. A stranger's kernel is known by the files that serve its states. (A compiled function outside the engine is known by its own file too;
it must inline nothing from other modules outside.)

An entry is written whole or not at all and carries a checksum. A folder that cannot be read or
written costs a line of warning and some seconds of compiling, never more. Of two processes that
start at once both compile, and the later one replaces the earlier one's file.

    $MBEGU_CACHE, or mbegu/ in the user's cache folder
      kernels/<fingerprint>/<function>-<hash of signature and processor>.bin
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache as once
from pathlib import Path
from typing import Any

from mbegu.core.errors import system_words
from mbegu.core.i18n import N_, _

__all__ = ["cache_folder", "on_compile", "prune"]

log = logging.getLogger("mbegu.engine")
KEPT_FOLDERS = 4  # of other versions and environments, the most recently used
KEPT_SECONDS = 30 * 24 * 3600
USELESS = N_("the cache {folder} cannot be used ({why})")
DAMAGED = N_("the cache {folder} is damaged")
STRANGE = N_("the cache {folder} does not fit ({why})")
FACES = (  # modules of plain Python, from which nothing that is compiled imports anything
    *(
        "analysis",
        "annotate",
        "book",
        "chance",
        "compiling",
        "engine",
        "explain",
        "levels",
        "perft",
    ),
    *(
        "checkpoint",
        "plain_engine",
        "plain_playout",
        "playout",
        "protocol",
        "protocol_words",
        "proving",
        "solve",
        "compiled_engine",
        "deepening",
        "search_threads",
        "time_management",
        "verdict",
    ),
    *("ahead/__main__", "ahead/build", "ahead/compile", "ahead/endings", "ahead/link"),
    *("ahead/tab", "kernels/ready"),
    *("tables/build", "tables/file", "tables/lent", "tables/ready", "tables/store"),
)
# of each of our games
KERNEL_FILES = (
    "kernel",
    "evaluation",
    "knowledge",
    "weights",
    "retrograde",
    "probe",
    "pits",
    "proof",
    "state",
    "windows",
)

listeners: list[Callable[[str], None]] = []
_told: set[str] = set()  # the warnings so far


def on_compile(listener: Callable[[str], None]) -> None:
    """Calls the listener with a function's name before it is compiled, not when it is cached."""
    listeners.append(listener)


def cache_folder() -> Path:
    """Where this user's caches stand."""
    chosen = os.environ.get("MBEGU_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "mbegu"


def compiled_sources() -> list[Path]:
    """The files of the engine and of the games' kernels from which compiled code may come."""
    engine = Path(__file__).parent
    games = engine.parent / "games"
    faces = {engine / f"{name}.py{kind}" for name in FACES for kind in ("", "c")}
    found = (path for path in engine.rglob("*.py*") if path.parent.name != "__pycache__")
    kernels = (path for part in KERNEL_FILES for path in games.glob(f"*/{part}.py*"))
    tables = games.glob("*/*.bin")
    return sorted([*(path for path in found if path not in faces), *kernels, *tables])


@once
def source_digest() -> str:
    """A name for the sources of everything that is compiled; nothing inside a zip file, where nobody could
    tell a changed kernel from an old one."""
    made_from = hashlib.sha256()
    engine = Path(__file__).parent
    sources = compiled_sources()
    for source in sources:
        made_from.update(source.relative_to(engine.parent).as_posix().encode() + b"\0")
        made_from.update(source.read_bytes() + b"\0")
    return made_from.hexdigest() if sources else ""


@once
def digest_of_file(name: str) -> str:
    """For functions outside the engine, whose own file is all of theirs that counts."""
    try:
        return hashlib.sha256(Path(name).read_bytes()).hexdigest()
    except OSError:  # typed at a prompt: never found again
        return os.urandom(16).hex()


_makers: dict[type, set[Path]] = {}  # the files outside the engine that serve a state class


def made_from(state_class: type, body: Callable[..., Any]) -> None:
    """Remembers whose code serves the states of a class: a changed file must be noticed."""
    path = Path(body.__code__.co_filename)
    if Path(__file__).parent not in path.parents:
        _makers.setdefault(state_class, set()).add(path)


def digest_of_states(sig: Any) -> str:
    """A name for all the files from which the states of a signature get their rules.

    The whole folder of a package counts: a kernel may inline from its neighbours."""
    classes = {getattr(each, "instance_class", None) for each in getattr(sig, "args", sig)}
    files: set[Path] = set()
    for maker in (path for each in classes for path in _makers.get(each, ())):  # type: ignore[arg-type]
        package = (maker.parent / "__init__.py").exists()
        files.update(
            (*maker.parent.glob("*.py"), *maker.parent.glob("*.bin")) if package else [maker]
        )
    return _digest_of_files(frozenset(map(str, files)))


@once
def _digest_of_files(names: frozenset[str]) -> str:
    return " ".join(digest_of_file(name) for name in sorted(names))


def warn(trouble: str, why: object = "") -> None:
    """Says what is wrong with the cache, once: the next entry has the same trouble."""
    if trouble not in _told:
        _told.add(trouble)
        folder = "?"
        with contextlib.suppress(RuntimeError):  # no home folder
            folder = str(cache_folder())
        said = _(trouble).format(folder=folder, why=system_words(why))
        log.warning("%s", _("{trouble}; compiling takes some seconds").format(trouble=said))


@once
def touch(folder: Path) -> None:
    """Tells `prune` that the folder is in use."""
    with contextlib.suppress(OSError):
        os.utime(folder)


def replace_file(path: Path, entry: bytes) -> None:
    """Writes a file whole or not at all, whoever else is writing it."""
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(entry)
        Path(name).replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def prune(current: Path) -> None:
    """Removes the folders of other versions, but for a few that were used lately."""
    with contextlib.suppress(OSError):
        others = [folder for folder in current.parent.iterdir() if folder != current]
        ages = sorted((time.time() - folder.stat().st_mtime, folder) for folder in others)
        for rank, (age, folder) in enumerate(ages):
            if rank >= KEPT_FOLDERS or age > KEPT_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)

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
import pickle
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache as once
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from llvmlite import binding
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps

from mbegu.core.i18n import N_, _

__all__ = ["KernelCache", "cache_folder", "on_compile", "prune"]

log = logging.getLogger("mbegu.engine")
KEPT_FOLDERS = 4  # of other versions and environments, the most recently used
KEPT_SECONDS = 30 * 24 * 3600
DIGEST = 32
USELESS = N_("the cache {folder} cannot be used ({why})")
DAMAGED = N_("the cache {folder} is damaged")
STRANGE = N_("the cache {folder} does not fit ({why})")
FACES = (  # modules of plain Python, from which nothing that is compiled imports anything
    *("analysis", "annotate", "chance", "compiling", "engine", "explain", "levels", "perft"),
    *(
        "checkpoint",
        "plain",
        "plain_games",
        "playout",
        "protocol",
        "proving",
        "solve",
        "thinker",
        "verdict",
    ),
    *("tables/build", "tables/file", "tables/ready", "tables/store"),
)
# of each of our games
KERNEL_FILES = ("kernel", "evaluation", "facts", "weights", "retrograde", "probe", "pits", "proof")

_listeners: list[Callable[[str], None]] = []
_told: set[str] = set()  # the warnings so far


def on_compile(listener: Callable[[str], None]) -> None:
    """Calls the listener with a function's name before it is compiled, not when it is cached."""
    _listeners.append(listener)


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
    return sorted([*(path for path in found if path not in faces), *kernels])


@once
def fingerprint() -> str:
    """A name for everything that compiled code is made from."""
    made_from = hashlib.sha256()
    engine = Path(__file__).parent
    sources = compiled_sources()
    for source in sources:
        made_from.update(source.relative_to(engine.parent).as_posix().encode() + b"\0")
        made_from.update(source.read_bytes() + b"\0")
    if not sources:  # inside a zip file: nothing would tell a changed kernel from an old one
        return ""
    features = binding.get_host_cpu_features().flatten()
    for fact in (
        *(sys.version, platform.platform(), numba.__version__, llvmlite.__version__),
        *(np.__version__, binding.get_host_cpu_name(), features),
    ):
        made_from.update(fact.encode() + b"\0")
    return made_from.hexdigest()[:20]


@once
def _digest_of_file(name: str) -> str:
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


def _digest_of_states(sig: Any) -> str:
    """A name for all the files from which the states of a signature get their rules.

    The whole folder of a package counts: a kernel may inline from its neighbours."""
    classes = {getattr(each, "instance_class", None) for each in getattr(sig, "args", sig)}
    files: set[Path] = set()
    for maker in (path for each in classes for path in _makers.get(each, ())):  # type: ignore[arg-type]
        package = (maker.parent / "__init__.py").exists()
        files.update(maker.parent.glob("*.py") if package else [maker])
    return _digest_of_files(frozenset(map(str, files)))


@once
def _digest_of_files(names: frozenset[str]) -> str:
    return " ".join(_digest_of_file(name) for name in sorted(names))


def _warn(trouble: str, why: object = "") -> None:
    """Says what is wrong with the cache, once: the next entry has the same trouble."""
    if trouble not in _told:
        _told.add(trouble)
        folder = "?"
        with contextlib.suppress(RuntimeError):  # no home folder
            folder = str(cache_folder())
        said = _(trouble).format(folder=folder, why=getattr(why, "strerror", None) or why)
        log.warning("%s", _("{trouble}; compiling takes some seconds").format(trouble=said))


class KernelCache(NullCache):
    """The cache of one compiled function, in the place of Numba's own."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._name = f"{function.__module__}.{function.__qualname__}"
        self._own = _digest_of_file(function.__code__.co_filename)
        fingerprint()  # now, while the sources are the ones that are being imported

    @property
    def cache_path(self) -> str:
        """The folder of this version's entries."""
        return str(cache_folder() / "kernels" / fingerprint())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function for a signature; None if it must be compiled."""
        # Numba would load all it can compile, for half a second; a function that is compiled
        # already needs no more than the memory manager.
        rtsys.initialize(target_context)
        entry = b""
        try:
            path = self._path(sig, target_context.codegen())
            entry = path.read_bytes() if fingerprint() else b""
        except FileNotFoundError:
            pass
        except (OSError, RuntimeError) as trouble:
            _warn(USELESS, trouble)
        found = self._rebuilt(entry, target_context) if entry else None
        if found is None:
            for listener in _listeners:
                listener(self._name)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keeps a compiled function for the next process."""
        if not fingerprint() or data.lifted or data.library.has_dynamic_globals:
            return
        try:
            path = self._path(sig, data.codegen)
            new = not path.parent.exists()
            path.parent.mkdir(parents=True, exist_ok=True)
            payload = dumps(data._reduce())  # type: ignore[no-untyped-call]
            _replace(path, hashlib.sha256(payload).digest() + payload)
            if new:
                prune(path.parent)
        except (OSError, RuntimeError) as trouble:
            _warn(USELESS, trouble)

    def _rebuilt(self, entry: bytes, target_context: Any) -> Any:
        payload = entry[DIGEST:]
        if hashlib.sha256(payload).digest() != entry[:DIGEST]:
            _warn(DAMAGED)
            return None
        try:
            parts = pickle.loads(payload)  # noqa: S301 - our own, in the user's own folder
            found = CompileResult._rebuild(target_context, *parts)  # type: ignore[no-untyped-call]
            _touch(Path(self.cache_path))
        except Exception as trouble:
            _warn(STRANGE, repr(trouble))
            return None
        return found

    def _path(self, sig: Any, codegen: Any) -> Path:
        facts = repr((sig, codegen.magic_tuple(), self._own, _digest_of_states(sig)))
        made_for = hashlib.sha256(facts.encode()).hexdigest()[:20]
        return Path(self.cache_path) / f"{self._name}-{made_for}.bin"


@once
def _touch(folder: Path) -> None:
    """Tells `prune` that the folder is in use."""
    with contextlib.suppress(OSError):
        os.utime(folder)


def _replace(path: Path, entry: bytes) -> None:
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

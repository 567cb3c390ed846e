"""The prebuilt libraries of this installation: which there are, and how they are called.

A library is opened when a state of its class is first thought about. It is used only if it was made from the
sources that lie here; `MBEGU_PREBUILT=0` leaves all libraries alone, and a folder in that variable is
taken instead of ours.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import json
import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from mbegu.engine.ahead.calling import flatten, reader
from mbegu.engine.ahead.targets import for_this_computer
from mbegu.engine.cache import source_digest

__all__ = ["find", "folder", "is_ready"]

PLACE = "MBEGU_PREBUILT"
Function = Callable[..., Any]


def folder() -> Path | None:
    """Where the libraries lie; None if nobody wants them."""
    chosen = os.environ.get(PLACE)
    if chosen == "0":
        return None
    return Path(chosen) if chosen else Path(__file__).with_name("prebuilt")


@cache
def _manifest() -> dict[str, Any]:
    """What the libraries are; empty if there are none, or none of these sources."""
    where = folder()
    try:
        told: dict[str, Any] = json.loads((where / "manifest.json").read_bytes()) if where else {}
    except (OSError, ValueError):
        return {}
    return told if told.get("sources") == source_digest() != "" else {}


@cache
def _libraries() -> dict[str, tuple[str, dict[str, Any]]]:
    """By the class of their states: the name of a library, and what the manifest tells of it."""
    libraries = _manifest().get("libraries", {})
    return {told["state"]: (name, told) for name, told in libraries.items()}


def is_ready(state_class: type) -> bool:
    """Whether there is a library for states of this class."""
    return _library(f"{state_class.__module__}.{state_class.__qualname__}") is not None


@cache
def _library(state: str) -> tuple[Any, dict[str, Any]] | None:
    """The library for a class of states, open, and what it offers."""
    name, told = _libraries().get(state, ("", {}))
    for path in _candidates(name, told["sha256"]) if name else ():
        try:
            return ctypes.CDLL(str(path)), told
        except OSError:  # for another system than it says
            continue
    return None


def _candidates(name: str, digests: dict[str, str]) -> Iterator[Path]:
    """The files that may serve here, whole ones only: half a library ends the process that opens it."""
    where = folder()
    for target in for_this_computer() if where else ():
        path = Path(str(where), target.name, f"{name}{target.suffix}")
        with contextlib.suppress(OSError):
            if hashlib.sha256(path.read_bytes()).hexdigest() == digests.get(target.name):
                yield path


@cache
def find(entry: str, first: type) -> Function | None:
    """The function of this name whose first argument is of this class; None if no library has it.

    Functions without a state are the same in every library: they are taken from any that fits."""
    if hasattr(first, "_fields"):
        found = _library(f"{first.__module__}.{first.__qualname__}")
        return None if found is None else _function(*found, entry, first)
    for state, (_name, told) in _libraries().items():
        if entry in told["entries"] and told["entries"][entry]["arguments"][0] != "state":
            opened = _library(state)
            return None if opened is None else _function(*opened, entry, None)
    return None


def _function(
    library: Any, told: dict[str, Any], entry: str, state: type | None
) -> Function | None:
    """Calls a function of a library with a block of words."""
    if entry not in told["entries"]:
        return None
    door = getattr(library, f"mbegu_{entry}")
    door.argtypes, door.restype = [ctypes.c_void_p], ctypes.c_int
    read = reader(told["entries"][entry]["answer"], told["words"], state)

    def call(*arguments: Any) -> Any:
        words: list[int] = []
        flatten(arguments, words)
        block = (ctypes.c_uint64 * max(len(words), LEAST_WORDS))(*words)
        if door(block):
            raise RuntimeError(f"{entry} failed in the prebuilt library")
        return read(iter(block))

    return call


LEAST_WORDS = 16  # an answer has room in these

"""Mbegu's half of Numba: the only module of the engine that imports it. See `mbegu.engine.jit`."""

from __future__ import annotations

import hashlib
import pickle
import platform
import sys
from collections.abc import Callable
from functools import cache as once
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from llvmlite import binding
from numba.core import types
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps
from numba.core.typing.templates import infer, infer_global, make_intrinsic_template
from numba.core.typing.typeof import typeof_impl
from numba.extending import overload as numba_overload

from mbegu.engine import cache
from mbegu.engine.jit import Part

__all__ = ["add_intrinsic", "entry", "overload", "part"]

Function = Callable[..., Any]
DIGEST = 32
_njit: Any = numba.njit
ALONE: Any = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


@typeof_impl.register(Part)
def _typeof_part(part: Part, _context: Any) -> Any:
    """Compiled code that mentions a function of ours means Numba's."""
    return types.Dispatcher(part.dispatcher)


def overload(function: Function, choose: Function, options: Any) -> None:
    """Tells Numba what a call of a function does."""
    numba_overload(function, strict=False, jit_options=options | _library)(choose)


def add_intrinsic(name: Any, define: Function) -> None:
    """Tells Numba an operation, under the object by which compiled code mentions it."""
    template = make_intrinsic_template(name, define, define.__name__)  # type: ignore[no-untyped-call]
    infer(template)  # type: ignore[no-untyped-call]
    infer_global(name, types.Function(template))  # type: ignore[no-untyped-call]


def part(function: Function, options: Any) -> Any:
    """A function that only compiled code calls."""
    return _njit(**options, **_library)(function)


def entry(function: Function) -> Any:
    """A function that Python calls; it releases the GIL and is kept in the cache."""
    if _library:
        return part(function, ALONE)
    dispatcher: Any = numba.njit(nogil=True)(function)
    dispatcher._cache = KernelCache(function)
    return dispatcher


_library: dict[str, Any] = {}


def for_a_library() -> None:
    """From now on nothing is compiled for Python to call, nothing may ask for memory, and nothing is kept
    in the cache. Must be called before anything is compiled."""
    _library["_nrt"] = False


# ---- the disk cache -------------------------------------------------------------------------------


@once
def fingerprint() -> str:
    """A name for everything that compiled code is made from; see `mbegu.engine.cache`."""
    sources = cache.source_digest()
    if not sources:
        return ""
    features = binding.get_host_cpu_features().flatten()
    facts = (
        *(sources, sys.version, platform.platform(), numba.__version__, llvmlite.__version__),
        *(np.__version__, binding.get_host_cpu_name(), features),
    )
    return hashlib.sha256("\0".join(facts).encode()).hexdigest()[:20]


class KernelCache(NullCache):
    """The cache of one compiled function, in the place of Numba's own."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._name = f"{function.__module__}.{function.__qualname__}"
        self._own = cache.digest_of_file(function.__code__.co_filename)
        fingerprint()  # now, while the sources are the ones that are being imported

    @property
    def cache_path(self) -> str:
        """The folder of this version's entries."""
        return str(cache.cache_folder() / "kernels" / fingerprint())

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
            cache.warn(cache.USELESS, trouble)
        found = self._rebuilt(entry, target_context) if entry else None
        if found is None:
            for listener in cache.listeners:
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
            cache.replace_file(path, hashlib.sha256(payload).digest() + payload)
            if new:
                cache.prune(path.parent)
        except (OSError, RuntimeError) as trouble:
            cache.warn(cache.USELESS, trouble)

    def _rebuilt(self, entry: bytes, target_context: Any) -> Any:
        payload = entry[DIGEST:]
        if hashlib.sha256(payload).digest() != entry[:DIGEST]:
            cache.warn(cache.DAMAGED)
            return None
        try:
            parts = pickle.loads(payload)  # noqa: S301 - our own, in the user's own folder
            found = CompileResult._rebuild(target_context, *parts)  # type: ignore[no-untyped-call]
            cache.touch(Path(self.cache_path))
        except Exception as trouble:
            cache.warn(cache.STRANGE, repr(trouble))
            return None
        return found

    def _path(self, sig: Any, codegen: Any) -> Path:
        facts = repr((sig, codegen.magic_tuple(), self._own, cache.digest_of_states(sig)))
        made_for = hashlib.sha256(facts.encode()).hexdigest()[:20]
        return Path(self.cache_path) / f"{self._name}-{made_for}.bin"

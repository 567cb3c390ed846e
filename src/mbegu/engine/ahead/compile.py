"""Numba's code of all entries for one class of states, as LLVM's bitcode for no processor yet.

Runs in a process of its own, whose environment tells Numba to think of a plain processor (`SETTINGS`):

    python -m mbegu.engine.ahead.compile oware Oware FILE.bc FILE.json
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from mbegu.engine import compiler
from mbegu.engine.ahead.entries import ENTRIES, Kind, state_classes
from mbegu.engine.cache import cache_folder, replace_file, source_digest
from mbegu.engine.jit import cgutils, ir, types
from mbegu.engine.kernels.driver import kernel_of

__all__ = ["SETTINGS", "compile_states"]

# The target's own pipeline turns loops into vectors later; names must not depend on the process.
SETTINGS = {
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    "NUMBA_LOOP_VECTORIZE": "0",
    "NUMBA_SLP_VECTORIZE": "0",
    "PYTHONHASHSEED": "0",
}
WORD = ir.IntType(64)
STATUS = ir.IntType(32)


def compile_states(game: str, state_class: type) -> tuple[bytes, dict[str, Any]]:
    """The bitcode of a library, and what the manifest tells of it."""
    kernel_of(game)  # brings the kernel's parts with it
    compiler.for_a_library()
    fields = state_class._fields  # type: ignore[attr-defined]
    state = types.NamedUniTuple(types.uint64, len(fields), state_class)
    library = cpu_target.target_context.codegen().create_library(f"mbegu.{state_class.__name__}")
    module = library.create_ir_module("mbegu")
    told = {}
    for name, (home, kinds) in ENTRIES.items():
        dispatcher = getattr(import_module(home), name).dispatcher
        arguments = tuple(_type_of(kind, state) for kind in kinds)
        dispatcher.compile(arguments)
        made = dispatcher.overloads[arguments]
        library.add_linking_library(made.library)
        _write_door(module, name, made)
        told[name] = {
            "arguments": ["".join(kind) if isinstance(kind, str) else list(kind) for kind in kinds],
            "answer": _told(made.signature.return_type),
        }
    with global_compiler_lock:
        library.add_ir_module(module)
        library.finalize()
    code: Any = library._final_module
    return code.as_bitcode(), {
        "game": game,
        "state": f"{state_class.__module__}.{state_class.__qualname__}",
        "words": len(fields),
        "entries": told,
    }


def _type_of(kind: Kind, state: Any) -> Any:
    """Numba's type of an argument."""
    if isinstance(kind, tuple):
        return types.Tuple([_type_of(each, state) for each in kind])
    if kind == "state":
        return state
    number, _bracket, dimensions = kind.partition("[")
    one = types.boolean if number == "bool" else getattr(types, number)
    return types.Array(one, int(dimensions[:-1]), "C") if dimensions else one


def _told(answer: Any) -> Any:
    """A type of an answer in the words of the manifest."""
    if isinstance(answer, types.NamedUniTuple):
        return "state"
    if isinstance(answer, types.BaseTuple):
        return [_told(each) for each in answer.types]
    return None if answer == types.none else str(answer)


# ---- the door of a function: a block of words ------------------------------------------------------


def _write_door(module: Any, name: str, made: Any) -> None:
    """Writes `mbegu_NAME(block)`, which any language can call, around Numba's function."""
    context = made.target_context
    door = ir.Function(module, ir.FunctionType(STATUS, [WORD]), f"mbegu_{name}")
    builder = ir.IRBuilder(door.append_basic_block())
    words = builder.inttoptr(door.args[0], WORD.as_pointer())
    block = _Block(context, builder, words)
    arguments = [block.read(each) for each in made.signature.args]
    function = context.declare_function(module, made.fndesc)
    kind = made.signature.return_type
    status, answer = context.call_conv.call_function(
        builder, function, kind, made.signature.args, arguments
    )
    with builder.if_then(status.is_ok):
        block.at = 0
        block.write(kind, answer)
    builder.ret(builder.select(status.is_error, STATUS(1), STATUS(0)))


class _Block:
    """The words that are read and written, one after the other."""

    def __init__(self, context: Any, builder: Any, words: Any) -> None:
        self.context, self.builder, self.words, self.at = context, builder, words, 0

    def _next(self) -> Any:
        self.at += 1
        return self.builder.gep(self.words, [WORD(self.at - 1)])

    def _word(self) -> Any:
        return self.builder.load(self._next(), align=8)

    def read(self, kind: Any) -> Any:
        """An argument of this type."""
        if isinstance(kind, types.BaseTuple):
            parts = [self.read(each) for each in kind.types]
            return self.context.make_tuple(self.builder, kind, parts)
        if isinstance(kind, types.Array):
            return self._array(kind)
        word = self._word()
        return self.builder.icmp_signed("!=", word, WORD(0)) if kind == types.boolean else word

    def _array(self, kind: Any) -> Any:
        """An array of which the block tells the address and the lengths."""
        address = self._word()
        lengths = [self._word() for _each in range(kind.ndim)]
        size = self.context.get_abi_sizeof(self.context.get_data_type(kind.dtype))
        strides: list[Any] = []
        step = WORD(size)
        for length in reversed(lengths):
            strides.insert(0, step)
            step = self.builder.mul(step, length)
        array: Any = self.context.make_array(kind)(self.context, self.builder)
        data = self.builder.inttoptr(address, array.data.type)
        self.context.populate_array(
            array, data=data, shape=lengths, strides=strides, itemsize=WORD(size), meminfo=None
        )
        return array._getvalue()

    def write(self, kind: Any, value: Any) -> None:
        """An answer of this type."""
        if kind == types.none:
            return
        if isinstance(kind, types.BaseTuple):
            for i, each in enumerate(kind.types):
                self.write(each, cgutils.unpack_tuple(self.builder, value)[i])
            return
        if value.type != WORD:  # a truth value, or a constant that Numba has made narrow
            grow = self.builder.sext if getattr(kind, "signed", False) else self.builder.zext
            value = grow(value, WORD)
        self.builder.store(value, self._next(), align=8)


def _kept(name: str) -> Path:
    """Where the bitcode of a class is kept for the next time: by all that it is made from."""
    made_from = (
        source_digest(),
        numba.__version__,
        llvmlite.__version__,
        sys.version,
        str(SETTINGS),
    )
    digest = hashlib.sha256("\0".join(made_from).encode()).hexdigest()[:20]
    return cache_folder() / "bitcode" / digest / name


def _main(game: str, name: str, code: str, told: str) -> None:
    kept = _kept(name)
    if not kept.with_suffix(".json").exists():
        (state_class,) = (each for each in state_classes(game) if each.__name__ == name)
        bitcode, manifest = compile_states(game, state_class)
        kept.parent.mkdir(parents=True, exist_ok=True)
        replace_file(kept.with_suffix(".bc"), bitcode)
        replace_file(kept.with_suffix(".json"), json.dumps(manifest).encode())
    shutil.copyfile(kept.with_suffix(".bc"), code)
    shutil.copyfile(kept.with_suffix(".json"), told)


if __name__ == "__main__":
    _main(*sys.argv[1:])

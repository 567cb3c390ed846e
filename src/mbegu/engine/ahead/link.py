"""Bitcode to a library: LLVM's back end for the target, and the linker of the PyPI package `ziglang`."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from llvmlite import binding as llvm

from mbegu.engine.ahead.targets import Target

__all__ = ["LinkError", "emit", "link"]

DOOR = "mbegu_"  # what a library offers begins with this
WASM_FLAGS = (
    *("--no-entry", "--export=__heap_base", "--strip-all", "--gc-sections"),
    *("--export-table", "--growable-table"),  # a clock of JavaScript goes into the table
    # Memory comes from outside, and each thread has a stack: workers may share one memory.
    *("--import-memory", "--export=__stack_pointer"),
)
WASM_STACK = 1 << 20
WASM_MEMORY = 1 << 29  # at most; shared memory must tell


class LinkError(RuntimeError):
    """The linker is not there, or refuses."""


def emit(bitcode: bytes, target: Target) -> bytes:
    """The object file of a library: its doors, and of the rest only what they need."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.processor, features=target.features, opt=3, reloc="pic", codemodel="default"
    )
    module: Any = llvm.parse_bitcode(bitcode)
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    for function in module.functions:
        if function.name.startswith(DOOR):
            function.storage_class = "dllexport" if target.suffix == ".dll" else "default"
        elif not function.is_declaration:
            function.linkage = "internal"
    for variable in module.global_variables:
        variable.linkage = "internal"
    _optimise(module, machine)
    module.verify()
    made: bytes = machine.emit_object(module)
    return made


def _optimise(module: Any, machine: Any) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = True
    builder: Any = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


def link(made: bytes, target: Target, doors: Sequence[str], into: Path) -> None:
    """Writes the library, whole or not at all."""
    if importlib.util.find_spec("ziglang") is None:
        raise LinkError("the linker is not there: pip install ziglang")
    into.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=into.parent) as folder:
        source, part = Path(folder, "mbegu.o"), Path(folder, into.name)
        source.write_bytes(made)
        command = [
            sys.executable,
            "-m",
            "ziglang",
            *_words(target, doors),
            "mbegu.o",
            "-o",
            into.name,
        ]
        environment = {**os.environ, "SOURCE_DATE_EPOCH": "0", "ZERO_AR_DATE": "1"}
        done = subprocess.run(  # noqa: S603
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise LinkError(f"{' '.join(command[2:])}\n{done.stderr}")
        part.replace(into)


def _words(target: Target, doors: Sequence[str]) -> list[str]:
    """What the linker is told."""
    if target.suffix == ".wasm":
        exports = [f"--export={DOOR}{door}" for door in doors]
        sizes = ["-z", f"stack-size={WASM_STACK}", f"--max-memory={WASM_MEMORY}"]
        return ["wasm-ld", *WASM_FLAGS, *sizes, *exports]
    words = ["cc", "-target", target.linker, "-shared", "-s"]
    if target.suffix == ".so":
        words += ["-nostdlib", "-Wl,--build-id=none", "-Wl,-z,noexecstack"]
    return words

"""The systems and processors that libraries are made for, and the ones that this computer is."""

from __future__ import annotations

import ctypes
import os
import platform
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

__all__ = ["TARGETS", "WASM", "Target", "for_this_computer", "of_system"]

NEWER = "x86-64-v3"  # processors since about 2013 and 2015
NEWER_FLAGS = {"avx2", "bmi1", "bmi2", "f16c", "fma", "movbe", "abm"}
CHOICE = "MBEGU_PROCESSOR"  # `plain` in this variable: not the newer one
AVX2_ON_WINDOWS = 40


@dataclass(frozen=True)
class Target:
    """A system and a processor: as LLVM names them and as the linker does; the tag of their wheel."""

    name: str
    triple: str
    linker: str
    suffix: str
    tag: str
    processor: str = ""
    features: str = ""

    @property
    def system(self) -> str:
        """The system alone: the libraries of all its processors go into one wheel."""
        return self.name.removesuffix("-newer")


def _pair(name: str, triple: str, linker: str, suffix: str, tag: str) -> tuple[Target, Target]:
    """The plain and the newer processor of a system with x86."""
    plain = Target(name, triple, linker, suffix, tag, "x86-64")
    return plain, Target(f"{name}-newer", triple, linker, suffix, tag, NEWER)


TARGETS = {
    target.name: target
    for target in (
        *_pair(
            *("linux-x86_64", "x86_64-unknown-linux-gnu", "x86_64-linux-gnu.2.17", ".so"),
            "manylinux_2_17_x86_64",
        ),
        Target(
            *("linux-aarch64", "aarch64-unknown-linux-gnu", "aarch64-linux-gnu.2.17", ".so"),
            "manylinux_2_17_aarch64",
        ),
        *_pair(
            *("windows-x86_64", "x86_64-pc-windows-gnu", "x86_64-windows-gnu", ".dll"), "win_amd64"
        ),
        *_pair(
            *("macos-x86_64", "x86_64-apple-macosx11.0.0", "x86_64-macos.11.0", ".dylib"),
            "macosx_11_0_x86_64",
        ),
        Target(
            *("macos-arm64", "arm64-apple-macosx11.0.0", "aarch64-macos.11.0", ".dylib"),
            *("macosx_11_0_arm64", "apple-m1"),
        ),
    )
}
WASM = Target(
    *("wasm", "wasm32-unknown-unknown", "wasm32-freestanding", ".wasm", "any"),
    features="+atomics,+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals",
)


def of_system(system: str) -> list[Target]:
    """The targets of one system, the plain processor first."""
    return [target for target in TARGETS.values() if target.system == system]


@cache
def this_system() -> str:
    """The name of the system that we run on; it may be one without targets."""
    names = {"win32": "windows", "darwin": "macos"}
    machine = platform.machine().lower()
    machine = {"amd64": "x86_64"}.get(machine, machine)
    system = names.get(sys.platform, sys.platform)
    if system == "macos" and machine == "aarch64":
        machine = "arm64"
    if system == "linux" and machine == "arm64":
        machine = "aarch64"
    return f"{system}-{machine}"


def for_this_computer() -> Iterator[Target]:
    """The targets whose libraries this computer can run, the best first."""
    if sys.maxsize < 2**32:
        return
    for target in reversed(of_system(this_system())):
        if target.processor != NEWER or _is_newer():
            yield target


@cache
def _is_newer() -> bool:
    """Whether the processor has what the newer libraries are made for."""
    if os.environ.get(CHOICE) == "plain":
        return False
    try:
        if sys.platform == "linux":
            return _flags_on_linux() >= NEWER_FLAGS
        if sys.platform == "darwin":
            return all(_told_by_mac(f"hw.optional.{name}") for name in ("avx2_0", "bmi2", "fma"))
        if sys.platform == "win32":
            return bool(ctypes.windll.kernel32.IsProcessorFeaturePresent(AVX2_ON_WINDOWS))
    except (AttributeError, OSError, ValueError):
        pass
    return False


def _flags_on_linux() -> set[str]:
    for line in Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace").splitlines():
        name, _colon, told = line.partition(":")
        if name.strip() == "flags":
            return set(told.split())
    return set()


def _told_by_mac(name: str) -> bool:
    value, size = ctypes.c_int64(0), ctypes.c_size_t(8)
    asked = ctypes.CDLL(None).sysctlbyname
    failed = asked(name.encode(), ctypes.byref(value), ctypes.byref(size), None, ctypes.c_size_t(0))
    return not failed and value.value != 0

"""Looks at the prebuilt libraries of other systems, as far as this computer can.

usage: foreign.py        after `make wheels`

Of each library: its format, what it offers (all entries, nothing else) and what it imports, by llvm-readobj (Debian: llvm).
With qemu-aarch64 (qemu-user or qemu-user-static) and ARM's C library (libc6-arm64-cross) the ARM libraries of Linux
count a perft, with Wine (wine64) those of Windows.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import mbegu
from mbegu.core.registry import OURS
from mbegu.engine.ahead.entries import library_name
from mbegu.engine.ahead.library import folder
from mbegu.engine.ahead.targets import TARGETS, Target
from mbegu.engine.kernels.driver import kernel_of
from mbegu.engine.perft import perft

ARM = "/usr/aarch64-linux-gnu"
WINE = (Path("/usr/lib/wine/wine64"),)  # where Debian puts it
DEPTH = 6
DRIVER = """
#include <stdio.h>
#include <stdlib.h>
#ifdef _WIN32
#include <windows.h>
#define OPEN(name) (void *)LoadLibraryA(name)
#define FIND(library, name) (void *)GetProcAddress((HMODULE)library, name)
#else
#include <dlfcn.h>
#define OPEN(name) dlopen(name, RTLD_NOW)
#define FIND(library, name) dlsym(library, name)
#endif
int main(int count, char **words) {
  void *library = OPEN(words[1]);
  if (!library) { puts("the library cannot be opened"); return 1; }
  int (*walk)(long long) = (int (*)(long long))FIND(library, "mbegu_walk");
  unsigned long long block[64] = {0};
  for (int i = 2; i < count; i++) block[i - 2] = strtoull(words[i], 0, 10);
  int failed = walk((long long)block);
  printf("%llu\\n", block[0]);
  return failed;
}
"""


def main() -> None:
    """Checks every library that is there; ends with 1 if one is wrong."""
    where = folder()
    assert where is not None
    libraries = json.loads((where / "manifest.json").read_text(encoding="utf-8"))["libraries"]
    wrong = 0
    for target in TARGETS.values():
        for name, told in libraries.items():
            path = where / target.name / f"{name}{target.suffix}"
            if path.exists():
                offered, imported = looked_at(path, target)
                fine = offered == {f"mbegu_{entry}" for entry in told["entries"]}
                wrong += not fine
                print(
                    f"{target.name:22}{path.name:28}{'ok' if fine else 'WRONG'}  imports {imported or 'nothing'}"
                )
    qemu = shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static")
    if qemu and Path(ARM).exists():
        wrong += run_perfts(where / "linux-aarch64", "aarch64-linux-gnu.2.30", [qemu, "-L", ARM])
    wine = next((str(path) for path in WINE if path.exists()), shutil.which("wine64"))
    if wine:
        for name in ("windows-x86_64", "windows-x86_64-newer"):
            wrong += run_perfts(where / name, "x86_64-windows-gnu", [wine])
    sys.exit(bool(wrong))


def looked_at(path: Path, target: Target) -> tuple[set[str], str]:
    """The functions that a library offers, and the libraries that it needs."""
    table = "--coff-exports" if target.suffix == ".dll" else "--dyn-syms"
    table = "--symbols" if target.suffix == ".dylib" else table
    words = ["llvm-readobj", table, "--needed-libs", str(path)]
    told = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    offered = set(re.findall(r"Name: _?(mbegu_\w+)", told))
    needed = re.search(r"NeededLibraries \[(.*?)\]", told, re.S)
    return offered, " ".join(needed.group(1).split()) if needed else ""


def run_perfts(libraries: Path, system: str, runner: list[str]) -> int:
    """Counts a perft of each game in another system's clothes; returns how many counts are wrong."""
    wrong = 0
    with tempfile.TemporaryDirectory() as there:
        source, driver = Path(there, "driver.c"), Path(there, "driver.exe")
        source.write_text(DRIVER, encoding="ascii")
        compiler = [sys.executable, "-m", "ziglang", "cc", "-target", system]
        subprocess.run([*compiler, str(source), "-o", str(driver)], check=True)
        quiet = {**os.environ, "WINEDEBUG": "-all", "WINEPREFIX": str(Path(there, "wine"))}
        for name in OURS:
            game = mbegu.game(name)
            options = {option: getattr(game, option) for option in game.options()}
            state = kernel_of(name).pack(game.start().to_json(), options)
            (path,) = libraries.glob(f"{library_name(type(state))}.[sd]*")
            words = [*(str(int(word)) for word in state), str(DEPTH)]
            command = [*runner, str(driver), str(path), *words]
            found = subprocess.run(
                command, capture_output=True, text=True, check=False, env=quiet
            ).stdout.strip()
            expected = perft(name, options, game.start().to_json(), DEPTH).nodes
            wrong += found != str(expected)
            print(
                f"{libraries.name:22}{path.name:28}perft {DEPTH}: {found or 'nothing'}, expected {expected}"
                f" ({Path(runner[0]).name})"
            )
    return wrong


if __name__ == "__main__":
    main()

"""Looks at the prebuilt libraries of other systems, as far as this computer can.

usage: foreign.py        after `make wheels`

Of each library: its format, what it offers (all entries, nothing else) and what it imports, by llvm-readobj (Debian: llvm).
With qemu-aarch64 (qemu-user) and ARM's C library (libc6-arm64-cross) the ARM libraries of Linux count a perft.
"""

from __future__ import annotations

import json
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
DEPTH = 6
DRIVER = """
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
int main(int count, char **words) {
  void *library = dlopen(words[1], RTLD_NOW);
  if (!library) { puts(dlerror()); return 1; }
  int (*walk)(long long) = (int (*)(long long))dlsym(library, "mbegu_walk");
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
    if shutil.which("qemu-aarch64") and Path(ARM).exists():
        wrong += run_on_arm(where / "linux-aarch64")
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


def run_on_arm(libraries: Path) -> int:
    """Counts a perft of each game in an ARM processor's clothes; returns how many counts are wrong."""
    wrong = 0
    with tempfile.TemporaryDirectory() as there:
        source, driver = Path(there, "driver.c"), Path(there, "driver")
        source.write_text(DRIVER, encoding="ascii")
        compiler = [sys.executable, "-m", "ziglang", "cc", "-target", "aarch64-linux-gnu.2.30"]
        subprocess.run([*compiler, str(source), "-ldl", "-o", str(driver)], check=True)
        for name in OURS:
            game = mbegu.game(name)
            options = {option: getattr(game, option) for option in game.options()}
            state = kernel_of(name).pack(game.start().to_json(), options)
            path = libraries / f"{library_name(type(state))}.so"
            words = [*(str(int(word)) for word in state), str(DEPTH)]
            command = ["qemu-aarch64", "-L", ARM, str(driver), str(path), *words]
            found = subprocess.run(
                command, capture_output=True, text=True, check=False
            ).stdout.strip()
            expected = perft(name, options, game.start().to_json(), DEPTH).nodes
            wrong += found != str(expected)
            print(f"{'qemu-aarch64':22}{path.name:28}perft {DEPTH}: {found}, expected {expected}")
    return wrong


if __name__ == "__main__":
    main()

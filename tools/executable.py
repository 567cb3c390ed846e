"""One file that plays without Python, for the system on which it is made: dist/mbegu.

usage: executable.py [--plain]      --plain leaves the compiled kernels out: quick to build, slow to think
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PREBUILT = ROOT / "src" / "mbegu" / "engine" / "ahead" / "prebuilt"
SPEC = ROOT / "tools" / "executable" / "mbegu.spec"


def main(words: list[str]) -> None:
    """Compiles the kernels for this system, unless they are there; then packs."""
    if words == ["--help"]:
        print(__doc__)
        return
    if words not in ([], ["--plain"]):
        raise SystemExit(__doc__)
    if not words:
        compile_kernels()
    pack = ("-m", "PyInstaller", "--noconfirm", "--log-level", "WARN")
    places = ("--distpath", str(ROOT / "dist"), "--workpath", str(ROOT / "build" / "executable"))
    subprocess.run([sys.executable, *pack, *places, str(SPEC)], cwd=ROOT, check=True)
    made = ROOT / "dist" / ("mbegu.exe" if sys.platform == "win32" else "mbegu")
    print(
        f"{made}: {made.stat().st_size >> 20} MiB. It plays on computers like this one, without Python."
    )


def compile_kernels() -> None:
    """The libraries of this system, from these sources."""
    from mbegu.engine.ahead.build import build, is_fresh  # noqa: PLC0415 - needs Numba
    from mbegu.engine.ahead.targets import of_system, this_system  # noqa: PLC0415

    targets = of_system(this_system())
    if is_fresh(PREBUILT, targets):
        return
    build(PREBUILT, targets)


if __name__ == "__main__":
    main(sys.argv[1:])

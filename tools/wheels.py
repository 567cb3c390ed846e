"""Builds the wheels: the kernels of every system, compiled here, and one wheel for each.

usage: wheels.py [SYSTEM]...      such as linux-x86_64; all without one. MBEGU_SKIP_LIBRARIES=1 takes the
                                  libraries that are there.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from mbegu.engine.ahead.build import build, is_fresh
from mbegu.engine.ahead.targets import TARGETS, WASM, of_system

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

from front_end import step  # noqa: E402

PREBUILT = ROOT / "src" / "mbegu" / "engine" / "ahead" / "prebuilt"


def main(systems: list[str]) -> None:
    """Builds the libraries of some systems, then their wheels."""
    known = list(dict.fromkeys(target.system for target in TARGETS.values()))
    for system in systems:
        if system not in known:
            raise SystemExit(f"no system {system}: there are {', '.join(known)}")
    wanted = systems or known
    if os.environ.get("MBEGU_SKIP_LIBRARIES") != "1":
        targets = [*(each for system in wanted for each in of_system(system)), WASM]
        build(PREBUILT, targets, tables=True)
    if not is_fresh(PREBUILT, [WASM, *(each for system in wanted for each in of_system(system))]):
        raise SystemExit("the libraries are not made from these sources")
    step([sys.executable, "tools/tab.py"], dict(os.environ))
    for system in wanted:
        environment = {**os.environ, "MBEGU_WHEEL": f"{system}={of_system(system)[0].tag}"}
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", "dist"]
        step(command, environment)


if __name__ == "__main__":
    main(sys.argv[1:])

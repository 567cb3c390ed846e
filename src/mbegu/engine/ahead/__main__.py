"""python -m mbegu.engine.ahead [FOLDER] [--target NAME]... [--game NAME]... [--defaults]"""

from __future__ import annotations

import argparse
from pathlib import Path

from mbegu.core.registry import OURS
from mbegu.engine.ahead.build import build
from mbegu.engine.ahead.targets import TARGETS, WASM, of_system, this_system

ALL = {**TARGETS, WASM.name: WASM}


def main() -> None:
    """Builds for this computer and for browsers, unless told otherwise."""
    parser = argparse.ArgumentParser(prog="python -m mbegu.engine.ahead", description=main.__doc__)
    parser.add_argument(
        "folder", nargs="?", type=Path, default=Path(__file__).with_name("prebuilt")
    )
    parser.add_argument("--target", action="append", choices=[*ALL, "all"], default=[])
    parser.add_argument("--game", action="append", choices=OURS, default=[])
    parser.add_argument("--defaults", action="store_true", help="only the default rules")
    told = parser.parse_args()
    names = list(ALL) if "all" in told.target else told.target
    targets = [ALL[name] for name in names] or [*of_system(this_system()), WASM]
    games = told.game or OURS
    build(told.folder, targets, games=games, defaults_only=told.defaults, tables=WASM in targets)


if __name__ == "__main__":
    main()

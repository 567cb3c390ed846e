"""Nodes a second of the engine in WebAssembly, in Node and in Chromium, beside this computer's.

usage: python -m benchmarks wasm [--nodes 5000000] [--rounds 5] [--game oware]... [--no-chromium]

Python thinks once with the module in Node, as it does in a tab; what it asked is then asked again in one go, in
Node and in Chromium, and the answers are compared. Clocks run while the engine thinks, on both sides: not while it is
made ready. Of several rounds the best counts, on this computer too; `first` is the first round in Chromium, while
it still compiles better code in the background.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import mbegu
from mbegu.core.game import Game, Position
from mbegu.core.registry import OURS
from mbegu.core.setups import SetUpGame
from mbegu.engine import machine
from mbegu.engine.ahead import library
from mbegu.engine.engine import Engine, Info, Limits

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "engine"))
from node_host import NodeHost  # noqa: E402
from replays import chromium, in_node  # noqa: E402

LONG_SET_UPS = 56  # of eighty lots the one whose proof takes longest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=5_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--game", action="append", choices=OURS, default=[])
    parser.add_argument("--no-chromium", action="store_true")
    told = parser.parse_args()
    print(
        f"{'':12}{'native':>10}{'Node':>10}{'ratio':>8}{'Chromium':>10}{'ratio':>8}{'first':>8}"
        "   millions of nodes a second"
    )
    with ExitStack() as stack:
        page = None if told.no_chromium else stack.enter_context(chromium())
        for name in told.game or OURS:
            compare(name, told.nodes, told.rounds, page)


def compare(name: str, nodes: int, rounds: int, page: Any) -> None:
    """One line of the table."""
    thoughts = [think(name, nodes) for _round in range(rounds)]
    module, asked, answers, ready, tab = recorded(name, nodes)
    if (thoughts[0].lines, thoughts[0].nodes) != (tab.lines, tab.nodes):
        raise SystemExit(f"{name}: the tab thinks otherwise")
    own = tab.nodes / min(info.seconds for info in thoughts) / 1e6
    told = f"{name:12}{own:10.2f}"
    for ask in (in_node, page.replay) if page else (in_node,):
        found = ask(module, asked, answers, rounds, ready)
        if found["others"]:
            raise SystemExit(f"{name}: {found['others']} other answers")
        speeds = [tab.nodes / spent / 1e3 for spent in found["spent"]]
        told += f"{max(speeds):10.2f}{max(speeds) / own:8.2f}"
    print(told + (f"{speeds[0] / own:8.2f}" if page else ""))


def beginning(game: Game) -> Position:
    """Where the engine begins to think; with the usual set-ups Urubugu is proved at once, so they are by lot."""
    if isinstance(game, SetUpGame):
        lot = Random(LONG_SET_UPS)
        return game.start(game.random_setup(lot), game.random_setup(lot))
    return game.start()


def think(name: str, nodes: int, ready: Callable[[], None] = lambda: None) -> Info:
    """The engine's thought about the beginning of a game; tells when all is ready for it."""
    game = mbegu.game(name)
    engine = Engine(game, hash_mb=32, tables=False)
    engine.warm_up()
    ready()
    *_before, info = engine.think(beginning(game), Limits(nodes=nodes))
    return info


def recorded(name: str, nodes: int) -> tuple[Path, list[Any], list[Any], int, Info]:
    """The same in WebAssembly: the module, what was asked of it and what it answered, and how much of that was
    asked before all was ready."""
    folder = library.folder()
    if folder is None or not (folder / "manifest.json").exists():
        sys.exit("there is no module here: `make site` compiles them")
    manifest = json.loads((folder / "manifest.json").read_text())["libraries"]
    hosts: list[tuple[Path, NodeHost]] = []

    def supply(state: str) -> Any:
        for each, told in manifest.items():
            if told["state"] == state:
                path = folder / "wasm" / f"{each}.wasm"
                hosts.append((path, NodeHost(path)))
                return hosts[-1][1], told
        return None

    before: list[int] = []
    machine.install(supply)
    try:
        info = think(name, nodes, lambda: before.append(len(hosts[0][1].asked) if hosts else 0))
    finally:
        machine.install(None)
    ((path, host),) = hosts
    host.close()
    return path, host.asked, host.told, before[0], info


if __name__ == "__main__":
    main()

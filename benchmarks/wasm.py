"""Nodes a second of the engine in WebAssembly, in Node and in Chromium, beside this computer's.

usage: python -m benchmarks wasm [--nodes 1000000] [--game oware]... [--no-chromium]

Python thinks once with the module in Node, as it does in a tab; what it asked is then asked again in one go, in
Node and in Chromium, and the answers are compared.
"""

from __future__ import annotations

import argparse
import base64
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import mbegu
from mbegu.core.registry import OURS
from mbegu.engine import machine
from mbegu.engine.ahead import library
from mbegu.engine.engine import Engine, Info, Limits

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "engine"))
from node_host import NodeHost  # noqa: E402

REPLAY = ROOT / "web" / "scripts" / "engine-replay.mjs"
ESBUILD = ROOT / "web" / "node_modules" / ".bin" / "esbuild"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--game", action="append", choices=OURS, default=[])
    parser.add_argument("--no-chromium", action="store_true")
    told = parser.parse_args()
    print(
        f"{'':12}{'native':>10}{'Node':>10}{'ratio':>8}{'Chromium':>10}{'ratio':>8}   millions of nodes a second"
    )
    for name in told.game or OURS:
        native = think(name, told.nodes)
        module, asked, answers, tab = recorded(name, told.nodes)
        if (native.lines, native.nodes) != (tab.lines, tab.nodes):
            raise SystemExit(f"{name}: the tab thinks otherwise")
        speeds = [native.nodes / native.seconds / 1e6]
        for where in (in_node, None if told.no_chromium else in_chromium):
            found = where(module, asked, answers) if where else {"spent": float("inf"), "others": 0}
            if found["others"]:
                raise SystemExit(f"{name}: {found['others']} other answers")
            speeds.append(native.nodes / found["spent"] / 1e3)
        own, node, chromium = speeds
        print(
            f"{name:12}{own:10.2f}{node:10.2f}{node / own:8.2f}{chromium:10.2f}{chromium / own:8.2f}"
        )


def think(name: str, nodes: int) -> Info:
    """The engine's thought about the beginning of a game, after a first one that warms it up."""
    game = mbegu.game(name)
    engine = Engine(game, hash_mb=32, tables=False)
    engine.warm_up()
    *_before, info = engine.think(game.start(), Limits(nodes=nodes))
    return info


def recorded(name: str, nodes: int) -> tuple[Path, list[Any], list[Any], Info]:
    """The same in WebAssembly: the module, what was asked of it and what it answered."""
    folder = library.folder()
    assert folder is not None
    manifest = json.loads((folder / "manifest.json").read_text())["libraries"]
    hosts: list[tuple[Path, NodeHost]] = []

    def supply(state: str) -> Any:
        for each, told in manifest.items():
            if told["state"] == state:
                path = folder / "wasm" / f"{each}.wasm"
                hosts.append((path, NodeHost(path)))
                return hosts[-1][1], told
        return None

    machine.install(supply)
    try:
        info = think(name, nodes)
    finally:
        machine.install(None)
    ((path, host),) = hosts
    host.close()
    return path, host.asked, host.told, info


def in_node(module: Path, asked: list[Any], answers: list[Any]) -> dict[str, Any]:
    """Asks again in Node."""
    with tempfile.TemporaryDirectory() as folder:
        script, questions = Path(folder, "replay.mjs"), Path(folder, "asked.json")
        questions.write_text(json.dumps({"asked": asked, "told": answers}))
        words = ["--bundle", "--platform=node", "--format=esm", "--log-level=error"]
        subprocess.run([ESBUILD, REPLAY, *words, f"--outfile={script}"], check=True)
        done = subprocess.run(
            ["node", script, module, questions], capture_output=True, text=True, check=True
        )
        found: dict[str, Any] = json.loads(done.stdout)
        return found


def in_chromium(module: Path, asked: list[Any], answers: list[Any]) -> dict[str, Any]:
    """Asks again in Chromium, in a page of its own."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - not everybody has it

    words = ["--bundle", "--format=iife", "--global-name=engine", "--log-level=error"]
    words += ["--external:node:fs", "--supported:top-level-await=true"]
    source = REPLAY.read_text().partition("if (typeof process")[0]
    made = subprocess.run(
        [ESBUILD, *words, "--loader=js", f"--sourcefile={REPLAY}"],
        input=source, cwd=REPLAY.parent, capture_output=True, text=True, check=True,
    )  # fmt: skip
    bytes_ = base64.b64encode(module.read_bytes()).decode()
    with sync_playwright() as playwright:
        options: Any = (
            {"executable_path": "/usr/bin/chromium"} if Path("/usr/bin/chromium").exists() else {}
        )
        browser = playwright.chromium.launch(args=["--no-sandbox"], **options)
        page = browser.new_page()
        page.add_script_tag(content=made.stdout)
        found: dict[str, Any] = page.evaluate(
            "([module, asked, told]) => engine.replay(Uint8Array.from(atob(module), (c) => c.charCodeAt(0)), asked, told)",
            [bytes_, asked, answers],
        )
        browser.close()
        return found


if __name__ == "__main__":
    main()

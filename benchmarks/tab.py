"""How long each level thinks in a browser's tab: Python and the engine's modules in Chromium, as on a site.

usage: python -m benchmarks tab [--game oware]... [--levels 1,5,10] [--slower 4] [--alone]

Each level is asked for a move at the start of the game and after some moves by lot; the slowest counts. `slower`
multiplies what the lower levels needed, for a phone: DevTools slow down a page, but not its workers. `alone` serves
the page without the headers that let workers share memory.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import mbegu
from mbegu.core.registry import OURS
from mbegu.server.tab.engines import FREE, seconds_of
from mbegu.site.build import build_site
from mbegu.site.serve import Handler

PLIES = (0, 7, 20)
ASK = """
async ([files, script, questions]) => {
  const mind = new Worker(script, { type: "module" });
  const times = [];
  mind.postMessage({ t: "start", files, stop: null });
  for (let n = 0; n < questions.length; n++) {
    const start = performance.now();
    mind.postMessage({ t: "think", n, kind: "choose", question: questions[n] });
    const problem = await new Promise((done) => {
      mind.onmessage = ({ data }) => data.t === "done" && data.n === n && done(data.problem);
      mind.onerror = (event) => done(`${event.message} (${event.filename})`);
      setTimeout(() => done("no answer within a minute"), 60_000);
    });
    if (problem) throw new Error(problem);
    times.push(performance.now() - start);
  }
  mind.terminate();
  return { times, isolated: self.crossOriginIsolated };
}
"""


class Plain(SimpleHTTPRequestHandler):
    """A host that says nothing of isolation."""

    def log_message(self, *_told: object) -> None:
        pass


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", action="append", choices=OURS, default=[])
    parser.add_argument("--levels", default="1,3,5,7,9,10")
    parser.add_argument("--slower", type=float, default=4.0)
    parser.add_argument("--alone", action="store_true")
    told = parser.parse_args()
    levels = [int(level) for level in told.levels.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder, "site")
        build_site(site)
        handler = partial(Plain if told.alone else Handler, directory=str(site))
        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            address = f"http://127.0.0.1:{server.server_port}/"
            (script,) = (site / "assets").glob("mind-*.js")
            (told_of_it,) = (site / "tab").rglob("tab.json")
            files = f"{address}{told_of_it.parent.relative_to(site).as_posix()}/"
            given = files, f"{address}assets/{script.name}"
            measure(address, given, told.game or OURS, levels, told.slower)
            server.shutdown()


def measure(
    address: str, given: tuple[str, str], games: Any, levels: list[int], slower: float
) -> None:
    """Prints a line for each game; `given` is where Python's files and the script of the worker are."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - not everybody has it

    there = Path("/usr/bin/chromium")
    with sync_playwright() as playwright:
        options: Any = {"executable_path": str(there)} if there.exists() else {}
        browser = playwright.chromium.launch(args=["--no-sandbox"], **options)
        page = browser.new_page()
        page.goto(f"{address}files.json")  # a page of the same host that does nothing itself
        heads = "".join(f"{'level ' + str(level):>10}" for level in levels)
        print(f"{'':12}{'first':>8}{heads}   milliseconds; all but level 10 times {slower:g}")
        for name in games:
            asked = [question for level in levels for question in questions(name, level)]
            found = page.evaluate(ASK, [*given, [questions(name, 1)[0], *asked]])
            first, *times = found["times"]
            line = f"{name:12}{first:8.0f}"
            each = len(times) // len(levels)
            for i, level in enumerate(levels):
                slowest = max(times[i * each : (i + 1) * each])
                line += f"{slowest * (1 if level == FREE else slower):10.0f}"
            print(line + f"   {'shared memory' if found['isolated'] else 'one thread'}")
        browser.close()


def questions(name: str, level: int) -> list[str]:
    """What the worker is asked: the move of a level in some positions of one game by lot."""
    lot, asked = random.Random(name), []
    position = mbegu.game(name).start()
    for ply in range(max(PLIES) + 1):
        if ply in PLIES and position.turn is not None:
            asked.append(
                json.dumps([name, str(position), [], level, 1, "-", None, seconds_of(level, "-")])
            )
        if position.turn is not None:
            position = position.play(lot.choice(position.legal_moves()))
    return asked


if __name__ == "__main__":
    main()

"""The web app in a real browser: how soon a board, how smooth, how small, how quick to answer.

python -m benchmarks web             everything, about a minute
python -m benchmarks web board fps   some of it: start, size, board, fps, work, click

The phone is Chromium with a processor four times slower than this one's, on a line of 1.6 Mbit/s with
150 ms there and back ("slow 4G"), and nothing in its cache. Times count from the address to the frame
in which the board with its seeds is on the screen. What the page's main thread works is measured too, by
its own clock, which does not run while other programs do: that figure holds on a busy computer.
"""

import argparse
import gzip
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright
from websockets.sync.client import connect

import mbegu

ROOT = Path(__file__).resolve().parent.parent
STATIC = ROOT / "src" / "mbegu" / "server" / "static"
CHROMIUM = os.environ.get("MBEGU_CHROMIUM") or shutil.which("chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SLOWER = 4
CLICKS = 20  # in each of three games
LINE = {"latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8}
PHONE: ViewportSize = {"width": 390, "height": 844}
# Two beads in each cell: the first move sows on for many laps.
BEADS = "0,2,2,2,2,2,2,2,2,2,2,2,2,2,2,4/2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2 0"

# What a page notes about itself: when its board was painted, its frames, its answers to clicks.
WATCH = """
window.seen = {board: null, frames: [], clicked: 0, answers: []};
new MutationObserver(() => {
  if (seen.board === null && document.querySelector('svg.play .seed, svg.play .stone')) {
    seen.board = 0;
    requestAnimationFrame(() => setTimeout(() => { seen.board = performance.now(); }));
  }
  const plies = document.querySelector('main.play')?.dataset.plies;
  if (plies !== seen.plies && seen.clicked) {
    const clicked = seen.clicked;
    seen.clicked = 0;
    requestAnimationFrame(() => seen.answers.push(performance.now() - clicked));
  }
  seen.plies = plies;
}).observe(document, {childList: true, subtree: true, attributes: true});
addEventListener('click', () => { seen.clicked = performance.now(); }, true);
"""
FRAMES = """
requestAnimationFrame(function frame(now) {
  if (document.querySelector('.hand')) seen.frames.push(now);
  requestAnimationFrame(frame);
});
"""


def say(what: str, found: float, unit: str, limit: float, more_is_better: bool = False) -> None:
    """One line, with the limit and whether it is kept."""
    kept = found >= limit if more_is_better else found <= limit
    word = "at least" if more_is_better else "at most"
    print(
        f"  {what:52} {found:8,.1f} {unit:4} ({word} {limit:g}: {'kept' if kept else 'NOT KEPT'})"
    )


SERVE = (sys.executable, "-m", "mbegu", "serve")


@contextmanager
def server(command: Sequence[str] = SERVE, bytecode: str | None = None) -> Iterator[str]:
    """The address of a server with an empty database; where it keeps its compiled modules may be told."""
    with tempfile.TemporaryDirectory() as folder:
        options = ["--no-browser", "--port", "0", "--database", f"{folder}/games.db"]
        if command[0] == "make":
            options = [f"ARGS={' '.join(options)}"]
        environment = {**os.environ, "MBEGU_LANG": "en", "PYTHONUNBUFFERED": "1"}
        if bytecode is not None:
            environment |= {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": bytecode}
        with subprocess.Popen(
            [*command, *options], cwd=ROOT, stdout=subprocess.PIPE, text=True, env=environment
        ) as process:
            assert process.stdout is not None
            found = re.search(r":(\d+)/", process.stdout.readline())
            assert found, "the server did not start"
            try:
                yield f"http://127.0.0.1:{found[1]}"
            finally:
                process.terminate()


@contextmanager
def visitor(
    browser: Browser, base: str, phone: bool = False, speed: str = "normal"
) -> Iterator[Page]:
    """A new guest with an empty cache; his phone is slow."""
    context = browser.new_context(base_url=base, viewport=PHONE if phone else None)
    context.add_init_script(WATCH)
    context.add_init_script(
        f'localStorage.setItem(\'mbegu-settings\', \'{{"speed":"{speed}","sound":false}}\')'
    )
    page = context.new_page()
    if phone:
        line = context.new_cdp_session(page)
        line.send("Network.enable")
        line.send("Network.emulateNetworkConditions", {"offline": False, **LINE})
        line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    yield page
    context.close()


def until(page: Page, expression: str, seconds: float = 60) -> Any:
    """Asks the page until it has an answer."""
    end = time.monotonic() + seconds
    while not (answer := page.evaluate(expression)):
        assert time.monotonic() < end, f"{page.url}: {expression} did not come true"
        time.sleep(0.2)  # asking costs a slow phone time, too
    return answer


def room(page: Page, game: str, kinds: str, level: int = 1, **more: Any) -> str:
    """A new game: h is a person, c a computer."""
    seats = [
        {"kind": "human"} if kind == "h" else {"kind": "computer", "level": level} for kind in kinds
    ]
    answer = page.request.post("/api/v1/rooms", data={"game": game, "seats": seats, **more})
    return str(answer.json()["room"])


# ---- what is measured


def start(browser: Browser) -> None:
    """From the command to a board in the browser, when all has been installed and used before.

    `make play` looks first whether anything has to be installed again; it is measured where nothing has.
    """
    commands = {"mbegu serve": SERVE, "make play": ("make", "--silent", "play")}
    if subprocess.run(["make", "-q", ".venv/.installed"], cwd=ROOT, check=False).returncode:
        print("  (`make play` would install first: only `mbegu serve` is measured)")
        del commands["make play"]
    for name, command in commands.items():
        times = []
        with tempfile.TemporaryDirectory() as bytecode:
            for _again in range(4):
                began = time.perf_counter()
                with server(command, bytecode) as base, visitor(browser, base) as page:
                    page.goto("/p?game=oware", wait_until="commit")
                    until(page, "seen.board")
                    times.append(time.perf_counter() - began)
        say(f"`{name}` to a board, second time", statistics.median(times[1:]), "s", 3)


def size(_browser: Browser) -> None:
    """All scripts, each compressed; a visitor needs only some of them."""
    scripts = sorted((STATIC / "assets").glob("*.js"))
    packed = sum(len(gzip.compress(path.read_bytes())) for path in scripts)
    say("JavaScript, all screens, gzip", packed / 1000, "kB", 150)


def board(browser: Browser) -> None:
    """The first board that a phone shows: on the home page, of a position, of a game."""
    with server() as base:
        with visitor(browser, base) as page:  # the server has been visited before
            page.goto("/")
            until(page, "seen.board")
        for what, path in {
            "home page": "/",
            "link to a position": "/p?game=oware",
            "game against the computer": "/play/",
        }.items():
            times = []
            for _again in range(3):
                with visitor(browser, base, phone=True) as page:
                    new = room(page, "urubugu", "hc") if path == "/play/" else ""
                    page.goto(path + new, wait_until="commit")
                    times.append(until(page, "seen.board"))
            say(f"first board on a slow phone: {what}", statistics.median(times) / 1000, "s", 2)


def fps(browser: Browser) -> None:
    """Frames a second while 64 beads are sown for many laps."""
    with server() as base, visitor(browser, base, phone=True) as page:
        page.goto("/play/" + room(page, "urubugu", "hh", position=BEADS))
        until(page, "seen.board")
        page.evaluate(FRAMES)
        page.locator("[data-target=S16]").click()
        until(page, "document.querySelector('.hand')")
        until(page, "!document.querySelector('.hand')", 90)
        frames = page.evaluate("seen.frames")
    gaps = [after - before for before, after in pairwise(frames)]
    gaps = [gap for gap in gaps if gap < 1000]
    say("sowing 64 beads on a slow phone", 1000 / statistics.mean(gaps), "fps", 30, True)
    print(f"  {'the slowest twentieth of the frames':52} {sorted(gaps)[-len(gaps) // 20]:8.1f} ms")


def work(browser: Browser) -> None:
    """The main thread's own time, taken as often as a slow phone is slower."""
    with server() as base:
        for what, path in {"home page": "/", "link to a position": "/p?game=oware"}.items():
            with visitor(browser, base) as page:
                worked = own_time(page)
                page.goto(path, wait_until="commit")
                until(page, "seen.board")
                print(f"  {f'work for the first board, {what}':52} {worked():8.1f} ms")
        with visitor(browser, base) as page:
            page.goto("/play/" + room(page, "urubugu", "hh", position=BEADS))
            until(page, "seen.board")
            worked = own_time(page)
            page.evaluate(FRAMES)
            page.locator("[data-target=S16]").click()
            until(page, "document.querySelector('.hand')")
            before, drawn = worked(), page.evaluate("seen.frames.length")
            time.sleep(5)
            frames = page.evaluate("seen.frames.length") - drawn
            say("work for a frame of sowing", (worked() - before) / frames, "ms", 33)


def own_time(page: Page) -> Callable[[], float]:
    """Milliseconds that the page's main thread has worked, by the clock of a slow phone."""
    page.set_viewport_size(PHONE)
    line = page.context.new_cdp_session(page)
    line.send("Performance.enable", {"timeDomain": "threadTicks"})

    def worked() -> float:
        metrics = line.send("Performance.getMetrics")["metrics"]
        spent = next(one["value"] for one in metrics if one["name"] == "TaskDuration")
        return float(spent) * 1000 * SLOWER

    return worked


def watching(base: str, room: str, over: threading.Event) -> None:
    """Somebody elsewhere looks on while two computers play."""
    with connect(f"{base.replace('http', 'ws', 1)}/ws/rooms/{room}") as line:
        line.send(json.dumps({"t": "hello", "v": 1, "after": None}))
        while not over.is_set():
            with suppress(TimeoutError):
                line.recv(timeout=0.5)


def analysing(base: str, begun: threading.Event, over: threading.Event) -> None:
    """Somebody elsewhere has a position analysed, again and again."""
    asked = {"t": "analyse", "game": "kalah", "position": str(mbegu.game("kalah").start())}
    with connect(f"{base.replace('http', 'ws', 1)}/ws/analysis") as line:
        number, final = 0, True
        while not over.is_set():
            if final:
                number += 1
                line.send(json.dumps({**asked, "id": f"a{number}", "lines": 3, "seconds": 8}))
                final = False
            with suppress(TimeoutError):
                said = json.loads(line.recv(timeout=0.5))
                final = bool(said.get("final"))
                if said.get("lines"):
                    begun.set()


@contextmanager
def thinking(base: str, room: str) -> Iterator[None]:
    """The engine thinks with every core for two others, whose screens are not on this computer."""
    begun, over = threading.Event(), threading.Event()
    others = [
        threading.Thread(target=watching, args=(base, room, over)),
        threading.Thread(target=analysing, args=(base, begun, over)),
    ]
    for other in others:
        other.start()
    try:
        assert begun.wait(120), "the engine does not think"
        yield
    finally:
        over.set()
        for other in others:
            other.join()


def click(browser: Browser) -> None:
    """From a click to the new board: while nobody thinks, and while every worker thinks at full strength."""
    with server() as base:
        with visitor(browser, base) as page:
            watched = room(page, "oware", "cc", level=10, pace=0)
        answers = {}
        with thinking(base, watched):
            answers["while the engine thinks"] = clicks(browser, base)
    with server() as base:
        answers["while nobody thinks"] = clicks(browser, base)
    for when, times in answers.items():
        say(f"click to answer {when}, median", statistics.median(times), "ms", 100)
        say(f"click to answer {when}, worst of {len(times)}", max(times), "ms", 100)


def clicks(browser: Browser, base: str) -> list[float]:
    """Games on one screen: how long each move took to be there."""
    return [answer for _game in range(3) for answer in clicks_of_a_game(browser, base)]


def clicks_of_a_game(browser: Browser, base: str) -> list[float]:
    """A game on one screen: how long each move took to be there."""
    with visitor(browser, base, speed="instant") as page:
        page.goto("/play/" + room(page, "oware", "hh"))
        page.wait_for_selector("main.play[data-mine]")
        for ply in range(1, CLICKS + 1):
            page.locator("[data-move]").first.click()
            page.wait_for_selector(f"main.play[data-mine][data-plies='{ply}']")
        answers: list[float] = until(page, f"seen.answers.length >= {CLICKS} && seen.answers")
    return answers


PARTS: dict[str, Callable[[Browser], None]] = {
    part.__name__: part for part in (start, size, board, fps, work, click)
}


def run(names: list[str]) -> None:
    """The parts by these names, or all."""
    if not CHROMIUM:
        sys.exit("Chromium is missing: install it, or name it in MBEGU_CHROMIUM.")
    load = os.getloadavg()[0]
    if load > 0.5:
        print(f"  (something else runs on this computer: load {load:.1f}; the figures suffer)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for name in names or PARTS:
            PARTS[name](browser)
        browser.close()


def main() -> None:
    """Reads which parts are asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    known = ", ".join(PARTS)
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"one of {known}; all of them if none is named"
    )
    parts = parser.parse_args().parts
    if unknown := [part for part in parts if part not in PARTS]:
        parser.error(f"no part is called {unknown[0]}; there are: {known}")
    run(parts)


if __name__ == "__main__":
    main()

"""The site on a slow phone: python -m benchmarks site [FOLDER], which `make site` has built (dist/site).

The phone and its line are those of `python -m benchmarks web`. The host packs what can be packed, as hosts do.
Chromium slows the page's own thread down, not its workers: what Python itself needs is told by its own time.
"""

import gzip
import io
import os
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import BinaryIO

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from benchmarks.web import CHROMIUM, FLAGS, LINE, PHONE, ROOT, SLOWER, WATCH, say, until

PACKED = {".js", ".mjs", ".css", ".html", ".json", ".svg", ".webmanifest"}
SETTINGS = 'localStorage.setItem("mbegu-settings", \'{"speed":"instant","sound":false}\')'
AGAIN = 3


@cache
def packed(path: str) -> bytes:
    """A file as a host sends it."""
    data = Path(path).read_bytes()
    return gzip.compress(data) if Path(path).suffix in PACKED else data


class _Host(SimpleHTTPRequestHandler):
    """Packs what can be packed, and lets files whose address names them be kept."""

    def send_head(self) -> BinaryIO | None:
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            self.send_error(404)
            return None
        data = packed(str(path))
        self.send_response(200)
        self.send_header("content-type", self.guess_type(str(path)))
        self.send_header("content-length", str(len(data)))
        if path.suffix in PACKED:
            self.send_header("content-encoding", "gzip")
        lasting = {"assets", "tab"} & set(path.parts)
        self.send_header("cache-control", "max-age=31536000" if lasting else "no-cache")
        self.end_headers()
        return io.BytesIO(data)

    def log_message(self, *_told: object) -> None:
        pass


class _Hosts(ThreadingHTTPServer):
    """A visitor who leaves is no news."""

    def handle_error(self, *_told: object) -> None:
        pass


@contextmanager
def host(folder: Path) -> Iterator[str]:
    """The address of the site."""
    with _Hosts(("127.0.0.1", 0), partial(_Host, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def phone(browser: Browser) -> BrowserContext:
    """Somebody new."""
    context = browser.new_context(viewport=PHONE, locale="en-GB")
    context.set_default_timeout(180_000)
    context.add_init_script(WATCH)
    context.add_init_script(SETTINGS)
    return context


def slow(page: Page, line: bool = True) -> None:
    """A slow processor, and its line."""
    told = page.context.new_cdp_session(page)
    told.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    if line:
        told.send("Network.enable")
        told.send("Network.emulateNetworkConditions", {"offline": False, **LINE})


def begin(page: Page) -> None:
    """From the dialog to a board on which one may move."""
    page.get_by_role("button", name="Begin").click()
    page.locator("main.play [data-move]").first.wait_for()


def first_visit(browser: Browser, address: str) -> None:
    """The first board, the first move, and the first answer of the computer."""
    boards, ready, answers = [], [], []
    for _again in range(AGAIN):
        context = phone(browser)
        page = context.new_page()
        slow(page)
        page.goto(address, wait_until="commit")
        boards.append(until(page, "seen.board") / 1000)
        context.close()
    for again in range(AGAIN):
        context = phone(browser)
        page = context.new_page()
        slow(page)
        began = time.perf_counter()
        page.goto(f"{address}#/new/oware", wait_until="commit")
        begin(page)
        ready.append(time.perf_counter() - began)
        if again == 0:
            page.locator("[data-move]").first.click()
            page.wait_for_selector("main.play[data-mine][data-plies='2']")
            answers.append(time.perf_counter() - began)
        context.close()
    say("first board, first visit", statistics.median(boards), "s", 1.8)
    say("ready to move, first visit", statistics.median(ready), "s", 6)
    print(f"  {'first answer of the computer, when all is loaded':52} {answers[0]:8.1f} s")


def later_visit(browser: Browser, address: str) -> None:
    """The same without a network: a game that goes on, and a new one."""
    context = phone(browser)
    page = context.new_page()
    page.goto(f"{address}#/new/oware")
    begin(page)
    page.locator("[data-move]").first.click()
    page.wait_for_selector("main.play[data-mine][data-plies='2']")
    room = page.url
    page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
    page.close()
    context.set_offline(True)
    times, new = [], []
    for _again in range(AGAIN):
        page = context.new_page()
        slow(page, line=False)
        began = time.perf_counter()
        page.goto(room, wait_until="commit")
        page.wait_for_selector("main.play[data-mine]")
        times.append(time.perf_counter() - began)
        page.close()
        page = context.new_page()
        slow(page, line=False)
        began = time.perf_counter()
        page.goto(f"{address}#/new/oware", wait_until="commit")
        begin(page)
        new.append(time.perf_counter() - began)
        page.close()
    context.close()
    say("a game goes on, later visit without a network", statistics.median(times), "s", 3)
    say("ready to move in a new one, without a network", statistics.median(new), "s", 3)


def sizes(folder: Path) -> None:
    """All downloads as a host sends them."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.parent.name != "icons"]
    whole = {path: len(packed(str(path))) for path in files}
    say("all downloads", sum(whole.values()) / 1e6, "MB", 8)
    for name in ("python.wasm.zst", "memory.bin.zst", "pyodide.asm.mjs", "engine/*.zst"):
        found = sum(size for path, size in whole.items() if path.match(name))
        print(f"    {name:50} {found / 1e6:8.2f} MB")


def main() -> None:
    """Measures the site in a folder."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist" / "site"
    if not (folder / "sw.js").is_file():
        sys.exit(f"{folder} is not a site: `make site` builds one")
    if (load := os.getloadavg()[0]) > 0.5:
        print(f"  (something else runs on this computer: load {load:.1f}; the figures suffer)")
    sizes(folder)
    with sync_playwright() as playwright, host(folder) as address:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        first_visit(browser, address)
        later_visit(browser, address)
        browser.close()


if __name__ == "__main__":
    main()

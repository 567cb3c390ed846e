"""Makes docs/pictures of the screens: the terminal by Textual's own export, the web app in Chromium.

python tools/screenshots.py [terminal] [web]

The web app is served by this clone on a port of its own, with an empty database, and shut down again.
"""

import asyncio
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

import mbegu
from mbegu.core.i18n import speaking
from mbegu.core.match import Match
from mbegu.terminal.advice import Adviser
from mbegu.terminal.tui.app import TableApp
from mbegu.terminal.tui.wishes import Wishes

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
FONTS = re.compile(r"@font-face \{[^}]*\}\s*")
MOVES = "c b e d f c a".split()


class _Sure(Adviser):
    """An engine is not needed for a picture."""

    def chance(self, match: Match) -> float | None:
        """South stands a little better."""
        return 0.57


def terminal() -> None:
    """A game of Oware on the whole screen, some moves played, the cursor on a capture or near one."""

    async def shoot() -> str:
        game = mbegu.game("oware")
        app = TableApp(Wishes(game, ("human", "human"), position=game.start()), speed=5)
        app.adviser = _Sure()
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            for key in MOVES:
                await pilot.press(key)
            await pilot.press("escape", "tab")
            await pilot.pause(0.3)
            return app.export_screenshot(title="mbegu play oware")

    with speaking("en"), tempfile.TemporaryDirectory() as folder:
        os.environ["MBEGU_DATA"] = folder
        picture = asyncio.run(shoot())
    picture = FONTS.sub("", picture)  # whoever looks at it asks nobody else for a font
    FOLDER.joinpath("terminal.svg").write_text(picture, encoding="utf-8")


def web() -> None:
    """The home page and a game of Oware in the browser, as a small picture."""
    with tempfile.TemporaryDirectory() as folder:
        port = _free_port()
        command = [sys.executable, "-m", "mbegu", "serve", "--no-browser", "--port", str(port)]
        environment = {**os.environ, "MBEGU_DATA": folder, "MBEGU_LANG": "en"}
        server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        try:
            _wait_for(f"http://127.0.0.1:{port}/health")
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
                page = browser.new_page(viewport={"width": 1180, "height": 720}, locale="en")
                page.goto(f"http://127.0.0.1:{port}/")
                page.wait_for_load_state("networkidle")
                page.screenshot(path=str(FOLDER / "web.png"))
                browser.close()
        finally:
            server.terminate()
            server.wait(20)
    _made_small(FOLDER / "web.png")


def _made_small(path: Path) -> None:
    """As WebP, a fifth of its size."""
    with Image.open(path) as picture:
        picture.convert("RGB").save(path.with_suffix(".webp"), quality=80, method=6)
    path.unlink()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_for(address: str) -> None:
    for _try in range(120):
        try:
            urllib.request.urlopen(address, timeout=2).close()  # noqa: S310 - our own server
        except OSError:
            time.sleep(0.5)
        else:
            return
    sys.exit(f"nobody answers at {address}")


if __name__ == "__main__":
    chosen = sys.argv[1:] or ["terminal", "web"]
    for name in chosen:
        {"terminal": terminal, "web": web}[name]()

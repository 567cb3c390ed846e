"""The server is killed in the middle of a game against the computer: it goes on, and is there once afterwards."""

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from folder import image
from playwright.sync_api import Browser, Page, expect

PATIENCE = 90_000  # milliseconds; Python starts within them on a busy machine
SERVER = """
import sys
from pathlib import Path
from mbegu.server.app import Settings
from mbegu.server.run import serve
database, tab, port = sys.argv[1:]
serve(Settings(database, 1, engine=False, tab=Path(tab)), "127.0.0.1", int(port), browser=False)
"""


@contextmanager
def server(database: Path, port: int) -> Iterator["subprocess.Popen[str]"]:
    """A server that has Python for browsers, on a port that stays the same."""
    command = [sys.executable, "-u", "-c", SERVER, str(database), str(image()), str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture
def port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def moves_of(page: Page, room: str) -> list[object]:
    """The moves as the server has them."""
    told = page.request.get(f"/api/v1/rooms/{room}").json()
    return [line["move"] for line in told["moves"]]


def until(page: Page, true: Callable[[], bool]) -> None:
    """Waits until something is true."""
    end = time.monotonic() + PATIENCE / 1000
    while not true():
        assert time.monotonic() < end
        page.wait_for_timeout(100)


def play(page: Page) -> None:
    """One move of mine, and the computer's answer."""
    mine = page.locator("main.play[data-mine]")
    mine.wait_for()
    before = int(mine.get_attribute("data-plies") or 0)
    page.locator('[data-target]:not([aria-disabled="true"])').first.click()
    page.wait_for_function(
        """(before) => {
          const main = document.querySelector("main.play[data-mine]");
          return main && Number(main.dataset.plies) >= before + 2;
        }""",
        arg=before,
    )


def test_a_game_goes_on_without_its_server_and_is_handed_in(
    browser: Browser, tmp_path: Path, port: int
) -> None:
    base = f"http://127.0.0.1:{port}"
    context = browser.new_context(base_url=base, viewport={"width": 1280, "height": 800})
    page, said = context.new_page(), list[str]()
    page.set_default_timeout(PATIENCE)
    page.add_init_script("localStorage['mbegu-settings'] = JSON.stringify({ speed: 'instant' })")
    page.on("websocket", lambda line: line.on("framesent", lambda text: said.append(str(text))))
    with server(tmp_path / "games.db", port) as first:
        page.goto("/new/oware")
        page.get_by_role("button", name="Begin").click()
        page.wait_for_url("**/play/**")
        room = page.url.rpartition("/")[2]
        play(page)
        until(page, lambda: any('"thinks"' in frame for frame in said))  # Python has started
        play(page)
        assert any('"computed"' in frame for frame in said)  # and has thought for the computer
        known = moves_of(page, room)
        first.kill()
        first.wait()
    expect(page.get_by_text("The server is away. The game goes on here")).to_be_visible(
        timeout=PATIENCE
    )
    play(page)
    play(page)
    with server(tmp_path / "games.db", port):
        until(page, lambda: len(moves_of(page, room)) >= len(known) + 4)
        handed = moves_of(page, room)
        assert handed[: len(known)] == known
        rooms = page.request.get("/api/v1/rooms").json()["rooms"]
        assert [one["id"] for one in rooms] == [room]
        play(page)  # and on with the server
        assert moves_of(page, room)[: len(handed)] == handed
    context.close()

"""The server is killed in the middle of a game against the computer: it goes on, and is there once afterwards."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from folder import image
from playwright.sync_api import Browser, Page, expect

KILLS = 2 * int(os.environ.get("MBEGU_TEST_SCALE", "1"))  # 25 kills the server fifty times
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


@pytest.mark.parametrize("way", ["inside", "reload"])
def test_a_game_that_nobody_looks_at_is_handed_in(
    browser: Browser, tmp_path: Path, port: int, way: str
) -> None:
    """Its page was left for another while the server was away; nothing is loaded again when it is back."""
    context = browser.new_context(base_url=f"http://127.0.0.1:{port}")
    page, said = context.new_page(), list[str]()
    page.set_default_timeout(PATIENCE)
    page.add_init_script("localStorage['mbegu-settings'] = JSON.stringify({ speed: 'instant' })")
    page.on("websocket", lambda line: line.on("framesent", lambda text: said.append(str(text))))
    with server(tmp_path / "games.db", port):
        room = new_game(page, set(), said)
        play(page)
        page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
        until(page, lambda: bool(page.evaluate("!!navigator.serviceWorker.controller")))
        page.wait_for_timeout(3000)  # the worker has kept the page
    expect(page.get_by_text("The server is away. The game goes on here")).to_be_visible(
        timeout=PATIENCE
    )
    play(page)
    page.get_by_role("link", name="How to play").click()
    if way == "reload":
        page.reload()
    with server(tmp_path / "games.db", port):
        until(page, lambda: not page.evaluate("JSON.parse(localStorage['mbegu-away']).length"))
        assert len(moves_of(page, room)) == 4
    context.close()


def test_a_server_killed_at_any_moment_has_the_game_once(
    browser: Browser, tmp_path: Path, port: int
) -> None:
    """Before a move, on its way, while the computer thinks, after its answer: nothing is lost or doubled."""
    lot = Random(50)
    context = browser.new_context(
        base_url=f"http://127.0.0.1:{port}", viewport={"width": 1280, "height": 800}
    )
    page, said = context.new_page(), list[str]()
    page.set_default_timeout(PATIENCE)
    page.add_init_script("localStorage['mbegu-settings'] = JSON.stringify({ speed: 'instant' })")
    page.on("websocket", lambda line: line.on("framesent", lambda text: said.append(str(text))))
    rooms = set[str]()
    with server(tmp_path / "games.db", port):
        room = new_game(page, rooms, said)
    for kill in range(KILLS):
        with server(tmp_path / "games.db", port) as process:
            until(page, lambda: handed(page, room))  # noqa: B023
            if page.locator("main.play[data-status=over]").count() or plies(page) > 30:
                room = new_game(page, rooms, said)
            play(page)
            known = moves_of(page, room)
            page.locator(FREE).first.click()
            page.wait_for_timeout(lot.choice((0, 5, 20, 60, 150, 400)))
            process.kill()
            process.wait()
        page.wait_for_function(ANSWERED, arg=len(known) + 2)
        if not page.locator("main.play[data-status=over]").count():
            play(page)
        shown = plies(page)
        with server(tmp_path / "games.db", port):
            until(page, lambda: handed(page, room))  # noqa: B023
            moves = moves_of(page, room)
            assert moves[: len(known)] == known, kill
            assert len(moves) == shown, kill
            found = page.request.get("/api/v1/rooms").json()["rooms"]
            assert sorted(one["id"] for one in found) == sorted(rooms), kill
    context.close()


FREE = '[data-target]:not([aria-disabled="true"])'
ANSWERED = """(least) => {
  const main = document.querySelector("main.play[data-mine], main.play[data-status=over]");
  return main && Number(main.dataset.plies) >= least || document.querySelector("main.play[data-status=over]");
}"""


def new_game(page: Page, rooms: set[str], said: list[str]) -> str:
    """A game of Oware against the computer, in which the tab thinks."""
    said.clear()
    page.goto("/new/oware")
    page.get_by_role("slider").first.fill("1")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/play/**")
    until(page, lambda: any('"thinks"' in frame for frame in said))  # Python has started
    rooms.add(page.url.rpartition("/")[2])
    return page.url.rpartition("/")[2]


def plies(page: Page) -> int:
    """How many moves the page shows."""
    return int(page.locator("main.play").get_attribute("data-plies") or 0)


def handed(page: Page, room: str) -> bool:
    """Whether the server has what the page shows, and the page has nothing to hand in."""
    if page.evaluate("JSON.parse(localStorage['mbegu-away'] || '[]').length"):
        return False
    try:
        return len(moves_of(page, room)) == plies(page)
    except Exception:  # the server is not quite there
        return False

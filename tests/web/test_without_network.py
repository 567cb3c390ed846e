"""Without a network, and when something is missing: installed, kept, told — never a blank page, never a game lost.

A game of each kind to its end takes a while: MBEGU_TEST_SCALE=2 plays all of them, one otherwise.
"""

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from folder import BELOW, build, image, served
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect
from table import GAMES, move, until, wait_for_plies, wait_for_turn

from mbegu.site import build as site_build

SCALE = int(os.environ.get("MBEGU_TEST_SCALE", "1"))
PATIENCE = 60_000  # milliseconds; Python starts within them on a busy machine
# As strict as a host may be: what the page says of itself, said by the host for every file.
STRICT = {
    "content-security-policy": f"{site_build.POLICY}; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
}
QUICK = json.dumps({"speed": "instant", "sound": False})
REMEMBER = f"if (!localStorage.length) localStorage.setItem('mbegu-settings', {json.dumps(QUICK)})"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site below a path of its own."""
    made = tmp_path_factory.mktemp("site")
    build(made / BELOW)
    return made


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """Where a host with a strict policy has it."""
    with served(folder, STRICT) as root:
        yield f"{root}{BELOW}/"


def device(browser: Browser, **options: Any) -> BrowserContext:
    """Somebody's phone or computer."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, locale="en-GB", accept_downloads=True, **options
    )
    context.set_default_timeout(PATIENCE)
    context.add_init_script(REMEMBER)
    return context


def kept(page: Page) -> None:
    """Waits until the service worker has everything and the page is its own."""
    page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
    until(page, lambda: bool(page.evaluate("!!navigator.serviceWorker.controller")), "a worker", 90)


@pytest.fixture(scope="module")
def away(browser: Browser, folder: Path) -> Iterator[tuple[BrowserContext, str]]:
    """A device that has visited the site once; its host is gone."""
    context = device(browser)
    with served(folder, STRICT) as root:
        page = context.new_page()
        page.goto(f"{root}{BELOW}/")
        kept(page)
        page.close()
    context.set_offline(True)
    yield context, f"{root}{BELOW}/"
    context.close()


@pytest.fixture
def page(away: tuple[BrowserContext, str]) -> Iterator[Page]:
    """A tab on that device, which complains about nothing and asks nobody else."""
    context, address = away
    made, complaints = context.new_page(), list[str]()
    made.on("pageerror", lambda error: complaints.append(str(error)))
    made.on("console", lambda told: complaints.append(told.text) if told.type == "error" else None)
    ours = (address, "blob:", "data:")
    made.on("request", lambda one: None if one.url.startswith(ours) else complaints.append(one.url))
    made.goto(address)
    yield made
    made.close()
    assert complaints == []


def new_game(page: Page, address: str, game: str, who: str = "Me against the computer") -> None:
    page.goto(f"{address}#/new/{game}")
    page.get_by_label(who).check(force=True)
    if who.startswith("Me"):
        page.get_by_role("slider").first.fill("1")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/#/play/**")


# ---- installing


def test_it_can_be_installed(page: Page, folder: Path) -> None:
    """What browsers want before they offer it: a valid manifest, icons of their sizes, a worker at the start."""
    href = page.locator("link[rel=manifest]").get_attribute("href")
    manifest = json.loads((folder / BELOW / str(href)).read_text("utf-8"))
    assert {"name", "short_name", "start_url", "scope", "display", "icons"} <= manifest.keys()
    assert (manifest["start_url"], manifest["scope"]) == ("./", "./")
    assert manifest["display"] == "standalone"
    sizes = {(icon["sizes"], icon.get("purpose", "any")) for icon in manifest["icons"]}
    assert {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")} <= sizes
    for icon in manifest["icons"]:
        data = (folder / BELOW / icon["src"]).read_bytes()
        if icon["type"] == "image/png":
            wide, high = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
            assert (data[:4], f"{wide}x{high}") == (b"\x89PNG", icon["sizes"])
    assert page.evaluate("navigator.serviceWorker.controller.scriptURL").endswith(f"{BELOW}/sw.js")


# ---- without a network


@pytest.mark.parametrize("game", GAMES if SCALE > 1 else GAMES[1:2])
def test_a_whole_game_against_the_computer(
    page: Page, away: tuple[BrowserContext, str], game: str
) -> None:
    new_game(page, away[1], game)
    lot = Random(7)
    while wait_for_turn(page):
        move(page, lot)
    page.goto(f"{away[1]}#/games")
    expect(page.get_by_text("Look back").first).to_be_visible()


@pytest.mark.parametrize("game", GAMES if SCALE > 1 else GAMES[:1])
def test_two_people_at_one_device(page: Page, away: tuple[BrowserContext, str], game: str) -> None:
    new_game(page, away[1], game, "Two people, one screen")
    lot = Random(7)
    for _ply in range(4):
        assert wait_for_turn(page)
        move(page, lot)


def test_beads_are_laid_in_secret_by_passing_the_device(
    page: Page, away: tuple[BrowserContext, str]
) -> None:
    warnings = list[str]()
    page.on("console", lambda told: warnings.append(told.text) if told.type == "warning" else None)
    page.goto(f"{away[1]}#/new/urubugu")
    page.get_by_label("Two people, one screen").check(force=True)
    page.get_by_label("Lay them yourself").check(force=True)
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("button", name="All in front").click()
    page.get_by_role("button", name="Ready").click()
    page.get_by_role("button", name="I am North").wait_for()
    assert page.locator("[data-cell]").count() == 0  # nothing to be seen of South's beads
    page.get_by_role("button", name="I am North").click()
    expect(page.get_by_text("North lays now; the other looks away.")).to_be_visible()
    page.get_by_role("button", name="By lot").click()
    page.get_by_role("button", name="Ready").click()
    assert wait_for_turn(page)
    assert warnings == []


def test_lessons_study_pictures_languages_and_settings(
    page: Page, away: tuple[BrowserContext, str]
) -> None:
    address = away[1]
    page.goto(f"{address}#/learn/kalah")
    expect(page.locator("svg.play")).to_be_visible()
    page.goto(f"{address}#/p?game=oware")
    page.locator("[data-move]").first.click()
    page.wait_for_selector("main.study[data-ply='1']")
    page.get_by_role("button", name="Share and save").click()
    with page.expect_download() as file:
        page.get_by_role("link", name="SVG").click()
    assert Path(file.value.path()).read_text("utf-8").startswith("<svg")
    with page.expect_download() as file:
        page.get_by_role("button", name="PNG").click()
    assert Path(file.value.path()).read_bytes().startswith(b"\x89PNG")
    page.goto(f"{address}#/settings")
    page.get_by_label("Imigongo").check()
    assert page.locator("html").get_attribute("data-skin") == "imigongo"
    for language, word in {"fr": "Réglages", "rn": "", "sw": "", "en": "Settings"}.items():
        page.get_by_role("combobox").select_option(language)
        until(page, lambda: page.locator("html").get_attribute("lang") == language, language)  # noqa: B023
        if word:
            expect(page.get_by_role("heading", name=word, level=1)).to_be_visible()


# ---- before Python is there


def test_one_moves_while_python_is_still_on_its_way(browser: Browser, address: str) -> None:
    context = device(browser, service_workers="block")
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)
        if len(held) > 1:
            route.continue_()

    context.route(re.compile(r"memory\.bin\.zst"), hold)
    page = context.new_page()
    new_game(page, address, "oware", "Two people, one screen")
    assert wait_for_turn(page)  # the board of a game that nobody has made yet
    page.locator("[data-move]").first.click()
    told = page.get_by_text(re.compile(r"The rules are on their way, once: \d\.\d of \d\.\d MB"))
    expect(told.first).to_be_visible(timeout=PATIENCE)
    held[0].continue_()
    wait_for_plies(page, 1)
    page.reload()
    assert wait_for_turn(page)
    wait_for_plies(page, 1)  # once, and kept
    context.close()


def test_a_game_that_began_before_python_outlives_its_page(browser: Browser, address: str) -> None:
    """Whoever is tired of waiting loads the page again, or opens it a second time: it is one game."""
    context = device(browser, service_workers="block")
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    context.route(re.compile(r"memory\.bin\.zst"), hold)
    first, second = context.new_page(), context.new_page()

    def asked(times: int) -> None:
        until(first, lambda: len(held) == times, f"Python's memory, asked for {times} times")

    new_game(first, address, "oware", "Two people, one screen")
    asked(1)
    first.reload()
    assert wait_for_turn(first)  # its board is still there
    asked(2)
    second.goto(first.url)
    assert wait_for_turn(second)
    asked(3)
    for one in held:
        with suppress(Error):  # nobody waits for the first any more
            one.continue_()
    second.locator("[data-move]").first.click()
    for page in (first, second):
        wait_for_plies(page, 1)
    first.goto(f"{address}#/games")
    expect(first.get_by_text("moves: 1")).to_have_count(1)
    context.close()


def test_a_game_that_has_just_begun_is_among_mine(browser: Browser, address: str) -> None:
    """Whoever looks there while Python is still on its way is not told that there is no game."""
    context = device(browser, service_workers="block")
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    context.route(re.compile(r"memory\.bin\.zst"), hold)
    page = context.new_page()
    new_game(page, address, "oware", "Two people, one screen")
    wait_for_turn(page)
    until(page, lambda: bool(held), "Python's memory")
    page.evaluate("location.hash = '#/games'")
    expect(page.get_by_text("Looking for your games")).to_be_visible()
    held[0].continue_()
    expect(page.get_by_text("moves: 0")).to_have_count(1)
    context.close()


def test_a_kept_game_is_there_before_python(browser: Browser, address: str) -> None:
    """Its board is shown as it stood; a move that is chosen there is made once, when Python has come."""
    context = device(browser, service_workers="block")
    page = context.new_page()
    new_game(page, address, "kalah", "Two people, one screen")
    wait_for_turn(page)
    move(page, Random(5))
    wait_for_plies(page, 1)
    until(page, lambda: page.evaluate(LAST) == 1, "what is kept of it")
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    context.route(re.compile(r"memory\.bin\.zst"), hold)
    page.reload()
    assert wait_for_turn(page)
    wait_for_plies(page, 1)
    page.locator("[data-move]").first.click()
    until(page, lambda: bool(held), "Python's memory")
    held[0].continue_()
    wait_for_plies(page, 2)
    page.goto(f"{address}#/games")
    expect(page.get_by_text("moves: 2")).to_be_visible()
    context.close()


LAST = "(JSON.parse(localStorage['mbegu-last'] || '{}').shot || {moves: []}).moves.length"


# ---- games are kept


def test_all_games_go_to_another_device_in_one_file(
    page: Page, away: tuple[BrowserContext, str], browser: Browser, address: str, tmp_path: Path
) -> None:
    new_game(page, away[1], "morabaraba", "Two people, one screen")
    page.goto(f"{away[1]}#/games")
    with page.expect_download() as file:
        page.get_by_role("button", name="Save all games in one file").click()
    text = Path(file.value.path()).read_text("utf-8")
    count = len(json.loads(text)["games"])
    assert count
    other = device(browser)
    there = other.new_page()
    there.goto(f"{address}#/games")
    chosen = {"name": "games.json", "mimeType": "application/json", "buffer": text.encode()}
    there.locator("input[type=file]").set_input_files(chosen)
    expect(there.get_by_text(f"Games added: {count}.")).to_be_visible()
    there.locator("input[type=file]").set_input_files({**chosen, "name": "again.json"})
    expect(there.get_by_text(f"Here already: {count}.")).to_be_visible()
    spoilt = {
        **chosen,
        "name": "bad.json",
        "buffer": text.replace('"kind":"human"', '"kind":"king"').encode(),
    }
    there.locator("input[type=file]").set_input_files(spoilt)
    expect(there.get_by_role("alert")).to_contain_text("game 1 of the file cannot be read")
    other.close()


def test_two_tabs_play_one_game(browser: Browser, address: str) -> None:
    """What one does the other shows; nothing is lost, nothing is there twice."""
    context = device(browser)
    first = context.new_page()
    new_game(first, address, "oware", "Two people, one screen")
    wait_for_turn(first)
    second = context.new_page()
    second.goto(first.url)
    wait_for_turn(second)
    lot = Random(3)
    for ply in range(1, 5):
        here, there = (first, second) if ply % 2 else (second, first)
        wait_for_turn(here)
        move(here, lot)
        wait_for_plies(there, ply)
    second.goto(f"{address}#/games")
    expect(second.get_by_text("moves: 4")).to_be_visible()
    context.close()


def test_a_new_version_is_told_and_taken_up_whole(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(tmp_path / "site")
    context = device(browser)
    with served(tmp_path / "site") as address:
        page = context.new_page()
        page.goto(address)
        kept(page)
        version = page.locator("meta[name=mbegu-version]").get_attribute("content")
        monkeypatch.setattr(site_build, "POLICY", f"{site_build.POLICY}; object-src 'none'")
        build(tmp_path / "site")
        page.evaluate("navigator.serviceWorker.getRegistration().then((one) => one.update())")
        expect(page.get_by_text("A new version of Mbegu is here.")).to_be_visible()
        page.reload()  # until the person says so, the old one stays, and stays whole
        assert page.locator("meta[name=mbegu-version]").get_attribute("content") == version
        page.get_by_role("button", name="Reload").click()
        meta = page.locator("meta[name=mbegu-version]")
        until(page, lambda: meta.get_attribute("content") != version, "the new version")
        expect(page.locator("article").first).to_be_visible()
        expect(page.get_by_text("A new version of Mbegu is here.")).to_be_hidden()
    context.close()


# ---- a server that goes and comes back

SERVER = """
import sys
from pathlib import Path
from mbegu.server.app import Settings
from mbegu.server.run import serve
database, tab, port = sys.argv[1:]
serve(Settings(database, 1, engine=False, tab=Path(tab)), "127.0.0.1", int(port), browser=False)
"""


@contextmanager
def server(database: Path, port: int) -> Iterator[None]:
    """A server that has Python for browsers, on a port that stays the same."""
    command = [sys.executable, "-u", "-c", SERVER, str(database), str(image()), str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        try:
            yield
        finally:
            process.kill()


def test_a_server_may_go_and_come_back(browser: Browser, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    context, address = device(browser), f"http://127.0.0.1:{port}"
    page = context.new_page()
    with server(tmp_path / "games.db", port):
        page.goto(address)
        kept(page)
        script = page.request.get(f"{address}/sw.js").text()
        files = json.loads(script.partition("\n")[0].removeprefix("const MBEGU = ").rstrip(";"))
        count = len(set(files["files"].values())) + 1  # and the list itself
        keys = "caches.open('mbegu /').then((store) => store.keys()).then((keys) => keys.length)"
        until(page, lambda: page.evaluate(keys) >= count, "all files")
    page.goto(f"{address}/new/kalah")  # no blank page: one plays on this device meanwhile
    assert page.get_by_role("link", name="With people").count() == 0
    page.get_by_role("slider").first.fill("1")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/play/**")
    assert wait_for_turn(page)
    move(page, Random(2))
    asks = "fetch('/api/v1/games').then(() => 'an answer', () => 'nothing')"
    assert page.evaluate(asks) == "nothing"  # answers are never kept
    with server(tmp_path / "games.db", port):
        page.evaluate("dispatchEvent(new Event('online'))")
        page.get_by_role("button", name="Reload").click()
        expect(page.get_by_role("link", name="With people")).to_be_visible()
        assert page.evaluate(asks) == "an answer"
    context.close()


# ---- what is missing


@pytest.mark.parametrize(
    ("script", "what"),
    [
        ("delete window.WebAssembly", "it has no WebAssembly"),
        ("delete window.Worker", "it has no Worker"),
        ("delete window.BigInt64Array", "it has no BigInt"),
        ("delete window.BigInt", "it has no BigInt"),
    ],
)
def test_a_browser_that_cannot_run_it_is_told(
    browser: Browser, address: str, script: str, what: str
) -> None:
    context = device(browser, service_workers="block")
    context.add_init_script(script)
    page = context.new_page()
    page.goto(f"{address}#/new/oware")
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("alert")).to_contain_text(what)
    page.goto(f"{address}#/play/AAAAAAAAAAAAAAAAAAAAAA")
    expect(page.get_by_text(what)).to_be_visible()
    page.goto(f"{address}#/learn/oware")  # what needs no Python goes on
    expect(page.locator("svg.play")).to_be_visible()
    context.close()


@pytest.mark.parametrize("name", ["client", "Learn"])
def test_half_a_script_is_told(browser: Browser, address: str, name: str) -> None:
    """Its host sends no more, whatever one does: neither the words of JavaScript nor of a server are said."""
    context = device(browser, service_workers="block")
    half = {"body": "class {", "content_type": "text/javascript"}
    context.route(re.compile(rf"/assets/{name}-[\w-]+\.js"), lambda route: route.fulfill(**half))
    page = context.new_page()
    told = page.get_by_text("A file did not arrive, or came only in part.").first
    page.goto(f"{address}#/learn/oware")
    if name == "client":
        page.goto(f"{address}#/new/oware")
        page.get_by_role("button", name="Begin").click()
        expect(told).to_be_visible()
        page.goto(f"{address}#/play/AAAAAAAAAAAAAAAAAAAAAA")
    expect(told).to_be_visible()
    context.close()


NO_DATABASE = "Object.defineProperty(self, 'indexedDB', {get() { throw new Error('none'); }});\n"
FULL = """for (const name of ["add", "put"]) IDBObjectStore.prototype[name] = () => {
  throw new DOMException("no room", "QuotaExceededError"); };\n"""


def spoilt_worker(context: BrowserContext, words: str) -> None:
    """Puts words before the script of the worker in which Python runs."""

    def answer(route: Any) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=words + response.text())

    context.route(re.compile(r"/assets/worker-"), answer)


def test_a_browser_that_keeps_nothing_says_so(browser: Browser, address: str) -> None:
    context = device(browser, service_workers="block")
    spoilt_worker(context, NO_DATABASE)
    page = context.new_page()
    new_game(page, address, "kalah", "Two people, one screen")
    wait_for_turn(page)
    move(page, Random(1))
    expect(page.get_by_text("This browser keeps nothing")).to_be_visible()
    context.close()


def test_a_full_storage_is_told_and_no_game_is_lost(browser: Browser, address: str) -> None:
    context = device(browser, service_workers="block")
    page = context.new_page()
    new_game(page, address, "kalah", "Two people, one screen")
    wait_for_turn(page)
    move(page, Random(1))
    spoilt_worker(context, FULL)
    page.reload()
    wait_for_turn(page)
    page.locator("[data-move]").first.click()
    full = page.get_by_text("its storage may be full").first
    older = page.get_by_text("look at the board again").first
    expect(full.or_(older).first).to_be_visible(timeout=60_000)
    if older.is_visible():  # the board that was kept was an older one, and the page says so
        page.locator("[data-move]").first.click()
    expect(full).to_be_visible(timeout=60_000)
    page.goto(f"{address}#/games")
    expect(page.get_by_text("moves: 1")).to_be_visible()
    context.close()


def test_a_new_game_without_room_for_it_is_told(browser: Browser, address: str) -> None:
    """Its board is shown before Python has come, and Python cannot keep it."""
    context = device(browser, service_workers="block")
    spoilt_worker(context, FULL)
    page = context.new_page()
    new_game(page, address, "oware")
    expect(page.get_by_text("its storage may be full").first).to_be_visible()
    context.close()


HOSTILE = [
    "#/play/%E0%A4%A",
    "#/play/<script>alert(1)</script>",
    "#/p?game=oware&position=<img src=x onerror=alert(1)>",
    "#/p?game=" + "9" * 3000,
    "#/record/../../etc/passwd",
    "#//evil.example/",
    "#/learn/nothing",
]


def test_a_hostile_link_is_answered_by_a_sentence(
    page: Page, away: tuple[BrowserContext, str]
) -> None:
    for fragment in HOSTILE:
        page.goto(away[1] + fragment)
        page.reload()
        expect(page.locator("main h2, main h1").first).to_be_attached()
        until(page, lambda: page.locator(".busy").count() == 0, f"an answer to {fragment}")
        assert page.locator("main").inner_text().strip()

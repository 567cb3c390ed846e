"""The games as a folder of files: Python and all in a tab, from a plain file server, with the network cut."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from folder import BELOW, ROOT, build, image, served
from playwright.sync_api import Browser, Page, expect

from mbegu.core.registry import OURS
from mbegu.site import build as site_build
from mbegu.site.build import SiteError, build_site

PATIENCE = 60_000  # milliseconds; Python starts within them on a busy machine


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site below a path of its own: /games/mbegu/."""
    made = tmp_path_factory.mktemp("site")
    build(made / BELOW)
    return made


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """Where a plain server has it."""
    with served(folder) as root:
        yield f"{root}{BELOW}/"


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A page that may ask nobody else, and complains about nothing."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    made, complaints = context.new_page(), list[str]()
    made.set_default_timeout(PATIENCE)
    made.on("pageerror", lambda error: complaints.append(str(error)))
    made.on("console", lambda told: complaints.append(told.text) if told.type == "error" else None)
    made.on(
        "request",
        lambda asked: (
            None
            if asked.url.startswith((address, "blob:", "data:"))
            else complaints.append(asked.url)
        ),
    )
    yield made
    context.close()
    assert complaints == []


def begin(page: Page, address: str, game: str) -> None:
    page.goto(f"{address}#/new/{game}")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/#/play/**")


def test_a_game_against_the_computer_without_a_server(page: Page, address: str) -> None:
    begin(page, address, "oware")
    page.locator('[data-target="B"]').click()
    expect(page.get_by_text("No move yet.")).to_be_hidden(timeout=PATIENCE)
    hint = page.get_by_role("button", name="Hint")
    expect(hint).to_be_enabled(timeout=PATIENCE)  # the computer has answered


def test_the_engine_comes_along() -> None:
    """Here, too, a tab thinks with the compiled kernels and not with the readable rules."""
    told = json.loads((image() / "engine" / "engine.json").read_text("utf-8"))
    assert {library["game"] for library in told.values()} == set(OURS)
    for library in told.values():
        assert (image() / "engine" / library["file"]).stat().st_size == library["bytes"]


def test_menus_leave_out_what_needs_a_server(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.get_by_role("link", name="My games")).to_be_visible()
    assert page.get_by_role("link", name="With people").count() == 0
    assert page.get_by_role("link", name="Sign in").count() == 0


@pytest.mark.parametrize("path", ["", "#/learn", "#/games"])
def test_links_lead_somewhere_in_a_tab_of_their_own(page: Page, address: str, path: str) -> None:
    """They are copied, dragged and opened in new tabs: no click of ours tells what they mean."""
    page.goto(f"{address}{path}")
    expect(page.get_by_role("link", name="My games")).to_be_visible()
    page.locator("main a[href]").first.wait_for()
    found = page.eval_on_selector_all("a[href]", "links => links.map(link => link.href)")
    assert [to for to in found if not to.startswith(f"{address}#/")] == []


def test_a_link_opens_in_a_new_tab(page: Page, address: str) -> None:
    page.goto(address)
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="My games").click(modifiers=["Control"])
    expect(opened.value.get_by_role("heading", name="My games")).to_be_visible(timeout=PATIENCE)
    assert opened.value.url == f"{address}#/games"


def test_a_game_is_kept_when_the_page_is_opened_again(page: Page, address: str) -> None:
    begin(page, address, "kalah")
    expect(page.get_by_text("No move yet.")).to_be_visible(timeout=PATIENCE)
    page.locator("[data-target]").first.click()
    expect(page.get_by_text("No move yet.")).to_be_hidden(timeout=PATIENCE)
    here = page.url
    page.goto("about:blank")
    page.goto(here)
    expect(page.locator("[data-target]").first).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("No move yet.")).to_be_hidden(timeout=PATIENCE)


def test_python_speaks_french(page: Page, address: str) -> None:
    """Its image has the catalogues of what can be said in a tab."""
    page.goto(f"{address}#/learn/urubugu")
    page.get_by_label("Language").select_option("fr")
    expect(page.get_by_role("link", name="Mes parties")).to_be_visible()
    assert page.locator("html").get_attribute("lang") == "fr"
    page.goto(f"{address}#/p?game=oware&position=4-4-4-4-4-4-4-4-4-4-4-4-0-0-S")
    page.locator('[data-target="B"]').click()
    expect(page.get_by_text("Sud sème").first).to_be_visible(timeout=PATIENCE)


@contextmanager
def damaged(folder: Path, name: str) -> Iterator[None]:
    """A file of Python's with zeros in its middle; whole again afterwards."""
    (file,) = (folder / BELOW / "tab").glob(f"*/{name}")
    whole = file.read_bytes()
    half = len(whole) // 2
    file.write_bytes(whole[:half] + bytes(200) + whole[half + 200 :])
    try:
        yield
    finally:
        file.write_bytes(whole)


@pytest.mark.parametrize("name", ["memory.bin.zst", "tab.json", "pyodide.mjs", "pyodide.asm.mjs"])
def test_a_damaged_file_is_told(folder: Path, address: str, browser: Browser, name: str) -> None:
    with damaged(folder, name):
        page = browser.new_page(service_workers="block")
        page.goto(f"{address}#/games")
        told = page.get_by_text(f"A file is damaged, or came only in part: {name}.")
        expect(told).to_be_visible(timeout=PATIENCE)
        page.close()


def test_a_game_begins_although_its_first_board_is_damaged(
    folder: Path, address: str, page: Page
) -> None:
    """Python makes the room, as it does for games whose board is not written down."""
    with damaged(folder, "first/rooms-en.json"):
        begin(page, address, "oware")
        page.locator('[data-target="B"]').click()
        expect(page.get_by_text("No move yet.")).to_be_hidden(timeout=PATIENCE)


def test_somebody_elses_folder_is_left_alone(tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "thesis.txt").write_text("all of it")
    monkeypatch.setattr(site_build, "TAB", tmp_path)
    (tmp_path / "tab.json").write_text("{}")
    with pytest.raises(SiteError, match="not empty"):
        build_site(tmp_path)
    assert (tmp_path / "thesis.txt").read_text() == "all of it"
    with pytest.raises(SiteError, match="slash"):
        build_site(tmp_path / "new", "/games")
    shutil.rmtree(tmp_path / "new", ignore_errors=True)


NAMES = """
const { readFileSync } = require("node:fs");
const { decompress } = require("fzstd");
const wasm = decompress(readFileSync(`${process.argv[1]}/python.wasm.zst`));
const has = new Set(WebAssembly.Module.exports(new WebAssembly.Module(wasm)).map(({ name }) => name));
const script = readFileSync(`${process.argv[1]}/pyodide.asm.mjs`, "utf8");
const taken = Array.from(script.matchAll(/\\]=wasmExports\\["([\\w$]+)"\\](?:\\.value>>>0)?;/g), ([, name]) => name);
console.log(JSON.stringify([has.size, taken.length, taken.filter((name) => !has.has(name))]));
"""


def test_python_lost_names_that_nobody_takes_and_no_other() -> None:
    """What was taken out of the program (web/scripts/thin.mjs) is taken by no line of its script."""
    done = subprocess.run(
        ["node", "-e", NAMES, str(image())], cwd=ROOT / "web", capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    has, taken, missing = json.loads(done.stdout)
    assert missing == []
    assert 100 < taken < has < 1000

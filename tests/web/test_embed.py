"""Boards on other pages: a game to play through, from a folder and from a server, and nothing else in a frame."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from folder import build, served
from playwright.sync_api import Browser, Page, expect

from mbegu.site import build as site_build

EXAMPLE = (Path(site_build.__file__).parent / "example.txt").read_text("utf-8").strip()


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A host with a site below a path, whose Python is not there: a board needs none."""
    made = tmp_path_factory.mktemp("embed")
    (made / "tab").mkdir()
    (made / "tab" / "tab.json").write_text("{}")
    build(made / "games" / "mbegu", made / "tab")
    with served(made) as address:
        yield address


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 900, "height": 800}, locale="en-GB")
    context.add_init_script(
        "try { localStorage['mbegu-settings'] = '{\"speed\":\"instant\"}' } catch {}"
    )
    made = context.new_page()
    made.set_default_timeout(60_000)
    yield made
    context.close()


def test_one_line_draws_a_game_that_can_be_played_through(
    page: Page, other: str, picture: Callable[[Any, str], None]
) -> None:
    asked, wrong = list[str](), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"{other}games/mbegu/embed/example.html")
    board = page.frame_locator("iframe")
    main = board.locator("main")
    expect(main).to_have_attribute("data-plies", "24")
    board.get_by_role("button", name="One move on").click()
    expect(main).to_have_attribute("data-ply", "1")
    page.keyboard.press("ArrowRight")
    expect(main).to_have_attribute("data-ply", "2")
    page.keyboard.press("End")
    expect(main).to_have_attribute("data-ply", "24")
    page.keyboard.press("Home")
    board.get_by_role("button", name="Play through").click()
    expect(main).to_have_attribute("data-ply", "3")
    picture(page, "embed")
    assert board.get_by_role("link", name="Open in Mbegu").get_attribute("href", timeout=1000)
    assert not [url for url in asked if "/tab/" in url and "first/" not in url], "no Python"
    assert wrong == []


def test_a_line_that_stands_alone_in_a_file_draws_a_board(page: Page, other: str) -> None:
    line = f'<script async src="{other}games/mbegu/embed.js" data-game="{EXAMPLE}"></script>'
    page.route("**/alone.html", lambda route: route.fulfill(body=line, content_type="text/html"))
    page.goto(f"{other}alone.html")
    page.locator("body > iframe").wait_for(timeout=20_000)
    expect(page.frame_locator("iframe").locator("main")).to_have_attribute("data-plies", "24")


@pytest.mark.parametrize("word", ["", "e1AAAA", "e2AAAA", "%E0%A4%A", EXAMPLE[:-40]])
def test_a_damaged_address_gets_a_sentence(page: Page, other: str, word: str) -> None:
    page.goto(f"{other}games/mbegu/embed/#{word}")
    expect(page.get_by_text("This board cannot be shown").first).to_be_visible()


def test_a_server_lets_its_boards_stand_elsewhere_and_nothing_else(
    page: Page, other: str, base: str
) -> None:
    page.goto(f"{other}games/")
    page.set_content(f'<iframe src="{base}/embed/#{EXAMPLE}" width="640" height="620"></iframe>')
    expect(page.frame_locator("iframe").locator("main")).to_have_attribute("data-plies", "24")
    page.set_content(f'<iframe src="{base}/settings"></iframe>')
    page.wait_for_timeout(1000)
    assert page.frame_locator("iframe").locator("main").count() == 0


def copied(page: Page, part: str) -> str:
    """What was copied, when this is a part of it."""
    for _time in range(200):
        text: str = page.evaluate("navigator.clipboard.readText()")
        if part in text:
            return text
        page.wait_for_timeout(100)
    raise AssertionError(text)


def test_a_game_is_copied_as_a_link_and_as_code(visit: Callable[..., Page]) -> None:
    page = visit("/p?game=oware")
    page.locator('[data-target="C"]').click()
    page.get_by_role("button", name="Share and save").click()
    page.get_by_role("button", name="Copy a link to the game").click()
    link = copied(page, "#/r/1")
    page.get_by_role("button", name="Copy code for a page").click()
    assert copied(page, "#e1").startswith("<iframe src=")
    page.goto(link)
    expect(page.locator("main.study")).to_have_attribute("data-plies", "1")
    page.goto(link[:-5])
    expect(page.get_by_text("this link is damaged").first).to_be_visible()


def test_the_address_of_a_server_leads_there(page: Page, other: str, base: str) -> None:
    page.goto(f"{other}games/mbegu/#/settings")
    field = page.get_by_label("Play with people")
    field.fill("javascript:alert(1)")
    page.get_by_role("button", name="Go to the server").click()
    expect(page.get_by_role("alert")).to_contain_text("not the address of a server")
    field.fill(base.removeprefix("http://"))
    page.get_by_role("button", name="Go to the server").click()
    page.wait_for_url(f"{base}/**")
    page.goto(f"{other}games/mbegu/")
    expect(page.get_by_role("link", name="Play with people on")).to_have_attribute(
        "href", f"{base}/"
    )

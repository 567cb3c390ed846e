"""People in the browser: an account from its making to its end, and strangers' names as text."""

import re
import sys
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from table import arrive
from test_access import check

sys.path.append(str(Path(__file__).resolve().parents[1] / "server"))

from hostile_texts import HOSTILE

NUMBERS = count(1)
PASSWORD = "kibo-na-mawenzi"
LANGUAGES = ("en", "fr", "rn", "sw")


def field(page: Any, name: str) -> Any:
    return page.get_by_label(name, exact=True).first


def test_the_life_of_an_account(visit: Any, axe: str, picture: Any) -> None:
    """Played as a guest, signed up on a phone by the keyboard, found again on a desk, deleted."""
    name = f"Amina{next(NUMBERS)}"
    phone = visit("/", phone=True)
    phone.request.post(
        "/api/v1/rooms",
        data={"game": "oware", "seats": [{"kind": "human"}, {"kind": "human"}]},
    )
    phone.goto("/account")
    phone.get_by_role("radio", name="New account").check()
    field(phone, "Name").fill(name)
    field(phone, "Password").fill("short")
    phone.keyboard.press("Enter")
    assert phone.get_by_role("heading", name="Welcome").count() == 0
    field(phone, "Password").fill(PASSWORD)
    phone.keyboard.press("Enter")
    phone.get_by_role("heading", name=f"Welcome, {name}").wait_for()
    code = phone.locator("[data-secret]").inner_text()
    assert re.fullmatch(r"(?:[A-Z0-9]{4}-){6}[A-Z0-9]{4}", code)
    check(phone, axe)
    picture(phone, "account-code")
    phone.get_by_role("button", name="go on").click()
    phone.get_by_role("link", name=f"Account of {name}").wait_for()

    desk = visit("/account?then=/games")
    field(desk, "Name").fill(name.upper())
    field(desk, "Password").fill("not-the-password")
    desk.get_by_role("button", name="Sign in").click()
    desk.get_by_role("alert").wait_for()
    field(desk, "Password").fill(PASSWORD)
    desk.keyboard.press("Enter")
    desk.wait_for_url("**/games")
    desk.get_by_text("Oware").first.wait_for()

    desk.goto("/account")
    desk.get_by_label("What is it for?").fill("my notes")
    desk.get_by_role("button", name="Make a token").click()
    assert desk.locator("[data-secret]").inner_text().startswith("mbegu_")
    desk.get_by_role("button", name="End the token my notes").click()
    desk.get_by_role("button", name="End the token my notes").wait_for(state="detached")
    with desk.expect_download() as download:
        desk.get_by_role("link", name="Download").click()
    assert name in Path(download.value.path()).read_text(encoding="utf-8")
    check(desk, axe)
    picture(desk, "account")
    desk.get_by_role("link", name="My profile").click()
    desk.get_by_text("No rated game yet.").wait_for()
    check(desk, axe)

    desk.goto("/account")
    desk.get_by_role("button", name="Delete the account").click()
    desk.get_by_role("dialog").get_by_label("Password").fill(PASSWORD)
    desk.get_by_role("button", name="Delete for good").click()
    desk.get_by_role("link", name="Sign in").wait_for()
    desk.goto(f"/people/{name}")
    desk.get_by_role("heading", name=f"Nobody is called {name} here").wait_for()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_screen_of_people(visit: Any, axe: str, lang: str) -> None:
    page = visit(f"/account?lang={lang}", phone=lang in ("fr", "rn"), still=True)
    for path in ("/account", "/leaderboard", "/leaderboard/kalah", "/people/nobody"):
        arrive(page, path)
        check(page, axe)
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, path


@pytest.mark.parametrize("lang", LANGUAGES)
def test_names_of_strangers_are_text(visit: Any, lang: str) -> None:
    """On every screen that shows a name: it can be read there, and nothing runs."""
    page = visit(f"/?lang={lang}")
    ran: list[str] = []
    page.expose_function("xss", lambda: ran.append(page.url))
    page.on("dialog", lambda dialog: (ran.append(dialog.message), dialog.dismiss()))
    rooms = []
    for one, other in zip(HOSTILE[::2], HOSTILE[1::2], strict=True):
        seats = [{"kind": "human", "name": one}, {"kind": "human", "name": other}]
        answer = page.request.post("/api/v1/rooms", data={"game": "oware", "seats": seats})
        rooms.append(answer.json()["room"])
    page.goto("/games")
    for text in HOSTILE:
        page.get_by_text(" ".join(text.split())).first.wait_for(state="attached")
    turn = LANGUAGES.index(lang)  # every language has its own, so that all are looked at
    room = rooms[turn * len(rooms) // len(LANGUAGES)]
    for path in (f"/play/{room}", f"/record/{room}"):
        page.goto(path)
        page.locator("svg.play").wait_for()
    for text in HOSTILE[turn : turn + 1]:
        page.goto("/")
        page.evaluate(
            "path => history.pushState(null, '', path)", f"/people/{quote(text, safe='')}"
        )
        page.reload()
        page.get_by_text(text).first.wait_for(state="attached")
    assert not ran

"""axe finds nothing, on any screen, in any language."""

from typing import Any

import pytest
from table import GAMES, MIDDLE, room

SCREENS = (
    "/",
    "/new/urubugu",
    "/learn",
    "/learn/oware",
    "/games",
    "/settings",
    "/no/such/page",
    "/p?game=oware",
)


def check(page: Any, axe: str) -> None:
    page.evaluate(axe)
    found = page.evaluate("axe.run({resultTypes: ['violations']}).then(r => r.violations)")
    told = [
        f"{one['id']}: {one['help']}\n  "
        + "\n  ".join(node["html"][:160] for node in one["nodes"][:3])
        for one in found
    ]
    assert not told, f"{page.url}\n" + "\n".join(told)


@pytest.mark.parametrize("lang", ["en", "fr", "rn", "sw"])
def test_every_screen_in_every_language(visit: Any, axe: str, lang: str) -> None:
    page = visit(f"/?lang={lang}")
    for path in SCREENS:
        page.goto(path)
        page.wait_for_load_state("networkidle")
        check(page, axe)
    for game in GAMES:
        page.goto(f"/play/{room(page, game, 'hh', position=MIDDLE[game])}")
        page.wait_for_selector("main.play[data-mine]")
        check(page, axe)
    page.goto(f"/play/{room(page, 'urubugu', 'hh', setups='ask')}")
    page.wait_for_selector("[data-cell]")
    check(page, axe)


@pytest.mark.parametrize("skin", ["wood", "imigongo", "litema", "contrast"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_skin(visit: Any, axe: str, skin: str, dark: bool) -> None:
    page = visit("/", skin=skin, dark=dark)
    for path in ("/", "/new/oware", "/settings", "/learn/kalah", "/games"):
        page.goto(path)
        page.wait_for_load_state("networkidle")
        check(page, axe)
    made = room(page, "oware", "hh")
    for path in (f"/play/{made}", f"/record/{made}"):
        page.goto(path)
        page.locator("svg.play").wait_for()
        check(page, axe)


def test_the_end_of_a_game(visit: Any, axe: str) -> None:
    page = visit("/")
    page.goto(f"/play/{room(page, 'oware', 'hh')}")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really?").click()
    page.wait_for_selector("main.play[data-status=over]")
    check(page, axe)

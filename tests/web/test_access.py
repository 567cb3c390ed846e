"""axe finds nothing, on any screen, in any language."""

from typing import Any

import pytest
from table import GAMES, MIDDLE, arrive, room

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


def check(page: Any, axe: str, only: str = "") -> None:
    """Every rule, or one."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(axe)
    options = {"resultTypes": ["violations"], **({"runOnly": [only]} if only else {})}
    found = page.evaluate("options => axe.run(options).then(r => r.violations)", options)
    told = [
        f"{one['id']}: {one['help']}\n  "
        + "\n  ".join(node["html"][:160] for node in one["nodes"][:3])
        for one in found
    ]
    assert not told, f"{page.url}\n" + "\n".join(told)


@pytest.mark.parametrize("lang", ["en", "fr", "rn", "sw"])
def test_every_screen_in_every_language(visit: Any, axe: str, lang: str) -> None:
    page = visit(f"/?lang={lang}", still=True)
    for path in SCREENS:
        arrive(page, path)
        check(page, axe)
    for game in GAMES:
        arrive(page, f"/play/{room(page, game, 'hh', position=MIDDLE[game])}")
        page.wait_for_selector("main.play[data-mine]")
        check(page, axe)
    arrive(page, f"/play/{room(page, 'urubugu', 'hh', setups='ask')}")
    page.wait_for_selector("[data-cell]")
    check(page, axe)


@pytest.mark.parametrize("skin", ["wood", "imigongo", "litema", "contrast"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_skin(visit: Any, axe: str, skin: str, dark: bool) -> None:
    """A skin changes colours and nothing else."""
    page = visit("/", skin=skin, dark=dark, still=True)
    made = room(page, "oware", "hh")
    for path in (
        "/",
        "/new/oware",
        "/settings",
        "/learn/kalah",
        "/games",
        f"/play/{made}",
        f"/record/{made}",
    ):
        arrive(page, path)
        check(page, axe, only="color-contrast")


def test_the_end_of_a_game(visit: Any, axe: str) -> None:
    page = visit("/")
    page.goto(f"/play/{room(page, 'oware', 'hh')}")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really?").click()
    page.wait_for_selector("main.play[data-status=over]")
    check(page, axe)

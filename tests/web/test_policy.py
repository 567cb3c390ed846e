"""Pages obey their own policy: no style and no script but our own files; and two windows get along."""

from typing import Any

import pytest
from table import GAMES

WATCH = """
window.broken = [];
document.addEventListener("securitypolicyviolation", (event) =>
  window.broken.push(`${event.violatedDirective} ${event.sample} ${event.sourceFile}`));
"""
SCREENS = ["/", "/learn", "/games", "/lobby", "/settings", "/account", "/leaderboard", "/ladder"]
SCREENS += [f"/{screen}{game}" for screen in ("new/", "learn/", "p?game=") for game in GAMES]
MAKE = """async ([game, second]) => (await (await fetch("/api/v1/rooms", {
  method: "POST", headers: {"content-type": "application/json"},
  body: JSON.stringify({game, seats: [{kind: "human"}, {kind: second}]})})).json()).room"""


def test_no_screen_breaks_the_policy(visit: Any) -> None:
    page = visit("/")
    page.add_init_script(WATCH)
    rooms = [page.evaluate(MAKE, [game, second]) for game in GAMES for second in ("human", "open")]
    for path in [*SCREENS, *(f"/play/{room}" for room in rooms), *(f"/record/{rooms[0]}",)]:
        page.goto(path)
        page.wait_for_selector("main")
        page.wait_for_timeout(100)
        assert page.evaluate("window.broken") == [], path


@pytest.fixture
def two_windows(visit: Any) -> tuple[Any, Any]:
    """One person with two windows at one game against somebody else."""
    first = visit("/")
    room = first.evaluate(MAKE, ["oware", "open"])
    token = first.evaluate(
        "async (room) => (await (await fetch(`/api/v1/rooms/${room}`)).json()).room.invites[1]",
        room,
    )
    friend = visit("/")
    friend.evaluate(
        """([room, token]) => new Promise((done) => {
          const line = window.line = new WebSocket(`ws://${location.host}/ws/rooms/${room}`);
          line.onopen = () => line.send(JSON.stringify({t: "hello", v: 1}));
          line.onmessage = ({data}) => { const told = JSON.parse(data);
            if (told.t === "snapshot") line.send(JSON.stringify({t: "sit", id: "sit-down-1", token, name: "Friend"}));
            if (told.t === "ack") done(); };
        })""",
        [room, token],
    )
    first.goto(f"/play/{room}")
    first.wait_for_selector("[data-move]")
    second = first.context.new_page()
    second.goto(f"/play/{room}")
    second.wait_for_selector("[data-move]")
    return first, second


def test_two_windows_get_along(two_windows: tuple[Any, Any]) -> None:
    first, second = two_windows
    first.get_by_text("You play this game in another window").first.wait_for()
    assert second.get_by_text("You play this game in another window").count() == 0
    first.locator("[data-move]").first.click()  # whoever does something here plays here
    second.get_by_text("You play this game in another window").first.wait_for()
    assert first.get_by_text("You play this game in another window").count() == 0

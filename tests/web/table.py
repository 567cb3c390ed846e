"""What a player does at the table: begin a game, wait for one's turn, move."""

import json
import time
from collections.abc import Callable
from random import Random
from typing import Any

import mbegu
from mbegu.arena.bots import Greedy
from mbegu.core.clock import Clock

GAMES = ("oware", "kalah", "awale2", "urubugu", "morabaraba")

# A moment in the middle of each game.
MIDDLE = {
    "oware": "3-0-5-1-7-2-1-4-0-6-2-3-8-6-S",
    "kalah": "<6,9,5,2,5,0,6,1,5,4,0,5,2,1,3> S",
    "awale2": "2R1B-1R2B-0R3B-3R0B-2R2B-2R1B-1R2B-0R4B-2R0B-3R2B-1R1B-2R2B-0R3B-2R0B-3R2B-1R2B-5-6-O",
    "urubugu": "3,0,2,5,1,0,4,2,0,6,1,3,0,2,4,1/2,4,0,1,3,0,2,5,0,1,3,0,2,4,1,0 0",
    "morabaraba": "0/0 a1,d2,b4,c4,e3,f6,d7 g1,f2,d3,e4,g4,b6,a7 x 5/5 - - 3 0",
}
MINE = "main.play[data-mine]"
OVER = "main.play[data-status=over]"


def begin(page: Any, game: str, **asked: Any) -> None:
    """A game against the computer's first level, through the dialog."""
    page.goto(f"/new/{game}")
    page.get_by_role("slider").fill(str(asked.get("level", 1)))
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector("main.play")


def room(page: Any, game: str, seats: str = "hc", **more: Any) -> str:
    """A room made without the dialog: h is a person, c a computer of the first level."""
    kinds = {"h": {"kind": "human"}, "c": {"kind": "computer", "level": 1}}
    body = {"game": game, "seats": [kinds[seat] for seat in seats], **more}
    answer = page.request.post("/api/v1/rooms", data=body)
    assert answer.status == 201, answer.text()
    return str(answer.json()["room"])


def arrive(page: Any, path: str) -> None:
    """Goes to a screen as a link leads there, without loading the app again, and waits for it."""
    page.evaluate(
        "path => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')); }",
        path,
    )
    page.wait_for_selector("html[data-settled] main h1", state="attached")
    page.wait_for_selector(".message svg.busy", state="detached")


def wait_for_turn(page: Any) -> bool:
    """False when the game is over."""
    page.wait_for_selector(f"{MINE}, {OVER}", timeout=60_000)
    return page.locator(OVER).count() == 0


def plies(page: Any) -> int:
    """How many moves have been made."""
    return int(page.locator("main.play").get_attribute("data-plies"))


def move(page: Any, lot: Random) -> None:
    """Any legal move, by touching the board."""
    before = plies(page)
    ends = page.locator("[data-move]")
    if ends.count() == 0:  # Morabaraba: choose a cow first
        cows = page.locator("[data-start]")
        cows.nth(lot.randrange(cows.count())).click()
    ends.nth(lot.randrange(ends.count())).click()
    wait_for_plies(page, before + 1)


def grab(page: Any, game: str) -> None:
    """Takes what there is to take: a whole game is over in half the moves."""
    told = page.request.get(f"/api/v1/rooms/{page.url.rpartition('/')[2]}").json()
    rules = mbegu.game(game)
    position = rules.position(told["view"]["text"])
    chosen = rules.format_move(Greedy(7).choose(position, Clock()), position)
    choice = next(one for one in told["view"]["legal"] if one["word"] == chosen)
    if choice["from"] and choice["to"]:  # Morabaraba: choose a cow first
        page.locator(f"[data-target={choice['from']}]").click()
    page.locator(f"[data-move={json.dumps(chosen)}]").click()
    wait_for_plies(page, len(told["moves"]) + 1)


def wait_for_plies(page: Any, least: int) -> None:
    """Until so many moves have been made."""
    until(page, lambda: plies(page) >= least, f"{least} moves")


def until(page: Any, holds: Callable[[], bool], what: str, seconds: float = 60) -> None:
    """Asks again and again: the page's security policy lets no test put code into it."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"{page.url}: waited in vain for {what}"
        page.wait_for_timeout(25)

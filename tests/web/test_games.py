"""Whole games against the computer, as a person plays them."""

import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect
from table import GAMES, OVER, begin, grab, move, plies, room, until, wait_for_plies, wait_for_turn

expect.set_options(timeout=60_000)

# Sixteen sows on for so long that nobody comes too late to stop it.
MANY_LAPS = "0,2,2,2,2,2,2,2,2,2,2,2,2,2,2,4/" + ",".join("2" * 16) + " 0"


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_against_the_computer(visit: Any, picture: Any, game: str) -> None:
    page = visit("/")
    begin(page, game)
    picture(page, f"{game}-start")
    reloaded = False
    while wait_for_turn(page):
        if plies(page) >= 2 and not reloaded:  # close the tab, come back: the game is there
            before = plies(page)
            page.reload()
            page.wait_for_selector("main.play")
            assert plies(page) == before
            reloaded = True
            continue
        grab(page, game)
        assert plies(page) < 1200
    assert reloaded
    page.wait_for_selector("text=Look back")
    assert page.locator(".end p").inner_text()
    picture(page, f"{game}-over")
    page.locator(".end").get_by_text("Look back").click()
    page.wait_for_selector("main.study")
    assert page.locator(".moves [data-ply]").count() > 2


def test_animation_can_be_watched_stepped_and_skipped(visit: Any, picture: Any) -> None:
    page = visit("/", speed="slow")
    page.goto(f"/play/{room(page, 'urubugu', 'hh', position=MANY_LAPS)}")
    page.locator("[data-target=S16]").click()
    page.wait_for_selector(".hand")
    page.keyboard.press("Space")  # also while the house that was played has the focus
    page.get_by_role("button", name="Go on").wait_for()
    picture(page, "urubugu-in-flight")

    def counts() -> list[str]:
        return page.locator(".count").all_text_contents()

    def still() -> bool:
        """Whether nothing falls for longer than two seeds take; the last one may be in the air."""
        before = counts()
        page.wait_for_timeout(700)
        return counts() == before

    until(page, still, "the seeds to stop")
    stopped = counts()
    page.get_by_role("button", name="One step on").click()
    until(page, lambda: counts() != stopped, "one seed more")
    page.get_by_role("button", name="One step back").click()
    until(page, lambda: counts() == stopped, "one seed less")
    page.get_by_role("button", name="Go on").click()
    page.locator("svg.play").click(position={"x": 5, "y": 5})  # any click skips
    page.wait_for_selector("main.play[data-mine]")
    assert page.locator("main.play").get_attribute("data-turn") == "1"


def test_reduced_motion_steps_instead_of_flying(visit: Any) -> None:
    page = visit("/", speed="fast", still=True)
    page.goto(f"/play/{room(page, 'urubugu', 'hh')}")
    page.locator("[data-target=S1]").click()
    page.wait_for_selector("main.play[data-mine][data-plies='1']")
    assert (
        page.evaluate("document.getAnimations().filter(a => a.playState === 'running').length") == 0
    )


def test_a_choice_shows_what_it_would_do(visit: Any) -> None:
    page = visit("/")
    page.goto(f"/play/{room(page, 'oware', 'hh', position='0-3-0-6-1-2-0-0-2-1-0-3-0-0-S')}")
    page.locator("[data-target=D]").hover()
    expect(page.locator(".lands")).to_have_count(1)
    assert sorted(page.locator(".gain").all_text_contents()) == ["+2", "+3"]
    assert "Captured: d (2), c (3)." in page.locator(".caption").inner_text()


def test_a_wrong_choice_explains_itself_in_place(visit: Any) -> None:
    page = visit("/")
    page.goto(f"/play/{room(page, 'oware', 'hh', position='0-3-0-6-1-2-0-0-2-1-0-3-0-0-S')}")
    page.locator("[data-target=A]").click(force=True)
    expect(page.locator(".bubble")).to_have_text("This house is empty.")
    page.locator("[data-target=d]").click(force=True)
    expect(page.locator(".bubble")).to_contain_text("belongs to North")
    page.locator(".caption").click()
    expect(page.locator(".bubble")).to_have_count(0, timeout=2000)  # sooner than it goes by itself


def test_hint_take_back_and_resign(visit: Any) -> None:
    page, lot = visit("/"), Random(1)
    begin(page, "kalah")
    wait_for_turn(page)
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector(".can.hint", timeout=90_000)
    expect(page.locator(".caption")).to_have_text(re.compile("^Hint: South sows"))
    move(page, lot)
    wait_for_turn(page)
    page.get_by_role("button", name="Take back").click()
    page.wait_for_selector("main.play[data-mine][data-plies='0']")
    expect(page.locator(".can.hint")).to_have_count(0)
    page.keyboard.press("h")  # no pit of this board is called so
    page.wait_for_selector(".can.hint")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really?").click()
    page.wait_for_selector(OVER)
    assert page.locator("#end").inner_text() == "The computer wins"


def test_long_touch_looks_and_a_tap_plays(visit: Any) -> None:
    page = visit("/", phone=True)
    page.goto(f"/play/{room(page, 'oware', 'hh')}")
    box = page.locator("[data-target=C]").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    client = page.context.new_cdp_session(page)
    client.send(
        "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
    )
    page.wait_for_selector(".lands")
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator(".lands")).to_have_count(0)
    assert plies(page) == 0
    page.touchscreen.tap(x, y)
    page.wait_for_selector("main.play[data-plies='1']")


def test_nothing_moves_but_the_seeds(visit: Any) -> None:
    """While a move is shown the strips tell whose it is, and the board stays where it is."""
    page = visit("/", phone=True, speed="slow")
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"/play/{room(page, 'oware', 'hc')}")
    page.wait_for_selector("main.play[data-mine]")
    top = page.locator("svg.play").bounding_box()["y"]
    page.locator("[data-target=E]").click()
    page.wait_for_selector(".hand")
    page.get_by_role("button", name="Stop").click()
    wait_for_plies(page, 2)  # the computer has answered, South's seeds still lie in the hand
    expect(page.locator(".strip.turn")).to_have_attribute("data-player", "0")
    page.locator("svg.play").click(position={"x": 5, "y": 5})
    expect(page.locator(".strip.turn")).to_have_attribute("data-player", "1")
    assert page.locator("svg.play").bounding_box()["y"] == top


def test_what_is_taken_back_is_not_shown_any_more(visit: Any) -> None:
    page = visit("/", speed="slow")
    page.goto(f"/play/{room(page, 'oware', 'hc')}")
    page.wait_for_selector("main.play[data-mine]")
    page.locator("[data-target=E]").click()
    page.get_by_role("button", name="Stop").click()
    wait_for_plies(page, 2)  # the computer's move waits to be shown
    page.get_by_role("button", name="Take back").click()
    page.wait_for_selector("main.play[data-mine][data-plies='0']")
    page.wait_for_timeout(400)
    assert page.locator(".hand").count() == 0
    assert page.locator(".count").all_text_contents().count("4") == 12


def test_two_computers_can_be_watched(visit: Any) -> None:
    page = visit("/")
    page.goto(f"/play/{room(page, 'awale2', 'cc', pace=0)}")
    page.wait_for_selector("main.play")
    wait_for_plies(page, 4)
    assert page.get_by_role("button", name="Resign").count() == 0


def test_clocks_run_and_flags_fall(visit: Any) -> None:
    page = visit("/")
    page.goto(f"/play/{room(page, 'oware', 'hh', clock='2/move')}")
    page.wait_for_selector("main.play")
    page.get_by_role("timer").nth(1).wait_for(state="attached")
    page.wait_for_selector(OVER)
    expect(page.locator(".end p").first).to_contain_text("time")


def test_morabaraba_on_the_board(visit: Any) -> None:
    """Place, close a mill, shoot; a cow in a mill is safe."""
    page = visit("/")
    position = "10/10 a1,d1 a7,d7 x 0/0 - - 4 0"
    page.goto(f"/play/{room(page, 'morabaraba', 'hh', position=position)}")
    page.locator("[data-target=g1]").click()
    page.wait_for_selector("main.play[data-mine][data-plies='1']")
    assert "Shoot" in page.locator(".caption").inner_text() or page.locator(".aim").count() == 2
    page.locator("[data-target=b2]").click(force=True)
    expect(page.locator(".bubble")).to_have_count(1)
    page.locator("[data-target=a7]").click()
    page.wait_for_selector("main.play[data-mine][data-plies='2']")
    assert page.locator(".lit").count() == 1

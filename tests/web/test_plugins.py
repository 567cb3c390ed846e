"""Games of other packages in a browser: one with a known board, one with a strange one, one with none."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from plugins import install
from table import OVER, begin, plies, room, wait_for_plies, wait_for_turn
from website import serving

TESTS = Path(__file__).parent.parent
EXAMPLE = TESTS.parent / "examples" / "plugin" / "src"
SOURCES = ("nim", "rows_of_three", "walkers", "herders")
STRANGERS = ("toguz", "nim", "rows", "two-walkers")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server beside which more games are installed: six that can be played, three that cannot."""
    folder = tmp_path_factory.mktemp("strangers")
    shutil.copytree(EXAMPLE, folder, dirs_exist_ok=True)
    files = {f"{name}.py": (TESTS / f"{name}.py").read_text() for name in SOURCES}
    files["liar.py"] = (
        files["nim.py"]
        .replace('name = "nim"', 'name = "liar"')
        .replace("return NimPosition(self, self.stones, 0)", "raise KeyError(3)")
    )
    files["late.py"] = (
        files["nim.py"]
        .replace('name = "nim"', 'name = "late"')
        .replace(
            "        yield Capture(",
            "        if self.heap == 9:\n            raise SystemExit(3)\n        yield Capture(",
        )
    )
    files["loops.py"] = (
        files["nim.py"]
        .replace('name = "nim"', 'name = "loops"')
        .replace(
            "        yield Capture(",
            "        while self.heap == 9:\n            pass\n        yield Capture(",
        )
    )
    files["elsewhere.py"] = (
        files["herders.py"]
        .replace('name = "herders"', 'name = "elsewhere"')
        .replace("yield Lay(self.turn, end)", 'yield Lay(self.turn, "z9")')
    )
    games = {
        "toguz": "mbegu_toguz.rules:Toguz",
        "nim": "nim:Nim",
        "rows": "rows_of_three:Rows",
        "two-walkers": "walkers:Walkers",
        "herders": "herders:Herders",
        "liar": "liar:Nim",
        "late": "late:Nim",
        "loops": "loops:Nim",
        "elsewhere": "elsewhere:Herders",
    }
    kernels = {"toguz": "mbegu_toguz.kernel"}
    install(folder, "strangers", files, {"mbegu.games": games, "mbegu.kernels": kernels})
    with serving(tmp_path_factory.mktemp("server"), PYTHONPATH=str(folder)) as address:
        yield address


def play(page: Any) -> None:
    """One's own move: the first that may be played, where it is touched."""
    before = plies(page)
    page.locator("[data-move]").first.click()
    wait_for_plies(page, before + 1)


def test_the_home_page_shows_them(visit: Any) -> None:
    for phone in (False, True):
        page = visit("/", phone=phone)
        expect(page.locator("article")).to_have_count(11)
        expect(
            page.locator("article", has_text="Toguz Kumalak").locator(".seed").first
        ).to_be_attached()
        expect(page.get_by_text("liar cannot be used: KeyError: 3")).to_be_visible()
        expect(page.get_by_text("late cannot be used: its rules fail at")).to_be_visible()
        for title in ("Nim", "Rows of three", "Two <b>walkers</b> & a road"):
            drawn = page.locator("article", has_text=title).locator("img")
            drawn.scroll_into_view_if_needed()
            page.wait_for_function(
                "image => image.complete && image.naturalWidth > 0", arg=drawn.element_handle()
            )


@pytest.mark.parametrize("game", STRANGERS)
@pytest.mark.parametrize("phone", [False, True])
def test_a_new_game_is_played(visit: Any, game: str, phone: bool) -> None:
    page = visit("/", phone=phone)
    begin(page, game)
    for _move in range(4):
        if not wait_for_turn(page):
            break
        play(page)
    assert plies(page) >= 4
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()


def test_a_strange_board_is_played_to_its_end(visit: Any) -> None:
    page = visit("/")
    page.goto(f"/play/{room(page, 'rows', 'hh')}")
    for k, point in enumerate(("a3", "a2", "b3", "b2", "c3")):
        page.wait_for_selector(f"[data-target={point}][data-move]")
        page.locator(f"[data-target={point}]").click()
        wait_for_plies(page, k + 1)
    page.wait_for_selector(OVER)
    page.get_by_text("Dark wins").first.wait_for()
    page.locator(".end").get_by_text("Look back").click()
    page.get_by_role("button", name="Analyse the whole game").click()
    page.get_by_text("Analysed; ? marks a slip").wait_for()


@pytest.mark.parametrize("game", ["late", "loops"])
def test_a_game_that_fails_in_the_middle_is_named(visit: Any, game: str) -> None:
    """One raises, the other thinks for ever: for a moment everybody waits, and then the game is over."""
    page = visit("/")
    page.goto(f"/play/{room(page, game, 'hh')}")
    page.locator("[data-move='3']").click()
    page.get_by_text(f"{game} cannot be used: its rules fail at").first.wait_for(timeout=60_000)
    page.goto(f"/play/{room(page, 'nim', 'hh')}")  # the others go on
    page.locator("[data-move='3']").click()
    wait_for_plies(page, 1)


@pytest.mark.parametrize("drawn", ["grid", "mill"])
def test_a_chosen_piece_moves_where_one_could_also_be_placed(visit: Any, drawn: str) -> None:
    page = visit("/")
    page.goto(f"/play/{room(page, f'herders(drawn={drawn})', 'hh', position='x...o.... x')}")
    page.locator("[data-target=a3].can").click()
    page.locator("[data-target=b3][data-move='a3-b3']").click()
    wait_for_plies(page, 1)
    expect(page.locator("[data-live]")).to_contain_text("Rain moves from a3 to b3.")
    assert wait_for_turn(page)
    page.keyboard.type("b2-c2")
    page.keyboard.press("Enter")
    wait_for_plies(page, 2)
    expect(page.locator("[data-live]")).to_contain_text("Wind moves from b2 to c2.")
    page.locator("[data-target=a1][data-move=a1]").click()
    wait_for_plies(page, 3)
    expect(page.locator("[data-live]")).to_contain_text("Rain places a stone on a1.")


@pytest.mark.parametrize("drawn", ["grid", "mill"])
def test_a_story_of_places_that_there_are_not_stops_nobody(
    browser: Any, base: str, drawn: str
) -> None:
    page = browser.new_page(base_url=base)
    page.goto("/")
    page.goto(f"/play/{room(page, f'elsewhere(drawn={drawn})', 'hh')}")
    for k in range(3):
        assert wait_for_turn(page)
        page.locator("[data-move]").first.click()
        wait_for_plies(page, k + 1)
    page.close()


def test_lines_bend_and_come_round_without_a_ground_of_their_own(visit: Any) -> None:
    page = visit("/")
    page.goto(f"/play/{room(page, 'herders(drawn=mill)', 'hh')}")
    groove = page.locator("path.groove").first
    groove.wait_for(state="attached")
    assert str(groove.get_attribute("d")).count("L") == 8
    assert groove.evaluate("path => getComputedStyle(path).fill") == "none"
    assert page.locator("rect.tray").count() == 0


def test_passing_and_a_draw_without_a_board(visit: Any) -> None:
    page = visit("/")
    page.goto(f"/play/{room(page, 'two-walkers', 'hh')}")
    for k in range(3):
        page.locator("[data-move=wait]").first.click()
        wait_for_plies(page, k + 1)
    page.wait_for_selector(OVER)
    page.locator("#end", has_text="A draw").wait_for()


def lies_there(page: Any, point: str) -> None:
    """Waits for the picture that shows a pebble there: it comes from the server, after the move."""
    page.locator(f"[data-place={point}] > circle").wait_for()


def held(page: Any) -> str:
    """The place that has the keyboard."""
    return str(page.evaluate("document.activeElement.dataset.place"))


def test_a_strange_board_is_played_by_keys(visit: Any) -> None:
    page = visit("/")
    page.goto(f"/play/{room(page, 'rows', 'hh')}")
    page.locator("[data-target=b2][data-move]").wait_for()
    page.keyboard.type("b2")
    page.keyboard.press("Enter")
    lies_there(page, "b2")
    assert held(page) == "b2", "whoever plays by keys stays where he is"
    assert wait_for_turn(page)
    page.locator("[data-target=a3][data-move]").focus()
    page.keyboard.press("Enter")
    lies_there(page, "a3")
    page.locator("[data-target=b2]").click(force=True)  # it cannot be played, and says why
    page.locator(".bubble", has_text="A pebble lies there.").wait_for()


def test_an_event_of_its_own_is_shown(visit: Any) -> None:
    """A house becomes a tuzdyk: told, emptied into the kazan, and marked from then on."""
    page = visit("/", speed="normal")
    position = "1,0,0,0,0,0,0,4,0/5,2,3,0,0,0,0,0,4 70/73 -/- S"
    page.goto(f"/play/{room(page, 'toguz', 'hh', position=position)}")
    page.locator("[data-target=S8][data-move]").click()
    wait_for_plies(page, 1)
    page.wait_for_selector("main.play[data-mine]")
    expect(page.locator("rect.locked")).to_have_count(1)
    expect(page.locator("[data-pile='South/plain'] .count")).to_have_text("73")
    expect(page.locator("[data-live]")).to_contain_text("tuzdyk")


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_the_lesson_is_learnt_to_its_end(visit: Any, phone: bool) -> None:
    page = visit("/learn", phone=phone)
    page.get_by_text("Toguz Kumalak").first.click()
    steps = page.request.get("/api/v1/lessons/toguz").json()["steps"]
    for number, step in enumerate(steps, 1):
        page.get_by_text(f"step {number} of {len(steps)}").wait_for()
        choice = next(one for one in step["view"]["legal"] if one["move"] in step["accept"])
        page.locator(f"[data-move='{choice['word']}']").click()
        page.locator(".after").wait_for()
        expect(page.locator("main")).to_contain_text(step["after"])
        if number < len(steps):
            page.get_by_role("button", name="Next").click()
    page.get_by_role("link", name="Play", exact=True).click()
    page.wait_for_selector("dialog[open]")
    assert page.get_by_label("Lay them yourself").count() == 0, "it has no set-up of its own"


def take_most(page: Any) -> None:
    """One's own move: the one that takes most, so that a whole game is not too long."""
    told = page.request.get(f"/api/v1/rooms/{page.url.rpartition('/')[2]}").json()

    def gain(choice: Any) -> int:
        return sum(count for _hole, count in (choice["preview"] or {}).get("captures") or [])

    best = max(told["view"]["legal"], key=gain)
    page.locator(f"[data-move='{best['word']}']").click()
    wait_for_plies(page, len(told["moves"]) + 1)


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_a_whole_game_and_its_record(visit: Any, picture: Any, phone: bool) -> None:
    page = visit("/", phone=phone)
    page.locator("article", has_text="Toguz Kumalak").get_by_role("link", name="Play").click()
    page.get_by_label("Two people, one screen").check(force=True)
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector("main.play")
    while wait_for_turn(page):
        take_most(page)
        assert plies(page) < 400
    made = plies(page)
    scores = [page.locator(f".strip[data-player='{k}'] .score").first for k in (0, 1)]
    assert sum(int("".join(filter(str.isdigit, one.inner_text()))) for one in scores) <= 162
    assert page.locator("#end").inner_text()
    picture(page, f"toguz-over-{'phone' if phone else 'desk'}")
    page.locator(".end").get_by_text("Look back").click()
    page.wait_for_selector(f"main.study[data-ply='{made}'][data-plies='{made}']")
    page.get_by_label("Engine", exact=False).get_by_role("checkbox").check()
    page.locator(".engine", has_text="The game is over here.").wait_for()
    page.get_by_role("button", name="One move back").click()
    page.locator(".engine .depth").wait_for(timeout=180_000)  # its kernel may be compiled first
    page.get_by_role("button", name="Analyse the whole game").click()
    page.get_by_text("Analysed; ? marks a slip").wait_for(timeout=180_000)
    page.get_by_role("button", name="To the start").click()
    page.get_by_role("button", name="One move on").click()
    page.wait_for_selector("main.study[data-ply='1']")


@pytest.mark.parametrize("game", STRANGERS)
def test_record_and_analysis(visit: Any, game: str) -> None:
    page = visit("/")
    made = room(page, game, "hh")
    page.goto(f"/play/{made}")
    for _move in range(2):
        wait_for_turn(page)
        play(page)
    page.goto(f"/record/{made}")
    page.locator("main.study [data-target]").first.wait_for()
    page.keyboard.press("ArrowLeft")
    page.goto(f"/p?game={game}")
    page.get_by_role("checkbox", name="Engine").check()
    page.locator(".engine .depth").wait_for()
    page.locator("main.study [data-move]").first.click()
    page.locator(".engine .depth").wait_for()

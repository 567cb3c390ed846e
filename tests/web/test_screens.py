"""The screens around the board: set-up, lessons, records, settings, keys, languages, looks."""

import gzip
import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from table import (
    GAMES,
    MIDDLE,
    OVER,
    arrive,
    begin,
    move,
    plies,
    room,
    until,
    wait_for_plies,
    wait_for_turn,
)

SKINS = ("wood", "imigongo", "litema", "contrast")


def no_overflow(page: Any) -> None:
    wide = page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    assert wide <= 0, f"{page.url} is {wide} px too wide"


# ---- set-up


def test_urubugu_with_set_ups_hidden_from_each_other(visit: Any, picture: Any) -> None:
    page = visit("/new/urubugu")
    page.get_by_label("Two people, one screen").check(force=True)
    page.get_by_label("Lay them yourself").check(force=True)
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector("[data-cell]")
    page.get_by_role("button", name="Clear").click()
    ready = page.get_by_role("button", name="Ready")
    assert ready.is_disabled()
    cell = page.locator("[data-cell='0']")
    for _ in range(4):
        cell.click()
    cell.click(button="right")
    cell.click(modifiers=["Shift"])
    assert "still to lay: 30" in page.locator(".counter").inner_text()
    cell.click(delay=520)  # holding takes: one, or two if the browser is late
    assert "still to lay: 30" not in page.locator(".counter").inner_text()
    assert cell.get_attribute("aria-label") in ("Cell 1: 1", "Cell 1: 0")
    cell.press("1")
    cell.drag_to(page.locator("[data-cell='5']"))
    assert page.locator("[data-cell='5']").get_attribute("aria-label") == "Cell 6: 1"
    page.locator("[data-cell='5']").press("9")
    assert page.locator("[data-cell='5']").get_attribute("aria-label") == "Cell 6: 9"
    picture(page, "setup")
    page.get_by_role("button", name="All in front").click()
    page.get_by_role("button", name="Keep as favourite").click()
    ready.click()
    page.get_by_role("button", name="I am North").wait_for()
    assert page.locator("[data-cell]").count() == 0  # nothing to be seen of South's beads
    picture(page, "setup-hand-over")
    page.get_by_role("button", name="I am North").click()
    page.get_by_role("button", name="By lot").click()
    page.get_by_role("button", name="Ready").click()
    page.wait_for_selector("main.play[data-mine]")
    assert (
        page.locator(".strip[data-player='0'] .score >> visible=true").inner_text().endswith("32")
    )


def test_urubugu_set_up_against_the_computer_on_a_phone(visit: Any, picture: Any) -> None:
    page = visit("/new/urubugu", phone=True)
    page.get_by_label("Lay them yourself").check(force=True)
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("button", name="Every other cell").click()
    picture(page, "setup-phone")
    no_overflow(page)
    page.get_by_role("button", name="Ready").click()
    page.wait_for_selector("main.play[data-mine]")


# ---- lessons


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_from_beginning_to_end(visit: Any, picture: Any, game: str) -> None:
    page = visit("/", phone=game in ("urubugu", "morabaraba"))
    lesson = page.request.get(f"/api/v1/lessons/{game}").json()
    page.goto(f"/learn/{game}")
    for number, step in enumerate(lesson["steps"], 1):
        page.get_by_text(f"step {number} of {len(lesson['steps'])}").wait_for()
        if step["accept"]:
            if number == 1:
                picture(page, f"lesson-{game}")
                top = page.locator("svg.play").bounding_box()["y"]
            choice = next(c for c in step["view"]["legal"] if c["move"] in step["accept"])
            if choice["from"] and choice["to"]:
                page.locator(f"[data-target='{choice['from']}']").click()
            page.locator(f"[data-move='{choice['word']}']").click()
            page.locator(".after").wait_for()
            if number == 1:
                assert page.locator("svg.play").bounding_box()["y"] == top, "the board moved"
        if number < len(lesson["steps"]):
            page.get_by_role("button", name="Next").click()
    page.get_by_role("link", name="Play", exact=True).wait_for()
    assert page.get_by_role("button", name="Next").count() == 0


# ---- records


def four_plies(page: Any) -> str:
    """A game of Oware between two people, after C d A f."""
    made: str = room(page, "oware", "hh")
    page.goto(f"/play/{made}")
    for ply, house in enumerate("CdAf", 1):
        page.locator(f"[data-target={house}]").click()
        page.wait_for_selector(f"main.play[data-mine][data-plies='{ply}']")
    return made


def test_replay_step_inside_a_move_jump_and_take_away(visit: Any, picture: Any) -> None:
    page = visit("/")
    page.goto(f"/record/{four_plies(page)}")
    study = page.locator("main.study")
    page.wait_for_selector("main.study[data-ply='4']")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("main.study[data-ply='3']")
    page.get_by_role("button", name="To the start").click()
    assert study.get_attribute("data-ply") == "0"
    page.keyboard.press("ArrowRight")
    page.locator(".moves button", has_text="A").click()
    assert study.get_attribute("data-ply") == "3"
    end = page.locator(".count").all_text_contents()
    page.keyboard.press(",")
    page.keyboard.press(",")
    assert page.locator(".count").all_text_contents() != end
    assert "seed" in page.locator(".caption").inner_text()
    page.keyboard.press(".")
    page.keyboard.press(".")
    assert page.locator(".count").all_text_contents() == end
    page.get_by_role("checkbox", name="Engine").check()
    page.locator(".lines li").first.wait_for(timeout=60_000)
    picture(page, "record")
    page.get_by_role("button", name="Share and save").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="PNG").click()
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")
    with page.expect_download() as saved:
        page.get_by_role("link", name="Text").click()
    record = saved.value.path().read_text(encoding="utf-8")
    page.goto("/games")
    page.get_by_label("The record").fill(record)
    page.get_by_role("button", name="Open", exact=True).click()
    page.wait_for_selector("main.study[data-plies='4']")
    page.goto("/games")
    page.get_by_label("Choose a file").set_input_files(
        {"name": "game.txt", "mimeType": "text/plain", "buffer": record.encode()}
    )
    page.wait_for_selector("main.study[data-plies='4']")
    page.goto("/games")
    page.get_by_label("The record").fill("this is no record")
    page.get_by_role("button", name="Open", exact=True).click()
    assert page.get_by_role("alert").inner_text()


def test_lines_of_ones_own_are_kept_with_the_record(visit: Any, picture: Any) -> None:
    page = visit("/")
    page.goto(f"/record/{four_plies(page)}")
    page.wait_for_selector("main.study[data-ply='4']")
    page.locator(".moves button", has_text="d").click()
    page.wait_for_selector("main.study[data-ply='2']")
    page.locator("[data-target=A]").click()  # the move of the game: no line
    page.wait_for_selector("main.study[data-ply='3'][data-plies='4']:not([data-line])")
    page.keyboard.press("ArrowLeft")
    page.locator("[data-target=E]").click()
    page.wait_for_selector("main.study[data-ply='3'][data-plies='3'][data-line='2']")
    page.locator("[data-target=a]").click()
    page.wait_for_selector("main.study[data-ply='4'][data-line='2']")
    page.locator(".own", has_text="E a").wait_for()
    picture(page, "record-line")
    page.get_by_role("button", name="Back to the game").click()
    page.wait_for_selector("main.study[data-ply='2'][data-plies='4']:not([data-line])")
    page.reload()
    page.locator(".own .line").click()
    page.wait_for_selector("main.study[data-ply='3'][data-line='2']")
    page.keyboard.press("Escape")
    page.wait_for_selector("main.study[data-ply='2']:not([data-line])")
    page.get_by_role("button", name="Forget this line").click()
    page.locator(".own").wait_for(state="detached")
    page.reload()
    page.wait_for_selector("main.study[data-ply]")
    assert page.locator(".own").count() == 0


def test_a_whole_game_is_analysed(visit: Any, picture: Any) -> None:
    page = visit("/")
    made = room(page, "kalah(pits=4,seeds=2)", "cc", pace=0)
    page.goto(f"/play/{made}")
    page.wait_for_selector(OVER, timeout=120_000)
    page.goto(f"/record/{made}")
    page.get_by_role("button", name="Analyse the whole game").click()
    page.get_by_role("button", name="Analysed").wait_for(timeout=90_000)
    assert page.get_by_role("button", name="Analyse the whole game").count() == 0
    picture(page, "record-analysed")


def test_a_link_opens_a_position_and_play_goes_on_from_it(visit: Any) -> None:
    page = visit(f"/p?game=oware&position={MIDDLE['oware']}")
    page.locator("[data-target=C]").click()
    page.wait_for_selector("main.study[data-ply='1']")
    page.get_by_role("button", name="One move back").click()
    page.get_by_role("link", name="Play from here").click()
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector("main.play[data-mine]")
    assert page.locator("[data-target=E]").get_attribute("aria-label").startswith("House E: 7")


# ---- keys


def test_a_game_by_keys_alone(visit: Any) -> None:
    page = visit("/")
    page.wait_for_selector("main h1")  # keys are heard from then on
    page.keyboard.press("?")
    page.get_by_role("heading", name="Keys").wait_for()
    page.keyboard.press("Escape")
    skin = page.evaluate("document.documentElement.dataset.skin")
    page.keyboard.press("d")
    assert page.evaluate("document.documentElement.dataset.skin") != skin
    page.wait_for_selector("article")
    while not page.evaluate("document.activeElement.getAttribute('href') === '/new/oware'"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open]")
    for _ in range(30):
        if page.evaluate("document.activeElement.textContent") == "Begin":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("main.play[data-mine]")
    page.keyboard.press("c")  # chosen ...
    assert plies(page) == 0
    assert page.evaluate("document.activeElement.dataset.target") == "C"
    page.keyboard.press("Enter")  # ... and played
    wait_for_plies(page, 1)
    wait_for_turn(page)
    assert page.locator("[data-live] p").last.inner_text().startswith("North sows")
    page.keyboard.press("a")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.target") == "B"
    page.keyboard.press("b")
    page.keyboard.press("b")  # the same letter again plays
    wait_for_plies(page, 3)
    wait_for_turn(page)
    page.keyboard.press("u")
    page.wait_for_selector("main.play[data-mine][data-plies='2']")
    design = page.evaluate("JSON.stringify({...document.documentElement.dataset})")
    page.keyboard.press("Shift+D")
    assert page.evaluate("JSON.stringify({...document.documentElement.dataset})") != design


@pytest.mark.parametrize(
    ("game", "typed"),
    [("awale2", "13b"), ("urubugu", "16"), ("morabaraba", "d2"), ("kalah", "c")],
)
def test_moves_are_typed(visit: Any, game: str, typed: str) -> None:
    page = visit("/")
    page.goto(f"/play/{room(page, game, 'hh')}")
    page.wait_for_selector("main.play[data-mine]")
    page.keyboard.type(typed)
    page.keyboard.press("Enter")
    wait_for_plies(page, 1)
    told = page.request.get(f"/api/v1/rooms/{page.url.rpartition('/')[2]}").json()
    assert [made["word"].lower() for made in told["moves"]] == [typed]


# ---- looks


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
@pytest.mark.parametrize("skin", SKINS)
def test_every_skin(visit: Any, picture: Any, skin: str, phone: bool) -> None:
    """A picture of every board in every skin, in light and dark, and nothing sticks out."""
    size = "phone" if phone else "desk"
    page = visit("/", phone=phone, skin=skin)
    assert page.evaluate("document.documentElement.dataset.skin") == skin
    for game in GAMES:
        arrive(page, f"/p?game={game}&position={MIDDLE[game].replace('+', '%2B')}")
        page.locator(f"main.study [data-game={game}] svg.play").wait_for()
        no_overflow(page)
        for mode in ("light", "dark"):
            page.emulate_media(color_scheme=mode)
            page.wait_for_selector(f"html[data-mode={mode}]")
            picture(page, f"{game}-{skin}-{mode}-{size}")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_every_page_fits(visit: Any, picture: Any, phone: bool, dark: bool) -> None:
    page = visit("/", phone=phone, dark=dark)
    tag = f"{'phone' if phone else 'desk'}-{'dark' if dark else 'light'}"
    for name, path in {
        "home": "/",
        "new": "/new/urubugu",
        "learn": "/learn",
        "lesson": "/learn/urubugu",
        "games": "/games",
        "settings": "/settings",
        "missing": "/no/such/page",
    }.items():
        arrive(page, path)
        assert page.locator("main h1").count() == 1
        no_overflow(page)
        picture(page, f"{name}-{tag}")


COUNTS = (
    "[...document.querySelectorAll('.count')].map(e => parseFloat(getComputedStyle(e).fontSize)"
    " * e.ownerSVGElement.getBoundingClientRect().width / e.ownerSVGElement.viewBox.baseVal.width)"
)


@pytest.mark.parametrize("game", GAMES)
def test_on_a_phone_the_board_fills_the_width(visit: Any, game: str) -> None:
    page = visit("/", phone=True)
    page.goto(f"/play/{room(page, game, 'hh', position=MIDDLE[game])}")
    page.wait_for_selector("main.play[data-mine]")
    box = page.locator("svg.play").bounding_box()
    assert box["width"] > 370
    assert all(px >= 14 for px in page.evaluate(COUNTS)), "counts are legible at arm's length"
    if game == "urubugu":
        assert box["height"] > box["width"], "the board stands upright"
    page.set_viewport_size({"width": 360, "height": 740})
    said, foot = (page.locator(name).bounding_box() for name in (".caption", ".actions"))
    assert said["y"] + said["height"] <= foot["y"], "what is said is not hidden by the signs"
    page.locator("summary", has=page.locator("xpath=self::*[@aria-label='More']")).click()
    page.locator(".menu").get_by_role("button", name="Mute").click()
    assert json.loads(page.evaluate("localStorage.getItem('mbegu-settings')"))["sound"]


def test_a_phone_that_lies_shows_whole_boards(visit: Any) -> None:
    page = visit("/", phone=True)
    page.set_viewport_size({"width": 740, "height": 360})
    for game in GAMES:
        made = room(page, game, "hh", position=MIDDLE[game])
        for path in (f"/play/{made}", f"/record/{made}", f"/learn/{game}"):
            arrive(page, path)
            board = page.locator(f"main [data-game={game}]")
            board.wait_for()
            box = board.bounding_box()
            assert box["width"] > box["height"], f"{path} stands upright"
            assert box["y"] + box["height"] <= 360, f"{path} is cut off"
            until(page, lambda: all(px >= 13 for px in page.evaluate(COUNTS)), "large numbers")
            no_overflow(page)


@pytest.mark.parametrize(("lang", "word"), [("en", "too old"), ("fr", "trop ancien")])
def test_an_old_browser_is_told_what_to_do(visit: Any, lang: str, word: str) -> None:
    page = visit(f"/settings?lang={lang}")
    page.get_by_role("heading", level=1).wait_for()
    assert page.locator("p.notice").count() == 0
    script = {"body": "class {", "content_type": "text/javascript"}  # words it does not know
    page.route("**/assets/index-*.js", lambda route: route.fulfill(**script))
    page.add_init_script("delete window.structuredClone")
    page.reload()
    assert word in page.locator("p.notice").inner_text()


@pytest.mark.parametrize(("lang", "word"), [("en", "did not arrive"), ("fr", "pas arrivée")])
def test_half_an_app_is_not_called_an_old_browser(visit: Any, lang: str, word: str) -> None:
    page = visit(f"/settings?lang={lang}")
    page.get_by_role("heading", level=1).wait_for()
    half = {"body": "class {", "content_type": "text/javascript"}
    page.route("**/assets/index-*.js", lambda route: route.fulfill(**half))
    page.reload()
    assert word in page.locator("p.notice").inner_text()


def test_an_unknown_game_says_so(visit: Any) -> None:
    page = visit("/new/chess")
    page.get_by_text("There is no page at this address").wait_for()
    assert page.locator("dialog[open]").count() == 0


def test_settings_are_kept(visit: Any) -> None:
    page = visit("/settings")
    page.get_by_label("Litema").check(force=True)
    page.get_by_label("Dusk").check(force=True)
    page.reload()
    kept = page.evaluate("({...document.documentElement.dataset})")
    assert (kept["skin"], kept["mode"]) == ("litema", "dark")


# ---- languages


@pytest.mark.parametrize(
    ("lang", "own"), [("fr", "Français"), ("rn", "Ikirundi"), ("sw", "Kiswahili")]
)
def test_languages(visit: Any, picture: Any, lang: str, own: str) -> None:
    page = visit(f"/?lang={lang}", phone=True)
    page.wait_for_selector("article")
    assert page.evaluate("document.documentElement.lang") == lang
    title = page.locator("h1").inner_text()
    page.goto("/")  # remembered
    page.wait_for_selector("article")
    assert page.locator("h1").inner_text() == title
    assert page.locator("select >> visible=true").input_value() == lang
    if lang == "fr":
        assert title != "Sow, capture, herd: the board games of Africa"
    picture(page, f"home-{lang}-phone")
    page.goto(f"/play/{room(page, 'morabaraba', 'hh')}")
    page.wait_for_selector("main.play[data-mine]")
    no_overflow(page)
    picture(page, f"morabaraba-{lang}-phone")
    for width in (360, 320):  # the narrowest phones
        page.set_viewport_size({"width": width, "height": 640})
        no_overflow(page)
    page.goto("/settings")
    page.get_by_text(own, exact=True).last.wait_for()
    no_overflow(page)


# ---- bad input


def test_unknown_addresses_and_bad_positions_are_told_kindly(visit: Any, base: str) -> None:
    page = visit("/")
    assert page.goto("/no/such/page").status == 404
    page.get_by_role("link", name="All games", exact=True).wait_for()
    page.goto("/p?game=chess")
    page.get_by_text("This position cannot be shown").wait_for()
    page.goto("/p?game=oware&position=nonsense")
    page.locator(".message", has_text="nonsense").wait_for()
    page.goto("/play/nosuchroom")
    page.get_by_text("This game is not here").wait_for()
    page.goto("/learn/chess")
    page.get_by_text("This lesson cannot be shown").wait_for()


def test_a_page_brings_its_first_answers_along(visit: Any) -> None:
    page = visit("/")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/")
    page.locator("article").first.wait_for()
    page.goto("/p?game=kalah(pits=4,seeds=2)&position=" + "%3C4,0,0,2,2,2,2,2,2,2,2%3E S")
    page.locator("main.study svg.play").wait_for()
    assert not [url for url in asked if re.search("/api/v1/(games|rooms|view)", url)]
    page.route_web_socket(re.compile("/ws/rooms/"), lambda line: None)  # nobody answers there
    page.goto(f"/play/{room(page, 'urubugu', 'hh')}")
    page.locator("main.play svg.play .seed").first.wait_for()


def test_the_line_comes_back(visit: Any) -> None:
    """A lost connection is told, and the game goes on where it was."""
    page = visit("/")
    lines: list[Any] = []

    def through(line: Any) -> None:
        lines.append(line)
        line.connect_to_server()

    page.route_web_socket(re.compile("/ws/rooms/"), through)
    page.goto(f"/play/{room(page, 'oware', 'hh')}")
    page.locator("[data-target=C]").click()
    page.wait_for_selector("main.play[data-mine][data-plies='1']")
    lines[-1].close(code=1012)
    page.get_by_text("Looking for the server", exact=True).wait_for()
    page.get_by_text("Looking for the server", exact=True).wait_for(state="detached")
    page.locator("[data-target=d]").click()
    page.wait_for_selector("main.play[data-mine][data-plies='2']")
    assert len(lines) == 2


# ---- size


def test_the_app_is_small(static: Path) -> None:
    assets = static / "assets"
    packed = {path.name: len(gzip.compress(path.read_bytes())) for path in assets.glob("*.js")}
    fonts = sum(path.stat().st_size for path in assets.glob("*.woff2"))
    # What comes after the first board, for Python in the tab and the time without a network, is weighed
    # apart; so are boards on other pages.
    later = ("worker-", "mind-", "client-", "UpdateNotice-", "Install-")
    elsewhere = ("Embed-", "shown-", "ServerAddress-")
    tab = sum(size for name, size in packed.items() if name.startswith((*later, *elsewhere)))
    # Nobody reads more than one language; English comes with the app.
    words = sorted(size for name, size in packed.items() if re.match("(fr|rn|sw)-", name))
    assert len(words) == 3
    assert sum(packed.values()) - tab - sum(words[:-1]) <= 145_200
    assert tab <= 24_500
    assert fonts <= 60_000


@pytest.mark.parametrize("screen", ["Home", "Play"])
def test_the_first_board_comes_soon(static: Path, screen: str) -> None:
    """All that a visitor fetches before it, fonts included: other screens and dialogs come later."""
    manifest = json.loads((static / "manifest.json").read_text("utf-8"))
    files: set[str] = {"index.html"}

    def add(source: str) -> None:
        part = manifest[source]
        if part["file"] not in files:
            files.update((part["file"], *part.get("css", ())))
            for other in part.get("imports", ()):
                add(other)

    add("index.html")
    add(f"src/screens/{screen}.svelte")
    texts = sum(len(gzip.compress((static / file).read_bytes())) for file in files)
    fonts = sum(path.stat().st_size for path in (static / "assets").glob("*.woff2"))
    assert texts + fonts < 142_950  # 142.9 kB, rounded
    assert not any("PictureBoard" in file or "NewGame" in file for file in files)


def test_go_on_with_a_game_from_the_home_page(visit: Any) -> None:
    page = visit("/")
    begin(page, "oware")
    wait_for_turn(page)
    move(page, Random(3))
    wait_for_turn(page)
    page.goto("/")
    page.locator(".going a.open").first.click()
    page.wait_for_selector("main.play[data-mine]")
    assert plies(page) == 2

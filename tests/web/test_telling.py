"""What the screens say is what happened: no sooner, with the right names, and added up."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import expect
from table import OVER, room, until, wait_for_plies, wait_for_turn
from test_games import MANY_LAPS

expect.set_options(timeout=20_000)

CAPTURE = "0-3-0-6-1-2-0-0-2-1-0-3-0-0-S"  # D takes d and c
LAST = "5-0-0-0-0-1-1-3-0-0-0-2-23-13-S"  # F takes a, and that is enough
RING = ["0R0B"] * 16
RING[0], RING[1], RING[3], RING[8], RING[9] = "1R0B", "1R1B", "4R4B", "4R4B", "4R4B"


def named(page: Any, game: str, **more: Any) -> str:
    """A game of Amina against Juma on one screen."""
    seats = [{"kind": "human", "name": name} for name in ("Amina", "Juma")]
    answer = page.request.post("/api/v1/rooms", data={"game": game, "seats": seats, **more})
    assert answer.status == 201, answer.text()
    return str(answer.json()["room"])


def count(page: Any, place: str) -> int:
    return int(page.locator(f"[data-pile^='{place}/'] > .count").first.text_content())


# ---- the end

# Some sentences stand for less time than a busy computer needs to look.
EVERY_SENTENCE = """caption => {
    window.sentences = []
    const note = () => window.sentences.push(caption.textContent.trim())
    new MutationObserver(note).observe(caption, {characterData: true, childList: true, subtree: true})
}"""


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_the_end_is_swept_and_added_up(visit: Any, phone: bool) -> None:
    page = visit("/", phone=phone, speed="fast")
    page.goto(f"/play/{named(page, 'oware', position=LAST)}")
    page.locator(".caption").evaluate(EVERY_SENTENCE)
    page.locator("[data-target=F]").click()
    swept = "South keeps what is left in A: 25 + 5 = 30."
    page.wait_for_function("sentence => window.sentences.includes(sentence)", arg=swept)
    page.wait_for_selector(OVER)
    expect(page.locator("#end")).to_have_text("Amina wins")
    assert (count(page, "South"), count(page, "North")) == (30, 18)
    assert all(count(page, house) == 0 for house in "Abf")
    expect(page.locator(".caption")).to_contain_text("Amina: 25 + 5 = 30 · Juma: 13 + 5 = 18.")
    told = page.locator("[data-live]").inner_text()
    assert "25 + 5 = 30" in told
    assert "Amina wins" in told
    page.reload()
    page.wait_for_selector(OVER)
    assert (count(page, "South"), count(page, "North")) == (30, 18)
    expect(page.locator(".caption")).to_contain_text("Amina: 25 + 5 = 30")


# Boards that fill a phone, one move before the end; on the ring all that is left is swept.
RING_LAST = (
    "0R1B-0R0B-1R0B-0R0B-1R0B-0R0B-0R0B-0R0B-0R3B-0R0B-4R4B-0R0B-0R1B-0R0B-7R1B-0R2B-20-19-O"
)
ROWS_LAST = "6,2,3,0,2,2,12,0,1,8,13,4,1,1,8,0/0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0 0"


@pytest.mark.parametrize(
    ("game", "position", "last"),
    [("oware", LAST, "F"), ("awale2", RING_LAST, "15B"), ("urubugu", ROWS_LAST, "13")],
    ids=["oware", "awale2", "urubugu"],
)
def test_on_a_phone_the_end_is_not_under_the_signs(
    visit: Any, game: str, position: str, last: str
) -> None:
    page = visit("/", phone=True, speed="fast")
    page.goto(f"/play/{named(page, game, position=position)}")
    page.locator(f"[data-move='{last}']").click()
    page.wait_for_selector(OVER)
    end, foot = page.locator(".end"), page.locator(".actions")

    def clear() -> bool:
        """Its title and what can be done next: all of it in view, nothing under the signs."""
        told, signs = end.bounding_box(), foot.bounding_box()
        return bool(told["y"] >= 0 and told["y"] + told["height"] <= signs["y"] + 1)

    until(page, clear, "the end above the signs", 10)


def test_the_last_move_stays_in_view_at_the_end(visit: Any) -> None:
    page = visit("/")
    page.set_viewport_size({"width": 1280, "height": 640})
    page.goto(f"/play/{named(page, 'morabaraba')}")
    for ply, point in enumerate("a1 g1 d2 f2 e4 c4 b6 d6 g7 a7 d1 a4 e3 c5 f6 b2 g4 d5".split()):
        wait_for_turn(page)
        if page.locator(f"[data-move={point}]").count():
            page.locator(f"[data-move={point}]").click()
        else:
            page.locator("[data-move]").first.click()
        wait_for_plies(page, ply + 1)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really?").click()
    page.locator(".end").wait_for()
    last = page.locator(".moves [data-ply]").last

    def in_view() -> bool:
        row, listed = last.bounding_box(), page.locator(".moves").bounding_box()
        return bool(
            listed["y"] <= row["y"]
            and row["y"] + row["height"] <= listed["y"] + listed["height"] + 1
        )

    until(page, in_view, "the last move in view", 10)


def test_the_list_does_not_run_ahead_of_the_board(visit: Any) -> None:
    page = visit("/", speed="slow")
    page.goto(f"/play/{room(page, 'urubugu', 'hc', position=MANY_LAPS)}")
    page.wait_for_selector("main.play[data-mine]")
    page.locator("[data-target=S16]").click()
    page.wait_for_selector(".hand")
    page.keyboard.press(
        "Space"
    )  # however long the computer thinks, the first move is still being sown
    page.get_by_role("button", name="Go on").wait_for()
    wait_for_plies(page, 2)
    page.wait_for_timeout(200)
    assert page.locator(".hand").count() == 1
    assert page.locator(".moves [data-ply]").count() == 1
    assert "North" not in page.locator("[data-live]").inner_text()
    page.locator("svg.play").click(position={"x": 5, "y": 5})
    expect(page.locator(".moves [data-ply]")).to_have_count(2)


def test_the_ear_hears_ones_own_move_too(visit: Any) -> None:
    page = visit("/")
    page.goto(f"/play/{room(page, 'oware', 'hc')}")
    page.wait_for_selector("main.play[data-mine]")
    page.locator("[data-target=C]").click()
    page.wait_for_selector("main.play[data-mine][data-plies='2']")
    told = page.locator("[data-live] p").all_inner_texts()
    assert [sentence.split(" sows")[0] for sentence in told[-2:]] == ["South", "North"]


# ---- help


def test_without_help_nobody_is_told_what_a_move_would_do(visit: Any) -> None:
    page = visit("/")
    page.goto(f"/play/{room(page, 'oware', 'hc', position=CAPTURE, help='none')}")
    page.wait_for_selector("main.play[data-mine]")
    assert page.locator(".catch").count() == 0
    page.locator("[data-target=D]").hover()
    expect(page.locator(".caption")).to_have_text("South sows D (6).")
    assert page.locator(".lands, .gain").count() == 0
    assert page.get_by_role("button", name="Hint").count() == 0
    page.goto(f"/play/{room(page, 'oware', 'hc', position=CAPTURE, help='landing')}")
    page.locator("[data-target=D]").hover()
    expect(page.locator(".caption")).to_have_text("South sows D (6), last seed in d.")
    assert (page.locator(".lands").count(), page.locator(".gain").count()) == (1, 0)


def test_help_is_chosen_with_the_game(visit: Any) -> None:
    page = visit("/new/oware")
    page.get_by_label("Landing", exact=True).check(force=True)
    page.get_by_text("A choice shows where its last piece falls.").wait_for()
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector("main.play[data-mine]")
    told = page.request.get(f"/api/v1/rooms/{page.url.rpartition('/')[2]}").json()
    assert told["room"]["help"] == "landing"
    page.get_by_text("help: landing only").wait_for()


# ---- words


@pytest.mark.parametrize("lang", ["en", "fr", "rn", "sw"])
@pytest.mark.parametrize("game", ["oware", "awale2", "urubugu", "morabaraba"])
def test_rules_are_chosen_in_words(visit: Any, game: str, lang: str) -> None:
    page = visit(f"/new/{game}?lang={lang}")
    page.wait_for_selector("dialog[open]")
    codes = {"any", "both", "occupied", "lap", "turn", "traditional", "ring", "sown", "forfeit"}
    codes |= {"illegal", "take", "contest", "classic"}
    shown = page.locator("dialog option, dialog details .button").all_text_contents()
    assert shown
    assert not codes & {word.strip().lower() for word in shown} - (
        {"both"} if lang == "en" else set()
    )
    for select in page.locator("dialog select").all():
        line = select.locator("xpath=following-sibling::span").text_content()
        assert line, "every choice has a line of explanation"


@pytest.mark.parametrize("seat", [0, 1])
def test_kalahs_letters_run_along_the_sowing(visit: Any, seat: int) -> None:
    page = visit("/")
    page.goto(f"/play/{room(page, 'kalah', 'hh' if seat == 0 else 'ch')}")
    page.wait_for_selector("main.play svg.play")
    labels = page.locator(".label").all()
    rows: dict[int, list[tuple[float, str]]] = {}
    for label in labels:
        box = label.bounding_box()
        rows.setdefault(round(box["y"] / 50), []).append((box["x"], label.text_content()))
    top, bottom = ("".join(text for _x, text in sorted(rows[y])) for y in sorted(rows))
    assert (top, bottom) == (("fedcba", "ABCDEF") if seat == 0 else ("FEDCBA", "abcdef"))


def test_each_game_has_its_own_words(visit: Any) -> None:
    page = visit("/")
    page.goto(f"/play/{room(page, 'kalah', 'hh')}")
    page.locator("[data-target=S3]").hover()
    expect(page.locator(".caption")).to_have_text(
        "South sows C (4), last stone in South's store. South moves again."
    )
    assert page.locator("[data-target=S3]").get_attribute("aria-label").startswith("Pit C: 4")
    page.goto(f"/play/{room(page, 'urubugu', 'hh')}")
    page.locator("[data-target=S1]").hover()
    expect(page.locator(".caption")).to_contain_text("last bead in South's")


def test_what_is_typed_is_told_as_the_board_writes_it(visit: Any) -> None:
    page = visit("/")
    page.goto(f"/play/{room(page, 'oware', 'hh', position=CAPTURE)}")
    page.wait_for_selector("main.play[data-mine]")
    page.keyboard.press("d")
    expect(page.locator(".caption")).to_have_text(
        "Chosen: D. South sows D (6), last seed in d. Captured: d (2), c (3)."
    )


# ---- small things


def test_captured_seeds_keep_their_colours(visit: Any) -> None:
    page = visit("/")
    made = room(page, "awale2", "hh", position="-".join([*RING, "0", "0", "O"]))
    page.goto(f"/play/{made}")
    page.locator("[data-target='1R']").click()
    wait_for_plies(page, 1)
    page.wait_for_selector("main.play[data-mine]")
    for path in (f"/play/{made}", f"/record/{made}"):
        page.goto(path)
        seeds = page.locator("[data-pile^='Odd/'] .seed")
        expect(seeds).to_have_count(3)
        drawn = [seed.get_attribute("fill") for seed in seeds.all()]
        assert sorted(drawn) == ["url(#m-blue)", "url(#m-red)", "url(#m-red)"]


def test_tabs_are_named_by_game_and_turn(visit: Any) -> None:
    page = visit("/")
    page.goto(f"/play/{room(page, 'oware', 'hc')}")
    page.wait_for_selector("main.play[data-mine]")
    expect(page).to_have_title("Your move · Oware · Mbegu")
    made = named(page, "oware", position=LAST)
    page.goto(f"/play/{made}")
    expect(page).to_have_title("Oware · South to move · Mbegu")
    page.locator("[data-target=F]").click()
    expect(page).to_have_title("Oware · Amina wins · Mbegu")
    page.goto(f"/record/{made}")
    expect(page).to_have_title("Oware · Record · Mbegu")
    page.goto("/learn/oware")
    expect(page).to_have_title("Oware · How to play · Mbegu")
    page.goto("/new/oware")
    expect(page).to_have_title("Oware · New game · Mbegu")
    page.goto("/settings")
    expect(page).to_have_title("Settings · Mbegu")


def test_beads_are_laid_by_numbers_and_phones_hear_of_no_right_button(visit: Any) -> None:
    page = visit("/")
    page.goto(f"/play/{room(page, 'urubugu', 'hc', setups='ask')}")
    page.get_by_role("button", name="Clear").click()
    page.locator("[data-cell='3']").focus()
    page.keyboard.press("1")
    page.keyboard.press("2")
    assert page.locator("[data-cell='3']").get_attribute("aria-label") == "Cell 4: 12"
    assert "right-click" in page.locator(".how").inner_text()
    phone = visit("/", phone=True)
    phone.goto(f"/play/{room(phone, 'urubugu', 'hc', setups='ask')}")
    said = phone.locator(".how").inner_text()
    assert "hold" in said
    assert not re.search("right-click|Shift|Keys", said)


def test_a_group_of_choices_is_one_stop_of_the_tab_key(visit: Any) -> None:
    page = visit("/new/oware")
    page.wait_for_selector("dialog[open]")
    stops = 0
    while page.evaluate("document.activeElement.textContent") != "Begin":
        page.keyboard.press("Tab")
        stops += 1
        assert stops < 12


def test_the_analysis_says_whose_side_is_which_and_what_was_better(visit: Any) -> None:
    page = visit("/")
    # D wins by force and F, which is played, does not: a blunder at any speed of the engine.
    made = room(page, "oware", "hh", position="0-3-0-6-1-2-0-0-2-1-0-3-15-15-S")
    page.goto(f"/play/{made}")
    for ply, word in enumerate("FdEe"):
        wait_for_turn(page)
        page.locator(f"[data-move={word}]").click()
        wait_for_plies(page, ply + 1)
    page.goto(f"/record/{made}")
    graph = page.locator(".graph")
    expect(graph).to_contain_text("▲ South ahead")
    expect(graph).to_contain_text("▼ North ahead")
    assert graph.locator(".tick").all_text_contents() == ["+20", "0", "−20"]
    page.get_by_role("button", name="Analyse the whole game").click()
    page.get_by_role("button", name="Analysed").wait_for(timeout=120_000)
    expect(graph).to_contain_text("Expected margin in seeds")
    page.locator(".moves button:has(.mark)").first.click()
    expect(page.locator(".caption")).to_contain_text("A blunder: better was D.")
    page.get_by_role("button", name="One move back").click()
    page.get_by_role("checkbox", name="Engine").check()
    line = page.locator(".lines button").first
    line.wait_for()
    expect(page.locator(".engine")).to_contain_text("+ is good for South, − for North.")
    moves = page.locator("[data-move]")
    expect(page.locator(".worth")).to_have_count(moves.count())  # what every move is worth
    assert re.match("[≈=]|.✓", page.locator(".worth text").first.text_content() or "")
    spoken = re.compile(r"Estimate: |\(proved\)|for certain|wins (in|by) \d")
    expect(moves.first).to_have_attribute("aria-label", spoken)
    page.get_by_role("checkbox", name="The value of every move").uncheck()
    expect(page.locator(".worth")).to_have_count(0)
    line.wait_for()
    before = page.locator("main.study").get_attribute("data-ply")
    line.click()
    page.wait_for_selector(f"main.study[data-ply='{int(before or 0) + 1}'][data-line]")


# ---- a computer that many ask


def test_a_computer_that_many_ask_says_that_it_thinks_shorter(visit: Any) -> None:
    page = visit("/", phone=True, speed="fast")

    def hurry(line: Any) -> None:
        """As if many played at once: the server would say so in the same words."""
        server = line.connect_to_server()

        def pass_on(text: str) -> None:
            message = json.loads(text)
            if message.get("kind") == "thinking":
                message["data"]["seconds"] = 0.25
            line.send(json.dumps(message))

        server.on_message(pass_on)

    page.route_web_socket(re.compile("/ws/rooms/"), hurry)
    page.goto(f"/play/{room(page, 'oware')}")
    wait_for_turn(page)
    expect(page.locator(".hurried")).to_have_count(0)
    page.locator("[data-target=F]").click()
    wait_for_plies(page, 2)
    expect(page.locator(".hurried")).to_have_text(
        "Many play now, so the computer thinks for 0.25 s only."
    )

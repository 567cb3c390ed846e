"""Two people in two browsers, and one who watches: whole games, bad lines, absence, rematches."""

import asyncio
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from table import OVER, plies, wait_for_plies
from test_access import check

from mbegu import game as find_game
from mbegu.server.play import presence

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "server"))
from serving import Running, running

from mbegu.server.app import Settings
from mbegu.server.keep.ratings import LEAST_PLIES

MINE = "main.play[data-mine]"
NUMBERS = count(1)
# A moment five moves before the end, and those moves.
ENDGAMES: dict[str, tuple[str, list[Any]]] = {
    "oware": ("0-0-0-2-1-0-0-0-1-3-0-0-22-19-S", [3, 8, 4, 6, 5]),
    "kalah": ("<6,19,19,1,0,1,1,1,0,0,0,1,1,3,1> N", [5, 3, 3, 2, 0]),
    "awale2": (
        "0R0B-0R0B-0R0B-0R1B-0R2B-0R0B-1R4B-0R0B-0R0B-0R0B-0R0B-0R1B-0R0B-0R1B-0R0B-0R1B-32-21-O",
        ["7R", "8R", "5B", "6B", "7B"],
    ),
    "urubugu": (
        "1,11,0,6,0,2,1,0,0,0,15,0,7,6,5,0/1,1,1,1,2,0,0,0,0,0,0,0,0,0,2,2 0",
        [14, 1, 3, 16, 16],
    ),
    "morabaraba": (
        "0/0 a1,b2,d2,e3,a4,b4,c4,e4,d5,e5,f6,a7 g1,c3,d6 o 9/0 - - 0 0",
        ["FLY c3 f4", "MOVE f6 g7", "FLY d6 d7", "MOVE a7 b6", "STEAL g1"],
    ),
}


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    """A server in this process, without engine."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(f"{folder}/games.sqlite3", workers=1, engine=False)
        with running(settings) as found:
            yield found


@pytest.fixture(scope="module")
def base(server: Running) -> str:
    """Where it is."""
    return f"http://127.0.0.1:{server.port}"


Visit = Callable[..., Any]
# Names that a careless page would run.
NAMES = dict(
    zip(
        ENDGAMES,
        [
            "<b>Juma</b>",
            "<img src=x onerror=alert(1)>",
            '"><script>alert(1)</script>',
            "{{7*7}}${7*7}<svg/onload=alert(1)>",
            "</title><iframe src=javascript:alert(1)>",
        ],
        strict=True,
    )
)


def invite(page: Any, game: str, **more: Any) -> tuple[str, str]:
    """A game with an open seat: its room, and the way to the seat."""
    seats = [{"kind": "human", "name": "Amina"}, {"kind": "open"}]
    answer = page.request.post("/api/v1/rooms", data={"game": game, "seats": seats, **more})
    assert answer.status == 201, answer.text()
    room = str(answer.json()["room"])
    tokens = page.request.get(f"/api/v1/rooms/{room}").json()["room"]["invites"]
    return room, f"/join/{tokens[1]}"


def sit(page: Any, link: str, name: str = "Juma") -> None:
    """Takes the seat as the invitation's page lets one."""
    page.goto(link)
    page.get_by_label("My name").fill(name)
    page.get_by_role("button", name="Take the seat").click()
    page.wait_for_selector("main.play, main [data-cell]")


def touch(page: Any, game: str, text: str, move: Any) -> None:
    """Plays a certain move on the board, and does not wait."""
    rules = find_game(game)
    word = rules.format_move(move, rules.position(text))
    page.wait_for_selector(MINE)
    if game == "morabaraba" and page.locator(f'[data-move="{word}"]').count() == 0:
        page.locator(f"[data-target={str(move).split()[1]}]").click()
    page.locator(f'[data-move="{word}"]').click()


@pytest.mark.parametrize("game", ENDGAMES)
def test_a_whole_game_between_two_browsers_and_a_watcher(
    visit: Visit, picture: Any, game: str
) -> None:
    text, moves = ENDGAMES[game]
    host = visit("/")
    room, link = invite(host, game, position=text)
    host.goto(f"/play/{room}")
    host.wait_for_selector("main[data-status=open] img")
    friend = visit("/", phone=game in ("oware", "urubugu"))
    ran: list[str] = []
    for page in (host, friend):
        page.on("dialog", lambda dialog: ran.append(dialog.message))
    sit(friend, link, NAMES[game])
    host.wait_for_selector("main.play")  # opens by itself
    assert host.get_by_text(NAMES[game], exact=True).count() >= 1
    watcher = visit(f"/play/{room}")
    position = find_game(game).position(text)
    for ply, move in enumerate(moves, 1):
        mover, other = (host, friend) if position.turn == 0 else (friend, host)
        touch(mover, game, str(position), move)
        if ply == 2:
            mover.reload()  # in the middle of the move
            other.reload()
        position = position.play(move)
        for page in (host, friend, watcher):
            wait_for_plies(page, ply)
        if ply == 1:
            assert watcher.locator(MINE).count() == 0
            assert watcher.get_by_role("button", name="Resign").count() == 0
            picture(friend, f"online-{game}")
    for page in (host, friend, watcher):
        page.wait_for_selector(f"{OVER} #end")
    assert not ran
    told = {page.locator(".end p").first.inner_text() for page in (host, friend, watcher)}
    assert len(told) == 1


def test_a_rematch_takes_both_along_with_the_sides_swapped(visit: Visit, picture: Any) -> None:
    host, friend, watcher = visit("/"), visit("/"), visit("/")
    room, link = invite(host, "kalah(seeds=3)")
    host.goto(f"/play/{room}")
    sit(friend, link)
    watcher.goto(f"/play/{room}")
    host.get_by_role("button", name="Call off").click()  # nobody has moved: no result
    host.get_by_role("button", name="Really?").click()
    assert watcher.locator("#end").inner_text() == "Called off"
    friend.get_by_role("button", name="Another game").click()
    host.get_by_role("button", name="Agree to another game").click()
    for page in (host, friend):
        page.wait_for_url(lambda url: "/play/" in url and room not in url)
        page.wait_for_selector("main.play")
    assert host.url == friend.url
    friend.wait_for_selector(MINE)  # who was second begins
    watcher.get_by_role("link", name="To the next game").click()
    watcher.wait_for_url(host.url)
    picture(watcher, "online-watcher")


def test_a_line_that_is_cut_for_ten_seconds(visit: Visit, picture: Any) -> None:
    host, friend = visit("/"), visit("/")
    room, link = invite(host, "oware", clock="300+0")
    host.goto(f"/play/{room}")
    sit(friend, link)
    host.wait_for_selector(MINE)
    host.locator("[data-target=C]").click()
    friend.wait_for_selector(MINE)
    friend.context.set_offline(True)
    friend.locator(".lost").wait_for()
    friend.locator("[data-target=a]").click()  # a move into the void
    host.locator(".line.away").first.wait_for(state="attached")
    host.wait_for_timeout(10_000)
    assert plies(host) == 1
    friend.context.set_offline(False)
    wait_for_plies(friend, 2)
    wait_for_plies(host, 2)
    host.wait_for_selector(MINE)
    assert plies(friend) == plies(host) == 2  # done once


def test_an_absent_player_is_claimed(
    visit: Visit, picture: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "WAIT_UNTIMED", 2.0)
    host, friend = visit("/"), visit("/")
    room, link = invite(host, "morabaraba")
    host.goto(f"/play/{room}")
    sit(friend, link)
    host.wait_for_selector("main.play")
    assert host.locator(".offer").get_by_text("has lost the line").count() == 0
    friend.goto("/settings")
    host.locator(".offer").get_by_text("has lost the line").first.wait_for()
    friend.goto(f"/play/{room}")
    host.wait_for_selector(".offer", state="detached")  # is back
    friend.goto("/settings")
    claim = host.get_by_role("button", name="Claim the victory")
    claim.wait_for()
    picture(host, "online-claim")
    claim.click()
    host.wait_for_selector("text=You win")
    friend.goto(f"/play/{room}")
    friend.wait_for_selector(f"{OVER} #end")


def test_whoever_stays_away_from_the_laying_is_claimed(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "WAIT_UNTIMED", 1.0)
    host, friend = visit("/"), visit("/", phone=True)
    room, link = invite(host, "urubugu", setups="ask")
    host.goto(f"/play/{room}")
    sit(friend, link)
    watcher = visit(f"/play/{room}")
    watcher.get_by_text("The players lay their beads").wait_for()
    friend.goto("/settings")
    host.get_by_role("button", name="Claim the victory").click()
    host.wait_for_selector("text=You win")
    watcher.wait_for_selector(f"{OVER} #end")
    assert watcher.get_by_role("button", name="Claim the victory").count() == 0


def test_whoever_never_lays_his_beads_is_left(visit: Visit, picture: Any) -> None:
    host, friend = visit("/"), visit("/", phone=True)
    room, link = invite(host, "urubugu", setups="ask")
    host.goto(f"/play/{room}")
    sit(friend, link)
    host.get_by_role("button", name="Ready").click()
    host.get_by_text("You are ready").wait_for()
    picture(host, "online-laid")
    picture(friend, "online-laying")
    host.get_by_role("button", name="Call off").click()
    host.get_by_role("button", name="Really?").click()
    for page in (host, friend):
        page.wait_for_selector(f"{OVER} #end:text('Called off')")
    told = host.request.get(f"/api/v1/rooms/{room}").json()
    assert told["view"]["outcome"]["reason"] == "aborted"


def join_up(page: Any, name: str) -> str:
    """Makes an account on the page of accounts, and goes on from there; the name."""
    name = f"{name}{next(NUMBERS)}"
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password", exact=True).first.fill("kibo-na-mawenzi")
    page.get_by_role("button", name="Make the account").click()
    page.get_by_role("button", name="I have it").click()
    return name


def test_a_rated_game_by_invitation(visit: Visit, axe: str, picture: Any) -> None:
    host = visit("/account?way=new&then=/new/oware")
    amina = join_up(host, "Amina")
    host.get_by_role("radio", name="A friend, by invitation").check()
    host.get_by_label("Counts for ratings").check()
    host.get_by_role("button", name="Invite", exact=True).click()
    link = host.get_by_label("The link").input_value()
    friend = visit(link, phone=True)
    friend.get_by_text("This game counts for ratings.").wait_for()
    assert f"{amina} has 1500? points." in friend.locator("form").inner_text()
    assert friend.get_by_role("button", name="Take the seat").count() == 0
    check(friend, axe)
    picture(friend, "online-rated-invitation")
    friend.get_by_role("link", name="New account").click()
    juma = join_up(friend, "Juma")
    friend.get_by_text(f"You play as {juma}.").wait_for()
    friend.get_by_role("button", name="Take the seat").click()
    for ply in range(1, LEAST_PLIES + 1):  # fewer count for nothing
        page = friend if ply % 2 == 0 else host
        page.wait_for_selector(MINE)
        page.locator("[data-move]").first.click()
        wait_for_plies(page, ply)
    host.get_by_role("button", name="Resign").click()
    host.get_by_role("button", name="Really?").click()
    for page in (host, friend):
        page.wait_for_selector("[data-rating='1']")
        told = page.locator("[data-rating]").all_inner_texts()
        assert ["".join(line.split()) for line in told] == [f"{amina}1421−79", f"{juma}1579+79"]
    check(host, axe)
    picture(friend, "online-rated-end")
    host.get_by_role("link", name="Look back").click()
    host.wait_for_selector("[data-rating='0']")


def test_only_the_usual_rules_are_rated(visit: Visit) -> None:
    page = visit("/new/kalah")
    page.get_by_role("radio", name="A friend, by invitation").check()
    assert page.get_by_label("Counts for ratings").is_disabled()
    page.get_by_role("dialog").get_by_role("link", name="Sign in").wait_for()
    page.goto("/account?way=new&then=/new/kalah")
    join_up(page, "Amina")
    page.get_by_role("radio", name="A friend, by invitation").check()
    page.get_by_label("Counts for ratings").check()
    page.locator("dialog summary").filter(has_text="Rules").click()
    page.get_by_role("spinbutton").first.fill("5")
    page.get_by_text("Only games by the usual rules").wait_for()
    assert not page.get_by_label("Counts for ratings").is_checked()


def test_a_challenge_on_somebodys_page(visit: Visit, axe: str) -> None:
    one = visit("/account?way=new&then=/lobby")
    amina = join_up(one, "Amina")
    one.get_by_text("People here now").wait_for()
    two = visit(f"/people/{amina}", phone=True)
    two.get_by_role("button", name="Challenge").click()
    one.get_by_role("heading", name="For you").wait_for()
    check(one, axe)
    check(two, axe)
    one.get_by_role("button", name="No, thank you").click()
    two.get_by_text(f"{amina} does not want to play now.").wait_for()
    two.get_by_role("button", name="Challenge").click()
    one.goto("/settings")
    one.wait_for_selector("nav .badge")  # is called wherever she is
    one.goto("/lobby")
    one.locator("li.call").get_by_role("button", name="Play").click()
    for page in (one, two):
        page.wait_for_selector("main.play")
    assert one.url == two.url
    three = visit(f"/people/{amina}")
    three.get_by_role("button", name="Challenge").wait_for()  # she plays, and is here


def test_a_wish_comes_back_when_the_lobby_has_forgotten_it(visit: Visit, server: Running) -> None:
    one, other = visit("/lobby"), visit("/lobby")
    one.get_by_role("button", name="Offer this game").click()
    other.locator("li.offer").wait_for()
    forget(server)
    one.get_by_text("your offer is in the list again").wait_for()
    other.locator("li.offer").wait_for()
    elsewhere = one.context.new_page()  # another tab of the same person stays where it is
    elsewhere.goto("/settings")
    other.locator("li.offer button").click()
    one.wait_for_selector("main.play")
    assert elsewhere.url.endswith("/settings")


def forget(server: Running) -> None:
    """As after a restart: no wishes, and every line is cut."""
    hall = server.app.state.hall

    async def restart() -> None:
        hall.lobby._seeks.clear()
        for clients in list(hall.lobby._clients.values()):
            for client in list(clients):
                client.close(1012)

    asyncio.run_coroutine_threadsafe(restart(), hall.thinkers._loop).result(5)


def test_setups_stay_hidden_in_the_other_browser(visit: Visit, picture: Any) -> None:
    host, friend = visit("/"), visit("/", phone=True)
    room, link = invite(host, "urubugu", setups="ask")
    said: list[str] = []
    friend.on(
        "websocket", lambda line: line.on("framereceived", lambda text: said.append(str(text)))
    )
    host.goto(f"/play/{room}")
    sit(friend, link)
    host.get_by_role("button", name="All in front").click()
    host.get_by_role("button", name="Ready").click()
    host.get_by_text("Waiting for the other side").wait_for()
    friend.wait_for_timeout(300)
    assert any('"ready":[true,false]' in text for text in said)
    assert not any(
        "beads" in text.replace("lays the beads", "") for text in said if '"setup"' in text
    )
    friend.get_by_role("button", name="Ready").click()
    for page in (host, friend):
        page.wait_for_selector("main.play")
    host.wait_for_selector(MINE)
    assert host.locator("[data-target=S9]").get_attribute("aria-label") is not None


def test_offers_and_phrases(visit: Visit, picture: Any) -> None:
    host, friend = visit("/"), visit("/")
    room, link = invite(host, "oware")
    host.goto(f"/play/{room}")
    sit(friend, link)
    host.wait_for_selector(MINE)
    host.locator("[data-target=C]").click()
    wait_for_plies(friend, 1)
    host.get_by_role("button", name="Take back").click()
    host.get_by_role("button", name="Withdraw").click()
    host.wait_for_selector(".offer", state="detached")
    friend.locator("[data-target=d]").click()  # nobody is asked twice within a move
    host.wait_for_selector(MINE)
    host.locator("[data-target=D]").click()
    wait_for_plies(friend, 3)
    host.keyboard.press("u")
    friend.get_by_role("button", name="Allow").click()
    host.wait_for_selector("main.play[data-plies='2']")
    host.get_by_text("Say something").click()
    host.get_by_role("button", name="Good luck!").click()
    friend.get_by_text("Good luck!").first.wait_for()
    friend.get_by_role("button", name="Mute the other").click()
    host.get_by_text("Say something").click()
    host.get_by_role("button", name="Thank you!").click()
    host.locator(".heard").get_by_text("Thank you!").wait_for()
    assert friend.locator(".heard").get_by_text("Thank you!").count() == 0
    host.get_by_role("button", name="Offer a draw").click()
    picture(friend, "online-offer")
    friend.get_by_role("button", name="Agree", exact=True).click()
    host.wait_for_selector("text=A draw")


def in_order(one: Any, two: Any) -> tuple[Any, Any]:
    """The pages of two players, first the one whose turn it is; a page may not know it yet."""
    for _moment in range(200):
        if one.locator(MINE).count():
            return one, two
        if two.locator(MINE).count():
            return two, one
        one.wait_for_timeout(50)
    raise AssertionError("neither page says that it is its turn")


def test_the_lobby_brings_two_together(visit: Visit, picture: Any) -> None:
    one, two = visit("/lobby"), visit("/lobby", phone=True)
    one.get_by_label("My name").fill("Amina")
    one.get_by_role("button", name="Offer this game").click()
    offer = two.locator("li.offer")
    offer.wait_for()
    assert "Amina" in offer.inner_text()
    picture(two, "online-lobby-phone")
    one.get_by_role("button", name="Stop looking").click()
    two.wait_for_selector("li.offer", state="detached")
    for page in (one, two):
        page.get_by_role("button", name="Play at once").click()
    for page in (one, two):
        page.wait_for_selector("main.play")
    assert one.url == two.url
    # A player who looks elsewhere is called.
    first, second = in_order(one, two)
    second.goto("/settings")
    first.locator("[data-move]").first.click()
    second.wait_for_selector("nav .badge")
    assert second.title().startswith("(1)")


def test_links_that_lead_nowhere(visit: Visit) -> None:
    page, other, third = visit("/join/nowhere"), visit("/"), visit("/")
    page.get_by_text("This invitation leads nowhere", exact=True).wait_for()
    link = invite(page, "oware")[1]
    page.goto(link)  # one's own
    page.wait_for_selector("main[data-status=open]")
    sit(other, link)
    third.goto(link)
    third.get_by_role("link", name="Watch").click()
    third.wait_for_selector("main.play")
    assert third.locator(MINE).count() == 0


def test_the_new_screens_are_accessible(visit: Visit, axe: str) -> None:
    page = visit("/lobby")
    page.wait_for_selector("text=People here now")
    check(page, axe)
    room, link = invite(page, "oware")
    page.goto(f"/play/{room}")
    page.wait_for_selector("main[data-status=open] img")
    check(page, axe)
    other = visit(link, phone=True)
    other.wait_for_selector("form")
    check(other, axe)
    sit(other, link)
    check(other, axe)


def test_after_the_end_nothing_is_taken_back(visit: Visit) -> None:
    host, friend = visit("/"), visit("/")
    made, link = invite(host, "oware")
    sit(friend, link)
    host.goto(f"/play/{made}")
    host.wait_for_selector(MINE)
    host.locator("[data-target=C]").click()
    friend.wait_for_selector(MINE)
    friend.locator("[data-target=f]").click()
    host.wait_for_selector(MINE)
    assert host.get_by_role("button", name="Take back").is_enabled()
    friend.get_by_role("button", name="Resign").click()
    friend.get_by_role("button", name="Really?").click()
    for page in (host, friend):
        page.wait_for_selector(OVER)
        assert page.get_by_role("button", name="Take back").count() == 0 or (
            page.get_by_role("button", name="Take back").is_disabled()
        )
    assert friend.locator("#end").inner_text() == "Amina wins"


def test_whoever_is_offline_looks_offline(visit: Visit) -> None:
    host, friend = visit("/"), visit("/", phone=True)
    made, link = invite(host, "oware")
    sit(friend, link)
    friend.locator("[data-player='1'] .line:not(.away)").wait_for()
    friend.context.set_offline(True)
    pill = friend.get_by_text("Looking for the server", exact=True)
    pill.wait_for()
    assert friend.locator(".line:not(.away)").count() == 0, "no green dot"
    assert friend.locator("[data-player='1'] .line.away").count() == 1
    told = pill.bounding_box()
    for player in (0, 1):
        strip = friend.locator(f"[data-player='{player}']").bounding_box()
        above = told["y"] + told["height"] <= strip["y"]
        assert above or told["y"] >= strip["y"] + strip["height"], "it covers no player"
    friend.context.set_offline(False)
    pill.wait_for(state="detached")
    friend.locator("[data-player='1'] .line:not(.away)").wait_for()
    host.goto(f"/play/{made}")

"""The HTTP addresses: cards, views, tries, lessons, lists, records, pages, and what is refused."""

import json
from contextlib import ExitStack
from xml.etree import ElementTree

import pytest
from guest import Guest
from serving import Running
from websockets.exceptions import ConnectionClosed

import mbegu
from mbegu.core.i18n import LANGUAGES
from mbegu.core.reader import parse_record
from mbegu.games.oware.ogn import parse_ogn
from mbegu.server.net.rate_limits import CROWD, RateLimits, VisitorLimit

RECORD = """[Game "oware"]
[Player0 "Amina"]
[Player1 "Bakari"]
[Result "*"]

1. C {A quiet start.} f (1... a 2. F) 2. F $1 *
"""


# ---- games and positions


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards(guest: Guest, language: str) -> None:
    found = guest.get(f"/api/v1/games?lang={language}")
    assert {card["name"] for card in found["games"]} == set(mbegu.game_names())
    assert found["languages"] == LANGUAGES
    for card in found["games"]:
        game = mbegu.game(card["name"])
        assert card["start"]["text"] == str(game.start())
        assert card["lesson"] >= 6
        assert [option["name"] for option in card["options"]] == list(game.options())
        assert {option["type"] for option in card["options"]} <= {"int", "bool", "choice"}


def test_a_view_tells_what_may_be_played_and_why_not(guest: Guest) -> None:
    path = "/api/v1/view?game=oware&position=0-3-0-6-1-2-0-0-2-1-0-3-0-0-S"
    found = guest.get(path)
    assert [move["word"] for move in found["legal"]] == ["B", "D", "E", "F"]
    assert found["legal"][1]["preview"]["captures"] == [["d", 2], ["c", 3]]
    assert found["barred"]["A"] == "this house is empty"
    assert found["barred"]["a"] == "this house belongs to North; South is to move"
    assert set(found["barred"]) == set("ACabcdef")


@pytest.mark.parametrize("game", mbegu.game_names())
def test_every_place_is_legal_or_barred(guest: Guest, game: str) -> None:
    found = guest.get(f"/api/v1/view?game={game}")
    starts = {move["from"] or move["to"] for move in found["legal"]}
    places = starts | {place for place in found["barred"] if place[-1] not in "RB"}
    most = {"oware": 12, "kalah": 14, "awale2": 16, "urubugu": 32, "morabaraba": 24}
    assert len(places) == most[game]
    assert not starts & set(found["barred"])
    assert all(found["barred"].values())


def test_banned_mills_are_marked(guest: Guest) -> None:
    text = "0/0 a1,d1,d3,g4,c5,f6 b2,f2,e4,b6,g7 x 7/6 a1-d1-g1 - 5 0".replace(" ", "%20")
    marks = guest.get(f"/api/v1/view?game=morabaraba&position={text}")["marks"]
    assert marks["banned"] == [[["a1", "d1", "g1"]], []]
    assert [(move["from"], move["to"]) for move in marks["barred_moves"]] == [("g4", "g1")]
    assert "just broken" in marks["barred_moves"][0]["why"]


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ("game=chess", "no game is called “chess”"),
        ("game=oware&position=4-4", "is not an Oware position"),
        ("", "no game is called “”"),
        ("game=kalah(pits=99)", "option pits"),
        ("game=oware&position=%00%ff", "something that is not a character"),
    ],
)
def test_bad_games_and_positions(guest: Guest, query: str, error: str) -> None:
    for path in ("view", "picture.svg"):
        reply = guest.ask("GET", f"/api/v1/{path}?{query}")
        assert reply.status == 400
        assert error in reply.json()["error"]


def test_trying_a_move(guest: Guest) -> None:
    found = guest.post("/api/v1/try", {"game": "oware", "move": 2}).json()
    assert (found["word"], found["player"], found["view"]["turn"]) == ("C", 0, 1)
    assert [event["event"] for event in found["events"]] == ["lift", *["sow"] * 4]
    assert found["events"][1]["told"] == "A seed falls into D, which now holds 5."
    by_word = guest.post("/api/v1/try", {"game": "oware", "move": "C"}).json()
    assert by_word == found
    refused = guest.post("/api/v1/try", {"game": "oware", "move": "a"})
    assert refused.status == 422
    assert refused.json()["rule"] == "this house belongs to North; South is to move"
    for move in (None, True, "Q", [], 1.5):
        assert guest.post("/api/v1/try", {"game": "oware", "move": move}).status == 400


def test_trying_several_moves(guest: Guest) -> None:
    form = {"game": "morabaraba", "moves": ["a1", "ADD b2", "d1", "f2", "g1", "xb2"]}
    steps = guest.post("/api/v1/try", form).json()["steps"]
    assert steps[4]["events"][1]["event"] == "mill"
    assert steps[5]["story"] == "Dark shoots the cow on b2."
    lean = guest.post("/api/v1/try", {**form, "views": False}).json()["steps"]
    assert [step["text"] for step in lean] == [step["view"]["text"] for step in steps]


def test_pictures(guest: Guest) -> None:
    reply = guest.ask("GET", "/api/v1/picture.svg?game=urubugu")
    assert reply.headers["content-type"] == "image/svg+xml"
    ElementTree.fromstring(reply.body)


def test_lessons(guest: Guest) -> None:
    for game in mbegu.game_names():
        steps = guest.get(f"/api/v1/lessons/{game}")["steps"]
        assert len(steps) >= 6
        for step in steps:
            form = {"game": step["game"], "position": step["position"], "move": step["accept"][0]}
            assert guest.post("/api/v1/try", form).status == 200
    assert guest.ask("GET", "/api/v1/lessons/chess").status == 400


# ---- rooms


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"game": "chess"}, "no game is called"),
        ({"game": None}, "is not a game string"),
        ({"seats": []}, "seats must be a list of two"),
        ({"seats": [{"kind": "dog"}, {"kind": "human"}]}, "whose kind is human, computer or open"),
        ({"seats": [{"kind": "computer", "level": 11}] * 2}, "level must be from 1 to 10"),
        ({"seats": [{"kind": "computer", "level": True}] * 2}, "level must be from 1 to 10"),
        ({"seats": [{"kind": "human", "name": "x" * 41}] * 2}, "at most 40 letters"),
        ({"seats": [{"kind": "human", "name": "a\u202eb"}] * 2}, "all of which can be seen"),
        ({"seats": [{"kind": "human", "name": 7}] * 2}, "name must be a text"),
        ({"clock": "soon"}, "is not a time control"),
        ({"clock": "9999999"}, "at most a day"),
        ({"position": "4-4"}, "is not an Oware position"),
        ({"position": "0-0-0-0-0-0-0-0-0-0-0-0-24-24-S"}, "the game is over"),
        ({"setups": "ask"}, "has no set-ups"),
        ({"game": "urubugu", "setups": [[1], None]}, "a set-up has 16 cells"),
        ({"game": "urubugu", "setups": "mine"}, "setups must be"),
        ({"game": "urubugu", "setups": "ask", "position": "x"}, "not both"),
        ({"pace": -1}, "pace must be"),
    ],
)
def test_a_bad_form_is_explained(guest: Guest, change: dict[str, object], error: str) -> None:
    form = {"game": "oware", "seats": [{"kind": "human"}, {"kind": "human"}], "clock": "-"}
    reply = guest.post("/api/v1/rooms", {**form, **change})
    assert reply.status == 400
    assert error in reply.json()["error"]
    assert guest.get("/api/v1/rooms")["rooms"] == []


def test_starting_from_a_position_and_deleting(guest: Guest) -> None:
    text = "0-3-0-6-1-2-0-0-2-1-0-3-14-16-N"
    room = guest.new_room("oware", "human", "human", position=text)
    assert guest.get(f"/api/v1/rooms/{room}")["view"]["text"] == text
    with guest.enter(room) as visit:
        assert guest.ask("DELETE", f"/api/v1/rooms/{room}").status == 204
        visit.event("deleted")
    assert guest.ask("GET", f"/api/v1/rooms/{room}").status == 404
    assert guest.ask("GET", f"/api/v1/rooms/{room}/record").status == 404


def test_my_rooms_are_listed_page_by_page(guest: Guest) -> None:
    rooms = [guest.new_room("kalah", "human", "human") for _number in range(5)]
    with guest.enter(rooms[0]) as visit:
        visit.move(0)
        visit.command("resign")
    found, cursor = [], ""
    while True:
        page = guest.get(f"/api/v1/rooms?limit=2{cursor}")
        found += [room["id"] for room in page["rooms"]]
        if page["next"] is None:
            break
        cursor = f"&before={page['next']}"
    assert found == [rooms[0], *rooms[:0:-1]]
    over = guest.get("/api/v1/rooms?status=over")["rooms"]
    assert [room["id"] for room in over] == [rooms[0]]
    assert over[0]["outcome"]["reason"] == "resignation"
    for query in (
        "limit=0",
        "limit=000000100999",
        "limit=x",
        "limit=1000",
        "before=x",
        "before=a~b",
        "status=lost",
    ):
        assert guest.ask("GET", f"/api/v1/rooms?{query}").status == 400


# ---- records


def test_records_go_in_and_come_out(guest: Guest) -> None:
    reply = guest.post("/api/v1/records", {"text": RECORD})
    assert reply.status == 201
    (room,) = reply.json()["rooms"]
    snapshot = guest.get(f"/api/v1/rooms/{room}")
    assert snapshot["room"]["imported"]
    assert [seat["name"] for seat in snapshot["room"]["seats"]] == ["Amina", "Bakari"]
    text = guest.ask("GET", f"/api/v1/rooms/{room}/record").body.decode()
    assert text == str(parse_record(RECORD))
    as_json = guest.get(f"/api/v1/rooms/{room}/record?format=json")
    assert as_json["steps"][1]["variations"]
    ogn = guest.ask("GET", f"/api/v1/rooms/{room}/record?format=ogn")
    assert parse_ogn(ogn.body.decode()).moves == [2, 11, 5]
    assert "attachment" in ogn.headers["content-disposition"]
    again = guest.post("/api/v1/records", {"text": ogn.body.decode()})
    assert again.status == 201
    # It goes on: what was said about it stays.
    with guest.enter(room) as visit:
        assert visit.move(6)["t"] == "ack"
    longer = parse_record(guest.ask("GET", f"/api/v1/rooms/{room}/record").body.decode())
    assert longer.moves == [2, 11, 5, 6]
    assert longer.steps[0].comment == "A quiet start."


def test_several_records_all_or_nothing(guest: Guest) -> None:
    over = (
        '[Game "kalah(pits=6,seeds=4)"]\n[Result "1-0"]\n[Termination "resignation"]\n\n1. d 1-0\n'
    )
    reply = guest.post("/api/v1/records", {"text": f"{RECORD}\n{over}"})
    rooms = reply.json()["rooms"]
    assert len(rooms) == 2
    with guest.enter(rooms[1]) as visit:
        assert visit.first["room"]["status"] == "over"
        assert visit.first["view"]["outcome"]["reason"] == "resignation"
        assert "stays as it is" in visit.command("undo")["error"]
    bad = guest.post("/api/v1/records", {"text": f'{RECORD}\n[Game "oware"]\n\n1. A f 2. a *\n'})
    assert bad.status == 400
    found = bad.json()
    assert (found["line"], found["column"]) == (10, 11)
    assert found["error"].startswith(
        "a: this house belongs to North"
    )  # the place is told beside it
    assert len(guest.get("/api/v1/rooms")["rooms"]) == 2
    half = RECORD.replace("Amina", "\ud800")
    for text in ("", "hello", None, 7, "\x00" * 10, half):
        assert guest.post("/api/v1/records", {"text": text}).status == 400


def test_ogn_is_for_oware_only(guest: Guest) -> None:
    room = guest.new_room("kalah")
    assert guest.ask("GET", f"/api/v1/rooms/{room}/record?format=ogn").status == 400
    assert guest.ask("GET", f"/api/v1/rooms/{room}/record?format=pdf").status == 400


# ---- manners


def test_the_cookie(served: Running) -> None:
    guest = Guest(served.port)
    header = guest.ask("GET", "/api/v1/rooms").headers["set-cookie"]
    assert "HttpOnly" in header
    assert "SameSite=Lax" in header
    assert "set-cookie" not in guest.ask("GET", "/api/v1/rooms").headers
    room = guest.new_room("oware")
    forged = Guest(served.port, {"mbegu": guest.cookies["mbegu"][:-3] + "abc"})
    assert forged.get("/api/v1/rooms")["rooms"] == []
    assert forged.ask("DELETE", f"/api/v1/rooms/{room}").status == 403


def test_bodies_that_are_not_taken(guest: Guest) -> None:
    assert guest.ask("POST", "/api/v1/rooms", raw=b"{").status == 400
    assert guest.ask("POST", "/api/v1/rooms", raw=b"[1]").status == 400
    assert guest.ask("POST", "/api/v1/rooms", raw=b"[" * 8000).status == 400
    assert guest.ask("POST", "/api/v1/rooms", raw=b"\xff\xfe").status == 400
    assert guest.ask("POST", "/api/v1/rooms", raw=b" " * 9000).status == 413
    plain = {"Content-Type": "text/plain"}
    assert guest.ask("POST", "/api/v1/rooms", raw=b"{}", headers=plain).status == 400
    elsewhere = {"Origin": "https://example.org"}
    assert guest.ask("POST", "/api/v1/rooms", raw=b"{}", headers=elsewhere).status == 403
    here = {"Origin": guest.origin}
    assert guest.ask("POST", "/api/v1/rooms", raw=b"{}", headers=here).status == 400
    assert guest.ask("GET", "/api/v1/nothing").status == 404
    assert guest.ask("PUT", "/api/v1/nothing").status == 404
    assert json.loads(guest.ask("GET", "/api/v1/nothing").body)["error"]


def test_too_many_new_games(served: Running) -> None:
    guest = served.guest()
    form = {"game": "oware", "seats": [{"kind": "human"}, {"kind": "human"}]}
    answers = [guest.post("/api/v1/rooms", form) for _number in range(40)]
    assert answers[0].status == 201
    assert answers[-1].status == 429
    assert answers[-1].headers["retry-after"]
    assert served.guest().post("/api/v1/rooms", form).status == 201


def test_the_language_of_an_answer(guest: Guest) -> None:
    def asked(path: str = "/api/v1/view?game=oware", **headers: str) -> str:
        return str(guest.get(path, headers=headers)["sides"][0])

    french = {"Accept-Language": "de, fr-BI;q=0.8, en;q=0.5"}
    assert asked() == "South"
    assert asked(**french) == "Sud"
    assert asked("/api/v1/view?game=oware&lang=en", **french) == "South"
    assert asked(**{"Accept-Language": "fr;q=x, ,;;"}) == "South"


# ---- pages


def test_pages(guest: Guest) -> None:
    for path, status in [
        ("/", 200),
        ("/play/oware", 200),
        ("/settings/", 200),
        ("/nowhere", 404),
        ("/play", 404),
        ("/play/a/b", 404),
    ]:
        reply = guest.ask("GET", path)
        assert (path, reply.status) == (path, status)
        assert b"<title>Mbegu" in reply.body
        assert "script-src 'self' 'wasm-unsafe-eval';" in reply.headers["content-security-policy"]
        assert "unsafe-inline" not in reply.headers["content-security-policy"].split("style-src")[0]
    small = guest.ask("GET", "/api/v1/games", headers={"Accept-Encoding": "gzip"})
    assert small.headers["content-encoding"] == "gzip"
    script = guest.ask("GET", "/assets/app-1a2b3c.js")
    assert "immutable" in script.headers["cache-control"]
    assert guest.ask("GET", "/assets/gone-1.js").status == 404
    for path in (
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/assets/../../secret.txt",
        "//etc/passwd",
    ):
        assert b"not for visitors" not in guest.ask("GET", path).body


def test_games_of_somebody_elses_site_cannot_listen(guest: Guest) -> None:
    from websockets.exceptions import InvalidStatus

    room = guest.new_room("oware")
    with pytest.raises(InvalidStatus) as refused:
        guest.socket(f"/ws/rooms/{room}", origin="https://example.org")
    assert refused.value.response.status_code == 403


def test_many_cookies_of_one_address_share_a_limit(served: Running) -> None:
    served.app.state.limits.rooms = VisitorLimit(rate=0, burst=1)
    form = {"game": "oware", "seats": [{"kind": "human"}, {"kind": "human"}]}
    here = {"X-Forwarded-For": "203.0.113.5"}

    def make(headers: dict[str, str]) -> int:
        return served.guest().ask("POST", "/api/v1/rooms", form, headers=headers).status

    try:
        assert [make(here) for _guest in range(CROWD + 2)] == [201] * CROWD + [429] * 2
        assert make({"X-Forwarded-For": "203.0.113.6"}) == 201
        assert make({}) == 201, "this computer has no such limit"
    finally:
        served.app.state.limits = RateLimits()


def test_many_sockets_of_one_address(served: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mbegu.server.api.sockets.MOST_SOCKETS", 1)
    monkeypatch.setattr("mbegu.server.api.sockets.CROWD", 2)
    with ExitStack() as stack:

        def enter(address: str) -> int | None:
            """Whoever is let in stays; otherwise the code with which the line is closed."""
            guest = served.guest()
            headers = {"Cookie": guest.cookie, "X-Forwarded-For": address}
            line = guest.socket("/ws/lobby", additional_headers=headers)
            stack.callback(line.close)
            try:
                line.send('{"t": "hello", "v": 1}')
                line.recv(5)
            except ConnectionClosed as closed:
                return closed.rcvd.code if closed.rcvd else None
            return None

        assert [enter("203.0.113.7") for _guest in range(3)] == [None, None, 4008]
        assert enter("203.0.113.8") is None


def test_the_page_of_a_game_is_harmless_html(guest: Guest) -> None:
    reply = guest.ask("GET", "/api/v1/games/kalah/page")
    told = reply.body.decode()
    assert reply.headers["content-type"].startswith("text/html")
    assert "<h2>Whose game it is</h2>" in told
    assert "<td><code>empty_capture</code></td>" in told
    assert "docs/pictures" not in told, "a picture that lies beside the page on the disk only"
    assert '<img src="/api/v1/picture.svg?game=kalah"' in told
    assert '<td class="right">563,055</td>' in told
    assert " style=" not in told, "the policy forbids it"
    assert guest.ask("GET", "/api/v1/games/chess/page").status == 400

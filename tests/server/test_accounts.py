"""Accounts: names, passwords, coming and going, and what is kept and forgotten."""

import re
import sqlite3
from pathlib import Path

import pytest
from guest import Guest
from members import PASSWORD, new_name
from serving import Running, plain_settings, running
from websockets.exceptions import ConnectionClosed

from mbegu.server.net.rate_limits import RateLimits
from mbegu.server.people import accounts
from mbegu.server.play.names import clean_name, folded


@pytest.fixture(autouse=True)
def fresh_limits(served: Running) -> None:
    """Tests of limits must not slow the other tests down."""
    served.app.state.limits = RateLimits()


def sign_up(guest: Guest, name: str | None = None, **more: object) -> dict[str, object]:
    body = {"name": name or new_name(), "password": PASSWORD, **more}
    reply = guest.post("/api/v1/account", body)
    assert reply.status == 201, reply.body
    found: dict[str, object] = reply.json()
    return found


def sign_in(guest: Guest, name: object, password: str = PASSWORD) -> int:
    return guest.post("/api/v1/account/sign-in", {"name": name, "password": password}).status


def whoami(guest: Guest) -> str | None:
    account = guest.get("/api/v1/account")["account"]
    return None if account is None else str(account["name"])


# ---- names


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Juma", "Juma"),
        ("  Éric ", "Éric"),
        ("Ｎｙｅｒｅｒｅ", "Nyerere"),
        ("አበበ", "አበበ"),
        ("a-b.c_9", "a-b.c_9"),
    ],
)
def test_names_that_can_be(text: str, name: str) -> None:
    assert clean_name(text) == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "x" * 25,
        "two words",
        "<b>bold</b>",
        "tab\tbed",
        "-dash",
        "nul\0l",
        "аmina",
        "e\u202egg",
        *("Admin", "mbegu", "🙂🙂🙂", "zero\u200bwidth", "a/b", 'quo"te', "per%cent"),
    ],
)
def test_names_that_cannot_be(guest: Guest, text: str) -> None:
    reply = guest.post("/api/v1/account", {"name": text, "password": PASSWORD})
    assert reply.status in (400, 409)
    assert whoami(guest) is None


def test_names_that_look_alike_clash(served: Running, guest: Guest) -> None:
    name = new_name()
    sign_up(guest, name)
    for other in (name.upper(), f"{name[:2]}_{name[2:]}", f" {name}", name.replace("A", "Ａ")):
        reply = served.guest().post("/api/v1/account", {"name": other, "password": PASSWORD})
        assert (reply.status, "taken" in reply.json()["error"]) == (409, True), other
    assert folded("STRASSE") == folded("Straße")


@pytest.mark.parametrize("password", ["short", "password", "aaaaaaaaaa", "x" * 300, "12345678"])
def test_passwords_that_are_guessed_at_once(guest: Guest, password: str) -> None:
    reply = guest.post("/api/v1/account", {"name": new_name(), "password": password})
    assert reply.status == 400


# ---- coming and going


def test_in_and_out(served: Running, guest: Guest) -> None:
    made = sign_up(guest)
    name = made["account"]["name"]  # type: ignore[index]
    assert whoami(guest) == name
    before = guest.cookies["mbegu"]
    assert guest.post("/api/v1/account/sign-out", {}).status == 204
    assert whoami(guest) is None
    stolen = Guest(guest.port, {"mbegu": before})
    assert whoami(stolen) is None, "a cookie is worth nothing after signing out"
    other = served.guest()
    anonymous = other.cookies["mbegu"]
    assert sign_in(other, str(name).upper()) == 200
    assert other.cookies["mbegu"] != anonymous, "the session is renewed"
    assert whoami(other) == name


def test_cookies_are_not_for_scripts_and_secure_with_tls(served: Running, guest: Guest) -> None:
    body = {"name": new_name(), "password": PASSWORD}
    plain = guest.post("/api/v1/account", body).headers["set-cookie"]
    assert "HttpOnly; SameSite=Lax" in plain
    assert "Secure" not in plain
    bits = plain.split("=")[1].split(".")[0]
    assert len(bits) * 6 >= 128
    other = served.guest()
    tls = other.ask("POST", "/api/v1/account/sign-in", body, headers={"X-Forwarded-Proto": "https"})
    assert tls.status == 200
    assert "; Secure" in tls.headers["set-cookie"]


def test_out_everywhere_and_another_password(served: Running, guest: Guest) -> None:
    name = sign_up(guest)["account"]["name"]  # type: ignore[index]
    phone = served.guest()
    assert sign_in(phone, name) == 200
    body = {"password": PASSWORD, "new": "another-one-7"}
    assert guest.post("/api/v1/account/password", {**body, "password": "wrong"}).status == 401
    assert guest.post("/api/v1/account/password", body).status == 200
    assert (whoami(guest), whoami(phone)) == (name, None)
    assert sign_in(phone, name) == 401
    assert sign_in(phone, name, "another-one-7") == 200
    assert phone.post("/api/v1/account/sign-out", {"everywhere": True}).status == 204
    assert (whoami(guest), whoami(phone)) == (None, None)


def test_a_recovery_code_works_once(served: Running, guest: Guest) -> None:
    made = sign_up(guest)
    name, code = made["account"]["name"], str(made["recovery"])  # type: ignore[index]
    assert re.fullmatch(r"(?:[A-Z0-9]{4}-){6}[A-Z0-9]{4}", code)
    other = served.guest()
    body = {"name": name, "code": code.lower().replace("-", " "), "password": "brand-new-8"}
    assert other.post("/api/v1/account/recover", {**body, "code": code[:-1]}).status == 401
    reply = other.post("/api/v1/account/recover", body)
    assert reply.status == 200
    assert reply.json()["recovery"] != code
    assert (whoami(other), whoami(guest)) == (name, None)
    assert served.guest().post("/api/v1/account/recover", body).status == 401
    assert sign_in(served.guest(), name, "brand-new-8") == 200


def test_nothing_tells_whether_a_name_exists(served: Running, guest: Guest) -> None:
    name = sign_up(guest)["account"]["name"]  # type: ignore[index]
    replies = [
        served.guest().post("/api/v1/account/sign-in", {"name": one, "password": "wrong"})
        for one in (name, "nobody-at-all")
    ]
    assert [reply.status for reply in replies] == [401, 401]
    assert replies[0].body == replies[1].body


def test_guessing_becomes_slower_and_slower(served: Running, guest: Guest) -> None:
    name = sign_up(guest)["account"]["name"]  # type: ignore[index]
    answers = [sign_in(served.guest(), name, f"wrong {k}") for k in range(7)]
    assert answers == [401] * 6 + [429]
    reply = served.guest().post("/api/v1/account/sign-in", {"name": name, "password": PASSWORD})
    assert reply.status == 429, "the right password has to wait too"
    assert int(reply.headers["retry-after"]) >= 1
    assert sign_in(served.guest(), "somebody-else", "wrong") == 401


def test_a_secret_is_never_kept(served: Running, guest: Guest) -> None:
    made = sign_up(guest)
    file = Path(served.app.state.settings.database)
    kept = b"".join(path.read_bytes() for path in file.parent.glob(file.name + "*"))
    for secret in (PASSWORD, str(made["recovery"]), guest.cookies["mbegu"].partition(".")[0]):
        assert secret.encode() not in kept
    assert b"$argon2id$" in kept


def test_a_missing_or_foreign_origin(guest: Guest) -> None:
    body = {"name": new_name(), "password": PASSWORD}
    for headers in (
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
    ):
        assert guest.ask("POST", "/api/v1/account", body, headers=headers).status == 403
    assert (
        guest.ask("POST", "/api/v1/account", body, headers={"Origin": guest.origin}).status == 201
    )
    form = guest.ask(
        "POST",
        "/api/v1/account/sign-out",
        raw=b"everywhere=true",
        headers={"Content-Type": "application/x-www-form-urlencoded"},
    )
    assert form.status == 400, "a form of another site cannot sign anybody out"


def test_bodies_that_are_too_large(guest: Guest) -> None:
    reply = guest.post("/api/v1/account", {"name": "x" * 9000, "password": PASSWORD})
    assert reply.status == 413


# ---- games


def test_a_guests_games_come_along(served: Running, guest: Guest) -> None:
    room = guest.new_room("oware", "human", "human")
    with guest.enter(room) as visit:
        assert visit.move(2)["t"] == "ack"
    name = sign_up(guest)["account"]["name"]  # type: ignore[index]
    phone = served.guest()
    assert sign_in(phone, name) == 200
    for device in (guest, phone):
        assert [found["id"] for found in device.get("/api/v1/rooms")["rooms"]] == [room]
        assert device.get(f"/api/v1/rooms/{room}")["room"]["seats"][0]["yours"]
    with phone.enter(room) as visit:
        assert visit.move(9)["t"] == "ack"
    assert phone.get(f"/api/v1/rooms/{room}")["room"]["seats"][0]["name"] == name


def test_on_a_shared_computer_a_guests_games_stay_his(served: Running, guest: Guest) -> None:
    """Whoever signs in takes nothing over that he does not ask for; the guest is back after him."""
    name = sign_up(served.guest())["account"]["name"]  # type: ignore[index]
    room = guest.new_room("oware", "human", "human")
    assert sign_in(guest, name) == 200
    assert guest.get("/api/v1/rooms")["rooms"] == []
    assert guest.post("/api/v1/account/sign-out", {}).status == 204
    assert whoami(guest) is None
    assert [found["id"] for found in guest.get("/api/v1/rooms")["rooms"]] == [room]
    asked = {"name": name, "password": PASSWORD, "bring": True}
    assert guest.post("/api/v1/account/sign-in", {**asked, "bring": "yes"}).status == 400
    assert guest.post("/api/v1/account/sign-in", asked).status == 200
    assert [found["id"] for found in guest.get("/api/v1/rooms")["rooms"]] == [room]
    guest.post("/api/v1/account/sign-out", {})
    assert guest.get("/api/v1/rooms")["rooms"] == [], "they are the member's now"


def test_a_new_member_may_leave_the_guests_games(served: Running, guest: Guest) -> None:
    room = guest.new_room("oware", "human", "human")
    sign_up(guest, bring=False)
    assert guest.get("/api/v1/rooms")["rooms"] == []
    guest.post("/api/v1/account/sign-out", {})
    assert [found["id"] for found in guest.get("/api/v1/rooms")["rooms"]] == [room]


def test_a_game_that_is_open_goes_on(guest: Guest) -> None:
    """The socket of the guest is cut, and the member comes back to the same game."""
    room = guest.new_room("kalah", "human", "human")
    with guest.enter(room) as visit:
        assert visit.move(0)["t"] == "ack"
        sign_up(guest)
        with pytest.raises(ConnectionClosed, match=r"4001|1012"):
            visit.until(lambda _message: False)
    with guest.enter(room) as visit:
        assert visit.ply == 1
        assert visit.move(visit.view["legal"][0]["move"])["t"] == "ack"  # type: ignore[index]


def test_everything_of_mine(guest: Guest) -> None:
    made = sign_up(guest)
    room = guest.new_room("oware", "human", 3)
    with guest.enter(room) as visit:
        visit.move(2)
    reply = guest.ask("GET", "/api/v1/account/export")
    assert "attachment" in reply.headers["content-disposition"]
    told = reply.json()
    assert told["account"] == made["account"]
    assert told["games"][0]["id"] == room
    assert told["games"][0]["record"]["steps"]
    assert "argon2" not in reply.body.decode()


def test_nothing_of_mine(served: Running, guest: Guest) -> None:
    name = sign_up(guest)["account"]["name"]  # type: ignore[index]
    room = guest.new_room("oware", "human", 3)
    assert guest.post("/api/v1/account/delete", {"password": "wrong"}).status == 401
    assert guest.post("/api/v1/account/delete", {"password": PASSWORD}).status == 204
    assert whoami(guest) is None
    assert sign_in(served.guest(), name) == 401
    assert served.guest().ask("GET", f"/api/v1/people/{name}").status == 404
    assert served.guest().ask("GET", f"/api/v1/rooms/{room}").status == 404
    with sqlite3.connect(served.app.state.settings.database) as database:
        for (table,) in database.execute("select name from sqlite_master where type = 'table'"):
            for row in database.execute(f"select * from {table}"):
                assert name not in row, table


def test_sign_ins_outlive_a_restart(tmp_path: Path) -> None:
    with running(plain_settings(tmp_path)) as server:
        guest = server.guest()
        name = sign_up(guest)["account"]["name"]  # type: ignore[index]
    with running(plain_settings(tmp_path)) as server:
        assert whoami(Guest(server.port, guest.cookies)) == name


def test_very_many_games_come_along_some_at_a_time(
    served: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    most, together = 3, list[int]()
    monkeypatch.setattr(accounts, "BROUGHT_AT_ONCE", most, raising=False)
    release = accounts.release

    def count(connection: object, changed: list[str]) -> None:
        together.append(len(changed))
        release(connection, changed)  # type: ignore[arg-type]

    monkeypatch.setattr(accounts, "release", count)
    guest = served.guest()
    rooms = {guest.new_room("oware", "human", second) for second in ("human", 1) * 4}
    sign_up(guest)
    found = guest.get("/api/v1/rooms")["rooms"]
    assert {room["id"] for room in found} == rooms
    assert all(
        seat["yours"] or seat["kind"] == "computer" for room in found for seat in room["seats"]
    )
    assert sum(together) == len(rooms)
    assert max(together) == most, "the moves of others come between"

"""Names and texts of strangers come back as text, from every address and in every language."""

import json
import re
from html.parser import HTMLParser
from typing import Any
from urllib.parse import quote

import pytest
from guest import Guest
from hostile_texts import HOSTILE
from members import PASSWORD
from serving import Running

from mbegu.core.i18n import LANGUAGES


class Elements(HTMLParser):
    """The elements of a page, and which of them could run something."""

    def __init__(self) -> None:
        super().__init__()
        self.bad: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        given = dict(attrs)
        if any(name.startswith("on") for name in given):
            self.bad.append(tag)
        ours = str(given.get("src", "")).startswith("/assets/")
        if tag == "script" and given.get("type") != "application/json" and not ours:
            self.bad.append(tag)
        if tag in ("iframe", "base", "svg", "math", "img"):
            self.bad.append(tag)


def is_harmless(reply: Any) -> None:
    """Not a page at all, or one in which nothing of a stranger's runs."""
    kind = reply.headers["content-type"].partition(";")[0]
    assert reply.headers["x-content-type-options"] == "nosniff"
    policy = reply.headers["content-security-policy"]
    assert "script-src 'self' 'wasm-unsafe-eval';" in policy
    assert "unsafe-inline" not in policy.partition("style-src")[0]
    if kind == "text/html":
        page = Elements()
        page.feed(reply.body.decode())
        assert not page.bad
    elif kind == "image/svg+xml":
        assert not re.search(rb"<script|\son\w+=", reply.body)
    else:
        assert kind in ("application/json", "text/plain")


@pytest.mark.parametrize("text", HOSTILE)
def test_names_come_back_as_text(guest: Guest, text: str) -> None:
    seats = [{"kind": "human", "name": text}, {"kind": "human", "name": text[::-1]}]
    made = guest.post("/api/v1/rooms", {"game": "oware", "seats": seats})
    assert made.status == 201, made.body
    room = made.json()["room"]
    told = guest.get(f"/api/v1/rooms/{room}")["room"]["seats"]
    assert [seat["name"] for seat in told] == [" ".join(text.split()), " ".join(text[::-1].split())]
    for path in (f"/play/{room}", f"/api/v1/rooms/{room}", f"/api/v1/rooms/{room}/record"):
        is_harmless(guest.ask("GET", path))
    for language in LANGUAGES:
        is_harmless(guest.ask("GET", f"/api/v1/rooms?lang={language}"))
        is_harmless(guest.ask("GET", f"/games?lang={language}"))


@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_wrong_comes_back_as_text(guest: Guest, text: str) -> None:
    """Errors say what was sent: never as a page."""
    word = quote(text, safe="")
    for language in LANGUAGES:
        for path in (
            f"/api/v1/view?game={word}",
            f"/api/v1/view?game=oware&position={word}",
            f"/api/v1/picture.svg?game=oware&position={word}",
            f"/api/v1/people/{word}",
            f"/api/v1/rooms/{word}",
            f"/api/v1/leaderboards/{word}",
            f"/api/v1/{word}",
            f"/{word}",
            f"/people/{word}",
        ):
            is_harmless(guest.ask("GET", f"{path}{'&' if '?' in path else '?'}lang={language}"))
    form = {"name": text, "password": PASSWORD}
    reply = guest.post("/api/v1/account", form)
    assert reply.status == 400, "such a name is no name"
    is_harmless(reply)
    is_harmless(guest.post("/api/v1/try", {"game": "oware", "move": text}))
    is_harmless(guest.post("/api/v1/records", {"text": text}))


def test_a_record_with_hostile_texts(served: Running) -> None:
    guest = served.guest()
    room = guest.new_room("oware", "human", "human")
    text = guest.ask("GET", f"/api/v1/rooms/{room}/record").body.decode()
    line = next(line for line in text.splitlines() if "?" in line)
    opened = 0
    for hostile in HOSTILE[:6]:
        safe = hostile.replace('"', "'")
        reply = guest.post("/api/v1/records", {"text": text.replace(line, line.replace("?", safe))})
        is_harmless(reply)
        if reply.status == 201:
            for made in reply.json()["rooms"]:
                is_harmless(guest.ask("GET", f"/api/v1/rooms/{made}/record?format=json"))
                is_harmless(guest.ask("GET", f"/record/{made}"))
                opened += 1
    assert opened, "none of these records was taken: nothing was tried"


def test_frames_and_bodies_have_a_size(guest: Guest) -> None:
    room = guest.new_room("oware", "human", "human")
    with guest.enter(room) as visit:
        visit.socket.send(json.dumps({"t": "ping", "id": "x" * 9000}))
        with pytest.raises(Exception, match="1009"):
            visit.until(lambda _message: False)
    reply = guest.ask("POST", "/api/v1/rooms", raw=b'{"game": "' + b"x" * 9000 + b'"}')
    assert reply.status == 413


def test_sockets_of_other_sites(guest: Guest) -> None:
    room = guest.new_room("oware", "human", "human")
    for path in (f"/ws/rooms/{room}", "/ws/lobby", "/ws/analysis"):
        with pytest.raises(Exception, match="403"):
            guest.socket(path, origin="https://evil.example")

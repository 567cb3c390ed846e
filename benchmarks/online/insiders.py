"""Floods by people who have been let in: with rooms of their own, seats, accounts, and long games that they have brought."""

import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from guest import Guest

from benchmarks.online.floods import (
    HELLO,
    Crowd,
    Flood,
    address,
    crowd,
    in_room,
    many,
    opening,
    records,
    request,
    told,
)
from benchmarks.online.lines import GAME, long_game
from mbegu.core.match import Match

PASSWORD = "kibo-na-mawenzi"
LONG = 900  # moves


def stranger(port: int, number: int) -> Guest:
    """Somebody with a cookie, from an address of his own."""
    guest = Guest(port, address=address(number)["X-Forwarded-For"])
    guest.ask("GET", "/api/v1/rooms")
    return guest


def member(port: int, number: int) -> Guest:
    """The same with an account."""
    guest = stranger(port, number)
    guest.post("/api/v1/account", {"name": f"m{secrets.token_hex(6)}", "password": PASSWORD})
    return guest


def by_each(count: int, act: Callable[[Guest], Any], who: Any = stranger) -> Flood:
    """Several people, each of whom does the same again and again."""

    def flood(port: int, _room: str, until: float) -> None:
        def live(number: int) -> None:
            with suppress(OSError, AssertionError, KeyError, ValueError):
                guest = who(port, number)
                for _again in act(guest):
                    if time.time() > until:
                        return

        many(count, live)

    return flood


# ---- in rooms of their own


def in_own_rooms(
    rooms: int, sockets: int, make: Callable[[Guest], str], say: Callable[[int], bytes], pace: float
) -> Flood:
    """Each has a room and some sockets in it, and says as much as he is allowed to."""

    def flood(port: int, _room: str, until: float) -> None:
        def play(number: int) -> None:
            guest = stranger(port, number)
            begin = opening(f"/ws/rooms/{make(guest)}", f"Cookie: {guest.cookie}\r\n")
            lines = Crowd(port, sockets, lambda _n: b"", lambda _n: begin(number))
            for each in range(sockets):
                lines._begin(each)
            time.sleep(0.2)
            greeted, said = set[int](), 0
            while time.time() < until:
                for each, line in enumerate(lines.lines):
                    if line is None:
                        lines._begin(each)
                        greeted.discard(each)
                        continue
                    lines.left[each] = lines.left[each] or (
                        HELLO if each not in greeted else say(said)
                    )
                    greeted.add(each)
                    said += 1
                    lines._go_on(each, line, 65_536)
                time.sleep(pace)

        many(rooms, play)

    return flood


def new_id() -> str:
    """Of a command."""
    return secrets.token_hex(8)


def own_room(guest: Guest, game: str = "oware", **more: Any) -> str:
    """A room in which one sits on both sides."""
    return guest.new_room(game, "human", "human", **more)


def offers(number: int) -> bytes:
    """Draws, moves taken back, new games: offered and declined."""
    kinds = (
        "offer_draw",
        "decline_draw",
        "undo",
        "decline_undo",
        "offer_rematch",
        "decline_rematch",
    )
    return told(t=kinds[number % len(kinds)], id=new_id())


def phrases(_number: int) -> bytes:
    """Talk."""
    return told(t="say", id=new_id(), phrase="well_played")


def set_ups(_number: int) -> bytes:
    """Beads, laid again and again."""
    return told(t="setup", id=new_id(), beads=[2] * 16)


def back_and_forth(number: int) -> bytes:
    """A move, and it is taken back: each is kept for ever."""
    if number % 2:
        return told(t="undo", id=new_id())
    return told(t="move", id=new_id(), ply=1, move=0)


# ---- with heavy questions


def long_record() -> str:
    """A game of very many moves."""
    match = Match(GAME)
    for move in long_game(1, LONG):
        match.play(move)
    return str(match.record())


def opening_long_games(guest: Guest) -> Iterator[None]:
    """Long games are brought, looked at and fetched."""
    text = "\n\n".join([long_record()] * 5)
    rooms = guest.post("/api/v1/records", {"text": text}).json()["rooms"]
    while True:
        for room in rooms:
            guest.ask("GET", f"/api/v1/rooms/{room}")
            guest.ask("GET", f"/api/v1/rooms/{room}/record?format=json")
            yield


def exporting(guest: Guest) -> Iterator[None]:
    """All that is kept of somebody with long games, as often as it is given."""
    guest.post("/api/v1/records", {"text": "\n\n".join([long_record()] * 5)})
    while True:
        guest.ask("GET", "/api/v1/account/export")
        yield


def coming_to_go(guest: Guest) -> Iterator[None]:
    """An account with many games, which goes with all of them."""
    while True:
        guest.post("/api/v1/records", {"text": records(30, 150)})
        yield
        guest.post("/api/v1/account/delete", {"password": PASSWORD})
        body = {"name": f"m{secrets.token_hex(6)}", "password": PASSWORD}
        guest.post("/api/v1/account", body)
        yield


def asking_for(method: str, path: str, body: object = None) -> Callable[[Guest], Iterator[None]]:
    """The same question again and again."""

    def act(guest: Guest) -> Iterator[None]:
        while True:
            guest.ask(method, path, body)
            yield

    return act


def showing_invitations(guest: Guest) -> Iterator[None]:
    """The picture of a link."""
    seats = [{"kind": "human"}, {"kind": "open"}]
    room = guest.post("/api/v1/rooms", {"game": "oware", "seats": seats}).json()["room"]
    token = next(filter(None, guest.get(f"/api/v1/rooms/{room}")["room"]["invites"]))
    while True:
        guest.ask("GET", f"/api/v1/invites/{token}/qr.svg")
        yield


def large_bodies(guest: Guest) -> Iterator[None]:
    """JSON that takes long to read, and holds nothing."""
    heap = json.dumps({"text": "", "heap": [{}] * 1_000_000}).encode()
    small = json.dumps({"game": "oware", "moves": [9], "heap": [{}] * 60_000}).encode()
    while True:
        guest.ask("POST", "/api/v1/records", raw=heap)
        guest.ask("POST", "/api/v1/try", raw=small)
        yield


def analysis(_number: int = 0) -> bytes:
    """A question with as much of a game as a message holds."""
    match = Match(GAME)
    for move in long_game(1, 180):
        match.play(move)
    past = [str(position) for position in match.positions]
    return told(
        t="analyse", id=new_id(), game="oware", position=past[-1], history=past[:-1], seconds=0.1
    )


def lobby(*messages: dict[str, Any]) -> bytes:
    """What is said in the lobby, after hello."""
    return HELLO + b"".join(told(id=new_id(), **message) for message in messages)


def analysing(port: int, room: str, until: float) -> None:
    """Sockets that ask, and ask again."""
    in_room(60, analysis(), 0.1, "/ws/analysis")(port, room, until)


def half_open(port: int, _room: str, until: float) -> None:
    """Sockets that are opened and say nothing, not even hello."""
    with suppress(OSError):
        Crowd(port, 400, lambda _n: b"", opening("/ws/lobby")).run(until)


def numbers(port: int, room: str, until: float) -> None:
    """Numbers of thousands of digits, and deep lists, wherever a number is read."""
    digits, deep = "9" * 4000, "[" * 3000 + "]" * 3000
    frames = b"".join(
        told_text(f'{{"t":"move","id":"{new_id()}","ply":{value},"move":{value}}}')
        for value in (digits, deep, f"1e{digits[:300]}")
    )
    in_room(60, HELLO + frames, 0.3)(port, room, until)


def told_text(text: str) -> bytes:
    """A text as a frame."""
    data = text.encode()
    return bytes([0x81, 0xFE]) + len(data).to_bytes(2) + b"\0\0\0\0" + data


def both(*floods: Flood) -> Flood:
    """Several at once."""

    def flood(port: int, room: str, until: float) -> None:
        threads = [threading.Thread(target=one, args=(port, room, until)) for one in floods]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    return flood


LONG_TRY = {"game": "oware", "moves": long_game(1, 300)}
INSIDERS: dict[str, Flood] = {
    "phrases": in_own_rooms(10, 4, own_room, phrases, 0.05),
    "offers": in_own_rooms(10, 4, own_room, offers, 0.05),
    "set-ups": in_own_rooms(10, 4, partial(own_room, game="urubugu", setups="ask"), set_ups, 0.05),
    "moves taken back": in_own_rooms(20, 2, own_room, back_and_forth, 0.1),
    "challenges": in_room(
        60,
        lobby(
            {"t": "seek", "to": "Amina", "game": "oware", "clock": "300+5", "name": "x"},
            {"t": "find", "name": "Amina"},
            {"t": "take", "seek": "x" * 20},
        ),
        0.15,
        "/ws/lobby",
    ),
    "analysis lines": analysing,
    "long games opened": by_each(8, opening_long_games),
    "exports": by_each(6, exporting, member),
    "accounts deleted": by_each(4, coming_to_go, member),
    "imports of members": by_each(
        6, asking_for("POST", "/api/v1/records", {"text": records(60, 150)}), member
    ),
    "tries of members": by_each(6, asking_for("POST", "/api/v1/try", LONG_TRY), member),
    "large bodies": by_each(6, large_bodies),
    "invitations": by_each(8, showing_invitations),
    "metrics": crowd(30, request("GET", "/metrics")),
    "health": both(crowd(20, request("GET", "/ready")), crowd(20, request("GET", "/health"))),
    "the page about the API": crowd(50, request("GET", "/api/v1/docs")),
    "pages of games": crowd(50, request("GET", "/api/v1/games/morabaraba/page")),
    "people": crowd(50, request("GET", "/api/v1/people/Amina")),
    "ladders": crowd(30, request("GET", "/api/v1/ladder/oware")),
    "recovery": crowd(
        30,
        request(
            "POST",
            "/api/v1/account/recover",
            {"name": "Amina", "recovery": "AAAA-BBBB-CCCC-DDDD", "password": "guess-12-guess"},
        ),
    ),
    "half-open sockets": half_open,
    "long numbers": numbers,
}

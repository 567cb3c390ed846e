"""People with accounts for the tests, and rated games between them."""

from itertools import count

from guest import Guest, Visit
from serving import Running

PASSWORD = "kibo-na-mawenzi"
_NUMBERS = count(1)


def new_name(start: str = "Amina") -> str:
    """A name that nobody has yet."""
    return f"{start}{next(_NUMBERS)}"


def member(served: Running, name: str | None = None, **more: object) -> tuple[Guest, str]:
    """Somebody with an account, signed in."""
    guest, name = served.guest(), name or new_name()
    body = {"name": name, "password": PASSWORD, **more}
    reply = guest.post("/api/v1/account", body)
    assert reply.status == 201, reply.body
    return guest, name


def token_of(guest: Guest, *scopes: str) -> str:
    """A new token."""
    body = {"name": "a program", "scopes": list(scopes)}
    reply = guest.post("/api/v1/account/tokens", body)
    assert reply.status == 201, reply.body
    return str(reply.json()["token"])


def rated_room(host: Guest, friend: Guest, game: str = "oware", **more: object) -> str:
    """A rated game with both at the table."""
    seats = [{"kind": "human"}, {"kind": "open"}]
    reply = host.post("/api/v1/rooms", {"game": game, "seats": seats, "rated": True, **more})
    assert reply.status == 201, reply.body
    room = str(reply.json()["room"])
    invites = host.get(f"/api/v1/rooms/{room}")["room"]["invites"]
    with friend.enter(room) as visit:
        answer = visit.command("sit", token=next(filter(None, invites)))
        assert answer["t"] == "ack", answer
    return room


def play(room: str, players: list[Guest], plies: int, loser: int | None = None) -> None:
    """Some moves by turns; then the loser resigns."""
    visits: list[Visit] = [player.enter(room) for player in players]
    try:
        for _ply in range(plies):
            view = visits[0].view
            assert view is not None
            mover, move = visits[view["turn"]], view["legal"][0]["move"]
            assert mover.move(move)["t"] == "ack"
            for visit in visits:
                while visit.version < mover.version:
                    visit.hear()
        if loser is not None:
            assert visits[loser].command("resign")["t"] == "ack"
    finally:
        for visit in visits:
            visit.socket.close()

"""A table for two, and one who watches."""

from typing import Any

from guest import Guest, Visit
from serving import Running

OPEN = [{"kind": "human", "name": "Amina"}, {"kind": "open"}]


class Table:
    """A game between two people."""

    def __init__(self, served: Running, game: str, **more: Any) -> None:
        self.host, self.friend = served.guest(), served.guest()
        self.room, self.token = invite(self.host, game, **more)
        self.south = self.host.enter(self.room)
        self.north = self.friend.enter(self.room)
        answer = self.north.command("sit", token=self.token, name="Juma")
        assert answer["t"] == "ack", answer
        self.south.event("joined")
        self.watcher = served.guest().enter(self.room)
        self.all = [self.south, self.north, self.watcher]

    def leave(self) -> None:
        """Everybody goes."""
        for visit in self.all:
            visit.socket.close()

    def play(self, *moves: Any) -> None:
        """Moves by turns, from the one who is to move."""
        for move in moves:
            view: Any = self.south.view
            mover = (self.south, self.north)[view["turn"]]
            assert mover.move(move)["t"] == "ack"
            for visit in self.all:
                catch_up(visit, mover.version)


def catch_up(visit: Visit, version: int) -> None:
    """Hears everything up to a version."""
    while visit.version < version:
        visit.hear()


def event_of(visit: Visit, kind: str) -> Any:
    """The data of an event that has come, perhaps before the answer to a command, or comes now."""
    for message in visit.heard:
        if message.get("kind") == kind:
            return message["data"]
    return visit.event(kind)


def invite(host: Guest, game: str, seats: Any = OPEN, **more: Any) -> tuple[str, str]:
    """A room with an open seat: its id, and the token of the seat."""
    reply = host.post("/api/v1/rooms", {"game": game, "seats": seats, **more})
    assert reply.status == 201, reply.body
    room = str(reply.json()["room"])
    facts = host.get(f"/api/v1/rooms/{room}")["room"]
    assert facts["status"] == "open"
    return room, next(token for token in facts["invites"] if token)


def error(answer: Any) -> str:
    """Why something was refused."""
    assert answer["t"] == "refused", answer
    return str(answer["error"])

"""Nonsense between two people changes nothing that it may not."""

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import pytest

from mbegu.server.keep.store import Store
from mbegu.server.play.forms import new_room
from mbegu.server.play.hall import Hall
from mbegu.server.think.engines import EnginePool

KINDS = [
    *(
        "move",
        "undo",
        "accept_undo",
        "decline_undo",
        "resign",
        "offer_draw",
        "decline_draw",
        "claim",
        "abort",
    ),
    *("offer_rematch", "decline_rematch", "say", "sit", "hint", "setup", "ping", "dance", None, 7),
]
JUNK = [None, True, -1, 0, 1, 2.5, 10**30, "win", "draw", "hello", "", "\u202e", [], {}, [[]] * 9]


class Ear:
    """Somebody who listens and keeps the last thing said."""

    lean, name, rtt, credential = False, "", 0.0, None

    def __init__(self, session: str, language: str) -> None:
        self.session, self.language = session, language
        self.last: dict[str, Any] = {}

    def send(self, text: str) -> None:
        """Hears."""
        self.last = json.loads(text)

    def close(self, _code: int) -> None:
        """Is not needed here."""


@pytest.mark.parametrize("seed", range(6))
def test_nonsense_between_people_changes_nothing_that_it_may_not(seed: int, tmp_path: Path) -> None:
    lot = random.Random(seed)

    async def main() -> None:
        store = Store(str(tmp_path / "games.sqlite3"))
        hall = Hall(store, EnginePool(1, engine=False))
        seats = [{"kind": "human"}, {"kind": "open"}]
        row = new_room({"game": "oware", "seats": seats, "clock": lot.choice(["-", "600+0"])}, "me")
        await hall.add([row])
        room = await hall.room(row.id)
        assert room is not None
        me, you, nobody = ears = [Ear("me", "en"), Ear("you", "sw"), Ear("nobody", "rn")]
        for ear in ears:
            await room.join(ear, None)
        invite = row.seats[1].invite
        for number in range(150):
            ear = lot.choice(ears)
            message = {"t": lot.choice(KINDS), "id": f"nonsense-{lot.randrange(200)}"}
            for key in ("ply", "move", "seat", "result", "phrase", "token", "name", "beads"):
                if lot.random() < 0.3:
                    message[key] = lot.choice(JUNK)
            if number == 20:
                ear, message = you, {"t": "sit", "id": "take-a-seat", "token": invite}
            elif room.match is not None and room.turn is not None and lot.random() < 0.4:
                ear = lot.choice([me, you])
                move = lot.choice(room.match.position.legal_moves())
                message = {"t": "move", "id": f"move-{number:05}", "ply": len(room.match.moves) + 1}
                message["move"] = move
            before = room.version
            await room.obey(ear, message)
            assert ear.last["t"] in ("ack", "refused", "event")
            if ear is nobody or (number < 20 and ear is you):
                assert room.version == before
        told, record = room.version, str(room.record())
        hall.close()  # forgets the room, not its log
        again = await hall.room(row.id)
        assert again is not None
        assert (again.version, str(again.record())) == (told, record)
        assert again.seats == room.seats
        hall.close()
        store.close()

    asyncio.run(main())

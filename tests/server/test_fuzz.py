"""A room hears thousands of senseless commands and stays what its log says it is."""

import asyncio
import json
import logging
import random
from pathlib import Path
from typing import Any

import pytest
from fuzzing import GAMES, fuzz

from mbegu.core.reader import parse_record
from mbegu.server.keep.store import Store
from mbegu.server.play.forms import new_room
from mbegu.server.play.hall import Hall
from mbegu.server.think.engines import EnginePool

KINDS = ["move", "undo", "resign", "offer_draw", "decline_draw", "setup", "ping", "x", None, 7, []]
JUNK: list[Any] = [
    None, True, False, 0, 1, 2, -1, 11, 10**30, 1.5, float("inf"), "", "C", "a1", "ADD a1", "x" * 900,
    "\ud800", "<script>", [], [[]], [2] * 16, [32] + [0] * 15, {}, {"move": 1},
]  # fmt: skip


class Ear:
    """Somebody who listens and keeps the last thing said."""

    lean, name, rtt, credential = False, "", 0.0, None

    def __init__(self, session: str, language: str) -> None:
        self.session, self.language = session, language
        self.last: dict[str, Any] = {}
        self.said = 0

    def send(self, text: str) -> None:
        """Hears."""
        self.last, self.said = json.loads(text), self.said + 1


@pytest.mark.parametrize("game", ["oware", "kalah", "awale2", "urubugu", "morabaraba"])
def test_senseless_commands(game: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    lot = random.Random(game)
    caplog.set_level(logging.WARNING)

    async def main() -> None:
        store = Store(str(tmp_path / "games.sqlite3"))
        hall = Hall(store, EnginePool(1, engine=False))
        seats = [{"kind": "human"}, {"kind": "human"}]
        more = {"setups": "ask"} if game == "urubugu" else {}
        row = new_room({"game": game, "seats": seats, "clock": "600+0", **more}, "me")
        await hall.add([row])
        room = await hall.room(row.id)
        assert room is not None
        ears = [Ear("me", "en"), Ear("somebody else", "fr"), Ear("me", "rn")]
        for ear in ears:
            await room.join(ear, None)
        ids = [f"command-{number}" for number in range(60)]
        for _number in range(250):
            ear = lot.choice(ears)
            message: dict[str, Any] = {
                "t": lot.choice(KINDS),
                "id": lot.choice([*ids, lot.choice(JUNK)]),
            }
            for key in ("ply", "move", "word", "seat", "beads"):
                if lot.random() < 0.5:
                    message[key] = lot.choice(JUNK)
            if room.match is not None and lot.random() < 0.5:
                legal = room.match.position.legal_moves()
                message |= {
                    "t": "move",
                    "ply": len(room.match.moves) + 1,
                    "id": f"m{lot.random():.17f}".replace(".", "-"),
                }
                message["move"] = lot.choice(legal) if legal else 0
            before, said = room.version, ear.said
            await room.obey(ear, message)
            assert ear.said > said
            assert ear.last["t"] in ("ack", "refused")
            if ear.session != "me":
                assert room.version == before
            if room.status == "over":
                await room.obey(
                    ears[0], {"t": "undo", "id": f"u{lot.random():.17f}".replace(".", "-")}
                )
        snapshot = await room.snapshot("me")
        text = str(room.record()) if room.match is not None else ""
        hall.close()  # forgets the room, not its log
        again = await hall.room(row.id)
        assert again is not None
        loaded = await again.snapshot("me")
        for key in ("version", "view", "moves", "draw_offered_by"):
            assert loaded[key] == snapshot[key]
        if text:
            assert str(again.record()) == text
            parse_record(text)
        hall.close()
        store.close()

    asyncio.run(main())
    assert not caplog.records


@pytest.mark.parametrize("game", GAMES)
def test_nonsense_changes_nothing(game: str) -> None:
    fuzz(game, 1000)

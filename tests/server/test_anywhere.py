"""A room plays anywhere: without a server, a database or a compiler, in a browser too."""

import subprocess
import sys

PROGRAM = """
import asyncio, importlib, json, pkgutil, sys

BARRED = {
    "alembic", "argon2", "click", "matplotlib", "msgspec", "numba", "numpy", "openskill", "prometheus_client",
    "psycopg", "pyarrow", "scipy", "segno", "sqlalchemy", "starlette", "uvicorn", "websockets",
}

class Wall:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in BARRED:
            raise ImportError(f"{name} is not here")

sys.meta_path.insert(0, Wall())
import mbegu.server.play as play
for module in pkgutil.iter_modules(play.__path__):
    importlib.import_module(f"mbegu.server.play.{module.name}")

from mbegu.server.play.catalogue import told_cards, told_lesson
from mbegu.server.play.forms import new_room
from mbegu.server.play.hall import Hall
from mbegu.server.play.trials import tried

class Shelf:
    def __init__(self):
        self.fences, self.displaced, self.rows, self.logs = {}, print, {}, {}
    async def add_rooms(self, rows):
        for row in rows:
            self.rows[row.id] = row
    async def append(self, room, happenings, summary, credential=None):
        self.logs.setdefault(room, []).extend(happenings)
    async def claim(self, room):
        pass
    async def load(self, room):
        return self.rows.get(room)

class Idle:
    async def warm(self, *arguments):
        pass
    async def get_ready(self, *arguments):
        pass
    def waiting_of(self, owner):
        return 0

class Ear:
    session, name, address, language, lean, credential, rtt = "me", "", "", "en", False, None, 0.0
    def __init__(self):
        self.heard = []
    def send(self, text):
        self.heard.append(json.loads(text))
    def close(self, code):
        pass

async def main():
    hall, ear = Hall(Shelf(), Idle()), Ear()
    row = new_room({"game": "oware", "seats": [{"kind": "human"}, {"kind": "human"}]}, "me")
    await hall.add([row])
    room = await hall.room(row.id)
    await room.join(ear, None)
    await room.obey(ear, {"t": "move", "id": "move-0001", "ply": 1, "move": 0})
    await room.obey(ear, {"t": "move", "id": "move-0002", "ply": 1, "move": 0})
    print(json.dumps([[told["t"], told.get("kind")] for told in ear.heard]))
    assert "oware" in told_cards("en", False) and "steps" in told_lesson("oware", "en")
    assert "view" in tried({"game": "oware", "move": 0})
    hall.close()

asyncio.run(main())
"""


def test_a_room_plays_without_a_server() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == (
        '[["snapshot", null], ["event", "moved"], ["ack", null], ["refused", null]]'
    )

"""Runs a real server in a thread, on a port of its own."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from guest import Guest

from mbegu.server.app import Settings, make_app
from mbegu.server.people.passwords import Hasher
from mbegu.server.run import Server, listen


@dataclass
class Running:
    """A server that runs."""

    port: int
    app: Any
    server: Server

    def guest(self) -> Guest:
        """Somebody new, who has his cookie already."""
        guest = Guest(self.port)
        guest.get("/api/v1/rooms")
        assert "mbegu" in guest.cookies
        return guest


@contextmanager
def running(settings: Settings) -> Iterator[Running]:
    """Runs a server until the block ends."""
    listening = listen("127.0.0.1", 0)
    app = make_app(settings)
    server = Server(app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    until = time.monotonic() + 20
    while not server.started and time.monotonic() < until:
        time.sleep(0.01)
    try:
        yield Running(listening.getsockname()[1], app, server)
    finally:
        server.should_exit = True
        thread.join(10)
        assert not thread.is_alive()
        listening.close()


def plain_settings(folder: Path) -> Settings:
    """One worker, no engine: whole games in a moment."""
    return Settings(
        str(folder / "mbegu.sqlite3"),
        workers=1,
        engine=False,
        static=folder / "static",
        tab=folder / "tab",
        hasher=lambda: Hasher(passes=1, kib=8, lanes=1),
    )

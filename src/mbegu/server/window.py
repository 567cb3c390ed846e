"""A window on a match that is played elsewhere: a small server of its own, with one room to look at.

    with Window(game, ("A", "B")) as window:
        open_browser(window.url)
        window.wait_for_eyes(10)
        window.show(0, move)

Nothing of it is kept: its database lies in a folder that goes away with it.
"""

import asyncio
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import Any, Self

from mbegu.core.game import Game, Move
from mbegu.core.outcome import Outcome
from mbegu.server.app import Settings, make_app
from mbegu.server.play.events import Ended, EventKind, Moved, NewEvent
from mbegu.server.play.forms import new_id
from mbegu.server.play.room import Room
from mbegu.server.play.rows import RoomRow, SeatKind, SeatRow
from mbegu.server.run import Server, listen

__all__ = ["Window"]

LONGEST = 30.0  # seconds that a start, a move or an end may take
NOBODY = "window"  # the session of seats that no visitor can take


class Window:
    """The web board of a match, on this computer only."""

    def __init__(self, game: Game, names: tuple[str, str]) -> None:
        self._game, self._names, self._plies = game, names, 0
        self._folder = tempfile.TemporaryDirectory(prefix="mbegu-window-")
        self._socket = listen("127.0.0.1", 0)
        self._ready = threading.Event()
        app = make_app(Settings(f"{self._folder.name}/window.sqlite3", workers=1))
        self._app, self._server = app, Server(app, self._started)
        self._thread = threading.Thread(
            target=lambda: self._server.run(sockets=[self._socket]), daemon=True
        )
        self._thread.start()
        if not self._ready.wait(LONGEST):
            raise TimeoutError("the window's server did not start")
        self._room: Room = self._on_loop(self._open)

    @property
    def url(self) -> str:
        """Where the board is seen."""
        return f"http://localhost:{self._socket.getsockname()[1]}/play/{self._room.id}"

    def wait_for_eyes(self, seconds: float) -> bool:
        """Waits until somebody looks, at most so long; whether somebody does."""
        until = time.monotonic() + seconds
        while not self._room.clients and time.monotonic() < until:
            time.sleep(0.05)
        return bool(self._room.clients)

    def show(self, player: int, move: Move) -> None:
        """A move was made."""
        self._plies += 1
        moved = Moved(ply=self._plies, player=player, move=move)
        self._tell(NewEvent(EventKind.MOVED, moved))

    def end(self, outcome: Outcome) -> None:
        """The match is over; if the board shows it already, nothing happens."""
        if self._room.match is not None and self._room.match.outcome is None:
            self._tell(NewEvent(EventKind.ENDED, Ended(outcome=outcome.to_json())))

    def close(self) -> None:
        """Says good-bye to whoever looks, and leaves nothing behind."""
        self._server.should_exit = True
        self._thread.join(LONGEST)
        self._socket.close()
        self._folder.cleanup()

    def __enter__(self) -> Self:
        """For use in a with block."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Closes it."""
        self.close()

    # ---- on the server's own thread

    def _started(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._ready.set()

    def _on_loop(self, job: Callable[[], Awaitable[Any]]) -> Any:
        async def run() -> Any:
            return await job()

        return asyncio.run_coroutine_threadsafe(run(), self._loop).result(LONGEST)

    async def _open(self) -> Room:
        """The room, with a seat for each name."""
        now, start = time.time(), str(self._game.start())
        one, other = (SeatRow(SeatKind.HUMAN, name=name, session=NOBODY) for name in self._names)
        row = RoomRow(
            id=new_id(),
            owner=NOBODY,
            game=str(self._game),
            rules=self._game.id,
            start=start,
            control="-",
            pace=0.0,
            source=None,
            created=now,
            seats=(one, other),
            updated=now,
            position=start,
        )
        await self._app.state.hall.add([row])
        room: Room | None = await self._app.state.hall.room(row.id)
        assert room is not None
        return room

    def _tell(self, event: NewEvent) -> None:
        """By the room's inbox, as everything that happens there; waits until it has happened."""
        done: Future[None] = Future()

        async def job() -> None:
            try:
                await self._room.happen(event)
            except BaseException as error:
                done.set_exception(error)
                raise
            done.set_result(None)

        async def post() -> None:
            await self._room.post(job)

        self._on_loop(post)
        done.result(LONGEST)

"""The WebSockets: one for a room, one for the lobby, one for analyses. docs/protocol.md tells what is said."""

import asyncio
import json
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from functools import partial, wraps
from typing import Any

from starlette.websockets import WebSocket

from mbegu.core.errors import MbeguError, shorten
from mbegu.core.i18n import _, speaking
from mbegu.server.keep.store import StoreError
from mbegu.server.net.clients import BUDGET, Client
from mbegu.server.net.languages import language_of
from mbegu.server.net.messages import PROTOCOL, dumps
from mbegu.server.net.rate_limits import CROWD, Bucket, RateLimits, is_this_computer
from mbegu.server.net.replies import too_often
from mbegu.server.people.sessions import same_origin
from mbegu.server.play.hall import Hall
from mbegu.server.play.lobby import Lobby
from mbegu.server.play.ports import People
from mbegu.server.play.questions import check_history, question_of
from mbegu.server.play.room import Job, Room
from mbegu.server.think.engines import EnginePool

__all__ = ["analysis_socket", "lobby_socket", "room_socket"]

MOST_BYTES = 8192
MOST_SOCKETS = 40  # of one visitor at once
MESSAGES_A_SECOND = 20
BURST = 60
HELLOS_A_SECOND, HELLOS_AT_ONCE = 1, 20
WAIT_FOR_HELLO = 10.0
PING_EVERY = 10.0

Endpoint = Callable[[WebSocket], Awaitable[None]]
TOO_LARGE, TRY_AGAIN, NO_ROOM, TOO_MANY, NO_HELLO = 1009, 1013, 4004, 4008, 4009


def _unreadable(error: str, message: Any = None) -> str:
    name = message.get("id") if isinstance(message, dict) else None
    return dumps(
        {
            "t": "refused",
            "id": name if _is_name(name) else None,
            "error": error,
        }
    )


def _is_name(name: object) -> bool:
    return isinstance(name, str) and 1 <= len(name) <= 64 and name.isascii()


class _Conversation:
    """Reads what a client says: size, pace and shape, the same for all sockets."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._bucket = Bucket(MESSAGES_A_SECOND, BURST)

    async def hear(self, raw: str | bytes | None) -> None:
        """One frame."""
        with speaking(self.client.language):
            message = self.read(raw)
            if message is not None:
                await self.understand(message)

    def hear_at_once(self, raw: str) -> bool:
        """The same without waiting for anything; False, before anything is done, if it cannot be."""
        return False

    def read(self, raw: str | bytes | None) -> dict[str, Any] | None:
        """The message in a frame; None, and the client has its answer, if there is none."""
        client = self.client
        if client.revoked:
            return None
        if raw is None or len(raw) > MOST_BYTES:
            client.close(TOO_LARGE)
            return None
        if not self._bucket.take():
            client.close(TOO_MANY)
            return None
        try:
            message = json.loads(raw)
        except (ValueError, RecursionError):
            client.send(_unreadable(_("this is not JSON")))
            return None
        if not isinstance(message, dict):
            client.send(_unreadable(_("a message is an object with a type t")))
            return None
        return message

    async def understand(self, message: dict[str, Any]) -> None:
        """One message."""
        raise NotImplementedError


def _client(socket: WebSocket) -> Client:
    state = socket.state
    return Client(socket, state.session, language_of(socket), state.who.name, state.address)


def guarded(endpoint: Endpoint) -> Endpoint:
    """Lets our own pages in, and nobody with too many sockets at once."""

    @wraps(endpoint)
    async def guard(socket: WebSocket) -> None:
        if not same_origin(socket):
            await socket.close()  # before it is accepted: status 403
            return
        visitor, address = socket.state.visitor, socket.state.address
        limits: RateLimits = socket.app.state.limits
        if not limits.sockets.take(visitor, address):
            await socket.send_denial_response(too_often())
            return
        await socket.accept()
        _count_frames(socket, limits, address)
        open_now: Counter[str] = socket.app.state.sockets
        crowded = open_now[f"at {address}"] >= CROWD * MOST_SOCKETS
        if open_now[visitor] >= MOST_SOCKETS or (crowded and not is_this_computer(address)):
            await socket.close(TOO_MANY)
            return
        keys = visitor, f"at {address}"
        open_now.update(keys)
        try:
            with socket.app.state.lines.held(socket.state.session, socket):
                await endpoint(socket)
        finally:
            open_now.subtract(keys)
            for key in keys:
                if not open_now[key]:
                    del open_now[key]

    return guard


def _count_frames(socket: WebSocket, limits: RateLimits, address: str) -> None:
    """Lets all sockets of an address share what they may send; this computer's own may do as they like."""
    budget = socket.scope.get("extensions", {}).get(BUDGET)
    if budget is not None and not is_this_computer(address):
        budget(lambda cost: limits.frames.take(address, cost))


async def _crowded_out(socket: WebSocket) -> bool:
    """Whether a socket in which nobody plays was sent away: what lines are left are for those who do."""
    crowded: bool = socket.app.state.doors.crowded
    if crowded:
        await socket.close(TRY_AGAIN)
    return crowded


# ---- rooms


@guarded
async def room_socket(socket: WebSocket) -> None:
    """`/ws/rooms/{id}`."""
    hall: Hall = socket.app.state.hall
    try:
        room = await hall.room(socket.path_params["room"])
    except StoreError:
        await socket.close(1011)
        return
    except MbeguError as error:
        await socket.send_text(_unreadable(str(error)))
        await socket.close(NO_ROOM)
        return
    if room is None:
        await socket.close(NO_ROOM)
        return
    if not room.seats_of(socket.state.session) and await _crowded_out(socket):
        return
    await _AtRoom(_client(socket), room, hall).serve()


class _Greeted(_Conversation):
    """A conversation that begins with hello."""

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self.greeted = False
        self._hellos = Bucket(HELLOS_A_SECOND, HELLOS_AT_ONCE)

    async def serve(self) -> None:
        """From hello to good-bye."""
        late = asyncio.get_running_loop().call_later(WAIT_FOR_HELLO, self._no_hello)
        try:
            await self.client.serve(self.hear, self.hear_at_once)
        finally:
            late.cancel()
            if self.greeted:
                await self.gone()

    def _no_hello(self) -> None:
        if not self.greeted:
            self.client.close(NO_HELLO)

    async def understand(self, message: dict[str, Any]) -> None:
        if message.get("t") == "hello":
            if self._may_greet(message):
                await self.hello(message)
        elif not self.greeted:
            self.client.send(_unreadable(_("say hello first"), message))
        else:
            await self.heed(message)

    def _may_greet(self, message: dict[str, Any]) -> bool:
        """Whether a hello is answered: with a whole game, so not without end."""
        if not self._hellos.take():
            self.client.close(TOO_MANY)
            return False
        if message.get("v") == PROTOCOL:
            return True
        error = _("this server speaks version {version}: load the page again")
        self.client.send(_unreadable(error.format(version=PROTOCOL)))
        self.client.close(NO_HELLO)
        return False

    async def hello(self, message: dict[str, Any]) -> None:
        """The client says what it knows."""
        raise NotImplementedError

    async def heed(self, message: dict[str, Any]) -> None:
        """Anything else that it says."""
        raise NotImplementedError

    async def gone(self) -> None:
        """The client is gone."""
        raise NotImplementedError


class _AtRoom(_Greeted):
    """A client that looks at a room."""

    def __init__(self, client: Client, room: Room, hall: Hall) -> None:
        super().__init__(client)
        self.room, self.hall = room, hall
        self._delay = _Delay(client)

    async def gone(self) -> None:
        self._delay.stop()
        await self.room.post(partial(self.room.leave, self.client), self._plays())

    def _plays(self) -> bool:
        """Whether this is somebody who plays here, and so goes before those who look on."""
        plays = bool(self.room.seats_of(self.client.session))
        self.client.go_first(plays)
        return plays

    def hear_at_once(self, raw: str) -> bool:
        plays = self._plays()
        if not self.greeted or self.room.closed or self.room.crowded(plays):
            return False
        with speaking(self.client.language):
            message = self.read(raw)
            job = None if message is None else self._job(message)
            if job is not None:
                self.room.post_now(job, plays)
        return True

    async def heed(self, message: dict[str, Any]) -> None:
        job = self._job(message)
        if job is not None and self.room.closed:
            self.client.close(NO_ROOM)
        elif job is not None:
            await self.room.post(job, self._plays())

    def _job(self, message: dict[str, Any]) -> Job | None:
        """What a message asks the room for, if for anything."""
        kind = message.get("t")
        if kind == "pong":
            self._delay.pong(message.get("n"))
            return None
        if kind == "hello":
            return self._greet(message) if self._may_greet(message) else None
        came = self.client.arrived
        if kind == "move":
            self.room.expect(self.client, came)
        return self.hall.timed(kind, partial(self.room.obey, self.client, message, came))

    async def hello(self, message: dict[str, Any]) -> None:
        if self.room.closed:  # put away or deleted since
            room = await self.hall.room(self.room.id)
            if room is None:
                self.client.close(NO_ROOM)
                return
            self.room = room
        await self.room.post(self._greet(message), self._plays())

    def _greet(self, message: dict[str, Any]) -> Job:
        """The client comes in, or says again what it knows."""
        after = message.get("after")
        if isinstance(after, bool) or not isinstance(after, int):
            after = None
        self.client.lean = message.get("lean") is True
        self.greeted = True
        if self.room.control.limited and self.room.seats_of(self.client.session):
            self._delay.start()
        return partial(self.room.join, self.client, after, message.get("watch") is True)


class _Delay:
    """How long a message and its answer take, asked now and then where a clock runs."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._latest: deque[float] = deque(maxlen=3)
        self._asked: tuple[int, float] | None = None
        self._number = 0
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Asks, and asks again after a while."""
        self.stop()
        self._number += 1
        self._asked = self._number, time.monotonic()
        self.client.send(dumps({"t": "ping", "n": self._number}))
        self._timer = asyncio.get_running_loop().call_later(PING_EVERY, self.start)

    def stop(self) -> None:
        """Asks no more."""
        if self._timer is not None:
            self._timer.cancel()

    def pong(self, number: object) -> None:
        """The answer; the quickest of the last few counts."""
        if self._asked is not None and number == self._asked[0]:
            self._latest.append(max(0.0, self.client.arrived - self._asked[1]))
            self._asked = None
            self.client.rtt = min(self._latest)


# ---- the lobby


@guarded
async def lobby_socket(socket: WebSocket) -> None:
    """`/ws/lobby`."""
    if await _crowded_out(socket):
        return
    await _AtLobby(_client(socket), socket.app.state.hall.lobby).serve()


class _AtLobby(_Greeted):
    """A client that looks for a game, or waits for news of its own."""

    def __init__(self, client: Client, lobby: Lobby) -> None:
        super().__init__(client)
        self.lobby = lobby

    async def hello(self, message: dict[str, Any]) -> None:
        self.greeted = True
        self.lobby.join(self.client)

    async def heed(self, message: dict[str, Any]) -> None:
        await self.lobby.obey(self.client, message)

    async def gone(self) -> None:
        self.lobby.leave(self.client)


# ---- analyses


@guarded
async def analysis_socket(socket: WebSocket) -> None:
    """`/ws/analysis`."""
    if await _crowded_out(socket):
        return
    client = _client(socket)
    state = socket.app.state
    may = partial(state.limits.positions.take, socket.state.visitor, socket.state.address)
    await _AtAnalysis(client, state.hall.people, state.thinkers, state.analysts, may).serve()


class _AtAnalysis(_Conversation):
    """A client that wants to know what the engine thinks."""

    def __init__(
        self,
        client: Client,
        people: People,
        thinkers: EnginePool,
        analysts: dict[str, asyncio.Task[None]],
        may: Callable[[float], bool],
    ) -> None:
        super().__init__(client)
        self._may = may  # whether so many positions may be looked at
        self.people, self.thinkers, self.analysts = people, thinkers, analysts
        self._task: asyncio.Task[None] | None = None
        self._name = ""

    async def serve(self) -> None:
        """Until the client goes, and its analysis with it."""
        try:
            await self.client.serve(self.hear)
        finally:
            self._stop()

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def understand(self, message: dict[str, Any]) -> None:
        kind, name = message.get("t"), message.get("id")
        if kind == "stop":
            if self._task is not None and name in (None, self._name):
                self._stop()
            return
        if kind == "ping":
            name = name if _is_name(name) else None
            self.client.send(dumps({"t": "ack", "id": name, "version": 0}))
            return
        try:
            if kind != "analyse":
                raise MbeguError(_("{word} is not a command here").format(word=shorten(kind)))
            if not isinstance(name, str) or not _is_name(name):
                raise MbeguError(_("an analysis needs an id"))
            question = question_of(message)
            if not self._may(1 + len(question[2])):
                raise MbeguError(_("too many analyses: wait a moment"))
            await check_history(question[0], question[2])
            await self.people.check_fair(self.client.session, *question[:2])
        except MbeguError as error:
            self.client.send(_unreadable(str(error), message))
            return
        self._stop()
        # One analysis for each visitor, however many sockets he opens.
        before = self.analysts.pop(self.client.session, None)
        if before is not None:
            before.cancel()
        self._name = name
        self._task = asyncio.create_task(self._analyse(name, *question))
        self.analysts[self.client.session] = self._task
        self._task.add_done_callback(partial(_forget, self.analysts, self.client.session))

    async def _analyse(
        self, name: str, game: Any, text: str, history: list[str], lines: int, seconds: float
    ) -> None:
        client, last = self.client, dict[str, Any]()

        def heard(info: dict[str, Any]) -> None:
            last.update(info)
            client.send(dumps({"t": "info", "id": name, **info}))

        def compiling() -> None:
            client.send(dumps({"t": "compiling", "id": name}))

        try:
            await self.thinkers.analyse(
                game,
                text,
                history,
                lines,
                seconds,
                client.session,
                heard,
                compiling,
                client.address,
            )
        except asyncio.CancelledError:
            if not last.get("final"):
                empty: dict[str, Any] = {
                    "turn": None,
                    "depth": 0,
                    "nodes": 0,
                    "seconds": 0,
                    "lines": [],
                }
                client.send(dumps({"t": "info", "id": name, **empty, **last, "final": True}))
        except MbeguError as error:
            client.send(_unreadable(str(error), {"id": name}))


def _forget(analysts: dict[str, Any], session: str, task: Any) -> None:
    if analysts.get(session) is task:
        del analysts[session]

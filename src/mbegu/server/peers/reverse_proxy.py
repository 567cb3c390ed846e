"""A reverse proxy: passes requests and sockets on to the process that has their room open.

Whoever asks is recognised there as he would be here, because all processes share the secret that
signs the cookies; so nothing that is passed on needs to be believed. A process that is not there any
more is buried, and its room is opened here.
"""

import asyncio
import http.client
import re
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from mbegu.core.i18n import _, speaking
from mbegu.server.keep.store import StoreError
from mbegu.server.net.clients import Client
from mbegu.server.net.languages import language_of
from mbegu.server.peers.leases import Peer, PeerGroup
from mbegu.server.people.sessions import same_origin

__all__ = ["ReverseProxy"]

MEANT_FOR = "mbegu-relay"  # the header that says for which process a request is meant
PLACE = re.compile(r"/(?:ws|api/v1)/(?:(?:.*/)?rooms/([A-Za-z0-9_-]{8,64})(?:/|$)|lobby$)")
MOST_BYTES = 65_536
PATIENCE = 10.0
MISDIRECTED, TRY_AGAIN, STOPPED = 421, 1013, 1012
# What belongs to one line and not to the message.
OWN = {"connection", "keep-alive", "transfer-encoding", "upgrade", "content-length", "host"}


class Gone(Exception):
    """There is no such process at its address any more."""


class _Heard:
    """What has been heard of a request, to be heard again here: the peer it was meant for may be gone."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._kept: list[Message] = []

    async def __call__(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":  # a socket that is joined never comes back
            self._kept.append(message)
        return message

    async def again(self) -> Message:
        """From the beginning."""
        return self._kept.pop(0) if self._kept else await self._receive()


class ReverseProxy:
    """Around the application: answers here what is here, and passes on the rest."""

    def __init__(self, app: ASGIApp, cluster: PeerGroup) -> None:
        self.app, self.cluster = app, cluster
        self._threads = ThreadPoolExecutor(32, "relay")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Around every request and every socket."""
        found = PLACE.match(scope.get("path", ""))
        if found is None or scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        meant_for = connection.headers.get(MEANT_FOR)
        if meant_for is not None:
            if meant_for == self.cluster.id:
                await self.app(scope, receive, send)
            else:
                await _refuse(scope, receive, send, MISDIRECTED)
            return
        try:
            room = found[1]
            cluster = self.cluster
            peer = await (cluster.peer_with(room) if room else cluster.peer_with_lobby())
            heard = _Heard(receive)
            if peer is None or not await self._pass_on(peer, scope, heard, send):
                await self.app(scope, heard.again, send)
        except (StoreError, OSError, TimeoutError, WebSocketException):
            await _refuse(scope, receive, send, 503)

    async def _pass_on(self, peer: Peer, scope: Scope, receive: Receive, send: Send) -> bool:
        """Whether the peer has seen to it."""
        try:
            if scope["type"] == "websocket":
                await self._socket(peer, WebSocket(scope, receive, send))
            else:
                await self._request(peer, scope, receive, send)
        except (Gone, ConnectionRefusedError):
            await self.cluster.bury(peer.id)
            return False
        return True

    # ---- sockets

    async def _socket(self, peer: Peer, socket: WebSocket) -> None:
        if not same_origin(socket):
            await socket.close()
            return
        query = socket.scope["query_string"].decode("latin-1")
        address = f"ws://{peer.address}{socket.scope['path']}" + (f"?{query}" if query else "")
        headers = [
            (name, value) for name, value in _headers(peer, socket) if not _of_handshake(name)
        ]
        try:
            line = await connect(
                address,
                additional_headers=headers,
                compression=None,
                user_agent_header=None,
                max_size=None,
                open_timeout=PATIENCE,
                close_timeout=1.0,
                proxy=None,
            )
        except InvalidStatus as error:
            if error.response.status_code == MISDIRECTED:
                raise Gone from None
            await socket.close()
            return
        await socket.accept()
        await _join(Client(socket, "", ""), line)

    # ---- requests

    async def _request(self, peer: Peer, scope: Scope, receive: Receive, send: Send) -> None:
        body = await _body(receive)
        if body is None:
            await _refuse(scope, receive, send, 413)
            return
        loop = asyncio.get_running_loop()
        line = http.client.HTTPConnection(peer.address, timeout=PATIENCE)

        def ask() -> http.client.HTTPResponse:
            query = scope["query_string"].decode("latin-1")
            path = scope.get("raw_path", scope["path"].encode()).decode("latin-1").split("?")[0]
            line.putrequest(
                scope["method"],
                path + (f"?{query}" if query else ""),
                skip_host=True,
                skip_accept_encoding=True,
            )
            connection = HTTPConnection(scope)
            line.putheader("host", connection.headers.get("host", peer.address))
            for name, value in _headers(peer, connection):
                line.putheader(name, value)
            if body:
                line.putheader("content-length", str(len(body)))
            line.endheaders(body or None)
            return line.getresponse()

        try:
            answer = await loop.run_in_executor(self._threads, ask)
            if answer.status == MISDIRECTED:
                raise Gone
            headers = [
                (name.lower().encode("latin-1"), value.encode("latin-1"))
                for name, value in answer.getheaders()
                if name.lower() not in OWN
            ]
            await send({"type": "http.response.start", "status": answer.status, "headers": headers})
            while piece := await loop.run_in_executor(self._threads, answer.read1, MOST_BYTES):
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        except http.client.HTTPException as error:
            raise OSError(str(error)) from None
        finally:
            line.close()


async def _join(client: Client, line: ClientConnection) -> None:
    """Lets two ends talk until either goes."""

    async def listen() -> None:
        with suppress(ConnectionClosed):
            async for message in line:
                client.send(message if isinstance(message, str) else message.decode())
        code = line.close_code
        client.close(code if code is not None and code not in (1005, 1006) else STOPPED)

    async def pass_on(text: Any) -> None:
        with suppress(ConnectionClosed):
            await line.send(text)

    listening = asyncio.create_task(listen())
    try:
        await client.serve(pass_on)
    finally:
        listening.cancel()
        await line.close()


async def _body(receive: Receive) -> bytes | None:
    """What was sent; None if it is too much."""
    found = bytearray()
    while True:
        message: Message = await receive()
        if message["type"] != "http.request":
            return bytes(found)
        found += message.get("body", b"")
        if len(found) > MOST_BYTES:
            return None
        if not message.get("more_body"):
            return bytes(found)


def _headers(peer: Peer, connection: HTTPConnection) -> Iterable[tuple[str, str]]:
    """What goes along: all but what belongs to this line, and for whom it is meant."""
    for name, value in connection.headers.items():
        if name not in OWN and name not in ("x-forwarded-for", "x-forwarded-proto"):
            yield name, value
    yield MEANT_FOR, peer.id
    if connection.client is not None:
        yield "x-forwarded-for", connection.client.host
    yield "x-forwarded-proto", connection.url.scheme.replace("ws", "http")


def _of_handshake(name: str) -> bool:
    """Headers of a WebSocket that each line has for itself; the origin has been seen to."""
    return name.startswith("sec-websocket-") or name == "origin"


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int) -> None:
    if scope["type"] == "websocket":
        socket = WebSocket(scope, receive, send)
        if status == MISDIRECTED:
            with speaking(language_of(socket)):
                answer = JSONResponse({"error": _("this is another server")}, status)
            await socket.send_denial_response(answer)
            return
        await socket.accept()
        await socket.close(TRY_AGAIN)
        return
    with speaking(language_of(HTTPConnection(scope))):
        sentences = {
            413: _("this is too large"),
            421: _("this is another server"),
            503: _("the server of this game does not answer; try again in a moment"),
        }
        answer = JSONResponse({"error": sentences[status]}, status)
    await answer(scope, receive, send)

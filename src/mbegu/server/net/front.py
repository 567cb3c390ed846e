"""The front door: which names this server answers to, and the headers that every answer has.

A page of somebody else whose name suddenly means this computer (DNS rebinding) asks with that name in
`Host`: only names that such a page cannot have are answered unless they are told, addresses and the names
of a local network.
"""

import ipaddress
import re
from collections.abc import Sequence

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from mbegu.core.i18n import _, speaking
from mbegu.server.net.languages import language_of
from mbegu.server.net.replies import reply

__all__ = ["HEADERS", "MOST_SHOWN", "Front", "is_ours", "our_fault"]

# No script and no style but our own files: boards place their seeds by the properties of elements,
# which is neither. WebAssembly may be compiled, for the engine and Python in a tab.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data: blob:; font-src 'self'; media-src 'self' data: blob:; "
    "connect-src 'self'; worker-src 'self' blob:; manifest-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
MOST_SHOWN = 100  # characters of a name that somebody made up
EMBED = "/embed"  # a board for the pages of others: the one page that may stand in a frame
EMBED_HEADERS = {
    **{name: value for name, value in HEADERS.items() if name != "x-frame-options"},
    "content-security-policy": POLICY.replace("frame-ancestors 'none'", "frame-ancestors *"),
}
TLS_ONLY = "max-age=31536000"  # a year of TLS only, for whoever has come by TLS
MISDIRECTED = 421
# Names that nobody can have on the internet, so that no stranger's page has them either.
LOCAL = (
    "localhost",
    "local",
    "lan",
    "home",
    "internal",
    "intranet",
    "private",
    "home.arpa",
    "test",
)
_PORT = re.compile(r":[0-9]{1,5}$")


def is_ours(host: str, names: Sequence[str]) -> bool:
    """Whether a `Host` may mean this server.

    >>> [is_ours(host, []) for host in ("localhost:8765", "192.168.1.7", "[::1]:80", "school.lan")]
    [True, True, True, True]
    >>> is_ours("evil.example", []), is_ours("play.example.org", ["play.example.org"])
    (False, True)
    """
    name = _PORT.sub("", host.strip().lower()).rstrip(".")
    if not name or "*" in names or name in names:  # a browser always says whom it asks
        return True
    try:
        ipaddress.ip_address(name.strip("[]").partition("%")[0])
    except ValueError:
        plain = re.fullmatch(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*", name) is not None
        return plain and ("." not in name or name.endswith(tuple(f".{end}" for end in LOCAL)))
    return True


class Front:
    """Around everything else."""

    def __init__(self, app: ASGIApp, names: Sequence[str] = ()) -> None:
        self.app, self.names = app, [name.strip().lower() for name in names if name.strip()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Around every request and every socket."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        answer = self._answering(scope, send)
        host = HTTPConnection(scope).headers.get("host", "")
        if is_ours(host, self.names):
            await self.app(scope, receive, answer)
        else:
            await self._refuse(host, scope, receive, answer)

    async def _refuse(self, host: str, scope: Scope, receive: Receive, send: Send) -> None:
        with speaking(language_of(HTTPConnection(scope))):
            sentence = _(
                "this server is not called {host}: if it should be, start it with --host-name"
            ).format(host=host[:MOST_SHOWN] if host.isprintable() else "?")
            answer = reply({"error": sentence}, MISDIRECTED)
        if scope["type"] == "websocket":
            await WebSocket(scope, receive, send).send_denial_response(answer)
        else:
            await answer(scope, receive, send)

    def _answering(self, scope: Scope, send: Send) -> Send:
        async def answer(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(raw=list(message.get("headers", [])))
                add_headers(scope, headers)
                message = {**message, "headers": headers.raw}
            await send(message)

        return answer


def add_headers(scope: Scope, headers: MutableHeaders) -> None:
    """What every answer has, unless it says otherwise itself."""
    told = EMBED_HEADERS if scope.get("path", "").rstrip("/") == EMBED else HEADERS
    for name, value in told.items():
        headers.setdefault(name, value)
    if scope.get("scheme") in ("https", "wss"):
        headers.setdefault("strict-transport-security", TLS_ONLY)


async def our_fault(request: Request, _error: Exception) -> Response:
    """The answer to a request on which we have failed; it is made outside of everything else."""
    with speaking(language_of(request)):
        answer = reply({"error": _("this went wrong here, and is in the log of the server")}, 500)
    add_headers(request.scope, answer.headers)
    return answer

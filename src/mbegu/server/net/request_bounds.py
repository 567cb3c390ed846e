"""What every request keeps to before anything looks at it: an address of some length, plain cookies."""

from starlette.types import ASGIApp, Receive, Scope, Send

from mbegu.core.i18n import _
from mbegu.server.net.replies import reply

__all__ = ["MOST_HEAD", "MOST_READ", "MOST_TARGET", "Bounds", "plain_cookies"]

MOST_TARGET = 4096  # bytes of an address with its question
MOST_HEAD = 16_384  # bytes of a request's head, and of what is read from a line at once
MOST_READ = 16_384
MOST_COOKIES = 4096  # bytes that are looked at
LENGTHS = {b"content-length", b"transfer-encoding"}
_ODD = b'"\\'


class Bounds:
    """Around everything else."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or socket."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > MOST_TARGET:
            await _refuse(414, _("this address is too long"), scope, receive, send)
            return
        # The parser counts only heads that are not whole yet: one that comes at once may be longer.
        if sum(len(name) + len(value) for name, value in scope["headers"]) > MOST_HEAD:
            await _refuse(431, _("the head of this request is too long"), scope, receive, send)
            return
        if {name for name, _value in scope["headers"]} >= LENGTHS:
            # A proxy that believes the other one would take what follows for somebody else's request.
            error = _("a request tells its length in one way, not in two")
            await _refuse(400, error, scope, receive, send, last=True)
            return
        scope["headers"] = [
            (name, plain_cookies(value) if name == b"cookie" else value)
            for name, value in scope["headers"]
        ]
        await self.app(scope, receive, send)


def plain_cookies(header: bytes) -> bytes:
    """The cookies that could be ours: the standard library reads quoted ones in quadratic time.

    >>> plain_cookies(b'a=1; b="\\\\2"; mbegu=3')
    b'a=1; mbegu=3'
    """
    if not any(sign in header for sign in _ODD) and len(header) <= MOST_COOKIES:
        return header
    kept, size = list[bytes](), 0
    for part in header.split(b";"):
        if len(part) + size <= MOST_COOKIES and not any(sign in part for sign in _ODD):
            kept.append(part.strip())
            size += len(part) + 2
    return b"; ".join(kept)


async def _refuse(
    status: int, error: str, scope: Scope, receive: Receive, send: Send, last: bool = False
) -> None:
    """Says no; nothing more is read from the line if it was the `last` request."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close"})  # before it is accepted: status 403
        return
    answer = reply({"error": error}, status)
    if last:
        answer.headers["connection"] = "close"
    await answer(scope, receive, send)

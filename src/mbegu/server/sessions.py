"""Guests: a signed cookie that says who somebody is, and nothing else.

>>> sessions = Sessions(b"secret")
>>> who = sessions.new()
>>> sessions.read(sessions.write(who)) == who, sessions.read("somebody.else")
(True, None)
"""

import base64
import hashlib
import hmac
import re
import secrets

from starlette.requests import HTTPConnection

__all__ = ["COOKIE", "Sessions", "same_origin"]

COOKIE = "mbegu"
YEAR = 365 * 24 * 3600
_ID = re.compile(r"[A-Za-z0-9_-]{32}")


class Sessions:
    """Makes and reads the cookies of one server (or several that share their secret)."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def new(self) -> str:
        """Somebody new: 192 bits nobody guesses."""
        return secrets.token_urlsafe(24)

    def write(self, session: str) -> str:
        """The value of the cookie."""
        return f"{session}.{self._signature(session)}"

    def read(self, cookie: str | None) -> str | None:
        """Whose cookie it is; None if it was not made here."""
        session, _dot, signature = (cookie or "").partition(".")
        if not _ID.fullmatch(session):
            return None
        good = hmac.compare_digest(signature.encode(), self._signature(session).encode())
        return session if good else None

    def header(self, session: str, secure: bool) -> str:
        """The Set-Cookie header."""
        rest = "; Secure" if secure else ""
        value = self.write(session)
        return f"{COOKIE}={value}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax{rest}"

    def _signature(self, session: str) -> str:
        digest = hmac.new(self._secret, b"guest:" + session.encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def same_origin(connection: HTTPConnection) -> bool:
    """Whether a request comes from our own pages, if it says where it comes from.

    A browser always says so with a WebSocket and with whatever changes something; a program that
    says nothing has no visitor's cookies to misuse.
    """
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    return origin.partition("://")[2].lower() == connection.headers.get("host", "").lower()

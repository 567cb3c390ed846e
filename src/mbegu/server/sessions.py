"""Who somebody is: a guest or a member, by a signed cookie; a program, by its token.

A guest's cookie holds 192 random bits and a signature, nothing else. A member's cookie is signed with
another word; its bits are looked up among the sign-ins, so that signing out ends it everywhere.

Whoever acts in a room is known by one text, his `session`: a guest by his cookie's bits, a member by
his account (`@` and its id), and so by the same text on every device.

>>> sessions = Sessions(b"secret")
>>> who = sessions.new()
>>> sessions.read(sessions.write(who)) == (who, False), sessions.read("somebody.else")
(True, None)
>>> account_of(session_of("7Yc1")), account_of(who)
('7Yc1', None)
"""

import base64
import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass

from starlette.requests import HTTPConnection

__all__ = [
    "ASIDE",
    "COOKIE",
    "Sessions",
    "Who",
    "account_of",
    "is_bot",
    "same_origin",
    "session_of",
]

COOKIE = "mbegu"
ASIDE = "mbegu-guest"  # the guest of this device, while a member uses it
YEAR = 365 * 24 * 3600
PERSON, BOT = "p-", "bot-"  # how ids of accounts begin
_ID = re.compile(r"[A-Za-z0-9_-]{32}")


@dataclass(frozen=True)
class Who:
    """Somebody who asks for something."""

    session: str
    account: str | None = None
    name: str = ""
    bot: bool = False
    scopes: frozenset[str] | None = None  # None: a person in a browser, who may do everything
    credential: str | None = None  # the sign-in or token by which a member came

    def may(self, scope: str) -> bool:
        """Whether he may `read` or `play`."""
        return self.scopes is None or scope in self.scopes


def session_of(account: str) -> str:
    """How a member is known in rooms."""
    return f"@{account}"


def account_of(session: str | None) -> str | None:
    """The account of a session; None for guests."""
    return session[1:] if session is not None and session.startswith("@") else None


def is_bot(account: str | None) -> bool:
    """Whether an account is one that a program plays: its id says so, for good."""
    return account is not None and account.startswith(BOT)


class Sessions:
    """Makes and reads the cookies of one server (or several that share their secret)."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def new(self) -> str:
        """Somebody new: 192 bits nobody guesses."""
        return secrets.token_urlsafe(24)

    def write(self, bits: str, member: bool = False) -> str:
        """The value of the cookie."""
        return f"{bits}.{self._signature(bits, member)}"

    def read(self, cookie: str | None) -> tuple[str, bool] | None:
        """The bits, and whether they are a member's; None if the cookie was not made here."""
        bits, _dot, signature = (cookie or "").partition(".")
        if _ID.fullmatch(bits):
            for member in (False, True):
                good = self._signature(bits, member).encode()
                if hmac.compare_digest(signature.encode(), good):
                    return bits, member
        return None

    def header(self, bits: str, secure: bool, member: bool = False, name: str = COOKIE) -> str:
        """The Set-Cookie header; without bits the cookie goes."""
        rest = "; Secure" if secure else ""
        value, age = (self.write(bits, member), YEAR) if bits else ("", 0)
        return f"{name}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{rest}"

    def _signature(self, bits: str, member: bool) -> str:
        label = b"member:" if member else b"guest:"
        digest = hmac.new(self._secret, label + bits.encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def same_origin(connection: HTTPConnection) -> bool:
    """Whether a request comes from our own pages, if it says where it comes from.

    A browser always says so with a WebSocket and with whatever changes something; a program that
    says nothing has no visitor's cookies to misuse.
    """
    origin = connection.headers.get("origin")
    if origin is None:
        return connection.headers.get("sec-fetch-site") not in ("cross-site", "same-site")
    return origin.partition("://")[2].lower() == connection.headers.get("host", "").lower()

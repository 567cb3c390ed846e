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

from mbegu.server.play.identity import BOT, PERSON, account_of, is_bot, session_of

__all__ = [
    "ASIDE",
    "BOT",
    "COOKIE",
    "DEVICE",
    "PERSON",
    "Sessions",
    "Who",
    "account_of",
    "is_bot",
    "same_origin",
    "session_of",
]

COOKIE = "mbegu"
ASIDE = "mbegu-guest"  # the guest of this device, while a member uses it
DEVICE = "mbegu-device"  # who has signed in here before
OWN = "__Host-"  # how cookies begin that no other host, and no plain HTTP, can set
MOST_KNOWN = 8  # people who have signed in on one device
YEAR = 365 * 24 * 3600
_MARK = re.compile(r"[A-Za-z0-9_-]{24}")
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
        return self._set(name, self.write(bits, member) if bits else "", secure)

    def _set(self, name: str, value: str, secure: bool) -> str:
        start, rest = (OWN, "; Secure") if secure else ("", "")
        age = YEAR if value else 0
        return f"{start}{name}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{rest}"

    def asked(self, connection: HTTPConnection, name: str = COOKIE) -> str | None:
        """A cookie of a request; one from before there were names of our own still counts."""
        return connection.cookies.get(OWN + name) or connection.cookies.get(name)

    def renewed(self, connection: HTTPConnection) -> list[str]:
        """Over TLS: what gives the cookies of before their new names."""
        secure = connection.url.scheme == "https"
        found = []
        for name in (COOKIE, ASIDE) if secure else ():
            old = self.read(connection.cookies.get(name))
            if old is not None and OWN + name not in connection.cookies:
                found.append(self.header(old[0], True, old[1], name))
            if name in connection.cookies:
                found.append(f"{name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure")
        return found

    # ---- devices

    def known_as(self, connection: HTTPConnection, name: str) -> str | None:
        """The mark of this device for one who has signed in on it before; None if nobody has."""
        for mark in self._marks(connection):
            if hmac.compare_digest(mark, self._mark(name, mark[:8])):
                return mark
        return None

    def known(self, connection: HTTPConnection, name: str) -> str:
        """The Set-Cookie header of a device on which somebody has signed in."""
        mark = self.known_as(connection, name) or self._mark(name, secrets.token_urlsafe(6))
        marks = [one for one in self._marks(connection) if one != mark]
        secure = connection.url.scheme == "https"
        return self._set(DEVICE, "~".join([*marks, mark][-MOST_KNOWN:]), secure)

    def _marks(self, connection: HTTPConnection) -> list[str]:
        found = (self.asked(connection, DEVICE) or "").split("~")[:MOST_KNOWN]
        return [mark for mark in found if _MARK.fullmatch(mark)]

    def _mark(self, name: str, device: str) -> str:
        told = f"device:{device}:{name}".encode()
        digest = hmac.new(self._secret, told, hashlib.sha256).digest()
        return device + base64.urlsafe_b64encode(digest[:12]).decode()

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

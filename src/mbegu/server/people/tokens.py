"""Personal access tokens: what a program shows instead of a password.

A token is shown once; its SHA-256 is kept. It may `read`, and of a bot's account also `play`: whoever
plays by a program is marked as one who does.
"""

import re
import secrets
import time
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from starlette.requests import HTTPConnection

from mbegu.core.i18n import _
from mbegu.server.keep import revocation
from mbegu.server.keep.revocation import TOKEN
from mbegu.server.keep.tables import accounts, tokens
from mbegu.server.net.messages import moment
from mbegu.server.people.accounts import Account, People, hash_of, is_banned, read_account
from mbegu.server.people.sessions import Who
from mbegu.server.play.names import AccountError

__all__ = ["SCOPES", "Tokens", "bearer"]

PREFIX = "mbegu_"
SCOPES = ("read", "play")
MOST_TOKENS = 20
MOST_DAYS = 366
NOTED_EVERY = 3600.0  # seconds: "last used" is not worth a write at every request
_TOKEN = re.compile(r"mbegu_[A-Za-z0-9_-]{32}")


def bearer(connection: HTTPConnection) -> str | None:
    """The token that a program shows, if it shows one."""
    scheme, _blank, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


@dataclass(frozen=True)
class _Known:
    id: str
    account: Account
    scopes: frozenset[str]
    expires: float
    used: float | None


class Tokens:
    """The tokens of all accounts."""

    def __init__(self, people: People) -> None:
        self.people, self.store = people, people.store

    def is_known(self, token: str) -> bool:
        """Whether the answer is remembered, so that the database is not asked."""
        return not _TOKEN.fullmatch(token) or self.people.remembers(f"token {hash_of(token)}")

    async def who(self, token: str) -> Who | None:
        """Whose token it is; None if it is nobody's (any more)."""
        if not _TOKEN.fullmatch(token):
            return None

        def question(connection: sa.Connection) -> _Known | None:
            mine = tokens.c
            line = connection.execute(
                sa.select(accounts, mine.id.label("token"), mine.scopes, mine.expires, mine.used)
                .join(tokens, mine.account == accounts.c.id)
                .where(mine.hash == hash_of(token))
            ).first()
            if line is None:
                return None
            scopes = frozenset(line.scopes.split())
            return _Known(line.token, read_account(line), scopes, line.expires, line.used)

        found = await self.people.remembered(TOKEN + hash_of(token), question)
        now = time.time()
        if found is None or found.expires < now or is_banned(found.account):
            return None
        if found.used is None or found.used < now - NOTED_EVERY:
            await self._note(found.id, now)
            self.people.forget()
        account = found.account
        credential = TOKEN + hash_of(token)
        return Who(account.session, account.id, account.name, account.bot, found.scopes, credential)

    async def _note(self, token: str, now: float) -> None:
        def change(connection: sa.Connection) -> None:
            connection.execute(sa.update(tokens).where(tokens.c.id == token).values(used=now))

        await self.store.write(change)

    async def create(self, who: Who, name: str, scopes: list[str], days: int) -> dict[str, Any]:
        """A new token, with the text that is shown once."""
        assert who.account is not None
        account = who.account
        name = " ".join(name.split())
        if not 1 <= len(name) <= 60 or not name.isprintable():
            raise AccountError(_("a token needs a name of at most 60 letters"))
        if not scopes or any(scope not in SCOPES for scope in scopes):
            raise AccountError(_("scopes are read and play"))
        if "play" in scopes and not who.bot:
            raise AccountError(_("only a bot’s account may play by a program"), 403)
        if not 1 <= days <= MOST_DAYS:
            raise AccountError(_("a token is valid for 1 to {most} days").format(most=MOST_DAYS))
        text, now = PREFIX + secrets.token_urlsafe(24), time.time()
        line = {
            "id": secrets.token_urlsafe(9),
            "account": account,
            "hash": hash_of(text),
            "name": name,
            "scopes": " ".join(scope for scope in SCOPES if scope in scopes),
            "created": now,
            "expires": now + days * 86_400,
            "used": None,
        }

        def change(connection: sa.Connection) -> None:
            many = connection.scalar(
                sa.select(sa.func.count()).select_from(tokens).where(tokens.c.account == account)
            )
            if (many or 0) >= MOST_TOKENS:
                raise AccountError(
                    _("at most {most} tokens: delete one first").format(most=MOST_TOKENS)
                )
            connection.execute(sa.insert(tokens).values(**line))

        await self.store.write(change)
        return {**_told(line), "token": text}

    async def list(self, account: str) -> list[dict[str, Any]]:
        """The tokens of an account, without their secrets."""

        def question(connection: sa.Connection) -> list[dict[str, Any]]:
            found = connection.execute(
                sa.select(tokens).where(tokens.c.account == account).order_by(tokens.c.created)
            )
            return [_told(dict(line)) for line in found.mappings()]

        return await self.store.read(question)

    async def revoke(self, account: str, token: str) -> bool:
        """Ends a token; whether there was one."""

        def change(connection: sa.Connection) -> bool:
            done = connection.execute(
                sa.delete(tokens).where(tokens.c.account == account, tokens.c.id == token)
            )
            revocation.note(connection)
            return bool(done.rowcount)

        gone = await self.store.write(change)
        self.people.forget()
        return gone


def _told(line: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": line["id"],
        "name": line["name"],
        "scopes": line["scopes"].split(),
        "created": moment(line["created"]),
        "expires": moment(line["expires"]),
        "used": None if line["used"] is None else moment(line["used"]),
    }

"""Sign-ins and tokens that have ended: told to every process, and looked at with every event.

Whoever ends one changes a word in the database, in the same transaction. Each process looks at that word
twice a second, and in the transaction that writes an event: when it has changed, it asks which of the
sign-ins and tokens that it knows are still good.
"""

import secrets
import time
from collections.abc import Iterable

import sqlalchemy as sa

from mbegu.server.keep.tables import accounts, logins, settings, tokens

__all__ = ["LOGIN", "TOKEN", "alive", "note", "word"]

KEY = "revocations"
LOGIN, TOKEN = "login ", "token "  # how a credential begins; the hash of its secret follows
PAGE = 500  # asked for at once


def note(connection: sa.Connection) -> None:
    """Something has been revoked, in this transaction."""
    value = secrets.token_hex(8)
    line = settings.c.key == KEY
    if not connection.execute(sa.update(settings).where(line).values(value=value)).rowcount:
        connection.execute(sa.insert(settings).values(key=KEY, value=value))


def word(connection: sa.Connection) -> str | None:
    """The word that changes with every revocation."""
    return connection.scalar(sa.select(settings.c.value).where(settings.c.key == KEY))


def alive(connection: sa.Connection, credentials: Iterable[str]) -> set[str]:
    """Which sign-ins and tokens are good, and their owners not shut out."""
    asked, found = list(credentials), set[str]()
    for start in (LOGIN, TOKEN):
        table = logins if start == LOGIN else tokens
        hashes = [one.removeprefix(start) for one in asked if one.startswith(start)]
        for at in range(0, len(hashes), PAGE):
            chosen = (
                sa.select(table.c.hash)
                .join(accounts, accounts.c.id == table.c.account)
                .where(
                    table.c.hash.in_(hashes[at : at + PAGE]),
                    table.c.expires > time.time(),
                    sa.or_(accounts.c.banned.is_(None), accounts.c.banned < time.time()),
                )
            )
            found |= {start + line.hash for line in connection.execute(chosen)}
    return found

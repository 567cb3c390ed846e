"""Accounts: recovery codes and sign-ins; `names` and `passwords` have modules of their own.

Recovery codes, sign-ins and tokens are random bits that nobody guesses: of these a SHA-256 is kept.
"""

import hashlib
import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from mbegu.core.i18n import _
from mbegu.server.keep import revocation
from mbegu.server.keep.revocation import LOGIN
from mbegu.server.keep.store import Store, StoreError
from mbegu.server.keep.tables import accounts, logins, rooms, seats, tokens
from mbegu.server.people.namesakes import check_new_name
from mbegu.server.people.passwords import Hasher, check_password
from mbegu.server.people.sessions import BOT, PERSON, session_of
from mbegu.server.play.names import AccountError, clean_name, folded, skeleton

__all__ = ["Account", "People", "hash_of"]

Answer = TypeVar("Answer")
SIGNED_IN_FOR = 180 * 24 * 3600.0
KNOWN_FOR = 10.0  # seconds for which a sign-in is not looked up again
MOST_KNOWN = 20_000
BROUGHT_AT_ONCE = 50  # games, while all moves wait
_CODE = "ABCDEFGHJKMNPQRSTVWXYZ23456789"  # no sign that looks like another


@dataclass(frozen=True)
class Account:
    """Somebody with a name."""

    id: str
    name: str
    bot: bool
    created: float
    banned: float | None = None
    reason: str | None = None

    @property
    def session(self) -> str:
        """How he is known in rooms."""
        return session_of(self.id)


# ---- secrets


def hash_of(secret: str) -> str:
    """What is kept of random bits."""
    return hashlib.sha256(secret.encode()).hexdigest()


def new_code() -> str:
    """A recovery code: 28 signs of 30, more than 128 bits, in groups for people to write down."""
    signs = "".join(secrets.choice(_CODE) for _sign in range(28))
    return "-".join(signs[at : at + 4] for at in range(0, 28, 4))


def _read_code(text: str) -> str:
    return re.sub(r"[^A-Z0-9]", "", text.upper())


# ---- people


class People:
    """The accounts of a store."""

    def __init__(self, store: Store, hasher: Hasher) -> None:
        self.store, self.hasher = store, hasher
        self._known: dict[str, tuple[float, Any]] = {}

    # ---- who is this?

    async def signed_in(self, bits: str) -> Account | None:
        """Whose sign-in these bits are."""

        def question(connection: sa.Connection) -> Account | None:
            line = connection.execute(
                sa.select(accounts)
                .join(logins, logins.c.account == accounts.c.id)
                .where(logins.c.hash == hash_of(bits), logins.c.expires > time.time())
            ).first()
            return None if line is None else read_account(line)

        found = await self.remembered(LOGIN + hash_of(bits), question)
        return None if found is None or is_banned(found) else found

    async def remembered(
        self, key: str, question: Callable[[sa.Connection], Answer | None]
    ) -> Answer | None:
        """The answer to a question, asked again after some seconds; nothing is never remembered."""
        at, answer = self._known.get(key, (0.0, None))
        if answer is not None and time.monotonic() - at < KNOWN_FOR:
            known: Answer = answer
            return known
        found = await self.store.read(question)
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        if found is not None:
            self._known[key] = time.monotonic(), found
        return found

    def remembers(self, key: str) -> bool:
        """Whether the answer to a question is at hand."""
        at, answer = self._known.get(key, (0.0, None))
        return answer is not None and time.monotonic() - at < KNOWN_FOR

    def forget(self) -> None:
        """Looks everybody up again: somebody's sign-ins, tokens or name have changed."""
        self._known.clear()

    async def by_id(self, account: str) -> Account | None:
        """An account."""
        return await self.store.read(lambda connection: find(connection, accounts.c.id == account))

    async def by_name(self, name: str) -> Account | None:
        """The account that a name means."""
        wanted = accounts.c.folded == folded(name[:200])
        return await self.store.read(lambda connection: find(connection, wanted))

    # ---- coming

    async def sign_up(
        self, name: str, password: str, bot: bool, guest: str | None
    ) -> tuple[Account, str, str, list[str]]:
        """A new account, its recovery code and a sign-in; a guest's games, told too, come along."""
        name = clean_name(name)
        check_password(password, name)
        if await self.by_name(name):
            raise AccountError(_("this name is taken"), 409)
        await check_new_name(self.store, name)
        code, kept, now = new_code(), await self.hasher.hash(password), time.time()
        number = (BOT if bot else PERSON) + secrets.token_urlsafe(12)
        account = Account(number, name, bot, now)

        def change(connection: sa.Connection) -> tuple[str, list[str]]:
            connection.execute(
                sa.insert(accounts).values(
                    id=account.id,
                    name=name,
                    folded=folded(name),
                    looks=skeleton(name),
                    password=kept,
                    recovery=hash_of(_read_code(code)),
                    bot=bot,
                    created=now,
                    seen=now,
                )
            )
            changed = bring_along(connection, guest, account)
            return _sign_in(connection, account.id, now), changed

        try:
            bits, changed = await self.store.write(change)
        except StoreError as error:
            if isinstance(error.__cause__, IntegrityError):  # somebody was faster
                raise AccountError(_("this name is taken"), 409) from None
            raise
        return account, code, bits, await self._bring_more(guest, account, changed)

    async def sign_in(
        self, name: str, password: str, guest: str | None
    ) -> tuple[Account, str, list[str]]:
        """The account, a new sign-in and the games that come along, if the password is right."""
        wanted = folded(name[:200])

        def question(connection: sa.Connection) -> Any:
            return connection.execute(
                sa.select(accounts).where(accounts.c.folded == wanted)
            ).first()

        line = await self.store.read(question)
        if not await self.hasher.fits(None if line is None else line.password, password):
            raise AccountError(_("this name and this password do not belong together"), 401)
        account = read_account(line)
        self._refuse_banned(account)
        renewed = await self.hasher.hash(password) if self.hasher.is_old(line.password) else None

        def change(connection: sa.Connection) -> tuple[str, list[str]]:
            now = time.time()
            connection.execute(sa.delete(logins).where(logins.c.expires < now))
            values: dict[str, Any] = {"seen": now}
            if renewed is not None:
                values["password"] = renewed
            connection.execute(
                sa.update(accounts).where(accounts.c.id == account.id).values(**values)
            )
            changed = bring_along(connection, guest, account)
            return _sign_in(connection, account.id, now), changed

        bits, changed = await self.store.write(change)
        return account, bits, await self._bring_more(guest, account, changed)

    async def _bring_more(
        self, guest: str | None, account: Account, brought: list[str]
    ) -> list[str]:
        """A guest's other games, if the first that were brought are not all; moves come between."""
        some = brought
        while len(some) == BROUGHT_AT_ONCE:
            some = await self.store.write(partial(bring_along, guest=guest, account=account))
            brought = brought + some
        return brought

    def _refuse_banned(self, account: Account) -> None:
        if is_banned(account):
            raise AccountError(
                _("{name} may not play here: {reason}").format(
                    name=account.name, reason=account.reason or _("no reason was given")
                ),
                403,
            )

    async def recover(self, name: str, code: str, password: str) -> tuple[Account, str, str]:
        """A new password by the recovery code, which is used up; ends all sign-ins and tokens before."""
        account = await self.by_name(name)
        check_password(password, name)
        kept, fresh = await self.hasher.hash(password), new_code()

        def change(connection: sa.Connection) -> str | None:
            if account is None:
                return None
            done = connection.execute(
                sa.update(accounts)
                .where(
                    accounts.c.id == account.id,
                    accounts.c.recovery == hash_of(_read_code(code)),
                )
                .values(password=kept, recovery=hash_of(_read_code(fresh)), seen=time.time())
            )
            if not done.rowcount:
                return None
            end_all(connection, account.id)
            return _sign_in(connection, account.id, time.time())

        bits = await self.store.write(change)
        if account is None or bits is None:
            raise AccountError(_("this name and this recovery code do not belong together"), 401)
        self._refuse_banned(account)
        self.forget()
        return account, fresh, bits

    # ---- changing

    async def check(self, account: str, password: str) -> None:
        """Asks for the password once more."""
        kept = await self.store.read(
            lambda connection: connection.scalar(
                sa.select(accounts.c.password).where(accounts.c.id == account)
            )
        )
        if not await self.hasher.fits(kept, password):
            raise AccountError(_("this is not the password"), 401)

    async def change_password(self, account: str, name: str, password: str) -> str:
        """A new password; all sign-ins and tokens end but the new sign-in that is given back."""
        check_password(password, name)
        kept = await self.hasher.hash(password)

        def change(connection: sa.Connection) -> str:
            connection.execute(
                sa.update(accounts).where(accounts.c.id == account).values(password=kept)
            )
            end_all(connection, account)
            return _sign_in(connection, account, time.time())

        bits = await self.store.write(change)
        self.forget()
        return bits

    async def new_recovery(self, account: str) -> str:
        """Another recovery code; the one before is worth nothing then."""
        code = new_code()

        def change(connection: sa.Connection) -> None:
            connection.execute(
                sa.update(accounts)
                .where(accounts.c.id == account)
                .values(recovery=hash_of(_read_code(code)))
            )

        await self.store.write(change)
        return code

    # ---- leaving

    async def sign_out(self, bits: str) -> None:
        """Ends one sign-in."""

        def change(connection: sa.Connection) -> None:
            connection.execute(sa.delete(logins).where(logins.c.hash == hash_of(bits)))
            revocation.note(connection)

        await self.store.write(change)
        self.forget()

    async def sign_out_everywhere(self, account: str) -> None:
        """Ends all sign-ins of an account."""

        def change(connection: sa.Connection) -> None:
            connection.execute(sa.delete(logins).where(logins.c.account == account))
            revocation.note(connection)

        await self.store.write(change)
        self.forget()


def find(connection: sa.Connection, where: Any) -> Account | None:
    """One account."""
    line = connection.execute(sa.select(accounts).where(where)).first()
    return None if line is None else read_account(line)


def read_account(line: Any) -> Account:
    """A line of the table."""
    return Account(line.id, line.name, bool(line.bot), line.created, line.banned, line.reason)


def is_banned(account: Account) -> bool:
    """Whether somebody may not play now."""
    return account.banned is not None and account.banned > time.time()


def end_all(connection: sa.Connection, account: str) -> None:
    """Ends all sign-ins and tokens of an account, in every process."""
    for table in (logins, tokens):
        connection.execute(sa.delete(table).where(table.c.account == account))
    revocation.note(connection)


def ban(connection: sa.Connection, account: str, until: float | None, reason: str | None) -> None:
    """Shuts somebody out until a moment, or (None) lets him in again."""
    connection.execute(
        sa.update(accounts).where(accounts.c.id == account).values(banned=until, reason=reason)
    )
    if until is not None:
        end_all(connection, account)


def bring_along(connection: sa.Connection, guest: str | None, account: Account) -> list[str]:
    """So many of a guest's games become those of his account; which they are."""
    if guest is None:
        return []
    # Two questions that end as soon as there are enough: one for both would look at all games each time.
    seated = sa.select(seats.c.room).where(seats.c.session == guest).limit(2 * BROUGHT_AT_ONCE)
    made = sa.select(rooms.c.id).where(rooms.c.owner == guest).limit(BROUGHT_AT_ONCE)
    found = dict.fromkeys([*connection.scalars(seated), *connection.scalars(made)])
    some = list(found)[:BROUGHT_AT_ONCE]
    sitting = sa.and_(seats.c.room.in_(some), seats.c.session == guest)
    unnamed = sa.update(seats).where(sitting, seats.c.name == "")
    connection.execute(unnamed.values(name=account.name))
    connection.execute(
        sa.update(seats).where(sitting).values(session=account.session, account=account.id)
    )
    owned = sa.update(rooms).where(rooms.c.id.in_(some), rooms.c.owner == guest)
    connection.execute(owned.values(owner=account.session))
    release(connection, some)
    return some


def release(connection: sa.Connection, changed: list[str]) -> None:
    """Lets nobody write into rooms before he has read them again: their seats have changed."""
    connection.execute(
        sa.update(rooms).where(rooms.c.id.in_(changed)).values(host=None, fence=rooms.c.fence + 1)
    )


def _sign_in(connection: sa.Connection, account: str, now: float) -> str:
    bits = secrets.token_urlsafe(24)
    connection.execute(
        sa.insert(logins).values(
            hash=hash_of(bits), account=account, created=now, expires=now + SIGNED_IN_FOR
        )
    )
    return bits

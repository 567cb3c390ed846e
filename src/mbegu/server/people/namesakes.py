"""Guests and the names of members: nobody passes for somebody else."""

import re
import unicodedata

import sqlalchemy as sa

from mbegu.core.i18n import _
from mbegu.server.keep.store import Store
from mbegu.server.keep.tables import accounts
from mbegu.server.net.messages import Refused
from mbegu.server.people.sessions import account_of
from mbegu.server.play.names import OFFICIAL, AccountError, at_a_glance, check_script, skeleton

__all__ = ["check_guest_name", "check_new_name"]

_AS_LETTER = str.maketrans("@!", "ai")  # signs that are left out elsewhere
_BRACKET = re.compile(r"[(\[{<（［]")


async def check_guest_name(store: Store, session: str, name: str) -> None:
    """Refuses a guest's name that is, or looks like, a member's."""
    if not name or account_of(session) is not None:
        return
    # "Juma (1600)" passes for Juma with his rating, and so does "Jum@".
    looks = {skeleton(form) for form in (name, _BRACKET.split(name)[0], name.translate(_AS_LETTER))}
    same = sa.select(accounts.c.id).where(accounts.c.looks.in_(looks)).limit(1)
    member = await store.read(lambda connection: connection.scalar(same))
    if member is not None or looks & OFFICIAL:
        raise Refused(
            _(
                "a member here is called {name}, or nearly so: sign in, or choose another name"
            ).format(name=name)
        )
    for word in unicodedata.normalize("NFKC", name).split():
        check_script(word)


async def check_new_name(store: Store, name: str) -> None:
    """Refuses a new member's name that nobody could tell from another's."""

    def question(connection: sa.Connection) -> list[str]:
        same = sa.select(accounts.c.name).where(accounts.c.looks == skeleton(name))
        return list(connection.scalars(same))

    if any(at_a_glance(other) == at_a_glance(name) for other in await store.read(question)):
        raise AccountError(_("this name is taken, or looks like one that is"), 409)

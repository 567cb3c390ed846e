"""Guests and the names of members: nobody passes for somebody else."""

import sqlalchemy as sa

from mbegu.core.i18n import _
from mbegu.server.keep.store import Store
from mbegu.server.keep.tables import accounts
from mbegu.server.net.messages import Refused
from mbegu.server.people.sessions import account_of
from mbegu.server.play.names import OFFICIAL, skeleton

__all__ = ["check_guest_name"]


async def check_guest_name(store: Store, session: str, name: str) -> None:
    """Refuses a guest's name that is, or looks like, a member's."""
    if not name or account_of(session) is not None:
        return
    looks = skeleton(name)
    same = sa.select(accounts.c.id).where(accounts.c.looks == looks).limit(1)
    member = await store.read(lambda connection: connection.scalar(same))
    if member is not None or looks in OFFICIAL:
        raise Refused(
            _(
                "a member here is called {name}, or nearly so: sign in, or choose another name"
            ).format(name=name)
        )

"""`mbegu admin`: looks after the people and the games of a server, by its database."""

import asyncio
import json
import re
import time
from collections.abc import Callable
from typing import Any, TypeVar

import click
import sqlalchemy as sa

from mbegu.cli.options import json_option
from mbegu.core.errors import MbeguError
from mbegu.core.i18n import _
from mbegu.core.printable import printable
from mbegu.server.keep.database import existing_url
from mbegu.server.keep.store import Store
from mbegu.server.keep.tables import accounts, events, rated_games, rooms, seats
from mbegu.server.net.messages import moment
from mbegu.server.people.accounts import Account, People, ban, find, is_banned
from mbegu.server.people.passwords import Hasher
from mbegu.server.play.names import folded

__all__ = ["admin"]

Answer = TypeVar("Answer")
FOR_EVER = 4_102_444_800.0  # the year 2100
UNITS = {"h": 3600, "d": 86_400, "w": 7 * 86_400}

database = click.option(
    "--database",
    metavar="URL",
    envvar="MBEGU_DATABASE",
    help=_("Where the games are kept: a file, or a database URL."),
)
as_json = json_option("told")
limit = click.option(
    "--limit", type=click.IntRange(1, 10_000), default=50, show_default=True, help=_("At most.")
)


@click.group(
    help=_("Look after the people and the games of a server; it may be running meanwhile.")
)
def admin() -> None:
    """The group of commands for those who run a server."""


def _ask(url: str | None, question: Callable[[sa.Connection], Answer]) -> Answer:
    store = Store(existing_url(url))
    try:
        return asyncio.run(store.read(question))
    finally:
        store.close()


def _do(url: str | None, change: Callable[[sa.Connection], Answer]) -> Answer:
    store = Store(existing_url(url))
    try:
        return asyncio.run(store.write(change))
    finally:
        store.close()


def _show(rows: list[dict[str, Any]], told: bool, empty: str) -> None:
    """A table for people, or a line of JSON for each row."""
    if told:
        for row in rows:
            click.echo(json.dumps(row, ensure_ascii=False))
        return
    if not rows:
        click.echo(empty)
        return
    texts = [[_cell(value) for value in row.values()] for row in rows]
    widths = [max(map(len, column)) for column in zip(list(rows[0]), *texts, strict=True)]
    for line in [list(rows[0]), *texts]:
        pairs = zip(line, widths, strict=True)
        click.echo("  ".join(text.ljust(width) for text, width in pairs).rstrip())


def _cell(value: Any) -> str:
    if value is None or value is False:
        return "-"
    return "yes" if value is True else printable(str(value))


# ---- people


@admin.command(help=_("List the accounts, the latest first; PART is a part of the name."))
@click.argument("part", required=False, default="")
@limit
@as_json
@database
def users(part: str, limit: int, told: bool, database: str | None) -> None:
    """List the accounts."""

    def question(connection: sa.Connection) -> list[dict[str, Any]]:
        played = (
            sa.select(sa.func.count())
            .select_from(rated_games)
            .where(rated_games.c.account == accounts.c.id)
            .scalar_subquery()
        )
        chosen = sa.select(accounts, played.label("rated")).order_by(accounts.c.created.desc())
        if part:
            chosen = chosen.where(accounts.c.folded.contains(folded(part), autoescape=True))
        return [
            {
                "name": line.name,
                "bot": bool(line.bot),
                "created": moment(line.created),
                "seen": moment(line.seen),
                "rated_games": line.rated,
                "banned": _until(line.banned),
                "reason": line.reason,
            }
            for line in connection.execute(chosen.limit(limit))
        ]

    _show(_ask(database, question), told, _("There is no such account."))


def _until(banned: float | None) -> str | None:
    if banned is None or banned < time.time():
        return None
    return "for ever" if banned >= FOR_EVER else moment(banned)


def _named(connection: sa.Connection, name: str) -> Account:
    account = find(connection, accounts.c.folded == folded(name))
    if account is None:
        raise MbeguError(_("nobody is called {name} here").format(name=name))
    return account


@admin.command(
    "ban",
    help=_(
        "Shut somebody out: he is signed out everywhere within seconds, and his tokens end. "
        "Without --for it is for ever."
    ),
)
@click.argument("name")
@click.option("--reason", default="", help=_("What he is told when he tries to sign in."))
@click.option("--for", "span", metavar="SPAN", help=_("How long: 12h, 7d or 4w."))
@database
def ban_account(name: str, reason: str, span: str | None, database: str | None) -> None:
    """Shut somebody out."""
    until = FOR_EVER if span is None else time.time() + _seconds(span)

    def change(connection: sa.Connection) -> Account:
        account = _named(connection, name)
        ban(connection, account.id, until, reason or None)
        return account

    account = _do(database, change)
    click.echo(
        _("{name} is shut out ({until}).").format(name=account.name, until=_until(until) or "")
    )


def _seconds(span: str) -> float:
    found = re.fullmatch(r"([1-9]\d{0,3})([hdw])", span)
    if found is None:
        raise MbeguError(_("{span} is not a span of time: write 12h, 7d or 4w").format(span=span))
    return int(found[1]) * UNITS[found[2]]


@admin.command(help=_("Let somebody in again."))
@click.argument("name")
@database
def unban(name: str, database: str | None) -> None:
    """Let somebody in again."""

    def change(connection: sa.Connection) -> Account:
        account = _named(connection, name)
        ban(connection, account.id, None, None)
        return account

    account = _do(database, change)
    told = _("{name} may play again.") if is_banned(account) else _("{name} was not shut out.")
    click.echo(told.format(name=account.name))


@admin.command(
    help=_("Print a new recovery code for somebody who has lost his password and his code.")
)
@click.argument("name")
@database
def recovery(name: str, database: str | None) -> None:
    """Help somebody in who has lost everything."""
    store = Store(existing_url(database))
    try:
        code = asyncio.run(_new_code(store, name))
    finally:
        store.close()
    click.echo(code)


async def _new_code(store: Store, name: str) -> str:
    account = await store.read(lambda connection: _named(connection, name))
    hasher = Hasher()
    try:
        return await People(store, hasher).new_recovery(account.id)
    finally:
        hasher.close()


# ---- games


@admin.command(help=_("List the games, last touched first."))
@click.option(
    "--status",
    type=click.Choice(["open", "setup", "playing", "over"]),
    help=_("Only games that stand so."),
)
@click.option("--rated", is_flag=True, help=_("Only rated games."))
@limit
@as_json
@database
def games(status: str | None, rated: bool, limit: int, told: bool, database: str | None) -> None:
    """List the games."""

    def question(connection: sa.Connection) -> list[dict[str, Any]]:
        chosen = sa.select(rooms).order_by(rooms.c.updated.desc()).limit(limit)
        if status is not None:
            chosen = chosen.where(rooms.c.status == status)
        if rated:
            chosen = chosen.where(rooms.c.rated)
        found = connection.execute(chosen).all()
        sitting = sa.select(seats).where(seats.c.room.in_([line.id for line in found]))
        names: dict[str, list[str]] = {line.id: ["", ""] for line in found}
        for seat in connection.execute(sitting):
            level = f"computer {seat.level}" if seat.kind == "computer" else ""
            names[seat.room][seat.seat] = seat.name or level or "?"
        return [
            {
                "id": line.id,
                "game": line.game,
                "status": line.status,
                "rated": bool(line.rated),
                "plies": line.plies,
                "players": " – ".join(names[line.id]),
                "updated": moment(line.updated),
            }
            for line in found
        ]

    _show(_ask(database, question), told, _("There is no such game."))


@admin.command(help=_("Count what the database holds."))
@as_json
@database
def stats(told: bool, database: str | None) -> None:
    """Count."""

    def question(connection: sa.Connection) -> dict[str, Any]:
        def count(table: sa.Table, *where: Any) -> int:
            chosen = sa.select(sa.func.count()).select_from(table).where(*where)
            return connection.scalar(chosen) or 0

        day = time.time() - 86_400
        found: dict[str, Any] = {
            "accounts": count(accounts),
            "bots": count(accounts, accounts.c.bot),
            "banned": count(accounts, accounts.c.banned > time.time()),
            "seen_today": count(accounts, accounts.c.seen > day),
            "games": count(rooms),
            "games_today": count(rooms, rooms.c.updated > day),
            "rated_games": count(rated_games) // 2,
            "events": count(events),
        }
        by_status = sa.select(rooms.c.status, sa.func.count()).group_by(rooms.c.status)
        for status, number in connection.execute(by_status):
            found[f"games_{status}"] = number
        return found

    found = _ask(database, question)
    if told:
        click.echo(json.dumps(found))
    else:
        for name, number in found.items():
            click.echo(f"{name.replace('_', ' '):16} {number:>10,}")

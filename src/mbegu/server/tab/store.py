"""Rooms in the browser's database. Whoever keeps them is JavaScript (web/src/tab/keeper.ts)."""

import json
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any, Protocol

from mbegu.core.i18n import _
from mbegu.server.play.ports import StoreError
from mbegu.server.play.rows import Happening, RoomRow, SeatRow

__all__ = ["HERE", "Keeper", "TabStore", "row_json", "row_of"]

HERE = "here"  # the session of whoever sits at this device
NOT_KEPT = ("seats", "log")


class Keeper(Protocol):
    """Keeps rooms as JSON; each answer comes when it is written."""

    async def load(self, room: str) -> str | None:
        """A room with its log."""
        ...

    async def append(self, room: str, events: str, summary: str) -> str:
        """Adds events: "kept", "behind" if they do not follow upon the last because another tab plays this
        game, or "gone" if there is no such game any more."""
        ...

    async def add(self, rows: str) -> None:
        """Keeps new rooms."""
        ...

    async def remove(self, room: str) -> None:
        """Forgets a room."""
        ...

    async def list(self) -> str:
        """All rooms without their logs."""
        ...


class TabStore:
    """A `RoomStore` for one device."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self.fences: dict[str, int] = {}
        self.displaced: Callable[[str], None] = lambda _room: None

    async def add_rooms(self, rows: Sequence[RoomRow]) -> None:
        """Keeps new rooms."""
        try:
            await self._keeper.add(json.dumps([row_json(row) for row in rows]))
        except Exception as error:
            raise _full(error) from error

    async def append(
        self,
        room: str,
        happenings: Sequence[Happening],
        summary: dict[str, Any],
        credential: str | None = None,
    ) -> None:
        """Adds events to a room's log if they follow upon the last."""
        lines = json.dumps([_event_json(line) for line in happenings])
        try:
            kept = await self._keeper.append(room, lines, json.dumps(summary))
        except Exception as error:
            raise _full(error) from error
        if kept == "kept":
            return
        self.displaced(room)
        if kept == "behind":
            raise StoreError(_("this game has gone on in another tab: look at the board again"))
        raise StoreError(
            _("this game is no longer here: another tab or the browser has deleted it")
        )

    async def claim(self, room: str) -> None:
        """Nobody else has it: two tabs are told apart by the versions of their events."""

    async def load(self, room: str) -> RoomRow | None:
        """A room with its log."""
        text = await self._keeper.load(room)
        return None if text is None else _read(json.loads(text))

    async def mine(
        self, session: str, limit: int, before: tuple[float, str] | None, status: str | None
    ) -> list[RoomRow]:
        """The rooms of this device, last touched first."""
        found = (_read(row) for row in json.loads(await self._keeper.list()))
        rows = [row for row in found if row is not None]
        rows.sort(key=lambda row: (row.updated, row.id), reverse=True)
        return [
            row
            for row in rows
            if (status is None or row.status == status)
            and (before is None or (row.updated, row.id) < before)
        ][:limit]

    async def names(self) -> list[str]:
        """The ids of all rooms, first made first."""
        found = (_read(row) for row in json.loads(await self._keeper.list()))
        rows = [row for row in found if row is not None]
        return [row.id for row in sorted(rows, key=lambda row: (row.created, row.id))]

    async def delete(self, room: str) -> None:
        """Forgets a room."""
        await self._keeper.remove(room)


def row_of(told: dict[str, Any]) -> RoomRow:
    """A room out of JSON."""
    known = {field.name for field in fields(RoomRow)}
    first, second = (SeatRow(**seat) for seat in told["seats"])
    log = tuple(
        Happening(line["version"], line["at"], line["kind"], line["data"], line.get("command"))
        for line in told.get("log", ())
    )
    plain = {key: value for key, value in told.items() if key in known and key not in NOT_KEPT}
    return RoomRow(**plain, seats=(first, second), log=log)


def _read(told: dict[str, Any]) -> RoomRow | None:
    """A room of the browser's database; None for one that something has damaged: the others are there."""
    try:
        row = row_of(told)
        sound = isinstance(row.updated, float | int) and isinstance(row.created, float | int)
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    return row if sound else None


def row_json(row: RoomRow) -> dict[str, Any]:
    """A room as JSON, with its log."""
    plain = {field.name: getattr(row, field.name) for field in fields(RoomRow)}
    return {
        **{key: value for key, value in plain.items() if key not in NOT_KEPT},
        "seats": [vars(seat) for seat in row.seats],
        "log": [_event_json(line) for line in row.log],
    }


def _event_json(line: Happening) -> dict[str, Any]:
    return {
        "version": line.version,
        "at": line.at,
        "kind": line.kind,
        "data": line.data,
        "command": line.command,
    }


def _full(error: Exception) -> StoreError:
    return StoreError(
        _("this browser does not keep the game: its storage may be full ({why})").format(
            why=str(error).strip().splitlines()[-1][:200] if str(error).strip() else "?"
        )
    )

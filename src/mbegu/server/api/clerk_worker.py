"""What the clerk does in a process of its own: it reads records and plays lines through.

It takes seconds where a request takes a millisecond, so it does not happen where others wait. What is
found is handed over in small pieces: a large one would hold up everybody while it is unpacked.
"""

import gzip
import os
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from typing import Any

from mbegu.core.errors import MbeguError
from mbegu.core.game import Move
from mbegu.core.i18n import speaking
from mbegu.server.net.messages import dumps
from mbegu.server.net.replies import refused
from mbegu.server.play.forms import imported_rooms, read_object
from mbegu.server.play.game_state import Course
from mbegu.server.play.handing import check_rules
from mbegu.server.play.link_forms import link_of, opened_link
from mbegu.server.play.records import kept_game, record_file
from mbegu.server.play.rows import RoomRow
from mbegu.server.play.trials import tried
from mbegu.server.think.engine_worker import Answers, attend

__all__ = ["clerk"]

MODEST = 10  # whoever plays goes first, and whoever thinks for a player
PIECE = 100_000  # bytes
PACKING = 5  # as tightly as is worth the time


def clerk(pipe: Connection) -> None:
    """The life of the process."""
    if hasattr(os, "nice"):
        os.nice(MODEST)
    attend(pipe, Chores())


class Chores:
    """Does one chore at a time."""

    def think(self, _number: int, kind: str, arguments: tuple[Any, ...]) -> Answers:
        """What comes of a chore, or with which words it is refused."""
        chores: dict[str, Callable[..., Answers]] = {
            "try": self._try,
            "import": self._import,
            "check": self._check,
            "record": self._record,
            "keep": self._keep,
            "link": self._link,
            "open": self._open,
        }
        language, *rest = arguments
        with speaking(language):
            try:
                yield from chores[kind](*rest)
            except MbeguError as error:
                answer = refused(error)
                yield {"status": answer.status_code, "piece": bytes(answer.body)}

    def stop(self, _number: int) -> None:
        """A chore is not interrupted: whoever does not want it any more ends the process."""

    def _try(self, body: bytes, packed: bool) -> Answers:
        yield from _pieces(tried(read_object(body)).encode(), packed)

    def _import(self, body: bytes, session: str) -> Answers:
        for row in imported_rooms(read_object(body).get("text"), session):
            yield {"row": row}

    def _check(self, game: str, start: str, moves: Sequence[Move], end: bool) -> Answers:
        check_rules(game, start, moves, end)
        yield from ()

    def _record(self, row: RoomRow, form: str) -> Answers:
        name, text = record_file(Course(row).record(), row.id, form)
        yield {"name": name}
        yield from _pieces(text.encode(), packed=False)

    def _keep(self, room: str, row: RoomRow) -> Answers:
        yield from _pieces(kept_game(room, row).encode(), packed=False)

    def _link(self, form: dict[str, Any]) -> Answers:
        yield {"piece": dumps(link_of(form)).encode()}

    def _open(self, form: dict[str, Any]) -> Answers:
        yield {"piece": dumps(opened_link(form)).encode()}


def _pieces(data: bytes, packed: bool) -> Answers:
    if packed:
        data = gzip.compress(data, PACKING)
    for at in range(0, len(data), PIECE):
        yield {"piece": data[at : at + PIECE], "packed": packed}

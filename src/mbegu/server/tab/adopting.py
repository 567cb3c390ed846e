"""A game of a server that is away, in this tab: taken up where the server has left it, and told for handing in.

The first event after the moves that the server knew says whose game it is (`CONTINUED`); what comes
after it was played here.
"""

import secrets
import time
from typing import Any

from mbegu.core.clock import TimeControl
from mbegu.core.errors import shorten
from mbegu.core.i18n import _
from mbegu.core.match import Match
from mbegu.core.outcome import Reason
from mbegu.core.registry import game as find_game
from mbegu.server.net.messages import Json
from mbegu.server.play.events import EventKind
from mbegu.server.play.forms import InvalidForm
from mbegu.server.play.game_state import Course
from mbegu.server.play.rows import Happening, RoomRow, SeatKind, SeatRow, Status

__all__ = ["adopted", "continuation_of"]

ENDS = {
    Reason.RESIGNATION: "resigned",
    Reason.TIMEOUT: "flagged",
    Reason.AGREEMENT: "drawn",
}


def adopted(shot: Json, commands: list[str], session: str) -> RoomRow:
    """The room of a server's snapshot; `commands` are ids of what was on its way there."""
    try:
        return _adopted(shot, commands, session)
    except (KeyError, TypeError, IndexError) as error:
        raise InvalidForm(
            _("this is not a game of a server: {what}").format(what=shorten(str(error)))
        ) from None


def _adopted(shot: Json, commands: list[str], session: str) -> RoomRow:
    told = shot["room"]
    game, control = find_game(told["game"]), TimeControl.parse(told["control"])
    match = Match(game, game.position(told["start"]))
    clock = shot.get("clock")
    left = {} if clock is None else {"left": [max(0.0, one) for one in clock["left"]]}
    now, log = time.time(), list[Happening]()

    def add(kind: EventKind, data: dict[str, Any]) -> None:
        log.append(Happening(len(log) + 1, now, kind, data | left))

    if told["help"] != "full":
        add(EventKind.HELP, {"help": told["help"]})
    for ply, line in enumerate(shot["moves"], 1):
        add(EventKind.MOVED, {"ply": ply, "player": match.turn, "move": line["move"]})
        match.play(line["move"])
    mark = {"device": secrets.token_urlsafe(16), "count": 0, "since": int(shot["version"])}
    add(EventKind.CONTINUED, mark | {"commands": list(commands)})
    first, second = (_seat(seat, session) for seat in told["seats"])
    return RoomRow(
        id=told["id"],
        owner=session,
        game=str(game),
        rules=game.id,
        start=str(match.positions[0]),
        control=str(control),
        pace=float(told.get("pace", 0.0)),
        source=None,
        created=now,
        seats=(first, second),
        updated=now,
        version=len(log),
        status=Status.PLAYING if match.outcome is None else Status.OVER,
        plies=len(match.moves),
        position=str(match.position),
        log=tuple(log),
    )


def _seat(told: Json, session: str) -> SeatRow:
    if told["kind"] == SeatKind.COMPUTER:
        return SeatRow(SeatKind.COMPUTER, told["level"], told["name"])
    return SeatRow(SeatKind.HUMAN, 0, told["name"], session)


def continuation_of(course: Course) -> Json:
    """What is handed in; nothing (`{}`) if the game was not a server's, or has not gone on here."""
    marks = [line for line in course.happenings() if line.kind == EventKind.CONTINUED]
    match = course.match
    if not marks or match is None or marks[-1].version == course.version:
        return {}
    mark, outcome = marks[-1].data, match.outcome
    end = None
    if outcome is not None and outcome.reason in ENDS:
        player = 0 if outcome.winner is None else 1 - outcome.winner
        end = {"kind": ENDS[outcome.reason], "player": player}
    left = course.left()
    return {
        "device": mark["device"],
        "count": course.version,
        "after": mark["since"],
        "moves": list(match.moves),
        "end": end,
        "left": None if left is None else [max(0.0, one or 0.0) for one in left],
        "commands": mark["commands"],
    }

"""What players may ask of a room, and when: each command is checked, then becomes an event."""

import hashlib
import re
from typing import TYPE_CHECKING

from mbegu.core.errors import InvalidMove, MatchError, MbeguError, shorten
from mbegu.core.i18n import _, speaking
from mbegu.core.match import Match
from mbegu.core.setups import SetUpGame
from mbegu.server.net.clients import Listener
from mbegu.server.net.messages import Json, Refused, dumps
from mbegu.server.play import offers

if TYPE_CHECKING:
    from mbegu.server.play.room import Room

__all__ = ["command_key", "obey", "plies_to_undo"]

ANYWHERE = ("ping", "sit")  # what a window may ask for in which one only watches
MOST_EVENTS = 5000  # of one game; then it is played to its end, and nothing else
_COMMAND_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")


async def obey(room: "Room", client: Listener, message: Json, arrived: float | None = None) -> None:
    """Does what a client asks for, and answers; what was done before is only answered."""
    with speaking(client.language):
        command = message.get("id")
        try:
            if not isinstance(command, str) or not _COMMAND_ID.fullmatch(command):
                command = None
                raise Refused(_("a command needs an id of 8 to 64 letters and digits"))
            key = command_key(client.session, command)
            version = room.course.commands.get(key)
            if version is None:
                _check_window(room, client, message)
                version = await _obey(room, client, message, command, key, arrived)
                if version is None:
                    return
            client.send(f'{{"t":"ack","id":"{command}","version":{version}}}')
        except MbeguError as error:
            client.send(dumps({"t": "refused", "id": command, "error": str(error)}))


def command_key(session: str, command: str) -> str:
    """Under which a command is kept: its id belongs to the one who sent it, and to nobody else."""
    return hashlib.sha256(f"{session} {command}".encode()).hexdigest()


def _check_window(room: "Room", client: Listener, message: Json) -> None:
    """One plays in one window at a time; in his others he watches."""
    if message.get("t") in ANYWHERE or room.plays_here(client):
        return
    raise Refused(_("you play this game in another window: go on there, or play here"))


async def _obey(
    room: "Room", client: Listener, message: Json, name: str, command: str, arrived: float | None
) -> int | None:
    """The version that the command led to; None if the answer comes later."""
    session = client.session
    match message.get("t"):
        case "ping":
            return room.version
        case "move":
            return await _move(room, client, message, command, arrived)
        case "undo":
            return await _undo(room, session, command)
        case "accept_undo":
            return await offers.accept_undo(room, _playing(room), _mine(room, session), command)
        case "decline_undo":
            return await offers.decline_undo(room, _mine(room, session), command)
        case "resign":
            player = _seat(room, session, message)
            return await room.happen("resigned", {"player": player}, command)
        case "offer_draw":
            player = _seat(room, session, message)
            return await offers.offer_draw(room, _playing(room), player, command)
        case "decline_draw":
            return await _decline_draw(room, session, message, command)
        case "setup":
            return await _lay(room, session, message, command)
        case "hint":
            _hint(room, client, name)
            return None
        case "sit":
            return await offers.sit(room, client, message, command)
        case "claim":
            return await offers.claim(room, _at_table(room, session, message), message, command)
        case "abort":
            return await _abort(room, _mine(room, session)[0], command)
        case "offer_rematch":
            return await offers.offer_rematch(room, _mine(room, session)[0], command)
        case "decline_rematch":
            return await offers.decline_rematch(room, _mine(room, session)[0], command)
        case "say":
            room.talk.say(_mine(room, session)[0], message)
            return room.version
    raise Refused(_("{word} is not a command of this room").format(word=shorten(message.get("t"))))


# ---- who may act


def _playing(room: "Room") -> Match:
    _everybody_sits(room)
    if room.match is None:
        raise Refused(_("the game has not begun: both players lay their beads first"))
    if room.match.outcome:
        raise Refused(_("the game is over"))
    return room.match


def _everybody_sits(room: "Room") -> None:
    if room.status == "open":
        raise Refused(_("the other seat is still empty: wait until somebody has taken it"))


def _mine(room: "Room", session: str) -> list[int]:
    mine = room.seats_of(session)
    if not mine:
        raise Refused(_("you have no seat in this game: you may watch"))
    return mine


def _at_table(room: "Room", session: str, message: Json) -> int:
    """For whom a command is meant that may also come while beads are laid."""
    if room.status == "setup":
        return _mine(room, session)[0]
    return _seat(room, session, message)


def _seat(room: "Room", session: str, message: Json) -> int:
    """For whom a command is meant."""
    match, mine = _playing(room), _mine(room, session)
    wanted = message.get("seat")
    if wanted is not None:
        if wanted not in mine or isinstance(wanted, bool):
            raise Refused(_("this seat is not yours"))
        return int(wanted)
    return match.turn if match.turn in mine else mine[0]


# ---- moves


async def _move(
    room: "Room", client: Listener, message: Json, command: str, arrived: float | None
) -> int:
    match = _playing(room)
    player = match.turn
    assert player is not None
    if player not in _mine(room, client.session):
        raise Refused(_("{side} is to move, not you").format(side=room.game.side(player)))
    ply = len(match.moves) + 1
    if "ply" not in message:
        raise Refused(
            _("ply is missing: the number of this move, counted from 1 (now {ply})").format(ply=ply)
        )
    if message.get("ply") != ply or isinstance(message.get("ply"), bool):
        raise Refused(_("the game has gone on meanwhile: look at the board again"))
    move = message.get("move", message.get("word"))
    if "move" not in message and isinstance(move, str):
        move = room.game.parse_move(move, match.position)
    if isinstance(move, bool) or not isinstance(move, int | str):
        raise InvalidMove(_("{move} is not a move").format(move=shorten(move)))
    told = match.position.unfold(move)
    data: Json = {"ply": ply, "player": player, "move": move}
    given = room.credit(player, client.rtt, arrived)
    if given:
        data["lag"] = given
    if match.clock.flagged(player):
        await room.check_flag()
        raise MatchError(_("{side} has run out of time").format(side=room.game.side(player)))
    return await room.happen("moved", data, command, told)


def _hint(room: "Room", client: Listener, command: str) -> None:
    match = _playing(room)
    if match.turn not in room.seats_of(client.session):
        raise Refused(_("it is not your turn"))
    if room.course.between_people:
        raise Refused(_("there are no hints in a game between people"))
    if room.course.help != "full":
        raise Refused(_("this game is played without hints"))
    room.computer.hint(client, command, match)


async def _lay(room: "Room", session: str, message: Json, command: str) -> int:
    """Urubugu: a player lays his beads, which nobody sees until both have."""
    _everybody_sits(room)
    if room.match is not None or not isinstance(room.game, SetUpGame):
        raise Refused(_("nothing is to be laid: the game has begun"))
    beads = room.course.beads
    waiting = [player for player in room.seats_of(session) if beads[player] is None]
    if not waiting:
        raise Refused(_("you have laid your beads, or have no seat in this game"))
    wanted = message.get("seat", waiting[0])
    if wanted not in waiting or isinstance(wanted, bool):
        raise Refused(_("this seat is not yours, or has laid its beads"))
    laid = message.get("beads")
    if not isinstance(laid, list):
        raise Refused(_("beads must be a list of 16 numbers"))
    data = {"player": int(wanted), "beads": list(room.game.setup(laid))}
    return await room.happen("setup", data, command)


# ---- taking back


def plies_to_undo(room: "Room", session: str) -> int:
    """Back to the last moment at which this session was to move; 0 when there is none."""
    match, mine = room.match, room.seats_of(session)
    if match is None or not mine or _is_kept_as_it_was(room):
        return 0
    if room.course.between_people and match.outcome:
        return 0  # what two people have finished stays finished
    for plies in range(1, len(match.moves) + 1):
        if match.positions[-1 - plies].turn in mine:
            return plies
    return 0


def _is_kept_as_it_was(room: "Room") -> bool:
    """A finished game that came in as a record is not changed."""
    return room.row.source is not None and room.status == "over"


async def _undo(room: "Room", session: str, command: str) -> int:
    _mine(room, session)
    if _is_kept_as_it_was(room):
        raise Refused(_("this is the record of a finished game: it stays as it is"))
    plies = plies_to_undo(room, session)
    if not plies:
        raise Refused(_("there is no move to take back"))
    assert room.match is not None
    by = room.match.positions[-1 - plies].turn
    check_length(room)
    if room.course.between_people:
        assert by is not None
        return await offers.offer_undo(room, by, plies, command)
    left = len(room.match.moves) - plies
    return await room.happen("undone", {"plies": plies, "ply": left, "by": by}, command)


def check_length(room: "Room") -> None:
    """Moves taken back could make a game endless: at some point they stay."""
    if room.version >= MOST_EVENTS:
        raise Refused(_("this game is very long already: play it to its end"))


# ---- before it is a game


async def _abort(room: "Room", player: int, command: str) -> int:
    """Calls a game off that has not really begun: nobody is held by one who never lays or moves."""
    _everybody_sits(room)
    if room.status == "over":
        raise Refused(_("the game is over"))
    if not room.course.between_people:
        raise Refused(_("nobody waits for you here: leave the game, or delete it"))
    if not room.course.may_be_aborted:
        raise Refused(_("both have moved: resign, or offer a draw"))
    return await room.happen("aborted", {"player": player}, command)


# ---- a draw


async def _decline_draw(room: "Room", session: str, message: Json, command: str) -> int:
    match, mine = _playing(room), room.seats_of(session)
    if match.draw_offered_by is None:
        raise Refused(_("nobody has offered a draw"))
    if message.get("seat") is None and 1 - match.draw_offered_by in mine:
        player = 1 - match.draw_offered_by
    else:
        player = _seat(room, session, message)
    return await offers.decline_draw(room, player, command)

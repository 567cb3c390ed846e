"""What needs the other's consent, or his absence: a seat, a draw, a move taken back, a rematch, a claim."""

import secrets
import time
from typing import TYPE_CHECKING

from mbegu.core.i18n import _
from mbegu.core.match import Match
from mbegu.server.net.clients import Listener
from mbegu.server.net.messages import Json, Refused
from mbegu.server.people.namesakes import check_guest_name
from mbegu.server.people.sessions import account_of
from mbegu.server.play.forms import invite_is_over, read_name, rematch_row

if TYPE_CHECKING:
    from mbegu.server.play.room import Room

__all__ = [
    "accept_undo",
    "claim",
    "decline_draw",
    "decline_rematch",
    "decline_undo",
    "offer_draw",
    "offer_rematch",
    "offer_undo",
    "sit",
]

MOST_WISHES = {"draw": 10, "undo": 30, "rematch": 5}  # of one player in one game


# ---- a seat


async def sit(room: "Room", client: Listener, message: Json, command: str) -> int:
    """Takes the open seat to which the token invites."""
    session, player = client.session, _invited_to(room, message.get("token"))
    seat = room.seats[player]
    if seat.kind == "human" and seat.session == session:
        return room.version  # sits there already
    if seat.kind != "open":
        raise Refused(_("somebody has taken this seat already: you may watch"))
    if room.seats_of(session):
        raise Refused(_("you sit on the other side: send the link to somebody else"))
    if invite_is_over(room.row, time.time()):
        raise Refused(_("this invitation is too old: ask for a new game"))
    account = account_of(session)
    if room.row.rated and account is None:
        raise Refused(_("this game counts for ratings: sign in first, then take your seat"))
    name = client.name or read_name(message.get("name"))
    await check_guest_name(room.hall.store, session, name)
    if name and name.casefold() == room.seats[1 - player].name.casefold():
        raise Refused(
            _("the other player is called {name} too: choose another name").format(name=name)
        )
    data = {"player": player, "name": name, "session": session, "account": account}
    version = await room.happen("joined", data, command)
    room.play_in(client)
    return version


def _invited_to(room: "Room", token: object) -> int:
    """The seat that a token opens, open or taken."""
    if not isinstance(token, str):
        raise Refused(_("to take a seat you need an invitation"))
    said = token.encode(errors="replace")
    for player, seat in enumerate(room.seats):
        if seat.invite is not None and secrets.compare_digest(seat.invite.encode(), said):
            return player
    raise Refused(_("this invitation is not for this game: ask for a new link"))


# ---- a draw


async def offer_draw(room: "Room", match: Match, player: int, command: str) -> int:
    """Offers a draw; an offer to one who has offered is an agreement."""
    if match.draw_offered_by == player:
        raise Refused(_("you have offered a draw already"))
    if match.draw_offered_by == 1 - player:
        return await room.happen("drawn", {"player": player}, command)
    check_wish(room, "draw", player)
    version = await room.happen("draw_offered", {"player": player}, command)
    if room.seats[1 - player].kind == "computer":
        version = await room.happen("draw_declined", {"player": 1 - player})
    return version


async def decline_draw(room: "Room", player: int, command: str) -> int:
    """Declines the other's offer, or withdraws one's own."""
    return await room.happen("draw_declined", {"player": player}, command)


def check_wish(room: "Room", wish: str, player: int) -> None:
    """Nobody is asked twice for the same within a move, nor without end in a game.

    Who withdraws a wish has asked all the same.
    """
    if wish != "rematch" and (wish, player) in room.course.asked:
        raise Refused(_("you have asked for this: ask again after the next move"))
    if room.course.wishes[wish, player] >= MOST_WISHES[wish]:
        raise Refused(_("you have asked for this often enough in this game"))


# ---- moves taken back


async def offer_undo(room: "Room", player: int, plies: int, command: str) -> int:
    """Asks the other to let one's last move be taken back."""
    offer = room.course.undo_offer
    if offer is not None and offer[0] == player:
        raise Refused(_("you have asked already: the other has not answered yet"))
    if offer is not None:
        raise Refused(_("the other wishes to take a move back: answer that first"))
    check_wish(room, "undo", player)
    return await room.happen("undo_offered", {"player": player, "plies": plies}, command)


async def accept_undo(room: "Room", match: Match, mine: list[int], command: str) -> int:
    """Lets the other take his move back."""
    offer = room.course.undo_offer
    if offer is None or 1 - offer[0] not in mine:
        raise Refused(_("nobody has asked you to let a move be taken back"))
    player, plies = offer
    data = {"plies": plies, "ply": len(match.moves) - plies, "by": player}
    return await room.happen("undone", data, command)


async def decline_undo(room: "Room", mine: list[int], command: str) -> int:
    """Declines the other's wish, or withdraws one's own."""
    if room.course.undo_offer is None:
        raise Refused(_("nobody has asked to take a move back"))
    return await room.happen("undo_declined", {"player": mine[0]}, command)


# ---- another game


async def offer_rematch(room: "Room", player: int, command: str) -> int:
    """Offers another game with the sides swapped; when both have, it begins."""
    course = room.course
    if room.status != "over":
        raise Refused(_("the game is not over yet"))
    if not course.between_people:
        raise Refused(_("a rematch needs two people: begin a new game"))
    if course.next_room is not None:
        return room.version
    if course.rematch_by == player:
        raise Refused(_("you have asked already: the other has not answered yet"))
    if course.rematch_by is None:
        check_wish(room, "rematch", player)
        return await room.happen("rematch_offered", {"player": player}, command)
    row = rematch_row(room.row, room.seats, course.help)
    await room.hall.add([row])
    return await room.happen("rematch", {"player": player, "room": row.id}, command)


async def decline_rematch(room: "Room", player: int, command: str) -> int:
    """Declines the other's offer of another game, or withdraws one's own."""
    if room.course.rematch_by is None:
        raise Refused(_("nobody has offered another game"))
    return await room.happen("rematch_declined", {"player": player}, command)


# ---- somebody who does not come back


async def claim(room: "Room", player: int, message: Json, command: str) -> int:
    """Ends a game whose other player has been gone for long: victory, or a draw."""
    result = message.get("result", "win")
    if result not in ("win", "draw"):
        raise Refused(_("result must be win or draw"))
    wait = room.presence.claim_in(1 - player)
    if wait is None:
        raise Refused(_("the other player is here: the game goes on"))
    if wait > 0:
        raise Refused(
            _("the other player may still come back: wait {seconds} seconds").format(
                seconds=int(wait) + 1
            )
        )
    return await room.happen("claimed", {"player": player, "result": result}, command)

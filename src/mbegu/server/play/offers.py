"""What needs the other's consent, or his absence: a seat, a draw, a move taken back, a rematch, a claim."""

import secrets
import time

from mbegu.core.i18n import _
from mbegu.server.net.messages import Refused
from mbegu.server.play.decisions import Asked, Decided, by, event
from mbegu.server.play.events import (
    ByPlayer,
    Claimed,
    EventKind,
    Joined,
    NewEvent,
    Rematch,
    Undone,
    UndoOffered,
)
from mbegu.server.play.forms import invite_is_over, read_name, rematch_row
from mbegu.server.play.game_state import Course
from mbegu.server.play.identity import account_of
from mbegu.server.play.rows import SeatKind, Status

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


def sit(asked: Asked) -> Decided:
    """Takes the open seat to which the token invites."""
    course, session = asked.course, asked.session
    player = _invited_to(course, asked.message.get("token"))
    seat = course.seats[player]
    if seat.kind == SeatKind.HUMAN and seat.session == session:
        return Decided()  # sits there already
    if seat.kind != SeatKind.OPEN:
        raise Refused(_("somebody has taken this seat already: you may watch"))
    if course.seats_of(session):
        raise Refused(_("you sit on the other side: send the link to somebody else"))
    if invite_is_over(course.row, time.time()):
        raise Refused(_("this invitation is too old: ask for a new game"))
    account = account_of(session)
    if course.row.rated and account is None:
        raise Refused(_("this game counts for ratings: sign in first, then take your seat"))
    name = asked.name or read_name(asked.message.get("name"))
    if name and name.casefold() == course.seats[1 - player].name.casefold():
        raise Refused(
            _("the other player is called {name} too: choose another name").format(name=name)
        )
    joined = Joined(player=player, name=name, session=session, account=account)
    return Decided((NewEvent(EventKind.JOINED, joined),), sits_as=name)


def _invited_to(course: Course, token: object) -> int:
    """The seat that a token opens, open or taken."""
    if not isinstance(token, str):
        raise Refused(_("to take a seat you need an invitation"))
    said = token.encode(errors="replace")
    for player, seat in enumerate(course.seats):
        if seat.invite is not None and secrets.compare_digest(seat.invite.encode(), said):
            return player
    raise Refused(_("this invitation is not for this game: ask for a new link"))


# ---- a draw


def offer_draw(asked: Asked) -> Decided:
    """Offers a draw; an offer to one who has offered is an agreement. Computers decline."""
    course, player, match = asked.course, asked.seat, asked.match
    if match.draw_offered_by == player:
        raise Refused(_("you have offered a draw already"))
    if match.draw_offered_by == 1 - player:
        return by(EventKind.DRAWN, player)
    check_wish(course, "draw", player)
    offered = by(EventKind.DRAW_OFFERED, player)
    if course.seats[1 - player].kind != SeatKind.COMPUTER:
        return offered
    declined = NewEvent(EventKind.DRAW_DECLINED, ByPlayer(player=1 - player))
    return Decided((*offered.events, declined))


def decline_draw(asked: Asked) -> Decided:
    """Declines the other's offer, or withdraws one's own."""
    match, mine = asked.match, asked.course.seats_of(asked.session)
    if match.draw_offered_by is None:
        raise Refused(_("nobody has offered a draw"))
    if asked.message.get("seat") is None and 1 - match.draw_offered_by in mine:
        return by(EventKind.DRAW_DECLINED, 1 - match.draw_offered_by)
    return by(EventKind.DRAW_DECLINED, asked.seat)


def check_wish(course: Course, wish: str, player: int) -> None:
    """Nobody is asked twice for the same within a move, nor without end in a game.

    Who withdraws a wish has asked all the same.
    """
    if wish != "rematch" and (wish, player) in course.asked:
        raise Refused(_("you have asked for this: ask again after the next move"))
    if course.wishes[wish, player] >= MOST_WISHES[wish]:
        raise Refused(_("you have asked for this often enough in this game"))


# ---- moves taken back


def offer_undo(course: Course, player: int, plies: int) -> Decided:
    """Asks the other to let one's last move be taken back."""
    offer = course.undo_offer
    if offer is not None and offer[0] == player:
        raise Refused(_("you have asked already: the other has not answered yet"))
    if offer is not None:
        raise Refused(_("the other wishes to take a move back: answer that first"))
    check_wish(course, "undo", player)
    return event(EventKind.UNDO_OFFERED, UndoOffered(player=player, plies=plies))


def accept_undo(asked: Asked) -> Decided:
    """Lets the other take his move back."""
    match, mine, offer = asked.match, asked.mine, asked.course.undo_offer
    if offer is None or 1 - offer[0] not in mine:
        raise Refused(_("nobody has asked you to let a move be taken back"))
    player, plies = offer
    left = len(match.moves) - plies
    return event(EventKind.UNDONE, Undone(plies=plies, ply=left, by=player))


def decline_undo(asked: Asked) -> Decided:
    """Declines the other's wish, or withdraws one's own."""
    mine = asked.mine
    if asked.course.undo_offer is None:
        raise Refused(_("nobody has asked to take a move back"))
    return by(EventKind.UNDO_DECLINED, mine[0])


# ---- another game


def offer_rematch(asked: Asked) -> Decided:
    """Offers another game with the sides swapped; when both have, it begins."""
    course, player = asked.course, asked.mine[0]
    if course.status != Status.OVER:
        raise Refused(_("the game is not over yet"))
    if not course.between_people:
        raise Refused(_("a rematch needs two people: begin a new game"))
    if course.next_room is not None:
        return Decided()
    if course.rematch_by == player:
        raise Refused(_("you have asked already: the other has not answered yet"))
    if course.rematch_by is None:
        check_wish(course, "rematch", player)
        return by(EventKind.REMATCH_OFFERED, player)
    row = rematch_row(course.row, course.seats, course.help)
    begun = NewEvent(EventKind.REMATCH, Rematch(player=player, room=row.id))
    return Decided((begun,), opens=row)


def decline_rematch(asked: Asked) -> Decided:
    """Declines the other's offer of another game, or withdraws one's own."""
    player = asked.mine[0]
    if asked.course.rematch_by is None:
        raise Refused(_("nobody has offered another game"))
    return by(EventKind.REMATCH_DECLINED, player)


# ---- somebody who does not come back


def claim(asked: Asked) -> Decided:
    """Ends a game whose other player has been gone for long: victory, or a draw."""
    player, result = asked.seat_at_table, asked.message.get("result", "win")
    if result not in ("win", "draw"):
        raise Refused(_("result must be win or draw"))
    wait = asked.claim_in(1 - player)
    if wait is None:
        raise Refused(_("the other player is here: the game goes on"))
    if wait > 0:
        raise Refused(
            _("the other player may still come back: wait {seconds} seconds").format(
                seconds=int(wait) + 1
            )
        )
    return event(EventKind.CLAIMED, Claimed(player=player, result=result))

"""What players may ask of a room, and when: each command is checked, then leads to events."""

import hashlib
import re
from collections.abc import Callable

from mbegu.core.errors import InvalidMove, shorten
from mbegu.core.i18n import _
from mbegu.core.setups import SetUpGame
from mbegu.server.net.messages import Refused
from mbegu.server.play import offers
from mbegu.server.play.decisions import Asked, Decided, by, event
from mbegu.server.play.events import EventKind, Laid, Moved, NewEvent, Undone
from mbegu.server.play.game_state import MOST_PLIES, Course
from mbegu.server.play.phrases import read_phrase
from mbegu.server.play.rows import Status

__all__ = ["ANYWHERE", "MOST_EVENTS", "command_id", "command_key", "decide", "may", "plies_to_undo"]

ANYWHERE = ("ping", "sit")  # what a window may ask for in which one only watches
MOST_EVENTS = 5000  # of one game; then it is played to its end, and nothing else
_COMMAND_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")


def command_id(given: object) -> str:
    """The id that every command has: asked again with the same, it is only answered again."""
    if not isinstance(given, str) or not _COMMAND_ID.fullmatch(given):
        raise Refused(_("a command needs an id of 8 to 64 letters and digits"))
    return given


def command_key(session: str, command: str) -> str:
    """Under which a command is kept: its id belongs to the one who sent it, and to nobody else."""
    return hashlib.sha256(f"{session} {command}".encode()).hexdigest()


def decide(asked: Asked) -> Decided:
    """What a command leads to; `Refused` if it is not allowed now."""
    word = asked.message.get("t")
    known = _COMMANDS.get(word) if isinstance(word, str) else None
    if known is None:
        raise Refused(_("{word} is not a command of this room").format(word=shorten(word)))
    return known(asked)


def may(course: Course, session: str) -> dict[str, bool]:
    """What somebody can do now."""
    mine, turn, people = course.seats_of(session), course.turn, course.between_people
    seated = course.status == Status.PLAYING and bool(mine)
    return {
        "move": turn in mine,
        "hint": turn in mine and not people and course.help == "full",
        "undo": plies_to_undo(course, session) > 0,
        "resign": seated,
        "draw": seated,
        "abort": bool(mine) and course.may_be_aborted,
        "say": people and bool(mine),
        "rematch": people and bool(mine) and course.status == Status.OVER,
    }


# ---- moves


def _move(asked: Asked) -> Decided:
    match, message, game = asked.match, asked.message, asked.course.game
    player = match.turn
    assert player is not None
    if player not in asked.mine:
        raise Refused(_("{side} is to move, not you").format(side=game.side(player)))
    ply = len(match.moves) + 1
    if ply > MOST_PLIES:
        raise Refused(_("this game is very long already: agree on a draw, or resign"))
    if "ply" not in message:
        raise Refused(
            _("ply is missing: the number of this move, counted from 1 (now {ply})").format(ply=ply)
        )
    if message.get("ply") != ply or isinstance(message.get("ply"), bool):
        raise Refused(_("the game has gone on meanwhile: look at the board again"))
    move = message.get("move", message.get("word"))
    if "move" not in message and isinstance(move, str):
        move = game.parse_move(move, match.position)
    if isinstance(move, bool) or not isinstance(move, int | str):
        raise InvalidMove(_("{move} is not a move").format(move=shorten(move)))
    told = match.position.unfold(move)
    moved = NewEvent(EventKind.MOVED, Moved(ply=ply, player=player, move=move))
    return Decided((moved,), told=told)


def _hint(asked: Asked) -> Decided:
    if asked.match.turn not in asked.course.seats_of(asked.session):
        raise Refused(_("it is not your turn"))
    if asked.course.between_people:
        raise Refused(_("there are no hints in a game between people"))
    if asked.course.help != "full":
        raise Refused(_("this game is played without hints"))
    return Decided(hint=True)


def _lay(asked: Asked) -> Decided:
    """A player lays his beads, which nobody sees until both have."""
    asked.check_everybody_sits()
    course, game, message = asked.course, asked.course.game, asked.message
    if course.match is not None or not isinstance(game, SetUpGame):
        raise Refused(_("nothing is to be laid: the game has begun"))
    waiting = [player for player in course.seats_of(asked.session) if course.beads[player] is None]
    if not waiting:
        raise Refused(_("you have laid your beads, or have no seat in this game"))
    wanted = message.get("seat", waiting[0])
    if wanted not in waiting or isinstance(wanted, bool):
        raise Refused(_("this seat is not yours, or has laid its beads"))
    laid = message.get("beads")
    if not isinstance(laid, list):
        raise Refused(_("beads must be a list of 16 numbers"))
    return event(EventKind.SETUP, Laid(player=int(wanted), beads=list(game.setup(laid))))


# ---- thinking for the computer


def _thinks(asked: Asked) -> Decided:
    """The player's tab can think for the computer, or cannot any more."""
    assert asked.mine
    if not asked.course.tab_may_think:
        raise Refused(_("in this game the server thinks"))
    return Decided(thinks=asked.message.get("on") is True)


def _computed(asked: Asked) -> Decided:
    """What it has thought of; whether that is legal is seen when it is played."""
    assert asked.mine
    ply, move = asked.message.get("ply"), asked.message.get("move")
    if isinstance(ply, bool) or not isinstance(ply, int):
        raise Refused(
            _("ply is missing: the number of this move, counted from 1 (now {ply})").format(
                ply=len(asked.match.moves) + 1
            )
        )
    if isinstance(move, bool) or not isinstance(move, int | str):
        raise InvalidMove(_("{move} is not a move").format(move=shorten(move)))
    return Decided(computed=(ply, move))


# ---- taking back


def plies_to_undo(course: Course, session: str) -> int:
    """Back to the last moment at which this session was to move; 0 when there is none."""
    match, mine = course.match, course.seats_of(session)
    if match is None or not mine or _is_kept_as_it_was(course):
        return 0
    if course.between_people and match.outcome:
        return 0  # what two people have finished stays finished
    for plies in range(1, len(match.moves) + 1):
        if match.positions[-1 - plies].turn in mine:
            return plies
    return 0


def _is_kept_as_it_was(course: Course) -> bool:
    """A finished game that came in as a record is not changed."""
    return course.row.source is not None and course.status == Status.OVER


def _undo(asked: Asked) -> Decided:
    course, _mine = asked.course, asked.mine
    if _is_kept_as_it_was(course):
        raise Refused(_("this is the record of a finished game: it stays as it is"))
    plies = plies_to_undo(course, asked.session)
    if not plies:
        raise Refused(_("there is no move to take back"))
    assert course.match is not None
    player = course.match.positions[-1 - plies].turn
    if course.version >= MOST_EVENTS:  # moves taken back could make a game endless
        raise Refused(_("this game is very long already: play it to its end"))
    if course.between_people:
        assert player is not None
        return offers.offer_undo(course, player, plies)
    left = len(course.match.moves) - plies
    return event(EventKind.UNDONE, Undone(plies=plies, ply=left, by=player))


# ---- before it is a game


def _abort(asked: Asked) -> Decided:
    """Calls a game off that has not really begun: nobody is held by one who never lays or moves."""
    course, player = asked.course, asked.mine[0]
    asked.check_everybody_sits()
    if course.status == Status.OVER:
        raise Refused(_("the game is over"))
    if not course.between_people:
        raise Refused(_("nobody waits for you here: leave the game, or delete it"))
    if not course.may_be_aborted:
        raise Refused(_("both have moved: resign, or offer a draw"))
    return by(EventKind.ABORTED, player)


# ---- talking


def _say(asked: Asked) -> Decided:
    return Decided(says={"player": asked.mine[0], "phrase": read_phrase(asked.message)})


_COMMANDS: dict[str, Callable[[Asked], Decided]] = {
    "ping": lambda _asked: Decided(),
    "move": _move,
    "undo": _undo,
    "accept_undo": offers.accept_undo,
    "decline_undo": offers.decline_undo,
    "resign": lambda asked: by(EventKind.RESIGNED, asked.seat),
    "offer_draw": offers.offer_draw,
    "decline_draw": offers.decline_draw,
    "setup": _lay,
    "hint": _hint,
    "sit": offers.sit,
    "claim": offers.claim,
    "abort": _abort,
    "offer_rematch": offers.offer_rematch,
    "decline_rematch": offers.decline_rematch,
    "say": _say,
    "thinks": _thinks,
    "computed": _computed,
}

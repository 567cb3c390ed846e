"""Moves that are only tried: what they would do, one after the other; nothing is kept."""

from typing import Any

from mbegu.core.errors import InvalidMove, shorten
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import _
from mbegu.core.registry import game as find_game
from mbegu.core.story import tell
from mbegu.server.net.messages import dumps
from mbegu.server.play.forms import InvalidForm
from mbegu.server.play.views import told_events, view

__all__ = ["MOST_MOVES", "tried"]

MOST_MOVES = 2000


def tried(form: dict[str, Any]) -> str:
    """The answer to a form with a move or several, as JSON."""
    game = find_game(form.get("game", ""))
    text = form.get("position")
    if text is not None and not isinstance(text, str):
        raise InvalidForm(_("position must be a text"))
    position = game.start() if text is None else game.position(text)
    if "moves" not in form:
        _move, after, step = _step(game, position, form.get("move"))
        return dumps({**step, "view": view(after)})
    moves = form["moves"]
    if not isinstance(moves, list) or len(moves) > MOST_MOVES:
        raise InvalidForm(_("moves must be a list of at most {most}").format(most=MOST_MOVES))
    steps = []
    for move in moves:
        _move, position, step = _step(game, position, move)
        if form.get("views") is False:
            steps.append({**step, "text": str(position), "scores": list(position.scores())})
        else:
            steps.append({**step, "view": view(position)})
    return dumps({"steps": steps})


def _step(game: Game, position: Position, move: Any) -> tuple[Move, Position, dict[str, Any]]:
    """Plays a move, given as a value or as a word."""
    if isinstance(move, bool) or not isinstance(move, int | str):
        raise InvalidMove(_("{move} is not a move").format(move=shorten(move)))
    if isinstance(move, str) and move not in position.legal_moves():
        move = game.read_move(move.strip(), position)
    story = list(position.events(move))
    step = {
        "move": move,
        "word": game.format_move(move, position),
        "player": position.turn,
        "story": tell(position, move),
        "events": told_events(position, story),
    }
    return move, position.play(move), step

"""The games as the browser gets to know them: their cards, and their lessons step by step."""

from functools import lru_cache, partial
from typing import Any

from mbegu import __version__
from mbegu.core.deadline import within
from mbegu.core.errors import InvalidGame
from mbegu.core.game import Game, Position
from mbegu.core.i18n import LANGUAGES, _, current_language
from mbegu.core.registry import broken, game_class, is_ours, troubles, usable_games
from mbegu.core.registry import game as find_game
from mbegu.games.lessons import lesson
from mbegu.server.net.messages import PROTOCOL, dumps
from mbegu.server.play.views import card, view

__all__ = ["cards", "position_of", "prepare", "told_cards", "told_lesson"]


@lru_cache(2 * len(LANGUAGES))
def told_cards(language: str, engine: bool) -> str:
    """The answer to who asks for all games, as JSON."""
    games = cards(language)
    return dumps(
        {
            "games": games,
            "unusable": [
                {"name": name, "why": why} for name, why in (*troubles(), *_BROKEN.items())
            ],
            "languages": LANGUAGES,
            "version": __version__,
            "protocol": PROTOCOL,
            "engine": engine,
            "levels": [1, 10],
        }
    )


def prepare() -> None:
    """Loads the games before the first visitor asks for them."""
    cards(current_language())


PATIENCE = 5  # seconds for a stranger's card: everybody who comes waits for it
_CARDS: dict[str, list[dict[str, Any]]] = {}


def cards(language: str) -> list[dict[str, Any]]:
    """Every game that can be played, in the language of the moment."""
    if language not in _CARDS:
        _CARDS[language] = [made for found in usable_games() if (made := _card(found))]
    return _CARDS[language]


_BROKEN: dict[str, str] = {}  # games that broke while their cards were made, and why


def _card(found: type[Game]) -> dict[str, Any] | None:
    """A game's card; None where a stranger's game breaks after its first moves."""
    if is_ours(found):
        return _made(found)
    try:
        return within(PATIENCE, partial(_made, found))
    except TimeoutError:
        why = TimeoutError(
            _("its rules take longer than {seconds} seconds").format(seconds=PATIENCE)
        )
        _BROKEN[found.name] = broken(found.name, why)
    except (Exception, SystemExit) as error:
        _BROKEN[found.name] = broken(found.name, error)
    return None


def _made(found: type[Game]) -> dict[str, Any]:
    return {**card(found), "lesson": len(found.lesson())}


def position_of(game: str, text: str | None) -> Position:
    """The position that somebody asks for; the start unless he says which."""
    rules = find_game(game)
    return rules.start() if text is None else rules.position(text)


@lru_cache(64)
def told_lesson(name: str, _language: str) -> str:
    """A lesson in the language of the moment, as JSON; InvalidGame where a stranger's lesson breaks."""
    found = game_class(name)
    try:
        return _written_lesson(name)
    except (Exception, SystemExit) as error:
        if is_ours(found) or isinstance(error, InvalidGame):
            raise
        raise InvalidGame(broken(name, error)) from error


def _written_lesson(name: str) -> str:
    steps = []
    for step in lesson(name):
        position = step.start()
        steps.append(
            {
                "title": _(step.title),
                "text": _(step.text),
                "game": str(position.game),
                "position": str(position),
                "accept": list(step.accept),
                "words": [position.game.format_move(move, position) for move in step.accept],
                "hint": _(step.hint),
                "after": _(step.after),
                "view": view(position),
            }
        )
    return dumps({"game": name, "title": _(game_class(name).title), "steps": steps})

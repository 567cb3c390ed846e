"""What somebody wants analysed, read strictly."""

import asyncio
from typing import Any

from mbegu.core.errors import MbeguError
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.core.registry import game as find_game

__all__ = ["check_history", "question_of"]

MOST_LINES = 64  # every move of most positions
MOST_SECONDS = 60.0
MOST_HISTORY = 1000
AT_ONCE = 32  # positions that are read before others have their turn


def question_of(message: dict[str, Any]) -> tuple[Any, str, list[str], int, float]:
    """What to analyse, checked before anything thinks about it; its history by `check_history`."""
    text, history = message.get("position"), message.get("history", [])
    game = find_game(message.get("game", ""))
    if not isinstance(text, str) or not isinstance(history, list) or len(history) > MOST_HISTORY:
        raise MbeguError(_("an analysis needs a position"))
    position = game.position(text)
    if position.turn is None:
        raise MbeguError(_("the game is over: there is nothing to think about"))
    if not all(isinstance(old, str) for old in history):
        raise MbeguError(_("history must be a list of positions"))
    lines, seconds = message.get("lines", 1), message.get("seconds", 5)
    if isinstance(lines, bool) or not isinstance(lines, int) or not 1 <= lines <= MOST_LINES:
        raise MbeguError(_("lines must be from 1 to {most}").format(most=MOST_LINES))
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise MbeguError(_("seconds must be a number"))
    if not 0.1 <= seconds <= MOST_SECONDS:
        raise MbeguError(_("seconds must be from 0.1 to {most}").format(most=f"{MOST_SECONDS:g}"))
    return game, str(position), history, lines, float(seconds)


async def check_history(game: Game, history: list[str]) -> None:
    """Whether all of these are positions, found out in pieces: nobody waits for a long game."""
    for number, old in enumerate(history, 1):
        game.position(old)
        if number % AT_ONCE == 0:
            await asyncio.sleep(0)

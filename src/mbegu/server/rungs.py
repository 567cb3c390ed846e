"""Bots of the ladder at the table: who stands where, and their moves.

A bot of the ladder sits on a computer's seat of level 0, by its name. It thinks in a cage of its own,
as in the arena, and is asked with the whole game each time: it may be a program that keeps count.
"""

import asyncio
import os
import secrets
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from mbegu.arena.ladder import Ladder, Rung, default_ladder
from mbegu.arena.pool import Keeper
from mbegu.arena.referee import Conditions
from mbegu.arena.roster import BotSpec, find_bot
from mbegu.arena.runner import BotFault, missing_layers
from mbegu.core.clock import Clock, TimeControl
from mbegu.core.errors import MbeguError
from mbegu.core.game import Game, Move
from mbegu.core.i18n import _
from mbegu.core.match import Match

__all__ = ["LADDER_LEVEL", "LadderBots", "find_rung", "ladder_of"]

LADDER_LEVEL = 0  # of a seat whose computer is a bot of the ladder
SECONDS = 3.0  # for a move in a game without a clock
AT_ONCE = 2  # bots that think at the same time


# ---- who stands where


def _rungs(game: Game) -> list[Rung]:
    path = default_ladder()
    if not os.path.exists(path):
        return []
    with Ladder(path) as ladder:
        return ladder.rungs(game)


def find_rung(game: Game, name: str) -> Rung:
    """The bot of this name on the ladder of a game."""
    for rung in _rungs(game):
        if rung.name == name:
            return rung
    raise MbeguError(_("nobody on this ladder is called {name}").format(name=name))


def _spec(rung: Rung) -> BotSpec | None:
    """How the bot is started; None if it cannot be found, or not be locked up, on this host."""
    try:
        spec = find_bot(rung.bot)
    except MbeguError:
        return None
    return replace(spec, name=rung.name) if spec.trusted or not missing_layers() else None


def ladder_of(game: Game) -> dict[str, Any]:
    """The bots of a game, the best first, as plain data."""
    rungs = [
        {"rank": rank, **rung.to_json(), "playable": _spec(rung) is not None}
        for rank, rung in enumerate(_rungs(game), 1)
    ]
    return {"game": str(game), "title": game.title, "bots": rungs}


# ---- their moves


class LadderBots:
    """The bots' processes, kept from move to move while they are in use."""

    def __init__(self) -> None:
        self._keeper = Keeper()
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="ladder")

    async def choose(self, name: str, match: Match, player: int) -> Move:
        """The move of the bot of this name; an error if it fails, or is gone from the ladder."""
        loop = asyncio.get_running_loop()
        clock = Clock(match.clock.control if match.clock.control.limited else _unhurried())
        if match.clock.control.limited:
            clock.set([match.clock.remaining(0), match.clock.remaining(1)])
        moves, start = list(match.moves), match.positions[0]
        rung = await asyncio.to_thread(find_rung, match.game, name)
        spec = await asyncio.to_thread(_spec, rung)
        if spec is None:
            raise MbeguError(_("{bot} cannot be run on this server").format(bot=name))

        def think() -> Move:
            bot = self._keeper.take(spec, Conditions())
            try:
                bot.new_game(match.game, start, player, secrets.randbits(31))
                clock.start(player)
                return bot.choose(match.position, moves, clock)
            except BotFault as fault:
                raise MbeguError(f"{name}: {fault}") from None
            finally:
                self._keeper.give_back(bot, Conditions())

        return await loop.run_in_executor(self._threads, think)

    def close(self) -> None:
        """Ends them all."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._keeper.close()


def _unhurried() -> TimeControl:
    return TimeControl(per_move=SECONDS)

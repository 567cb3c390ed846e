"""Bots of the ladder at the table: who stands where, and their moves.

A bot of the ladder sits on a computer's seat of level 0, by its name. It thinks in a cage of its own,
as in the arena, and keeps its seat from move to move: it may be a program that keeps count, or one that
takes seconds to begin. It begins again, and is told the whole game, when moves were taken back.
"""

import asyncio
import os
import secrets
import threading
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from mbegu.arena.ladder import Ladder, Rung, default_ladder
from mbegu.arena.pool import Keeper
from mbegu.arena.referee import Conditions
from mbegu.arena.roster import BotSpec, find_bot
from mbegu.arena.runner import BotFault, BotProcess, missing_layers
from mbegu.core.clock import Clock, TimeControl
from mbegu.core.errors import MbeguError
from mbegu.core.game import Game, Move
from mbegu.core.i18n import _
from mbegu.core.match import Match

__all__ = ["LadderBots", "find_rung", "ladder_of"]

SECONDS = 3.0  # for a move in a game without a clock
AT_ONCE = 2  # bots that think at the same time
MOST_SEATED = 6  # that keep their process between two moves
Seat = tuple[str, int]  # a room, a player


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
    """The bots' processes, which keep their seats from move to move."""

    def __init__(self) -> None:
        self._keeper = Keeper()
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="ladder")
        self._seated: OrderedDict[Seat, Seated] = OrderedDict()  # the one who moved last at the end
        self._lock = threading.Lock()

    async def choose(self, name: str, match: Match, player: int, room: str) -> Move:
        """The move of the bot of this name; an error if it fails, or is gone from the ladder."""
        loop = asyncio.get_running_loop()
        clock = Clock(match.clock.control if match.clock.control.limited else _unhurried())
        if match.clock.control.limited:
            clock.set([match.clock.remaining(0), match.clock.remaining(1)])
        moves, start, position = list(match.moves), match.positions[0], match.position
        rung = await asyncio.to_thread(find_rung, match.game, name)
        spec = await asyncio.to_thread(_spec, rung)
        if spec is None:
            raise MbeguError(_("{bot} cannot be run on this server").format(bot=name))

        def think() -> Move:
            seated = self._sit_down(spec, room, player, moves)
            try:
                if not seated.plays:
                    seated.bot.new_game(match.game, start, player, secrets.randbits(31))
                clock.start(player)
                move = seated.bot.choose(position, seated.news(moves), clock)
            except BaseException as error:
                self._keeper.give_back(seated.bot, Conditions())
                if isinstance(error, BotFault):
                    raise MbeguError(f"{name}: {error}") from None
                raise
            self._stay(room, player, replace(seated, plays=True, told=tuple(moves)))
            return move

        return await loop.run_in_executor(self._threads, think)

    def leave(self, room: str) -> None:
        """A game is over, or nobody looks at it: its bots are free for another."""
        with self._lock:
            gone = [self._seated.pop(seat) for seat in list(self._seated) if seat[0] == room]
        for seated in gone:
            self._keeper.give_back(seated.bot, Conditions())

    def close(self) -> None:
        """Ends them all."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for room, _player in list(self._seated):
            self.leave(room)
        self._keeper.close()

    def _sit_down(self, spec: BotSpec, room: str, player: int, moves: list[Move]) -> "Seated":
        """The bot that plays there, if the game has gone on from what it knows; or one that begins."""
        with self._lock:
            seated = self._seated.pop((room, player), None)
        if seated is not None and seated.bot.spec == spec and seated.knows(moves):
            return seated
        if seated is not None:
            self._keeper.give_back(seated.bot, Conditions())
        return Seated(self._keeper.take(spec, Conditions()))

    def _stay(self, room: str, player: int, seated: "Seated") -> None:
        """Keeps its seat; whoever has not moved for longest gives his up."""
        with self._lock:
            many = [self._seated.pop((room, player), None)]
            self._seated[room, player] = seated
            if len(self._seated) > MOST_SEATED:
                many.append(self._seated.popitem(last=False)[1])
        for old in many:
            if old is not None:
                self._keeper.give_back(old.bot, Conditions())


@dataclass(frozen=True)
class Seated:
    """A bot in a game."""

    bot: BotProcess
    plays: bool = False  # whether it has been told that the game begins
    told: tuple[Move, ...] = ()  # the moves that it knows

    def knows(self, moves: list[Move]) -> bool:
        """Whether it has been told nothing but what has happened."""
        return tuple(moves[: len(self.told)]) == self.told

    def news(self, moves: list[Move]) -> list[Move]:
        """What it has not been told, its own last move among it."""
        return moves[len(self.told) :]


def _unhurried() -> TimeControl:
    return TimeControl(per_move=SECONDS)

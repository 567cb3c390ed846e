"""What the engine says to a player: a hint with its reasons, and who stands better."""

import atexit
import os
import subprocess
import sys
from contextlib import suppress
from functools import cache
from threading import Lock, Thread

from mbegu.arena.bots import Greedy
from mbegu.core.bot import Bot
from mbegu.core.clock import Clock
from mbegu.core.errors import MbeguError
from mbegu.core.game import Game, Move, Position
from mbegu.core.match import Match
from mbegu.engine.analysis import analyse
from mbegu.engine.compiling import wait_for_the_engine
from mbegu.engine.engine import Engine
from mbegu.engine.explain import hint
from mbegu.engine.levels import LEVELS

__all__ = ["Adviser", "choose_move"]

LOW = 10  # of niceness
EVALUATION_SECONDS, EVALUATION_NODES = 0.3, 60_000


class Adviser:
    """An engine of the player's own; one question at a time."""

    def __init__(self) -> None:
        self._engine: tuple[Game, Engine] | None = None
        self._lock = Lock()

    def advice(self, match: Match) -> tuple[Move, str]:
        """The engine's move and its reasons; where there is no engine, what lies near."""
        *history, position = match.positions
        try:
            with self._lock:
                found = hint(position, history, self._of(match.game))
        except Exception:  # a hint is a courtesy: no trouble with it may end the game
            return Greedy(seed=0).choose(position, Clock()), ""
        _have_a_table_made(match.game)
        return found.move, found.why

    def chance(self, match: Match) -> float | None:
        """The winning chance of the first player; None where nobody can tell."""
        outcome = match.outcome
        if outcome is not None:
            return 0.5 if outcome.winner is None else float(outcome.winner == 0)
        *history, position = match.positions
        try:
            with self._lock:
                thought = analyse(
                    position,
                    time=EVALUATION_SECONDS,
                    nodes=EVALUATION_NODES,
                    hash_mb=16,
                    history=history,
                    engine=self._of(match.game),
                ).result()
        except Exception:
            return None
        _have_a_table_made(match.game)
        chance = thought.best.chance
        return chance if position.turn == 0 else 1 - chance

    def _of(self, game: Game) -> Engine:
        wait_for_the_engine()  # what compiles behind the scenes is needed here, too
        if self._engine is None or self._engine[0] != game:
            self._engine = game, Engine(game, hash_mb=16)
        return self._engine[1]


def choose_move(bot: Bot, position: Position, clock: Clock) -> Move:
    """The move of a bot; the strongest level has an endgame table from then on."""
    move = bot.choose(position, clock)
    if getattr(bot, "level", 0) == LEVELS[-1]:
        _have_a_table_made(position.game)
    return move


def _have_a_table_made(game: Game) -> None:
    """The usual endgame table, in the background and once, after the first answer: nobody waits for it."""
    Thread(target=_build_beside, args=(game,), daemon=True).start()


@cache
def _build_beside(game: Game) -> None:
    """By a process of its own, that gives way to others: a thread of this one would make keys wait."""
    with suppress(MbeguError, ImportError, OSError):
        from mbegu.engine.tables.solver import solver_of  # noqa: PLC0415 - with the engine
        from mbegu.engine.tables.store import table_path  # noqa: PLC0415

        if os.environ.get("MBEGU_TABLES") == "" or table_path(game).exists():
            return
        solver_of(game)  # refuses a game that has none
        command = [sys.executable, "-m", "mbegu.terminal.builder", str(game), str(os.getpid())]
        quiet = subprocess.DEVNULL
        child = subprocess.Popen(  # noqa: S603 - ourselves
            command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
        )
        atexit.register(child.terminate)
        if sys.platform != "win32":
            os.setpriority(os.PRIO_PROCESS, child.pid, LOW)

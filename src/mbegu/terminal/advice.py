"""What the engine says to a player: a hint with its reasons, and who stands better."""

from contextlib import suppress
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

    def prepare() -> None:
        with suppress(MbeguError, ImportError):
            from mbegu.engine.tables import ready  # noqa: PLC0415 - with the engine

            ready.prepare(game)

    Thread(target=prepare, daemon=True).start()

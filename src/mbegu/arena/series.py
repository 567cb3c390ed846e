"""A series: two bots meet in many games, each opening twice with sides changed (`mbegu match`)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from mbegu.arena.openings import openings
from mbegu.arena.pool import Arena, Job
from mbegu.arena.rating import Sprt, Tally
from mbegu.arena.referee import Conditions, Played
from mbegu.arena.roster import CONTEST_GAME, BotSpec
from mbegu.arena.seeds import seed_of
from mbegu.core.errors import MbeguError
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.work.executor import Pool

__all__ = ["SeriesResult", "check_bots", "play_series", "series_jobs"]


def check_bots(game: Game, bots: tuple[BotSpec, ...]) -> None:
    """Refuses bots that cannot play this game at all."""
    for bot in bots:
        if bot.kind == "contest" and game.name != CONTEST_GAME:
            raise MbeguError(
                _(
                    "{bot} is an AI of the MAIC contest and plays morabaraba only, not {game}"
                ).format(bot=bot.name, game=game.name)
            )


def series_jobs(
    game: Game,
    bots: tuple[BotSpec, BotSpec],
    games: int,
    conditions: Conditions,
    *,
    opening: str = "start",
    seed: int = 0,
    prefix: str = "",
) -> Iterator[Job]:
    """The games: number 2k and 2k+1 begin alike, with the sides changed."""
    check_bots(game, bots)
    begin = openings(game, opening, seed)
    for number in range(games):
        pair = number // 2
        sides = bots if number % 2 == 0 else (bots[1], bots[0])
        yield Job(
            f"{prefix}{number + 1}",
            str(game),
            sides,
            seed_of(seed, prefix, number),
            begin(pair),
            conditions if number % 2 == 0 else conditions.turned(),
        )


@dataclass
class SeriesResult:
    """How a match stands. The first bot is the one that is looked at."""

    bots: tuple[BotSpec, BotSpec]
    tally: Tally = field(default_factory=Tally)
    played: dict[int, Played] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    decided: str | None = None  # by a sequential test
    _points: dict[int, float] = field(default_factory=dict)

    def add(self, number: int, played: Played) -> None:
        """One more game; `number` counts from 0."""
        self.played[number] = played
        first = number % 2  # the side of the first bot
        points = 0.5 if played.winner is None else float(played.winner == first)
        self._points[number] = points
        self.tally.add(points)
        other = number ^ 1
        if other in self._points:
            self.tally.pairs[points + self._points[other]] += 1
        for side in (0, 1):
            self.seconds[side ^ first] += played.seconds[side]

    def faults(self) -> list[tuple[int, Played]]:
        """The games that ended by a fault, with their numbers."""
        return [
            (number, played)
            for number, played in sorted(self.played.items())
            if played.verdict.player is not None
        ]


def play_series(
    game: Game,
    bots: tuple[BotSpec, BotSpec],
    games: int,
    conditions: Conditions,
    *,
    opening: str = "start",
    seed: int = 0,
    workers: int = 1,
    sprt: Sprt | None = None,
    cluster: Pool | None = None,
    tell: Callable[[SeriesResult, int, Played], None] = lambda result, number, played: None,
) -> SeriesResult:
    """Plays a match; `tell` hears of each game as it ends. Ctrl-C leaves what was played."""
    result = SeriesResult(bots)
    jobs = series_jobs(game, bots, games, conditions, opening=opening, seed=seed)
    with Arena(min(workers, games), cluster) as arena:
        for job, played in arena.play(jobs):
            number = int(job.key) - 1
            result.add(number, played)
            if sprt is not None and len(result.played) % 2 == 0:
                result.decided = sprt.decided(result.tally)
            tell(result, number, played)
            if result.decided:
                break
    return result

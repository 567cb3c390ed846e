"""A tournament: who plays whom, what has been played, and how they stand.

Every game has a key, and its seed follows from the key: so it does not matter in which order, by how
many workers or after how many restarts the games are played.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from mbegu.arena.archive import GameArchive, in_order
from mbegu.arena.openings import openings
from mbegu.arena.pairing import Pairing, gauntlet, knock_out, round_robin, shuffled, swiss
from mbegu.arena.plan import Plan
from mbegu.arena.pool import Arena, Job
from mbegu.arena.rating import LEAST_RATED, Rating, rate
from mbegu.arena.referee import Played
from mbegu.arena.roster import BotSpec, find_bot
from mbegu.arena.seeds import seed_of
from mbegu.core.i18n import _
from mbegu.core.registry import game as find_game
from mbegu.work.executor import Pool

__all__ = ["Standing", "Tournament"]

SANITY_GAMES = 2


@dataclass
class Standing:
    """A bot in the table."""

    name: str
    points: float = 0.0
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    elo: float = 0.0
    error: float = 0.0
    seconds: float = 0.0
    moves: int = 0
    slowest: float = 0.0
    verdicts: Counter[str] = field(default_factory=Counter)  # its own faults
    stage: int = 0  # of a knock-out: the last round it played

    @property
    def mean(self) -> float | None:
        """Seconds a move; None if it never made one."""
        return self.seconds / self.moves if self.moves else None

    @property
    def rated(self) -> bool:
        """Whether its games are enough to tell an Elo."""
        return self.games >= LEAST_RATED


class Tournament:
    """Plays a plan, from where it stands in the archive."""

    def __init__(self, plan: Plan, archive: GameArchive) -> None:
        self.plan, self.archive = plan, archive
        self.specs = {bot.name: bot for bot in plan.bots}
        self.game = find_game(plan.game)
        self.seed = archive.drawn_seed() if plan.seed is None else plan.seed
        self._begin = openings(self.game, plan.openings, self.seed)
        self.played_now = 0

    # ---- playing

    def run(
        self,
        workers: int = 1,
        cluster: Pool | None = None,
        tell: Callable[[str, Job, Played], None] = lambda stage, job, played: None,
        announce: Callable[[str, int, int], None] = lambda stage, done, total: None,
    ) -> None:
        """Plays what is missing. Stop it at any moment and call it again."""
        with Arena(workers, cluster) as arena:
            if self.plan.sanity:
                self._play("sanity", self._sanity_jobs(), arena, tell, announce)
            for number, pairings in enumerate(self.rounds(), 1):
                jobs = [job for pairing in pairings for job in self._jobs(pairing)]
                stage = _("round {number}").format(number=number)
                self._play(stage, jobs, arena, tell, announce)

    def _play(
        self,
        stage: str,
        jobs: list[Job],
        arena: Arena,
        tell: Callable[[str, Job, Played], None],
        announce: Callable[[str, int, int], None],
    ) -> None:
        missing = [job for job in jobs if job.key not in self.archive.games]
        announce(stage, len(jobs) - len(missing), len(jobs))
        for job, played in arena.play(missing):
            self.archive.add(job, played)
            self.played_now += 1
            tell(stage, job, played)

    def _sanity_jobs(self) -> list[Job]:
        """Everybody against random, with each side."""
        random = find_bot("random")
        jobs = []
        for bot in self.plan.bots:
            for number in range(SANITY_GAMES):
                sides = (bot, random) if number % 2 == 0 else (random, bot)
                key = f"0|{bot.name}|random|0|{number}"
                jobs.append(self._job(key, sides, 0))
        return jobs

    def _jobs(self, pairing: Pairing) -> Iterator[Job]:
        first, second = self.specs[pairing.first], self.specs[pairing.second]
        games = 2 if pairing.extra else self.plan.games
        for number in range(games):
            sides = (first, second) if number % 2 == 0 else (second, first)
            opening = number // 2 + 10_000 * pairing.extra
            if self.plan.format in ("swiss", "knock-out", "double-round-robin"):
                opening += (pairing.round - 1) * ((self.plan.games + 1) // 2)
            yield self._job(_key(pairing, number), sides, opening)

    def _job(self, key: str, sides: tuple[BotSpec, BotSpec], opening: int) -> Job:
        return Job(
            key,
            self.plan.game,
            sides,
            seed_of(self.seed, key),
            self._begin(opening),
            self.plan.conditions,
        )

    # ---- who meets whom

    def rounds(self) -> Iterator[list[Pairing]]:
        """The rounds of the format; ask for the next one when the last one is played."""
        plan, names = self.plan, self.seeded()
        match plan.format:
            case "round-robin":
                return round_robin(names)
            case "double-round-robin":
                return round_robin(names, 2)
            case "gauntlet":
                return gauntlet(names, plan.challengers or names[:1])
            case "swiss":
                rounds = plan.rounds or max(1, (len(names) - 1).bit_length() + 1)
                return swiss(names, rounds, self.points)
            case _:
                return knock_out(names, self.points)

    def fit(self) -> list[str]:
        """Who takes part: everybody but those who could not even begin a game."""
        return [bot.name for bot in self.plan.bots if bot.name not in self.unfit()]

    def unfit(self) -> dict[str, Played]:
        """Bots that could not begin, with the game that shows it."""
        found = {}
        for bot in self.plan.bots:
            games = [
                self.archive.games.get(f"0|{bot.name}|random|0|{number}")
                for number in range(SANITY_GAMES)
            ]
            broken = [
                game
                for side, game in enumerate(games)
                if game is not None and game.verdict.player == side and game.verdict.at_start
            ]
            if len(broken) == SANITY_GAMES:
                found[bot.name] = broken[0]
        return found

    def weak(self) -> dict[str, float]:
        """Bots that played the sanity round and did not beat random, with their points."""
        found, unfit = {}, self.unfit()
        for bot in self.plan.bots:
            if bot.name in unfit or (bot.kind, bot.class_name) == ("builtin", "random"):
                continue  # who could not begin is told of elsewhere, and random is what it is
            points = 0.0
            for number in range(SANITY_GAMES):
                game = self.archive.games.get(f"0|{bot.name}|random|0|{number}")
                if game is not None:
                    points += 0.5 if game.winner is None else game.winner == number % 2
            if points <= SANITY_GAMES / 2:
                found[bot.name] = points
        return found if self.plan.sanity else {}

    def seeded(self) -> list[str]:
        """Who takes part, the best seed first."""
        names = self.fit()
        if self.plan.seeding == "random":
            return shuffled(names, self.seed)
        if self.plan.seeding == "sanity":
            weak = self.weak()
            return sorted(names, key=lambda name: -weak.get(name, SANITY_GAMES))
        return names

    def points(self, pairing: Pairing) -> tuple[float, float]:
        """What both have scored in a pairing."""
        first = second = 0.0
        games = 2 if pairing.extra else self.plan.games
        for number in range(games):
            played = self.archive.games.get(_key(pairing, number))
            if played is not None:
                side = number % 2  # of the first
                first += 0.5 if played.winner is None else played.winner == side
                second += 0.5 if played.winner is None else played.winner != side
        return first, second

    # ---- how they stand

    def games(self) -> dict[str, Played]:
        """The games that count, without the sanity round, in the order of their keys."""
        return {
            key: self.archive.games[key]
            for key in sorted(self.archive.games, key=in_order)
            if not key.startswith("0|")
        }

    def ordered(self) -> list[str]:
        """The keys of all games, also of the sanity round, in the order of play."""
        return sorted(self.archive.games, key=in_order)

    def standings(self) -> list[Standing]:
        """The table, the best first."""
        table = {name: Standing(name) for name in self.fit()}
        for key, played in self.games().items():
            for side, name in enumerate(played.players):
                row = table[name]
                row.games += 1
                row.wins += played.winner == side
                row.draws += played.winner is None
                row.losses += played.winner == 1 - side
                row.points += 0.5 if played.winner is None else played.winner == side
                row.seconds += played.seconds[side]
                row.moves += played.moves[side]
                row.slowest = max(row.slowest, played.slowest[side])
                row.stage = max(row.stage, int(key.partition("|")[0]))
                if played.verdict.player == side:
                    row.verdicts[played.verdict.word] += 1
        for rating in self.ratings():
            table[rating.name].elo, table[rating.name].error = rating.elo, rating.error
        rows = sorted(table.values(), key=lambda row: (-row.elo, row.name))
        if self.plan.format == "knock-out":
            last = self.champion()
            rows.sort(key=lambda row: (row.name != last, -row.stage))
        return rows

    def ratings(self) -> list[Rating]:
        """Strengths with error bars, from all games at once."""
        return rate(self.fit(), self.cross())

    def cross(self) -> dict[tuple[str, str], list[int]]:
        """Wins of one, draws, wins of the other, for each two who have met."""
        table: dict[tuple[str, str], list[int]] = {}
        for played in self.games().values():
            first, second = sorted(played.players)
            row = table.setdefault((first, second), [0, 0, 0])
            winner = None if played.winner is None else played.players[played.winner]
            row[1 if winner is None else 0 if winner == first else 2] += 1
        return table

    def champion(self) -> str | None:
        """Of a knock-out: who is left; None while it goes on."""
        if self.plan.format != "knock-out":
            return None
        final: Pairing | None = None
        balance = 0.0
        for pairings in self.rounds():
            for pairing in pairings:
                if _key(pairing, 0) not in self.archive.games:
                    return None
            if len(pairings) == 1:
                same = final is not None and final.round == pairings[0].round
                balance = balance if same else 0.0
                final = pairings[0]
                first, second = self.points(final)
                balance += first - second
        if final is None:
            return None
        if balance == 0:
            return min(final.first, final.second, key=self.seeded().index)
        return final.first if balance > 0 else final.second


def _key(pairing: Pairing, number: int) -> str:
    return f"{pairing.round}|{pairing.first}|{pairing.second}|{pairing.extra}|{number}"

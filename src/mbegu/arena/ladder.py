"""A ladder: bots that come and go, and ratings that follow every game.

Strength is believed to be `mu`, give or take `sigma`; Weng and Lin's rule (`skill.py`) updates both after
each game. Whoever is known least plays next, against somebody of about his strength. The place on the ladder
is mu - 3 sigma: what is sure of a bot's strength.
"""

import math
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from mbegu.arena.openings import openings
from mbegu.arena.pool import Arena, Job
from mbegu.arena.referee import Conditions, Played
from mbegu.arena.roster import BotSpec, find_bot
from mbegu.arena.seeds import draw_seed, seed_of
from mbegu.arena.series import check_bots
from mbegu.arena.skill import MU, SIGMA, after
from mbegu.core.errors import MbeguError, system_words
from mbegu.core.game import Game
from mbegu.core.i18n import _

__all__ = ["Ladder", "Rung", "default_ladder", "update"]

_TABLES = """
CREATE TABLE IF NOT EXISTS bots (
    game TEXT NOT NULL, name TEXT NOT NULL, bot TEXT NOT NULL, mu REAL NOT NULL, sigma REAL NOT NULL,
    played INTEGER NOT NULL DEFAULT 0, won INTEGER NOT NULL DEFAULT 0, drawn INTEGER NOT NULL DEFAULT 0,
    faults INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (game, name)
);
CREATE TABLE IF NOT EXISTS games (
    id INTEGER PRIMARY KEY, game TEXT NOT NULL, first TEXT NOT NULL, second TEXT NOT NULL,
    result TEXT NOT NULL, verdict TEXT NOT NULL, record TEXT NOT NULL, at TEXT NOT NULL
);
"""


@dataclass(frozen=True)
class Rung:
    """A bot on the ladder."""

    name: str
    bot: str  # what find_bot takes
    mu: float = MU
    sigma: float = SIGMA
    played: int = 0
    won: int = 0
    drawn: int = 0
    faults: int = 0

    @property
    def place(self) -> float:
        """What is sure of its strength."""
        return self.mu - 3 * self.sigma

    def to_json(self) -> dict[str, Any]:
        """What everybody may know of it: where its file lies is nobody's business."""
        told = {"name": self.name, "place": self.place, "mu": self.mu, "sigma": self.sigma}
        counts = {"played": self.played, "won": self.won, "drawn": self.drawn}
        return {**told, **counts, "faults": self.faults}


def update(first: Rung, second: Rung, points: float) -> tuple[Rung, Rung]:
    """Both after a game in which the first one made 1, ½ or 0 points."""
    believed = (first.mu, first.sigma), (second.mu, second.sigma)
    (mu, sigma), (its_mu, its_sigma) = after(believed, points)
    return replace(first, mu=mu, sigma=sigma), replace(second, mu=its_mu, sigma=its_sigma)


def default_ladder() -> str:
    """Where a user's ladder is kept."""
    base = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return os.environ.get("MBEGU_LADDER") or os.path.join(base, "mbegu", "ladder.db")


class Ladder:
    """The ladders of all games, in one SQLite file."""

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, timeout=10, isolation_level=None)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.executescript(_TABLES)
        except (OSError, sqlite3.Error) as error:
            why = system_words(error)
            raise MbeguError(_("{path} cannot be used: {why}").format(path=path, why=why)) from None

    def __enter__(self) -> Self:
        """For use in a with block."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Closes the file."""
        self._db.close()

    @contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        """Whole or not at all."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield self._db
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    # ---- who is on it

    def rungs(self, game: Game) -> list[Rung]:
        """The bots of a game, the best first."""
        rows = self._db.execute(
            "SELECT name, bot, mu, sigma, played, won, drawn, faults FROM bots WHERE game = ?",
            (str(game),),
        )
        return sorted((Rung(*row) for row in rows), key=lambda rung: (-rung.place, rung.name))

    def rung(self, game: Game, name: str) -> Rung:
        """The bot of this name on the ladder of a game."""
        for rung in self.rungs(game):
            if rung.name == name:
                return rung
        raise MbeguError(_("nobody on this ladder is called {name}").format(name=name))

    def games(self) -> list[str]:
        """The games that have a ladder."""
        return [
            game for (game,) in self._db.execute("SELECT DISTINCT game FROM bots ORDER BY game")
        ]

    def add(self, game: Game, text: str, name: str | None = None) -> Rung:
        """A new bot, of whose strength nothing is known."""
        spec = find_bot(text)
        check_bots(game, (spec,))
        place = os.path.abspath(text) if spec.path and spec.kind != "entry" else text
        rung = Rung(name or spec.name, place)
        try:
            with self._change() as db:
                db.execute(
                    "INSERT INTO bots (game, name, bot, mu, sigma) VALUES (?, ?, ?, ?, ?)",
                    (str(game), rung.name, rung.bot, rung.mu, rung.sigma),
                )
        except sqlite3.IntegrityError:
            raise MbeguError(
                _("a bot called {name} is on this ladder already; give another --name").format(
                    name=rung.name
                )
            ) from None
        return rung

    def remove(self, game: Game, name: str) -> None:
        """Takes a bot off; its games stay."""
        with self._change() as db:
            found = db.execute("DELETE FROM bots WHERE game = ? AND name = ?", (str(game), name))
        if not found.rowcount:
            raise MbeguError(_("nobody on this ladder is called {name}").format(name=name))

    # ---- playing

    def run(
        self,
        game: Game,
        games: int,
        conditions: Conditions,
        *,
        opening: str = "start",
        workers: int = 1,
        tell: Callable[[Job, Played], None] = lambda job, played: None,
        warn: Callable[[str], None] = lambda line: None,
    ) -> int:
        """Plays so many games, two by two with sides changed; how many were played."""
        specs = self._present(game, warn)
        if len(specs) < 2:
            raise MbeguError(_("a ladder needs two bots: mbegu ladder add"))
        begin, played, secret = openings(game, opening, 0), 0, draw_seed()
        (number,) = self._db.execute("SELECT COALESCE(MAX(id), 0) FROM games").fetchone()

        def jobs() -> Iterator[Job]:
            busy: dict[str, int] = dict.fromkeys(specs, 0)
            for pair in range((games + 1) // 2):
                one, other = self._next(game, specs, busy)
                sides = (specs[one], specs[other])
                for half in range(min(2, games - 2 * pair)):
                    key = number + 2 * pair + half + 1
                    order = sides if half == 0 else (sides[1], sides[0])
                    start = begin((number // 2) + pair)
                    seed = seed_of(secret, key)
                    yield Job(str(key), str(game), order, seed, start, conditions)

        with Arena(min(workers, games)) as arena:
            for job, result in arena.play(jobs()):
                self._count(game, result)
                played += 1
                tell(job, result)
        return played

    def _present(self, game: Game, warn: Callable[[str], None]) -> dict[str, BotSpec]:
        """The bots that can be found today."""
        found = {}
        for rung in self.rungs(game):
            try:
                found[rung.name] = replace(find_bot(rung.bot), name=rung.name)
            except MbeguError as error:
                warn(f"{rung.name}: {error}")
        return found

    def _next(self, game: Game, specs: dict[str, BotSpec], busy: dict[str, int]) -> tuple[str, str]:
        """Who is known least, and who is most like him; nobody plays much more than the others."""
        rungs = {rung.name: rung for rung in self.rungs(game) if rung.name in specs}
        first = max(
            rungs.values(), key=lambda rung: (rung.sigma / (1 + busy[rung.name]), rung.name)
        )
        others = [rung for rung in rungs.values() if rung.name != first.name]
        second = min(
            others,
            key=lambda rung: (
                abs(rung.mu - first.mu) / math.hypot(rung.sigma, first.sigma) + busy[rung.name] / 4,
                rung.name,
            ),
        )
        for rung in (first, second):
            busy[rung.name] += 1
        return first.name, second.name

    def _count(self, game: Game, played: Played) -> None:
        """Keeps a game, and what it says about the two."""
        rungs = {rung.name: rung for rung in self.rungs(game)}
        with self._change() as db:
            now = datetime.now(UTC).isoformat(timespec="seconds")
            row = (str(game), *played.players, played.result, played.verdict.word, played.record)
            db.execute(
                "INSERT INTO games (game, first, second, result, verdict, record, at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                (*row, now),
            )
            if not all(name in rungs for name in played.players):
                return  # somebody was taken off meanwhile
            points = 0.5 if played.winner is None else float(played.winner == 0)
            pair = update(rungs[played.players[0]], rungs[played.players[1]], points)
            for side, rung in enumerate(pair):
                db.execute(
                    "UPDATE bots SET mu = ?, sigma = ?, played = played + 1, won = won + ?, "
                    "drawn = drawn + ?, faults = faults + ? WHERE game = ? AND name = ?",
                    (
                        rung.mu,
                        rung.sigma,
                        played.winner == side,
                        played.winner is None,
                        played.verdict.player == side,
                        str(game),
                        rung.name,
                    ),
                )

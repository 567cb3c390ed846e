"""Where the games of a tournament are kept: a SQLite file, one commit a game.

Whatever happens between two games, a killed process or a power cut, the games that were counted are
there, and no other.
"""

import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from mbegu.arena.pool import Job
from mbegu.arena.referee import Played
from mbegu.arena.seeds import draw_seed
from mbegu.core.errors import MbeguError, system_words
from mbegu.core.i18n import _

__all__ = ["GameArchive", "in_order"]

_TABLES = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS drawn (seed INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS games (
    key TEXT PRIMARY KEY,
    first TEXT NOT NULL,
    second TEXT NOT NULL,
    result TEXT NOT NULL,
    verdict TEXT NOT NULL,
    plies INTEGER NOT NULL,
    record TEXT NOT NULL,
    data TEXT NOT NULL
);
"""


class GameArchive:
    """The games of one tournament."""

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, timeout=5, isolation_level=None)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.executescript(_TABLES)
        except (OSError, sqlite3.Error) as error:
            why = system_words(error)
            raise MbeguError(_("{path} cannot be used: {why}").format(path=path, why=why)) from None
        self._lock()
        self.games: dict[str, Played] = {
            key: Played.from_json(json.loads(data))
            for key, data in self._db.execute("SELECT key, data FROM games ORDER BY rowid")
        }

    def _lock(self) -> None:
        """One program at a time: the lock goes with the process, however it ends."""
        self._guard = os.open(f"{self.path}.lock", os.O_RDWR | os.O_CREAT, 0o666)
        try:
            import fcntl  # noqa: PLC0415 (not on Windows)

            fcntl.flock(self._guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:
            pass
        except OSError:
            os.close(self._guard)
            self._db.close()
            raise MbeguError(
                _("{path} is in use: this tournament is running already").format(path=self.path)
            ) from None

    def __enter__(self) -> Self:
        """For use in a with block."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Closes the file."""
        self._db.close()
        os.close(self._guard)

    def claim(self, parts: dict[str, str]) -> None:
        """Takes the file for a tournament; refuses if it holds the games of another one."""
        kept = dict(self._db.execute("SELECT key, value FROM meta"))
        if not kept or not self.games:
            self._db.execute("BEGIN")
            self._db.execute("DELETE FROM meta")
            self._db.executemany("INSERT INTO meta VALUES (?, ?)", parts.items())
            self._db.execute("COMMIT")
            return
        if kept == parts:
            return
        changed = sorted(
            name or _("the conditions")
            for name in kept.keys() | parts.keys()
            if kept.get(name) != parts.get(name)
        )
        raise MbeguError(
            _(
                "{path} holds games that were played otherwise; changed since then: {changed}. "
                "Choose another folder, or begin again with --restart"
            ).format(path=self.path, changed=", ".join(changed))
        )

    def clear(self) -> None:
        """Forgets everything."""
        self._db.execute("BEGIN")
        self._db.execute("DELETE FROM games")
        self._db.execute("DELETE FROM meta")
        self._db.execute("DELETE FROM drawn")
        self._db.execute("COMMIT")
        self.games.clear()

    def drawn_seed(self) -> int:
        """The seed that was drawn for this tournament, or is drawn now."""
        found = self._db.execute("SELECT seed FROM drawn").fetchone()
        if found is None:
            found = (draw_seed(),)
            self._db.execute("INSERT INTO drawn VALUES (?)", found)
        return int(found[0])

    def add(self, job: Job, played: Played) -> None:
        """Keeps a game: it is on the disk when this returns."""
        row = (job.key, *played.players, played.result, played.verdict.word, played.plies)
        data = json.dumps(played.to_json())
        self._db.execute(
            "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*row, played.record, data)
        )
        self.games[job.key] = played

    def records(self) -> Iterator[str]:
        """The record of every game, by its key."""
        for key in sorted(self.games, key=in_order):
            yield self.games[key].record


def in_order(key: str) -> list[tuple[int, str]]:
    """Keys in the order of play: numbers as numbers, but only those of ours (a bot may be called ²).

    >>> in_order("1|greedy|²|0|12")
    [(1, ''), (-1, 'greedy'), (-1, '²'), (0, ''), (12, '')]
    """
    return [
        (int(part), "") if part.isascii() and part.isdigit() else (-1, part)
        for part in key.split("|")
    ]

"""Games under way are kept, so that Ctrl-C, a closed window or a power cut loses none.

Each game has a file of its own, written after every move, whole or not at all; it is removed when the
game has ended. `latest` finds the newest one that nobody is playing any more.
"""

import json
import os
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mbegu.core.clock import Clock, TimeControl
from mbegu.core.errors import MbeguError
from mbegu.core.files import saving
from mbegu.core.folders import data_folder
from mbegu.core.i18n import _
from mbegu.core.match import Match
from mbegu.core.record import Record

__all__ = ["Keeper", "Kept", "latest"]

MOST_KEPT = 20  # games that nobody came back to


@dataclass
class Kept:
    """A game as it was left, and who played it."""

    match: Match
    seats: tuple[str, str]
    path: Path


@dataclass
class Keeper:
    """Keeps one game. Trouble with the disk is told once and does not stop the game."""

    path: Path = field(default_factory=lambda: _folder() / f"{time.time_ns()}-{os.getpid()}.json")
    trouble: str = ""

    def keep(self, match: Match, seats: tuple[str, str]) -> None:
        """Writes the game down; one that has ended, or not begun, is forgotten."""
        if match.outcome is not None or not match.moves:
            return self.forget()
        told = {
            "record": match.record().to_json(),
            "seats": list(seats),
            "control": str(match.clock.control),
            "left": [match.clock.remaining(player) for player in (0, 1)],
        }
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with saving(self.path, overwrite=True) as file:
                file.write(json.dumps(told).encode())
        except (OSError, MbeguError) as error:
            self.trouble = _("this game is not kept: {why}").format(why=error)

    def forget(self) -> None:
        """The game needs no keeping any more."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)


def latest() -> Kept:
    """The newest game that was left; MbeguError when there is none."""
    for path in sorted(_folder().glob("*.json"), reverse=True):
        if _is_played(path):
            continue
        with suppress(OSError, MbeguError, ValueError, KeyError, TypeError):
            return _read(path)
    raise MbeguError(_("no game was left unfinished; begin one: mbegu play"))


def tidy() -> None:
    """Games that nobody came back to for long make room."""
    for path in sorted(_folder().glob("*.json"), reverse=True)[MOST_KEPT:]:
        with suppress(OSError):
            path.unlink()


def _folder() -> Path:
    return data_folder() / "unfinished"


def _read(path: Path) -> Kept:
    told: dict[str, Any] = json.loads(path.read_bytes())
    first, second = told["seats"]
    match = Match.from_record(Record.from_json(told["record"]))
    match.clock = Clock(TimeControl.parse(told["control"]))
    match.clock.set(told["left"])
    return Kept(match, (str(first), str(second)), path)


def _is_played(path: Path) -> bool:
    """Whether the process that writes this file still runs."""
    number = path.stem.rpartition("-")[2]
    if not number.isdecimal() or int(number) == os.getpid():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return os.name != "nt"  # somebody else's
    return os.name != "nt"

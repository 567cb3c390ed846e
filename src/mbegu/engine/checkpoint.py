"""The checkpoint of a position that is being solved: the bounds, and what cost most to find out.

    bytes 0..7    MBEGUSLV
    8..15         length of the text and CRC-32 of all that follows, little-endian
    16..          JSON: version, game, rule set, position, bounds, what it took so far
    then          rows of two words, as the prover understands them

It is written beside and renamed, so there is always a whole one.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from mbegu.core.errors import system_words
from mbegu.core.files import saving
from mbegu.core.folders import data_folder
from mbegu.core.game import Position
from mbegu.core.i18n import _
from mbegu.engine.solve import SolveError

__all__ = ["Checkpoint", "checkpoint_folder"]

MAGIC = b"MBEGUSLV"
VERSION = 1


def checkpoint_folder() -> Path:
    """Where this user's checkpoints stand."""
    return data_folder() / "solve"


class Checkpoint:
    """The file that belongs to a position."""

    most_rows = 1 << 22  # 64 MB

    def __init__(self, position: Position, folder: Path) -> None:
        self.position = position
        game = position.game
        name = str(game)
        if position != game.start():
            name += "-" + hashlib.sha256(str(position).encode()).hexdigest()[:12]
        self.path = folder / f"{name}.mbs"

    def read(self) -> tuple[dict[str, Any], Any] | None:
        """What an earlier process left, None if there is nothing; SolveError if it is not to be believed."""
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._trouble(error) from None
        try:
            length, crc = struct.unpack("<II", data[8:16])
            if data[:8] != MAGIC or zlib.crc32(data[16:]) != crc:
                raise ValueError("not what was written")
            facts = json.loads(data[16 : 16 + length])
            rows = np.frombuffer(data[16 + length :], np.uint64).reshape(-1, 2)
        except (ValueError, struct.error):
            raise SolveError(
                _("{path} is damaged; remove it to begin anew").format(path=self.path)
            ) from None
        if any(facts.get(name) != fact for name, fact in self._identity().items()):
            raise SolveError(
                _("{path} belongs to something else; remove it to begin anew").format(
                    path=self.path
                )
            )
        return facts, rows

    def write(self, facts: dict[str, Any], rows: Any) -> None:
        """Saves how far it is."""
        text = json.dumps(self._identity() | facts).encode()
        text = text.ljust(-(-len(text) // 8) * 8)
        body = text + np.ascontiguousarray(rows).tobytes()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with saving(self.path, overwrite=True) as out:
                out.write(MAGIC + struct.pack("<II", len(text), zlib.crc32(body)) + body)
        except OSError as error:
            raise self._trouble(error) from None

    def remove(self) -> None:
        """All is proved: it is not needed any more."""
        with contextlib.suppress(OSError):
            self.path.unlink()

    def _identity(self) -> dict[str, Any]:
        game = self.position.game
        names = {"game": str(game), "rules": game.id, "position": str(self.position)}
        return {"version": VERSION, **names}

    def _trouble(self, error: OSError) -> SolveError:
        why = system_words(error)
        return SolveError(
            _("the checkpoint {path} cannot be used: {why}").format(path=self.path, why=why)
        )

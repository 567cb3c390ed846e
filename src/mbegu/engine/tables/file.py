"""The file of a table: a header of one fixed size, then the bytes of its layers.

    bytes 0..7    MBEGUTAB
    8..15         length and CRC-32 of the text that follows, little-endian
    16..          JSON: version, game (with its options), rule set, and the layers that are complete
    65536..       the layers, one after the other

While it is being built the file has another name (`….partial`). After each layer its bytes are brought to
the disk first and the header after them, so whenever the process dies, the header tells the truth.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from mbegu.core.errors import system_words
from mbegu.core.game import Game, Position
from mbegu.core.i18n import _
from mbegu.engine.tables.solver import Layer, Solver, TableError, Verdict, solver_of, tabled

__all__ = [
    "HEADER_BYTES",
    "DamagedTable",
    "Header",
    "Table",
    "read_header",
    "read_table",
    "write_header",
]

MAGIC = b"MBEGUTAB"
VERSION = 1
HEADER_BYTES = 1 << 16
CHUNK = 1 << 22
SMALL = 1 << 24  # bytes of a table that is read rather than mapped
MEANINGS = 256  # of a byte, in each layer
PARTS = range(-(1 << 15), 1 << 15)  # the numbers that a fact may hold, see `probe.packed_facts`
Path_ = str | os.PathLike[str]


class DamagedTable(TableError):
    """A table of ours that cannot be used any more; it may be built again in its place."""


@dataclass(frozen=True)
class Header:
    """What the file says of itself."""

    game: str
    rules: str
    layers: tuple[Layer, ...] = ()

    @classmethod
    def of(cls, game: Game) -> Header:
        """The header of a new table."""
        return cls(str(tabled(game)), game.id)

    @property
    def seeds(self) -> int:
        """The most seeds on a board of the table; -1 while it is empty."""
        return len(self.layers) - 1

    @property
    def size(self) -> int:
        """The bytes of all layers."""
        return sum(layer.size for layer in self.layers)

    def starts(self) -> Iterator[tuple[int, Layer]]:
        """Each layer, with the place of its first byte in the table."""
        at = 0
        for layer in self.layers:
            yield at, layer
            at += layer.size

    def check_rules(self, game: Game, path: Path_) -> None:
        """Refuses to answer for other rules."""
        if (self.game, self.rules) != (str(tabled(game)), game.id):
            raise TableError(
                _("{path} is a table of {its} ({rules}), not of {game} ({id})").format(
                    path=path, its=self.game, rules=self.rules, game=game, id=game.id
                )
            )


def write_header(file: BinaryIO, header: Header) -> None:
    """Writes the header to the beginning of a file."""
    facts = {"version": VERSION, "game": header.game, "rules": header.rules}
    layers = [asdict(layer) for layer in header.layers]
    text = json.dumps(facts | {"layers": layers}, separators=(",", ":")).encode()
    if len(text) > HEADER_BYTES - 16:
        raise TableError(_("a table with so many layers cannot be written"))
    block = MAGIC + struct.pack("<II", len(text), zlib.crc32(text)) + text
    file.seek(0)
    file.write(block.ljust(HEADER_BYTES, b"\0"))


def read_header(path: Path_) -> Header:
    """The header of a file; TableError says what is wrong with it."""
    try:
        with open(path, "rb") as file:
            block = file.read(HEADER_BYTES)
    except OSError as error:
        why = system_words(error)
        raise TableError(_("{path} cannot be read: {why}").format(path=path, why=why)) from None
    if block[:8] != MAGIC:
        raise TableError(_("{path} is not a table of Mbegu").format(path=path))
    if len(block) < HEADER_BYTES:
        raise DamagedTable(_("{path} is cut off").format(path=path))
    length, checksum = struct.unpack("<II", block[8:16])
    text = block[16 : 16 + length]
    if zlib.crc32(text) != checksum:
        raise DamagedTable(
            _("{path} is damaged: its header is not what was written").format(path=path)
        )
    try:
        return _header(json.loads(text), path)
    except TableError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise DamagedTable(
            _("{path} is damaged: its header makes no sense").format(path=path)
        ) from None


def _header(facts: dict[str, Any], path: Path_) -> Header:
    if facts.get("version") != VERSION:
        raise DamagedTable(
            _("{path} was made by another version of Mbegu; build it again").format(path=path)
        )
    layers = tuple(_layer(number, layer) for number, layer in enumerate(facts["layers"]))
    return Header(_of(str, facts["game"]), _of(str, facts["rules"]), layers)


def _layer(number: int, told: dict[str, Any]) -> Layer:
    """A layer as the header tells of it; compiled code will trust what its bytes mean."""
    layer = replace(Layer(**told), values={int(v): _of(int, n) for v, n in told["values"].items()})
    for count in (layer.size, layer.exact, layer.checksum):
        _of(int, count)
    if layer.name != str(number) or layer.size < 0 or len(layer.facts) > MEANINGS:
        raise ValueError
    for fact in layer.facts:
        if len(fact) != 3 or not all(_of(int, part) in PARTS for part in fact):
            raise ValueError
    return layer


def _of(kind: type[Any], told: Any) -> Any:
    if type(told) is not kind:
        raise TypeError
    return told


class Table:
    """A table in memory, or mapped into it."""

    def __init__(self, path: Path, header: Header, solver: Solver, data: Any) -> None:
        self.path, self.header, self.solver, self.data = path, header, solver, data

    @property
    def layers(self) -> tuple[Layer, ...]:
        """What is in it."""
        return self.header.layers

    @property
    def address(self) -> int:
        """Where the bytes are, for compiled code."""
        return int(self.data.ctypes.data)

    def look_up(self, position: Position) -> Verdict | None:
        """What the table tells of a position; None if it is not in it."""
        found = self.solver.place(position)
        if found is None or found[0] > self.header.seeds:
            return None
        layer, at = found
        fact = self.header.layers[layer].facts[int(self.data[at])]
        return self.solver.verdict(fact, position)


def read_table(path: Path_, game: Game) -> Table:
    """The table of a file, whole and checked."""
    header = read_header(path)
    header.check_rules(game, path)
    solver = solver_of(game)
    if [layer.size for layer in header.layers] != solver.sizes(header.seeds):
        raise TableError(_("{path} is damaged: its layers have wrong sizes").format(path=path))
    data = _in_memory(path, header)
    check_layers(path, header.layers, data)
    return Table(Path(path), header, solver, data)


def _in_memory(path: Path_, header: Header) -> Any:
    """A large table is mapped. If somebody writes over the file of such a one, who reads it is killed by the
    system: a small one, which most people have, is not worth that danger."""
    mapped: bytes | mmap.mmap
    try:
        with open(path, "rb") as file:
            check_size(path, header, os.fstat(file.fileno()).st_size)
            if header.size <= SMALL:
                mapped = file.read()
            else:
                mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        why = system_words(error)
        raise TableError(_("{path} cannot be read: {why}").format(path=path, why=why)) from None
    return np.frombuffer(mapped, np.uint8, offset=HEADER_BYTES)


def check_size(path: Path_, header: Header, size: int) -> None:
    """Refuses a file that has not all the bytes that its header tells of, or more."""
    if size != HEADER_BYTES + header.size:
        raise TableError(
            _("{path} is cut off: {size} bytes where there should be {right}").format(
                path=path, size=size, right=HEADER_BYTES + header.size
            )
        )


def check_layers(path: Path_, layers: Sequence[Layer], data: Any) -> None:
    """Compares every layer with its checksum, and sees that each of its bytes has a meaning."""
    at = 0
    for layer in layers:
        part = data[at : at + layer.size]
        if checksum(part) != layer.checksum or _beyond(part, len(layer.facts)):
            raise TableError(
                _("{path} is damaged: layer {name} is not what was written").format(
                    path=path, name=layer.name
                )
            )
        at += layer.size


def _beyond(data: Any, meanings: int) -> bool:
    return len(data) > 0 and meanings < MEANINGS and int(data.max()) >= meanings


def checksum(data: Any) -> int:
    """The CRC-32 of some bytes, in pieces, so that Ctrl-C is heard."""
    crc = 0
    for at in range(0, len(data), CHUNK):
        crc = zlib.crc32(data[at : at + CHUNK], crc)
    return crc

"""Tables with thousands of entries, of which a position asks for a few: how they are learned.

An evaluation has them if it tells `LARGE_TABLES`: how many entries, how many a position asks for, their unit in
1/256 of the game's, and the file in which they stand, beside the weights. Newton's method, which finds the weights, would need a
matrix of all entries; here every position moves its own entries a little towards what it teaches, the less the more
often an entry has moved (AdaGrad), together with the weights, in some passes over all positions by lot.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

import zlib
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from mbegu.engine.evaluation import asked
from mbegu.engine.jit import compiled
from mbegu.engine.memory import peek_state
from mbegu.engine.values import SEED

__all__ = ["entries_of", "learned", "told", "write"]

PASSES = 5
FIRST_STEP, LAST_STEP = 0.2, 0.01
PULL = 1e-4  # towards zero, at every step of an entry
FARTHEST = 30.0  # of the logarithm of the odds


@compiled
def _asked_by_all(like, words, width, entries, signs):
    for i in range(len(signs)):
        signs[i] = asked(peek_state(like, words, i * width), entries[i])


def entries_of(module: ModuleType, kind: Any, states: Any) -> tuple[Any, Any]:
    """The entries that each state asks for, and 1 or -1; the states are words, a row for each."""
    _count, asking, _unit, _file = module.LARGE_TABLES
    words = np.ascontiguousarray(states, np.uint64)
    entries = np.zeros((len(words), asking), np.int32)
    signs = np.zeros(len(words), np.int8)
    like = kind(*map(np.uint64, words[0]))
    _asked_by_all(like, words.ctypes.data, words.shape[1], entries, signs)
    return entries, signs


@compiled
def _pass(order, entries, signs, columns, taught, settled, step, worths, weights, seen, felt):
    """One pass over the positions; all in logarithms of odds."""
    for i in order:
        sign, odds = float(signs[i]), settled[i]
        for entry in entries[i]:
            odds += sign * worths[entry]
        for k in range(len(weights)):
            odds += weights[k] * columns[i, k]
        off = 1.0 / (1.0 + np.exp(-min(max(odds, -FARTHEST), FARTHEST))) - taught[i]
        for entry in entries[i]:
            slope = sign * off + PULL * worths[entry]
            seen[entry] += slope * slope
            worths[entry] -= step * slope / np.sqrt(seen[entry])
        for k in range(len(weights)):
            slope = off * columns[i, k]
            felt[k] += slope * slope
            weights[k] -= step * slope / np.sqrt(felt[k])


def learned(
    module: ModuleType,
    asked_by: tuple[Any, Any],
    columns: Any,
    taught: Any,
    settled: Any,
    scale: float,
) -> Any:
    """What the entries are worth, in the game's unit, where the columns of features have weights too."""
    entries, signs = asked_by
    count = module.LARGE_TABLES[0]
    worths, weights = np.zeros(count), np.zeros(columns.shape[1])
    seen, felt = np.ones(count), np.ones(columns.shape[1])
    lot = np.random.default_rng(0)
    few = np.ascontiguousarray(columns, np.float32)
    odds, wanted = np.asarray(settled, np.float64) / scale, np.asarray(taught, np.float64)
    for step in np.linspace(FIRST_STEP, LAST_STEP, PASSES):
        order = lot.permutation(len(signs))
        _pass(order, entries, signs, few, wanted, odds, step, worths, weights, seen, felt)
    unit = module.LARGE_TABLES[2] / SEED
    return np.clip(np.rint(worths * scale / unit), -127, 127).astype(np.int8)


def told(module: ModuleType, asked_by: tuple[Any, Any], worths: Any) -> Any:
    """What such tables tell of each position, in the game's unit."""
    entries, signs = asked_by
    unit = module.LARGE_TABLES[2] / SEED
    return worths[entries].sum(1, dtype=np.int64) * signs * unit


def write(module: ModuleType, worths: Any, beside: Path) -> Path:
    """Writes the tables beside a `weights.py`, packed; the name of the file."""
    name = module.LARGE_TABLES[3].name
    path = beside.with_name(name)
    path.write_bytes(zlib.compress(worths.tobytes(), 9))
    return path

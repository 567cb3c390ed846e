"""A kernel for the Nim of tests/nim.py, as a stranger would write it: only what must be told."""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from mbegu.engine.kernels import interface as the
from mbegu.engine.kernels.bits import ONE, U
from mbegu.engine.kernels.interface import implement
from mbegu.engine.kernels.masks import one_bit_a_move

MOVES = 4
MOST = U(3)


class NimState(NamedTuple):
    """The heap; whoever is to move is me."""

    heap: np.uint64


@implement(the.legal, NimState)
def _legal(state):
    return (ONE << (min(state.heap, MOST) + ONE)) - U(2)  # bits 1 to 3


one_bit_a_move(NimState)


@implement(the.play, NimState)
def _play(state, move):
    return NimState(state.heap - U(move))


@implement(the.margin, NimState)
def _margin(state):
    return -1  # the other one took the last stone


def pack(json_state: dict[str, Any], options: dict[str, Any]) -> Any:
    return NimState(U(json_state["nim"][0]))


def unpack(state: Any, player: int, over: bool, options: dict[str, Any]) -> dict[str, Any]:
    return {"nim": [int(state.heap), player]}


def to_move(move: Any, player: int, options: dict[str, Any]) -> int:
    return int(move)


def from_move(move: int, player: int, options: dict[str, Any]) -> int:
    return move


def player(json_state: dict[str, Any]) -> int | None:
    heap, side = json_state["nim"]
    return side if heap else None


def seated(json_state: dict[str, Any], player: int) -> dict[str, Any]:
    return {"nim": [json_state["nim"][0], player]}

"""Kernels from a prebuilt library beside the ones that Numba compiles, in one run.

usage: python -m benchmarks ahead [--seconds 1.0]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import mbegu
from mbegu.core.registry import OURS
from mbegu.engine.ahead.library import find
from mbegu.engine.kernels.driver import kernel_of
from mbegu.engine.kernels.walk import walk

ROUNDS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="of one perft, about")
    seconds = parser.parse_args().seconds
    print(
        f"{'perft':12}{'depth':>6}{'library':>14}{'Numba':>14}{'ratio':>8}   millions of made moves a second"
    )
    for name in OURS:
        game = mbegu.game(name)
        options = {option: getattr(game, option) for option in game.options()}
        state = kernel_of(name).pack(game.start().to_json(), options)
        library = find("walk", type(state))
        if library is None:
            raise SystemExit("no libraries of these sources: python -m mbegu.engine.ahead")
        depth = 1
        while _timed(library, state, depth)[1] < seconds / 4:
            depth += 1
        speeds: dict[Any, list[float]] = {library: [], walk.dispatcher: []}
        assert _timed(library, state, 2)[0] == _timed(walk.dispatcher, state, 2)[0]
        for _round in range(ROUNDS):  # in turn, so that a busy machine is unfair to neither
            for function, found in speeds.items():
                made, spent = _timed(function, state, depth)
                found.append(made[1] / spent / 1e6)
        best = [max(found) for found in speeds.values()]
        print(f"{name:12}{depth:6}{best[0]:14.1f}{best[1]:14.1f}{best[0] / best[1]:8.2f}")


def _timed(function: Callable[..., Any], state: Any, depth: int) -> tuple[tuple[int, int], float]:
    began = time.perf_counter()
    nodes, made, _check = function(state, depth)
    return (int(nodes), int(made)), time.perf_counter() - began


if __name__ == "__main__":
    main()

"""Which games have a kernel, and where it is: the entry point group `mbegu.kernels`.

An entry point has the name of the game and names a module; `mbegu.engine.kernels.driver` imports it.
Beside the module may lie `levels.json`: how its ten levels think, and the scale of its winning chances;
and the modules `table`, which solves endings (`mbegu.engine.tables.solver`), and `solve`, a prover of its own.
Nothing here imports a kernel, so that asking is cheap.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from mbegu.core.registry import OURS

__all__ = ["GROUP", "beside_kernel", "has_kernel", "kernel_module", "kernel_names", "told_levels"]

GROUP = "mbegu.kernels"


@cache
def _points() -> dict[str, str]:
    """The module of each game's kernel. Nobody takes the place of ours, which are trusted."""
    ours = {name: f"mbegu.games.{name}.kernel" for name in OURS}
    return {point.name: point.value for point in entry_points(group=GROUP)} | ours


def kernel_names() -> list[str]:
    """The games that have a kernel."""
    return sorted(_points())


def has_kernel(game: str) -> bool:
    """Whether the game of this name has a kernel."""
    return game in _points()


def kernel_module(game: str) -> str:
    """The name of the module; ValueError for a game without a kernel."""
    if game not in _points():
        raise ValueError(f"no kernel for {game!r}: there is one for {', '.join(kernel_names())}")
    return _points()[game]


@cache
def beside_kernel(game: str, part: str) -> str | None:
    """The name of a module that lies beside a game's kernel, `table` or `solve`; None if there is none."""
    package = _points().get(game, "").rpartition(".")[0]
    try:
        return f"{package}.{part}" if package and find_spec(f"{package}.{part}") else None
    except ImportError:  # the package itself is broken; whoever plays the game is told why
        return None


@cache
def told_levels(game: str) -> dict[str, Any]:
    """What `levels.json` beside the kernel tells; nothing if there is none."""
    try:
        spec = find_spec(kernel_module(game))
        assert spec is not None
        assert spec.origin is not None
        told: dict[str, Any] = json.loads(
            Path(spec.origin).with_name("levels.json").read_text(encoding="utf-8")
        )
    except (AssertionError, ImportError, OSError, ValueError):
        return {}
    return told

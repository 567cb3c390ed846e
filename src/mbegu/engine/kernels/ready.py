"""Whether a game's kernel can be used here: prebuilt, supplied by a tab, or compiled by Numba."""

from __future__ import annotations

from functools import cache

from mbegu.core.extras import how_to_install
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.core.registry import OURS
from mbegu.engine.kernels.door import has_kernel

__all__ = ["is_compiled", "why_slow"]


def is_compiled(game: Game) -> bool:
    """Whether the engine may think with compiled rules about this game, with these options."""
    return has_kernel(game.name) and _can_run(game)


def why_slow(game: Game) -> str | None:
    """Why the engine thinks with the readable rules, as a sentence; None if it does not."""
    if not has_kernel(game.name):
        return _("{game} has no compiled rules: the engine is slower.").format(game=_(game.title))
    if _can_run(game):
        return None
    return _(
        "{game} is not prebuilt here, and Numba, which would compile it, is not installed: the engine is"
        " much slower. This mends it: {how}"
    ).format(game=_(game.title), how=how_to_install("jit"))


@cache
def _can_run(game: Game) -> bool:
    from mbegu.engine.jit import has_compiler  # noqa: PLC0415 - these import NumPy, where there is one

    if has_compiler():
        return True
    if game.name not in OURS:
        return False
    from mbegu.engine.ahead.library import is_ready  # noqa: PLC0415
    from mbegu.engine.kernels.driver import kernel_of  # noqa: PLC0415
    from mbegu.engine.machine import tab_of  # noqa: PLC0415

    options = {name: getattr(game, name) for name in game.options()}
    states = type(kernel_of(game.name).pack(game.start().to_json(), options))
    return tab_of(states) is not None or is_ready(states)

"""From an expected margin to a winning chance.

The chance is a logistic of the margin, 1 / (1 + exp(-margin / scale)), in which a draw counts half.
Each game has a scale of its own: the margin, in seeds, beads or cows, at which the chance is 73 %.
A result that is proved needs no curve.

    >>> winning_chance("oware", 0.0)
    0.5
    >>> winning_chance("oware", 3.0, win=9)
    1.0
"""

from __future__ import annotations

import math

from mbegu.engine.kernels.door import told_levels

__all__ = ["scale_of", "winning_chance"]

OTHER_SCALE = 4.0  # a game that does not say


def scale_of(game: str) -> float:
    """The scale in `levels.json` beside the game's kernel.

    Fitted by `python tools/fit_chances.py --games 200 --nodes 5000 --seed 1`, Morabaraba to 120 games; to
    be fitted again when an evaluation changes. The errors: Oware 0.9, Kalah 0.4, two-colour Awale 0.6,
    Morabaraba 0.1; Urubugu 1.3, whose games are short and soon solved: 257 positions, elsewhere thousands.
    """
    return float(told_levels(game).get("chance_scale", OTHER_SCALE))


def winning_chance(
    game: str, margin: float, *, win: int | None = None, exact: bool = False
) -> float:
    """The chance, from 0 to 1, of a player who expects this final margin in the game of this name.

    `win` is the distance of a forced win (below zero: loss), `exact` says that the margin is proved.
    """
    if win is not None:
        return 1.0 if win > 0 else 0.0
    if exact:
        return 0.5 if margin == 0 else float(margin > 0)
    return 1 / (1 + math.exp(-max(-500.0, min(margin / scale_of(game), 500.0))))

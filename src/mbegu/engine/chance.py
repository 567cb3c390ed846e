"""From an expected margin to a winning chance.

The chance is a logistic of the margin, 1 / (1 + exp(-margin / scale)), in which a draw counts half.
Each game has a scale of its own: the margin, in seeds, beads or cows, at which the chance is 73 %.
A result that is proved needs no curve, and nothing else is told as 0 or 1.

    >>> winning_chance("oware", 0.0)
    0.5
    >>> winning_chance("oware", 3.0, result=1)
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


NEARLY = 0.99  # the most that is told without a proof; of wins that a search saw so many were none


def winning_chance(
    game: str, margin: float, *, result: int | None = None, likely: int = 0
) -> float:
    """The chance, from 0 to 1, of a player who expects this final margin in the game of this name.

    `result` is proved: 1, 0 or -1. `likely` is 1 or -1 where a search sees a win or a loss.
    """
    if result is not None:
        return (1 + result) / 2
    if likely:
        return NEARLY if likely > 0 else 1 - NEARLY
    return min(max(_curve(game, margin), 1 - NEARLY), NEARLY)


def _curve(game: str, margin: float) -> float:
    return 1 / (1 + math.exp(-max(-500.0, min(margin / scale_of(game), 500.0))))

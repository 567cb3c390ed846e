"""Wins in one turn by the readable rules, and the rule sets of Urubugu."""

from itertools import product

from mbegu.games.urubugu import Urubugu

RULES = [
    Urubugu(start_min=start_min, capture=capture, landing=landing, restart=restart)
    for start_min, capture, landing, restart in product(
        (1, 2), ("any", "both"), ("any", "occupied"), ("lap", "turn")
    )
]


def wins(game: Urubugu, setting: tuple[int, ...], opponent: tuple[int, ...]) -> list[int]:
    """The moves that win at once."""
    position = game.start(setting, opponent)
    winning = []
    for move in position.legal_moves():
        outcome = position.play(move).outcome()
        if outcome is not None and outcome.winner == 0:
            winning.append(int(move))
    return winning

"""Random games by the readable rules, for games without a kernel: a thousand times slower, and the same."""

from __future__ import annotations

import random
from typing import NamedTuple

from mbegu.core.game import Position
from mbegu.core.match import Match
from mbegu.core.outcome import Outcome, Reason

__all__ = ["PlainGame", "margin_of", "perft_by_rules", "plain_game"]

ENDED, REPEATED, CAPPED = 0, 1, 2


class PlainGame(NamedTuple):
    """What became of a game; `margin` is that of player 0."""

    margin: int
    plies: int
    ending: int
    choices: int  # legal moves of all positions together
    most: int  # and of the widest one
    captures: int  # moves that gained something
    captured: int  # and how much


def plain_game(start: Position, seed: int, number: int, cap: int) -> PlainGame:
    """Random game number so and so: it depends on the seed and its number only."""
    lot = random.Random(f"{seed} {number}")  # noqa: S311 (a game, not a secret)
    match = Match(start.game, start)
    choices = most = captures = captured = 0
    while match.outcome is None and len(match.moves) < cap:
        position = match.position
        player, moves = position.turn, position.legal_moves()
        assert player is not None
        choices, most = choices + len(moves), max(most, len(moves))
        match.play(lot.choice(moves))
        won = match.position.scores()[player] - position.scores()[player]
        captures += won > 0
        captured += max(won, 0)
    plies = len(match.moves)
    if match.outcome is None:
        return PlainGame(0, plies, CAPPED, choices, most, captures, captured)
    ending = REPEATED if match.outcome.reason is Reason.REPETITION else ENDED
    return PlainGame(margin_of(match.outcome), plies, ending, choices, most, captures, captured)


def margin_of(outcome: Outcome) -> int:
    """The final margin of player 0; a game won without a score counts one."""
    margin = outcome.scores[0] - outcome.scores[1]
    if outcome.winner is None:
        return 0
    return margin if margin else 1 - 2 * outcome.winner


def perft_by_rules(position: Position, depth: int) -> tuple[int, int]:
    """Sequences of exactly so many moves, and the moves made for that."""
    if depth == 0:
        return 1, 0
    nodes = made = 0
    for move in position.legal_moves():
        below, moves = perft_by_rules(position.play(move), depth - 1)
        nodes, made = nodes + below, made + moves + 1
    return nodes, made

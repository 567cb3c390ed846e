"""The bot to begin with, for `mbegu bot new`: it runs as it is, and every line says what it is for."""

from mbegu.core.game import Game
from mbegu.core.setups import SetUpGame

__all__ = ["starter"]

_TEXT = '''"""A bot for {title}.

    mbegu bot check {file}
    mbegu match {quoted} {file} random --games 20

A bot is a class with one method, choose. Change anything you like, add methods, import what is
installed. In a match it runs in a cage: it sees its own folder, has no network, and what it prints is
kept for you when something goes wrong.
"""

import random


class MyBot:
    """Looks one move ahead and takes what it can get."""

    game = "{game}"

    def __init__(self, seed=None):
        # A new bot is made for each game. With a seed it plays the same game again.
        self.random = random.Random(seed)
{setup}
    def choose(self, position, clock):
        """The move to play: one of position.legal_moves()."""
        moves = position.legal_moves()
        # clock.remaining(position.turn) is the time you have left, in seconds (None: no limit).
        self.random.shuffle(moves)  # so that equally good moves are chosen by lot
        return max(moves, key=lambda move: self.worth(position, move))

    def worth(self, position, move):
        """How good a move looks: the higher, the better."""
        me = position.turn  # 0 or 1
        after = position.play(move)  # a new position; the old one stays as it is
        outcome = after.outcome()  # None while the game goes on
        if outcome is not None and outcome.winner is not None:
            return 1000 if outcome.winner == me else -1000
        mine, theirs = after.scores()[me], after.scores()[1 - me]
        return mine - theirs
'''

_SETUP = '''
    def setup(self):
        """How the 32 beads are laid on the cells 1 to 16 (mbegu match … --openings bots)."""
        return [2] * 16
'''


def starter(game: Game, file: str) -> str:
    """The text of a starting bot."""
    name = str(game)
    return _TEXT.format(
        title=game.title,
        game=name,
        quoted=f"'{name}'" if "(" in name else name,
        file=file,
        setup=_SETUP if isinstance(game, SetUpGame) else "",
    )

"""Conformance: does a game keep the promises that boards, bots, records and engines rely on?

A stranger's game runs the same checks as ours, in its own tests, and so does a stranger's bot:

    >>> import mbegu
    >>> from mbegu.testing import check_game
    >>> check_game(mbegu.game("oware"), games=1)
    >>> from mbegu.testing import check_bot
    >>> check_bot("greedy", mbegu.game("oware"), games=1)

`check_plugin` checks more than the rules: board, pictures, views, texts, lesson, kernel and levels.
A broken promise is an AssertionError that says in plain words what is wrong, and where.
"""

from mbegu.testing.plugin import check_plugin, examine_plugin
from mbegu.testing.rules import check_bot, check_game

__all__ = ["check_bot", "check_game", "check_plugin", "examine_plugin"]

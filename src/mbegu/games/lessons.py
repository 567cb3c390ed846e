"""The lesson of a game, by its name.

>>> lesson("oware")[0].accept
(2,)
"""

from mbegu.core.lesson import LessonStep
from mbegu.core.registry import game_class, game_names, trouble

__all__ = ["LessonStep", "lesson"]


def lesson(name: str) -> tuple[LessonStep, ...]:
    """The steps for a game; empty for a game without a lesson."""
    return game_class(name).lesson() if name in game_names() and trouble(name) is None else ()

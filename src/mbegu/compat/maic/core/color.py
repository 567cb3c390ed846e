"""The colour of a cell."""

from enum import Enum


class Color(Enum):
    """The two players' colours carry the players' numbers, -1 (who starts) and 1."""

    white = -1
    empty = 0
    green = 1

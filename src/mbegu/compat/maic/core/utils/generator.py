"""Grids to start from."""

from typing import Any

import numpy as np
from core.color import Color


class BoardStateGenerator:
    """Makes object arrays of `Color` of one shape."""

    def __init__(self, board_shape: tuple[int, int]) -> None:
        self.board_shape = board_shape

    def empty(self) -> "np.ndarray[Any, Any]":
        return np.full(self.board_shape, Color.empty, dtype=object)

"""A grid of colours."""

from typing import Any

import numpy as np
from core.color import Color
from core.utils import BoardStateGenerator

Cell = tuple[int, int]


class Board:
    """The grid itself, live: programs read, mask and even replace `_board_state`.

    Every question therefore goes to the array as it is now; nothing is remembered beside it.
    """

    def __init__(self, board_shape: tuple[int, int], max_per_cell: int = 1) -> None:
        self.board_shape = board_shape
        self.max_per_cell = max_per_cell
        self._board_state: np.ndarray[Any, Any] = BoardStateGenerator(board_shape).empty()

    def get_board_state(self) -> "np.ndarray[Any, Any]":
        return self._board_state

    def is_cell_on_board(self, cell: Cell) -> bool:
        """True inside the grid, whether or not a game uses that cell."""
        rows, columns = self.board_shape
        return bool(0 <= cell[0] < rows and 0 <= cell[1] < columns)

    def get_cell_color(self, cell: Cell) -> Color | None:
        return self._board_state[cell[0], cell[1]] if self.is_cell_on_board(cell) else None

    def is_empty_cell(self, cell: Cell) -> bool:
        return self.get_cell_color(cell) is Color.empty

    def empty_cell(self, cell: Cell) -> None:
        if self.is_cell_on_board(cell):
            self._board_state[cell[0], cell[1]] = Color.empty

    def _cells_of(self, color: Color) -> list[Cell]:
        """Row by row; tuples of plain ints, which compare and hash like the framework's own."""
        return [
            (row, column)
            for row, line in enumerate(self._board_state.tolist())
            for column, here in enumerate(line)
            if here is color
        ]

    def get_player_pieces_on_board(self, color: Color) -> list[Cell]:
        assert isinstance(color, Color), "Color need to be a valid Color object"
        return self._cells_of(color)

    def get_json_board(self) -> list[list[str]]:
        return [[color.name for color in line] for line in self._board_state.tolist()]

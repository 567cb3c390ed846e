"""The board: 24 points on a 7 x 7 grid, their mills and their neighbours."""

from core import Board, Color, np

Cell = tuple[int, int]

# Column by column, as the framework lists the points.
_POINTS = "a1 a4 a7 b2 b4 b6 c3 c4 c5 d1 d2 d3 d5 d6 d7 e3 e4 e5 f2 f4 f6 g1 g4 g7"
_CELL: dict[str, Cell] = {
    name: (int(name[1]) - 1, "abcdefg".index(name[0])) for name in _POINTS.split()
}
_NAME: dict[Cell, str] = {cell: name for name, cell in _CELL.items()}
_ROW_BY_ROW: tuple[Cell, ...] = tuple(sorted(_NAME))

# Both orders below are seen by the AIs, which often take the first of several equal choices.
_LINES = """
    a1-a4-a7 b2-b4-b6 c3-c4-c5 d1-d2-d3 d5-d6-d7 e3-e4-e5 f2-f4-f6 g1-g4-g7
    a1-d1-g1 b2-d2-f2 c3-d3-e3 a4-b4-c4 e4-f4-g4 c5-d5-e5 b6-d6-f6 a7-d7-g7
    a1-b2-c3 c5-b6-a7 g1-f2-e3 e5-f6-g7
"""
_MILLS: tuple[tuple[Cell, ...], ...] = tuple(
    tuple(_CELL[name] for name in mill.split("-")) for mill in _LINES.split()
)
NEIGHBOURS: dict[Cell, tuple[Cell, ...]] = {
    _CELL[line.split(":")[0]]: tuple(_CELL[name] for name in line.split(":")[1].split())
    for line in (
        "a1: a4 b2 d1",
        "a4: a1 a7 b4",
        "a7: a4 b6 d7",
        "b2: a1 b4 c3 d2",
        "b4: a4 b2 b6 c4",
        "b6: a7 b4 d6 c5",
        "c3: b2 c4 d3",
        "c4: b4 c3 c5",
        "c5: b6 c4 d5",
        "d1: a1 d2 g1",
        "d2: b2 d1 d3 f2",
        "d3: c3 d2 e3",
        "d5: c5 d6 e5",
        "d6: b6 d5 d7 f6",
        "d7: a7 d6 g7",
        "e3: d3 f2 e4",
        "e4: e3 f4 e5",
        "e5: d5 e4 f6",
        "f2: d2 e3 f4 g1",
        "f4: e4 f2 f6 g4",
        "f6: d6 e5 f4 g7",
        "g1: d1 f2 g4",
        "g4: f4 g1 g7",
        "g7: d7 f6 g4",
    )
}
_CENTER = (3, 3)


class MorabarabaBoard(Board):
    """`MorabarabaBoard((7, 7))`; every point is also an attribute: `board.d7` is `(6, 3)`."""

    tab = np.array(
        [["0" if (row, column) in _NAME else "-" for column in range(7)] for row in range(7)]
    )

    def __init__(self, board_shape: tuple[int, int], max_per_cell: int = 1) -> None:
        super().__init__(board_shape, max_per_cell)
        self.actives_cells: list[Cell] = list(_NAME)

    # -- cells ---------------------------------------------------------------------------------

    def get_all_empty_cells(self) -> list[Cell]:
        """The empty points, row by row; never a cell that is no point."""
        grid = self._board_state.tolist()
        return [cell for cell in _ROW_BY_ROW if grid[cell[0]][cell[1]] is Color.empty]

    def get_all_empty_cells_without_center(self) -> list[Cell]:
        """Left over from another game: empty cells of the whole grid but the middle one."""
        return [cell for cell in self._cells_of(Color.empty) if cell != _CENTER]

    def is_center(self, cell: Cell) -> bool:
        return cell == _CENTER

    def get_opponent_neighbours(self, cell: Cell) -> None:
        """Announced by the framework, never written."""

    def fill_cell(self, cell: Cell, color: Color) -> None:
        """Puts a cow on an empty point; anywhere else nothing happens, silently."""
        if cell in self.actives_cells and self.is_empty_cell(cell):
            self._board_state[cell[0], cell[1]] = color

    # -- mills ---------------------------------------------------------------------------------

    def mills(self) -> list[list[Cell]]:
        return [list(mill) for mill in _MILLS]

    def player_mills(
        self, player: int, player_pieces: list[Cell] | None = None
    ) -> list[list[Cell]]:
        """The complete mills of a player (or of the given cells)."""
        if player_pieces is None:
            own = set(self.get_player_pieces_on_board(Color(player)))
            return [list(mill) for mill in _MILLS if own.issuperset(mill)]
        # One by one: what an AI gives may hold lists, which no set takes.
        return [list(mill) for mill in _MILLS if all(cell in player_pieces for cell in mill)]

    # -- names ---------------------------------------------------------------------------------

    def names(self, cell: Cell) -> str | None:
        return _NAME.get(cell) if isinstance(cell, tuple) else None

    def coordinates(self, name: str) -> Cell | None:
        return _CELL.get(name)


for _name, _cell in _CELL.items():
    setattr(MorabarabaBoard, _name, _cell)

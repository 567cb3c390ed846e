"""Thinks in numpy masks of the board's own array."""

import numpy as np
from morabaraba.morabaraba_player import MorabarabaPlayer
from morabaraba.morabaraba_rules import MorabarabaRules


class AI(MorabarabaPlayer):
    name = "Masks"

    def __init__(self, color):
        super().__init__(color)
        self.position = color.value

    def play(self, state, remain_time):
        grid = state.get_board().get_board_state()
        values = np.array([[cell.value for cell in line] for line in grid]) * self.position
        assert values.shape == grid.shape == (7, 7)
        assert grid.size == 49
        actions = MorabarabaRules.get_player_actions(state, self.position)
        worths = [self.worth(values, action.action) for action in actions]
        return actions[int(np.argmax(worths))]

    def worth(self, values, cells):
        row, column = cells.get("to", cells.get("at"))
        window = values[max(0, row - 2) : row + 3, max(0, column - 2) : column + 3]
        return np.count_nonzero(window == 1) + np.random.rand() / 10

"""Builds its own actions without asking the rules, and is often wrong."""

import random

from morabaraba.morabaraba_action import MorabarabaAction, MorabarabaActionType
from morabaraba.morabaraba_player import MorabarabaPlayer


class AI(MorabarabaPlayer):
    name = "Illegal"

    def __init__(self, color):
        super().__init__(color)
        self.position = color.value

    def play(self, state, remain_time):
        board = state.get_board()
        if state.mill:
            return MorabarabaAction(
                MorabarabaActionType.STEAL, at=random.choice(board.actives_cells)
            )
        return MorabarabaAction(
            action_type=MorabarabaActionType.ADD,
            to=random.choice([board.a1, board.d7, (3, 3), (0, 1), *board.get_all_empty_cells()]),
        )

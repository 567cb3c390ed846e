"""Believes that its game goes on, and looks for its last cow on an empty board."""

from morabaraba.morabaraba_player import MorabarabaPlayer
from morabaraba.morabaraba_rules import MorabarabaRules


class AI(MorabarabaPlayer):
    name = "crash on reuse"

    def __init__(self, color):
        super().__init__(color)
        self.position = color.value
        self.placed = False

    def play(self, state, remain_time):
        mine = state.get_board().get_player_pieces_on_board(self.color)
        if self.placed and not mine:
            raise IndexError("where has my cow gone?")
        self.placed = self.placed or bool(mine)
        return MorabarabaRules.get_player_actions(state, self.position)[0]

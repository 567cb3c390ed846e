"""Keeps its plan in the object; in another game the plan leads elsewhere."""

from morabaraba.morabaraba_player import MorabarabaPlayer
from morabaraba.morabaraba_rules import MorabarabaRules


class AI(MorabarabaPlayer):
    name = "own memory"

    def __init__(self, color):
        super().__init__(color)
        self.position = color.value
        self.asked = 0

    def play(self, state, remain_time):
        self.asked += 1
        actions = MorabarabaRules.get_player_actions(state, self.position)
        return actions[self.asked % len(actions)]

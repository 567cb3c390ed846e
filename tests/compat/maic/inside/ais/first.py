"""Takes the first listed action: its games pin the order of every list."""

from morabaraba.morabaraba_player import MorabarabaPlayer
from morabaraba.morabaraba_rules import MorabarabaRules


class AI(MorabarabaPlayer):
    name = "First"

    def __init__(self, color):
        super().__init__(color)
        self.position = color.value

    def play(self, state, remain_time):
        return MorabarabaRules(self.position).get_player_actions(state, self.position)[0]

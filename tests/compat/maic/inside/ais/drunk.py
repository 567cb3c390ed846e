"""Plays at random by the module's own generator, as the contest's sample AI did."""

from morabaraba.morabaraba_player import MorabarabaPlayer
from morabaraba.morabaraba_rules import MorabarabaRules


class AI(MorabarabaPlayer):
    name = "Drunk"

    def __init__(self, color):
        super().__init__(color)
        self.position = color.value

    def play(self, state, remain_time):
        return MorabarabaRules.random_play(state, self.position)

"""Plays on the very state it was given, and so has ruined it when it answers."""

import random

from morabaraba.morabaraba_player import MorabarabaPlayer
from morabaraba.morabaraba_rules import MorabarabaRules


class AI(MorabarabaPlayer):
    name = "Mutator"

    def __init__(self, color):
        super().__init__(color)
        self.position = color.value

    def play(self, state, remain_time):
        rules = MorabarabaRules(self.position)
        action = random.choice(rules.get_player_actions(state, self.position))
        answer = rules.act(state, action, self.position)
        if answer is not False:
            state, done, mill = answer
            if not done and not mill:
                rules.act(state, rules.random_play(state, -self.position), -self.position)
        state.score[self.position] = 99
        state.in_hand.clear()
        return action

"""Looks at the clock, and plays anything when there is little time."""

import random
import time
from copy import deepcopy

from morabaraba.morabaraba_player import MorabarabaPlayer
from morabaraba.morabaraba_rules import MorabarabaRules


class AI(MorabarabaPlayer):
    name = "Clock watcher"

    def __init__(self, color):
        super().__init__(color)
        self.position = color.value

    def play(self, state, remain_time):
        if remain_time < 0.3:
            return MorabarabaRules.random_play(state, self.position)
        until = time.time() + min(0.02, remain_time / 50)
        actions = MorabarabaRules.get_player_actions(state, self.position)
        wins = [0] * len(actions)
        while time.time() < until:
            number = random.randrange(len(actions))
            ahead = deepcopy(state)
            _, done, mill = MorabarabaRules.act(ahead, actions[number], self.position)
            wins[number] += mill + 2 * done
        return actions[wins.index(max(wins))]

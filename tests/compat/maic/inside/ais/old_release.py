"""Written for an earlier release: it reads attributes that nothing sets any more."""

import random

from morabaraba.morabaraba_player import MorabarabaPlayer
from morabaraba.morabaraba_rules import MorabarabaRules


class AI(MorabarabaPlayer):
    name = "Old release"

    def __init__(self, color):
        super().__init__(color)
        self.position = color.value

    def play(self, state, remain_time):
        mine = state.latest_player1_move if self.position == -1 else state.latest_player2_move
        ban = state.player1_forbidden_cell if self.position == -1 else state.player2_forbidden_cell
        actions = MorabarabaRules.get_player_actions(state, self.position)
        free = [
            action
            for action in actions
            if not (ban[0] and action.action.get("to") == ban[1])
            and not (mine[0] and list(action.action.values()) == mine[1][::-1])
        ]
        return random.choice(free or actions)

"""A mill if there is one, else a place beside its own cows, else anything."""

import random

from core import Color
from morabaraba.morabaraba_action import MorabarabaActionType
from morabaraba.morabaraba_player import MorabarabaPlayer
from morabaraba.morabaraba_rules import MorabarabaRules


class AI(MorabarabaPlayer):
    name = "Greedy"

    def __init__(self, color):
        super(AI, self).__init__(color)  # noqa: UP008 - as the contest's sample wrote it
        self.position = color.value

    def play(self, state, remain_time):
        actions = MorabarabaRules.get_player_actions(state, self.position)
        if actions[0].action_type == MorabarabaActionType.STEAL:
            return actions[-1]
        board = state.get_board()
        for action in actions:
            cells = action.get_action_as_dict()["action"]
            mine = board.get_player_pieces_on_board(Color(self.position))
            mine = [cell for cell in mine if cell != cells.get("at")] + [cells["to"]]
            if any(cells["to"] in mill for mill in board.player_mills(self.position, mine)):
                return action
        return random.choice(actions)

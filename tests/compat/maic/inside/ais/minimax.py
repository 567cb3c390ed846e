"""Minimax two plies deep on deep copies, alternating players without looking at a shot that is owed."""

from copy import deepcopy

import numpy as np
from core import Color
from morabaraba.morabaraba_player import MorabarabaPlayer
from morabaraba.morabaraba_rules import MorabarabaRules

CANDIDATES = 5


class AI(MorabarabaPlayer):
    name = "Minimax"

    def __init__(self, color):
        super().__init__(color)
        self.position = color.value

    def play(self, state, remain_time):
        depth = 2 if remain_time > 0.5 else 1
        return self.best(state, self.position, depth)[1]

    def best(self, state, player, depth):
        if depth == 0 or (
            state.get_latest_player() is not None and MorabarabaRules.is_end_game(state)
        ):
            return self.worth(state), None
        found, chosen = -np.inf * player * self.position, None
        actions = MorabarabaRules.get_player_actions(state, player)
        for action in actions[:CANDIDATES]:
            ahead = deepcopy(state)
            MorabarabaRules.act(ahead, action, player)
            worth, _ = self.best(ahead, -player, depth - 1)
            better = worth >= found if player == self.position else worth <= found
            if better:
                found, chosen = worth, action
        return found, chosen

    def worth(self, state):
        board = state.get_board()
        mine = board.get_player_pieces_on_board(Color(self.position))
        theirs = board.get_player_pieces_on_board(Color(-self.position))
        return len(mine) - len(theirs) + 3 * len(board.player_mills(self.position))

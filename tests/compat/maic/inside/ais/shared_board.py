"""Copies a state by hand, attribute by attribute, and forgets that both now have the same board."""

import random

from morabaraba.morabaraba_player import MorabarabaPlayer
from morabaraba.morabaraba_rules import MorabarabaRules
from morabaraba.morabaraba_state import MorabarabaState


def twin(state):
    copied = MorabarabaState(state.get_board(), state.get_next_player())
    copied.set_latest_move(state.get_latest_move())
    copied.set_latest_player(state.get_latest_player())
    copied.score = dict(state.score)
    copied.in_hand = state.in_hand.copy()
    copied.mill, copied.captured = state.mill, state.captured
    copied.fly_case, copied.fly_moves = state.fly_case, state.fly_moves
    copied.boring_moves, copied.just_stop = state.boring_moves, state.just_stop
    copied.latest_player1_move = state.latest_player1_move.copy()
    copied.latest_player2_move = state.latest_player2_move.copy()
    copied.before_latest_player1_move = state.before_latest_player1_move.copy()
    copied.before_latest_player2_move = state.before_latest_player2_move.copy()
    return copied


class AI(MorabarabaPlayer):
    name = "Shared board"

    def __init__(self, color):
        super().__init__(color)
        self.position = color.value

    def play(self, state, remain_time):
        actions = MorabarabaRules.get_player_actions(state, self.position)
        worths = []
        for action in actions:
            ahead = twin(state)
            MorabarabaRules.act(ahead, action, self.position)  # may be refused: the board is used
            worths.append(ahead.score[self.position] * 2 + ahead.mill)
        best = [i for i, worth in enumerate(worths) if worth == max(worths)]
        return actions[random.choice(best)]

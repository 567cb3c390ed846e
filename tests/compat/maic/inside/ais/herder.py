"""The habits of contestants, gathered in one AI.

It turns the colours of the array round, writes on the board it was given, moves for the opponent,
reads the attributes of earlier releases, intersects sets of cells, shuffles actions in a numpy
array, and builds states by hand that share one board.
"""

import random
from copy import deepcopy

import numpy as np
from core import Color
from morabaraba.morabaraba_action import MorabarabaAction, MorabarabaActionType
from morabaraba.morabaraba_board import MorabarabaBoard
from morabaraba.morabaraba_player import MorabarabaPlayer
from morabaraba.morabaraba_rules import MorabarabaRules
from morabaraba.morabaraba_state import MorabarabaState


class AI(MorabarabaPlayer):
    name = "Herder"

    def __init__(self, color):
        super().__init__(color)
        self.position = color.value
        self.mirror = MorabarabaBoard((7, 7))

    def play(self, state, remain_time):
        actions = MorabarabaRules(self.position).get_player_actions(state, self.position)
        kind = actions[0].get_action_as_dict()["action_type"]
        self.turn_round(state)
        if kind == MorabarabaActionType.STEAL:
            return self.shoot(state, actions)
        for player in (self.position, -self.position):
            for action in actions:
                if self.closes_mill(state, player, action):
                    return action
        if kind == MorabarabaActionType.ADD:
            return self.place(state, actions)
        return self.look_ahead(state, actions)

    def turn_round(self, state):
        array = state.get_board()._board_state.__copy__()
        array[array == Color(-1)] = 2
        array[array == Color(1)] = Color(-1)
        array[array == 2] = Color(1)
        self.mirror._board_state = array

    def closes_mill(self, state, player, action):
        board = state.get_board()
        cells = action.get_action_as_dict()["action"]
        if "at" in cells:
            board.empty_cell(cells["at"])
        board.fill_cell(cells["to"], Color(player))
        closed = MorabarabaRules.is_making_mill(board, player, cells["to"])[0]
        board.empty_cell(cells["to"])
        if "at" in cells:
            board.fill_cell(cells["at"], Color(self.position))
        return closed

    def place(self, state, actions):
        board = state.get_board()
        mine = set(self.mirror.get_player_pieces_on_board(Color(-self.position)))
        near = {
            cell
            for piece in mine
            for cell in MorabarabaRules.get_rules_possibles_moves(piece, board)
        }
        good = [cell for cell in near & set(board.get_all_empty_cells())]  # noqa: C416 - its order
        if good and random.random() < 0.8:
            return MorabarabaAction(action_type=MorabarabaActionType.ADD, to=good[0])
        return random.choice(actions)

    def shoot(self, state, actions):
        shuffled = np.array(actions)
        np.random.shuffle(shuffled)
        state.mill = False
        threats = MorabarabaRules.get_player_actions(state, -self.position)
        state.mill = True
        cells = [action.get_action_as_dict()["action"].get("at") for action in threats]
        return max(shuffled, key=lambda action: cells.count(action.action["at"]))

    def look_ahead(self, state, actions):
        worths = []
        for action in actions:
            ahead = MorabarabaState(deepcopy(state.get_board()), state.get_next_player())
            ahead.set_latest_player(state.get_latest_player())
            ahead.set_latest_move(state.get_latest_move())
            ahead.score, ahead.in_hand = dict(state.score), dict(state.in_hand)
            ahead.fly_case, ahead.fly_moves = state.fly_case, state.fly_moves
            ahead.boring_moves, ahead.just_stop = state.boring_moves, state.just_stop
            ahead.latest_player1_move = state.latest_player1_move.copy()
            ahead.player1_forbidden_cell = state.player1_forbidden_cell
            ahead.player1_forbidden_mill = state.player1_forbidden_mill
            ahead.player2_forbidden_mill = state.player2_forbidden_mill
            _, done, _ = MorabarabaRules.act(ahead, action, self.position)
            mobility = len(MorabarabaRules.get_player_actions(ahead, self.position))
            worths.append(
                mobility + 100 * done * (state.score[self.position] - state.score[-self.position])
            )
        best = [i for i, worth in enumerate(worths) if worth == max(worths)]
        return actions[random.choice(best)]

"""Prints all it thinks, keeps the game in a global variable, and counts its own plies."""

from morabaraba.morabaraba_player import MorabarabaPlayer
from morabaraba.morabaraba_rules import MorabarabaRules

HISTORY = []


class AI(MorabarabaPlayer):
    name = "Talker"
    plies = 0

    def __init__(self, color):
        super().__init__(color)
        self.position = color.value

    def play(self, state, remain_time):
        global HISTORY  # noqa: PLW0602 - students write it
        AI.plies += 1
        print("\n\n>>>>>", self.get_name(), AI.plies, remain_time, state.get_json_state())
        HISTORY.append(state.get_latest_move())
        actions = MorabarabaRules.get_player_actions(state, self.position)
        for action in actions:
            print(action)
        chosen = actions[len(HISTORY) % len(actions)]
        print("in hand", getattr(self, "in_hand", None), "score", getattr(self, "score", None))
        return chosen

"""Works until its hand is empty, which its author never tried."""

from morabaraba.morabaraba_action import MorabarabaAction, MorabarabaActionType
from morabaraba.morabaraba_player import MorabarabaPlayer
from morabaraba.morabaraba_rules import MorabarabaRules


class AI(MorabarabaPlayer):
    name = "Late crash"

    def __init__(self, color):
        super().__init__(color)
        self.position = color.value

    def play(self, state, remain_time):
        if state.mill:
            victims = MorabarabaRules.stealables(-self.position, state.get_board())
            return MorabarabaAction(action_type=MorabarabaActionType.STEAL, at=victims[0])
        if state.get_player_info(self.position)["in_hand"] > 0:
            cell = state.get_board().get_all_empty_cells()[0]
            return MorabarabaAction(action_type=MorabarabaActionType.ADD, to=cell)
        return state.get_possible_moves(self.position)[0]

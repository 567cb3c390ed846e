"""Morabaraba, by the names the contestants import."""

from morabaraba.morabaraba_action import MorabarabaAction, MorabarabaActionType
from morabaraba.morabaraba_board import MorabarabaBoard
from morabaraba.morabaraba_player import MorabarabaPlayer
from morabaraba.morabaraba_rules import MorabarabaRules
from morabaraba.morabaraba_state import MorabarabaState

__all__ = [
    "MorabarabaAction",
    "MorabarabaActionType",
    "MorabarabaBoard",
    "MorabarabaPlayer",
    "MorabarabaRules",
    "MorabarabaState",
]

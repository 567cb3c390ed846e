"""The four things a player can do."""

from enum import Enum
from typing import Any

from core import Action


class MorabarabaActionType(Enum):
    ADD = 1
    MOVE = 2
    STEAL = 3
    FLY = 4


_KEYWORDS = {
    MorabarabaActionType.ADD: {"to"},
    MorabarabaActionType.MOVE: {"at", "to"},
    MorabarabaActionType.STEAL: {"at"},
    MorabarabaActionType.FLY: {"at", "to"},
}


class MorabarabaAction(Action):
    """`ADD to`, `MOVE at to`, `FLY at to` or `STEAL at`, each cell a (row, column) tuple.

    Whether the cell exists, and whether the action is allowed, is for the rules to say.
    """

    def __init__(self, action_type: MorabarabaActionType, **kwargs: Any) -> None:
        assert isinstance(action_type, MorabarabaActionType), (
            "action_type has to be a MorabarabaActionType"
        )
        wanted = _KEYWORDS[action_type]
        assert kwargs.keys() == wanted, (
            f"{action_type.name} takes exactly {' and '.join(sorted(wanted))}"
        )
        for keyword, cell in kwargs.items():
            assert isinstance(cell, tuple), f"{keyword} has to be a tuple (row, column)"
        super().__init__(action_type, **kwargs)

"""Actions in general; Morabaraba brings its own four."""

from enum import Enum
from typing import Any


class ActionType(Enum):
    """Kept for programs that import it: Morabaraba uses `MorabarabaActionType`."""

    MOVE = 1
    ADD = 2
    REMOVE = 3


class Action:
    """One action: its type, and its cells by name (`at`, `to`) in the order they were given."""

    def __init__(self, action_type: Enum, **kwargs: Any) -> None:
        self.action_type = action_type
        self.action = kwargs

    def get_action_as_dict(self) -> dict[str, Any]:
        return {"action_type": self.action_type, "action": self.action}

    def get_json_action(self) -> dict[str, Any]:
        return {"action_type": self.action_type.name, "action": self.action}

    def get_action(self) -> str:
        return self.action_type.name

    # No __eq__ on purpose: in the framework two equal actions compare unequal, and AIs that
    # write `action in list` or `list.remove(action)` decide by it.

    def __repr__(self) -> str:
        return str(self.get_action_as_dict())

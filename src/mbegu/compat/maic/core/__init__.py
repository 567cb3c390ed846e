"""What every game of the contest's framework was built on; AIs take `Color` from here."""

from enum import Enum
from typing import Tuple  # noqa: UP035 - AIs may get it from here by a star import

import core.numpy_names  # noqa: F401 - for what it does to NumPy
import numpy as np
from core.action import Action, ActionType
from core.board import Board
from core.color import Color
from core.env import BoardEnv
from core.player import Player
from core.state import State
from core.utils import BoardStateGenerator as BSG

__all__ = [
    "BSG",
    "Action",
    "ActionType",
    "Board",
    "BoardEnv",
    "Color",
    "Enum",
    "Player",
    "State",
    "Tuple",
    "np",
]

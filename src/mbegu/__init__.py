"""Mbegu (Swahili: seeds): African board games to play, teach, compete in and study.

>>> import mbegu
>>> game = mbegu.game("oware")
>>> position = game.start().play(game.parse_move("C", game.start()))
>>> print(position)
4-4-0-5-5-5-5-4-4-4-4-4-0-0-N
"""

from mbegu.core.errors import (
    IllegalMove,
    InvalidGame,
    InvalidMove,
    InvalidOption,
    InvalidPosition,
    InvalidRecord,
    InvalidSetUp,
    InvalidTimeControl,
    MatchError,
    MbeguError,
)
from mbegu.core.files import open_records, write_records
from mbegu.core.game import Game, Move, Position
from mbegu.core.match import Match
from mbegu.core.outcome import Outcome, Reason
from mbegu.core.reader import parse_record, read_records
from mbegu.core.record import Record, Step
from mbegu.core.registry import game, game_names
from mbegu.engine.analysis import Analysis, analyse

__all__ = [
    "Analysis",
    "Game",
    "IllegalMove",
    "InvalidGame",
    "InvalidMove",
    "InvalidOption",
    "InvalidPosition",
    "InvalidRecord",
    "InvalidSetUp",
    "InvalidTimeControl",
    "Match",
    "MatchError",
    "MbeguError",
    "Move",
    "Outcome",
    "Position",
    "Reason",
    "Record",
    "Step",
    "__version__",
    "analyse",
    "game",
    "game_names",
    "open_records",
    "parse_record",
    "read_records",
    "write_records",
]

__version__ = "0.1.0"

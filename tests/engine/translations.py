"""What kernels make of positions and moves: python translations.py GAME [BLOCKED,...] prints it, to be compared.

What is blocked cannot be imported, as in a browser's tab.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

from thoughts import Blocked

GAMES = 4


def translated(text: str) -> list[Any]:
    """Of every position of some games its words and back, and of every move its number and back."""
    import mbegu
    from mbegu.engine.kernels.driver import kernel_of

    game, lot, told = mbegu.game(text), random.Random(text), list[Any]()
    kernel, options = kernel_of(game.name), {name: getattr(game, name) for name in game.options()}
    for _game in range(GAMES):
        position = game.start()
        for _ply in range(150):
            if (player := position.turn) is None:
                break
            state = kernel.pack(position.to_json(), options)
            back = kernel.unpack(state, player, False, options)
            moves = [kernel.to_move(move, player, options) for move in position.legal_moves()]
            words = [kernel.from_move(move, player, options) for move in moves]
            told.append([str(position), [int(word) for word in state], back, moves, str(words)])
            position = position.play(lot.choice(position.legal_moves()))
    return told


if __name__ == "__main__":
    sys.meta_path.insert(0, Blocked(sys.argv[2].split(",") if len(sys.argv) > 2 else []))
    print(json.dumps(translated(sys.argv[1])))

"""Draws docs/pictures: each game's start and middle, and a diagram for each rule that its lesson teaches.

python tools/pictures.py [FOLDER]
"""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

from architecture import architecture
from diagrams import diagram

import mbegu
from mbegu.core.i18n import speaking
from mbegu.games.lessons import lesson
from mbegu.games.pictures import picture

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"

# How far each game is played for the second picture, and the seed of the players' luck.
MIDDLE = {
    "oware": (10, 7),
    "kalah": (14, 8),
    "awale2": (10, 1),
    "urubugu": (2, 3),
    "morabaraba": (20, 8),
}

# The strategies of Urubugu, before and after the move.
STRATEGY = {
    "spreading": ("1,0,0,0,0,0,0,4,2,7,0,0,0,0,0,4/1,0,2,1,1,3,0,5,5,0,8,5,6,3,2,4 0", 10),
    "decapitation": ("3,0,6,3,1,3,3,1,0,5,5,8,5,0,4,7/1,1,1,0,3,0,0,0,0,0,0,0,0,3,0,1 0", 1),
}


def played(game: mbegu.Game, plies: int, seed: int) -> mbegu.Position:
    """A position that two eager players reach: each takes what it can, otherwise anything."""
    luck = random.Random(seed)  # noqa: S311 (a picture needs no secrets)
    position = game.start()
    for _ply in range(plies):
        player = position.turn
        assert player is not None
        moves = position.legal_moves()
        luck.shuffle(moves)
        position = max(
            (position.play(move) for move in moves), key=lambda after: after.scores()[player]
        )
    return position


def pictures() -> Iterator[tuple[str, str]]:
    """The name and the text of each file."""
    yield "architecture.svg", architecture()
    with speaking("en"):
        for name, (plies, seed) in MIDDLE.items():
            game = mbegu.game(name)
            yield f"{name}-start.svg", picture(game.start())
            yield f"{name}.svg", picture(played(game, plies, seed))
            for count, step in enumerate(lesson(name), 1):
                told = diagram(step.start(), step.accept[0], f"{step.title}: {step.after}")
                yield f"{name}-rule-{count}.svg", told
        for name, (text, move) in STRATEGY.items():
            before = mbegu.game("urubugu").position(text)
            yield f"urubugu-{name}-1.svg", picture(before)
            yield f"urubugu-{name}-2.svg", picture(before.play(move))


def main(folder: Path) -> None:
    """Writes every picture."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pictures():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)

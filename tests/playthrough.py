"""Plays one whole game and writes down every answer of the API, ply by ply.

A change of rules, notation, events or drawing shows as a difference in tests/playthroughs. When it is
meant, write them again and read the difference before committing it:

    python tests/playthrough.py --write
    git diff tests/playthroughs
"""

import argparse
import json
import random
import sys
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

import mbegu
from mbegu.core.events import Event, Sow
from mbegu.core.game import Game, Position
from mbegu.core.i18n import speaking

FOLDER = Path(__file__).parent / "playthroughs"
SEEDS = {"oware": 19, "kalah": 39, "awale2": 27, "urubugu": 8, "morabaraba": 20}
MOST_PLIES = 300


def playthrough(game: Game, seed: int) -> str:
    """The whole text."""
    with speaking("en"):
        return "\n".join([*_card(game, seed), *_plies(game, seed)]) + "\n"


def _card(game: Game, seed: int) -> Iterator[str]:
    yield f"A random game of {game.title}, with every answer of the API."
    yield "Written by tests/playthrough.py; not to be edited by hand."
    yield ""
    yield f"game: {game}"
    for field in ("id", "aliases", "title", "summary", "sides", "repetition_limit", "ply_cap"):
        yield f"{field}: {getattr(game, field)!r}"
    for name, option in game.options().items():
        yield f"option {name}: {getattr(game, name)!r} ({option.values}) {option.help}"
    for name, preset in game.presets.items():
        yield f"preset {name}: {preset!r}"
    yield f"random seed: {seed}"


def _plies(game: Game, seed: int) -> Iterator[str]:
    chance = random.Random(seed)
    position = game.start()
    for ply in range(MOST_PLIES):
        yield from ["", f"=== ply {ply}"]
        yield from _position(position)
        moves = position.legal_moves()
        if not moves:
            return
        move = chance.choice(moves)
        after = position.play(move)
        yield f"play: {move!r} {game.format_move(move, position)}"
        yield from (f"  {line}" for line in _events(position.events(move)))
        position = after
    yield f"... unfinished after {MOST_PLIES} plies"


def _position(position: Position) -> Iterator[str]:
    game = position.game
    yield f"str: {position}"
    yield f"repr: {position!r}"
    yield f"json: {json.dumps(position.to_json())}"
    yield f"turn: {position.turn}"
    yield f"scores: {position.scores()}"
    outcome = position.outcome()
    yield f"outcome: {outcome}"
    if outcome is not None:
        yield f"  {outcome.result} {json.dumps(outcome.to_json())} {outcome.reason}"
    yield "diagram:"
    yield from (f"  {line}".rstrip() for line in position.diagram().splitlines())
    moves = position.legal_moves()
    yield f"legal_moves: {moves!r}"
    yield " ".join(["texts:", *(game.format_move(move, position) for move in moves)])


def _events(events: Iterable[Event]) -> Iterator[str]:
    """One event a line as JSON; the seeds of a sowing together: `sow D=5 E=5`."""
    for sowing, group in groupby(events, key=lambda event: isinstance(event, Sow)):
        if sowing:
            seeds = [f"{e.hole}{e.colour}={e.now}" for e in group if isinstance(e, Sow)]
            yield f"sow {' '.join(seeds)}"
        else:
            yield from (json.dumps(event.to_json()) for event in group)


def main(arguments: list[str] | None = None) -> int:
    """Compares the files with what the games do now, or writes them; 1 if they differ."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--write", action="store_true", help="write the files again")
    options = parser.parse_args(arguments)
    differ = False
    for name, seed in SEEDS.items():
        path, now = FOLDER / f"{name}.txt", playthrough(mbegu.game(name), seed)
        if options.write:
            path.write_text(now, "utf-8")
        elif not path.exists() or path.read_text("utf-8") != now:
            differ = True
            print(f"{path} is not what {name} does now")
    return int(differ)


if __name__ == "__main__":
    sys.exit(main())

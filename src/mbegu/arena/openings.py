"""Where games begin, so that two programs that always play the same still play different games.

start           the usual position
random:4        four moves by lot
setups          Urubugu: both set-ups by lot
bots            Urubugu: each bot lays its own beads, by its method setup()
FILE            one position a line, or a file of records, from whose last positions it goes on
"""

import random
from collections.abc import Callable
from pathlib import Path

from mbegu.arena.referee import Opening
from mbegu.core.errors import MbeguError, shorten, system_words
from mbegu.core.files import open_records
from mbegu.core.game import Game, Move
from mbegu.core.i18n import _
from mbegu.core.setups import SetUpGame, no_set_ups

__all__ = ["openings"]

TRIES = 100


def openings(game: Game, text: str, seed: int) -> Callable[[int], Opening]:
    """The opening number 0, 1, 2…; the same seed gives the same ones."""
    word, _colon, number = text.partition(":")
    if text == "start":
        return lambda index: Opening()
    if word == "random" and number.isdecimal() and 1 <= int(number) <= 60:
        return lambda index: _by_lot(game, int(number), f"{seed} opening {index}")
    if text in ("setups", "bots"):
        if not isinstance(game, SetUpGame):
            raise MbeguError(no_set_ups(game))
        if text == "bots":
            return lambda index: Opening(bots_set_up=True)
        return lambda index: _set_ups(game, f"{seed} opening {index}")
    if not Path(text).exists():
        raise MbeguError(
            _(
                "{text} is not an opening: write start, random:4, setups, bots "
                "or the name of a file of positions or records"
            ).format(text=shorten(text))
        )
    found = _in_file(game, text)
    return lambda index: found[index % len(found)]


def _by_lot(game: Game, plies: int, seed: str) -> Opening:
    """So many moves by lot that do not end the game."""
    lot = random.Random(seed)  # noqa: S311 (a game, not a secret)
    for _try in range(TRIES):
        position, moves = game.start(), list[Move]()
        while len(moves) < plies and position.turn is not None:
            moves.append(lot.choice(position.legal_moves()))
            position = position.play(moves[-1])
        if position.turn is not None:
            return Opening(moves=tuple(moves))
    raise MbeguError(
        _("{game} seldom lasts {plies} moves when they are by lot").format(game=game, plies=plies)
    )


def _set_ups(game: SetUpGame, seed: str) -> Opening:
    lot = random.Random(seed)  # noqa: S311
    return Opening(str(game.start(game.random_setup(lot), game.random_setup(lot))))


def _in_file(game: Game, path: str) -> list[Opening]:
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise MbeguError(f"{path}: {system_words(error)}") from None
    found = []
    if text.lstrip().startswith("["):
        for record in open_records(path):
            if record.game != game:
                raise MbeguError(
                    _("{path} holds a game of {found}, not of {game}").format(
                        path=path, found=record.game, game=game
                    )
                )
            if record.final.turn is not None:
                at_start = record.start == game.start()
                found.append(Opening("" if at_start else str(record.start), tuple(record.moves)))
    else:
        for number, line in enumerate(text.splitlines(), 1):
            told = line.partition("#")[0].strip()
            if told:
                try:
                    position = game.position(told)
                except MbeguError as error:
                    raise MbeguError(f"{path}:{number}: {error}") from None
                if position.turn is not None:
                    found.append(Opening(str(position)))
    if not found:
        raise MbeguError(
            _("{path} holds no position from which a game could go on").format(path=path)
        )
    return found

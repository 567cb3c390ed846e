"""A position as the browser needs it: what may be played, what it would do, and why not the rest.

The browser decides no rule. What is told here comes from the board of the game, from what lies on it
and from the stories of the moves, so a stranger's game has a view too.

A server tells a view with every move, so it is written as text at once, and what comes again and again,
a move from the same house with as many seeds, or a seed that falls there, is written once.

>>> from mbegu.core.registry import game
>>> seen = view(game("oware").position("0-3-0-6-1-2-0-0-2-1-0-3-0-0-S"))
>>> seen["legal"][1]["preview"]["captures"], seen["barred"]["A"]
([['d', 2], ['c', 3]], 'this house is empty')
"""

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from random import Random
from typing import NamedTuple

from mbegu.core import events as ev
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import _, current_language
from mbegu.core.options import Words
from mbegu.core.outcome import Outcome
from mbegu.core.setups import SetUpGame
from mbegu.core.story import (
    Gist,
    gist,
    outcome_in,
    tell_event,
    tell_gist,
    tell_landing,
    tell_outcome,
    tell_sown,
)
from mbegu.engine.kernels.door import has_kernel
from mbegu.server.net.messages import Json, dumps

__all__ = ["card", "events_text", "outcome_json", "told_events", "view", "view_text"]

SCENE = 7  # the lot that makes the pictures of the games
PLIES_TO_SCENE = 14
MOST_KEPT = 4096  # pieces of views, and as many of stories


def view(position: Position, outcome: Outcome | None = None, help_: str = "full") -> Json:
    """The position in the language of the moment; `outcome` is how a match ended, if it did.

    `help_` is how much is told of what a move would do: all of it (`full`), where the last of what is
    lifted falls (`landing`), or nothing (`none`).
    """
    seen: Json = json.loads(view_text(position, outcome, help_))
    return seen


def view_text(position: Position, outcome: Outcome | None = None, help_: str = "full") -> str:
    """The same, as JSON."""
    game, outcome = position.game, outcome or position.outcome()
    over = outcome is not None
    legal = [] if over else [_choice(position, move, help_) for move in position.legal_moves()]
    facts = dumps(
        {
            "text": str(position),
            "state": position.to_json(),
            "turn": None if over else position.turn,
            "scores": list(position.scores()),
            **_lying(position),
            "barred": {} if over else position.barred({choice.place or "" for choice in legal}),
            "marks": _marks(position, legal),
            "outcome": None if outcome is None else outcome_json(game, outcome),
        }
    )
    choices = ",".join([choice.text for choice in legal])
    return f'{{{_names(current_language(), game)},"legal":[{choices}],{facts[1:]}'


@lru_cache(MOST_KEPT)
def _names(language: str, game: Game) -> str:
    """What all views of a game have in common, in the language of the moment."""
    sides = [game.side(0), game.side(1)]
    board = game.board.to_json()
    names = {"game": str(game), "title": _(game.title), "rules": game.id, "sides": sides}
    return dumps({**names, "board": board})[1:-1]


def outcome_json(game: Game, outcome: Outcome) -> Json:
    """How a game ended, also as a sentence."""
    return {
        **outcome.to_json(),
        "result": outcome.result,
        "sentence": tell_outcome(game, outcome),
        "why": str(outcome.reason),
    }


def told_events(position: Position, story: Iterable[ev.Event]) -> list[Json]:
    """The steps of a move in this position, each also as a sentence."""
    steps: list[Json] = json.loads(events_text(position, story))
    return steps


def events_text(position: Position, story: Iterable[ev.Event]) -> str:
    """The same, as JSON."""
    language, game, player = current_language(), position.game, position.turn
    assert player is not None
    story = list(story)
    outcome = outcome_in(story)
    return f"[{','.join([_event_text(language, game, event, player, outcome) for event in story])}]"


@lru_cache(MOST_KEPT)
def _event_text(
    language: str, game: Game, event: ev.Event, player: int, outcome: Outcome | None
) -> str:
    """One step, in the language of the moment."""
    return dumps({**event.to_json(), "told": tell_event(game, event, player, outcome)})


# ---- moves -------------------------------------------------------------------------------------------


class Choice(NamedTuple):
    """A legal move: where it is played, what it captures, and all of it as JSON."""

    start: str | None
    end: str | None
    captures: tuple[tuple[str, int], ...]
    again: bool
    text: str

    @property
    def place(self) -> str | None:
        """Where the player touches the board first."""
        return self.start or self.end


def _choice(position: Position, move: Move, help_: str) -> Choice:
    player, word = position.turn, position.game.format_move(move, position)
    assert player is not None
    told, _after = position.unfold(move)
    write = _written if help_ == "full" else _written_less
    return write(current_language(), position.game, player, (move, word, help_), gist(told))


@lru_cache(MOST_KEPT)
def _written_less(
    language: str, game: Game, player: int, name: tuple[Move, str, str], gist: Gist
) -> Choice:
    """The same, for who is to find out alone what comes of it, or all but where it lands."""
    move, word, help_ = name
    start, end = ev.touched(gist.first)
    facts: Json = {"move": move, "word": word, "from": start, "to": end}
    if help_ == "landing":
        landing: Json = {"last": gist.landing or end, "captures": []}
        facts |= {"story": tell_landing(game, player, gist), "preview": landing}
    else:
        facts |= {"story": tell_sown(game, player, gist), "preview": None}
    return Choice(start, end, (), False, dumps(facts))


@lru_cache(MOST_KEPT)
def _written(
    language: str, game: Game, player: int, name: tuple[Move, str, str], gist: Gist
) -> Choice:
    """A move in the language of the moment, written once for all that have the same gist."""
    move, word, _help = name
    start, end = ev.touched(gist.first)
    captures = [(event.hole, event.seeds) for event in gist.captures]
    captures += [(event.point, 1) for event in gist.rest if isinstance(event, ev.Shoot)]
    mills = [event.points for event in gist.rest if isinstance(event, ev.Mill)]
    again = bool(mills) or ev.ExtraTurn(player) in gist.rest
    forfeits = [event.holes for event in gist.rest if isinstance(event, ev.Forfeit)]
    text = dumps(
        {
            "move": move,
            "word": word,
            "from": start,
            "to": end,
            "story": tell_gist(game, player, gist),
            "preview": {
                "last": gist.last or end,
                "captures": captures,
                "again": again,
                "laps": gist.laps,
                "ends": any(isinstance(event, ev.End) for event in gist.rest),
                "mills": mills,
                "forfeits": [hole for holes in forfeits for hole in holes],
                "sown": gist.sown,
            },
        }
    )
    return Choice(start, end, tuple(captures), again, text)


# ---- what a board shows ------------------------------------------------------------------------------


def _marks(position: Position, legal: list[Choice]) -> Json:
    """What the game shows, and what can be told of any game from its moves."""
    return {
        **position.marks(),
        "capturable": sorted({place for choice in legal for place, _seeds in choice.captures}),
        "extra_turns": [choice.place for choice in legal if choice.again],
    }


def _lying(position: Position) -> Json:
    """What lies in each place, and the marks on those that have some."""
    lying = position.places()
    told: Json = {"places": {name: list(what.counts) for name, what in lying.items()}}
    tags = {name: list(what.marks) for name, what in lying.items() if what.marks}
    return {**told, "tags": tags} if tags else told


# ---- cards --------------------------------------------------------------------------------------------


def card(game_class: type[Game]) -> Json:
    """What a game is, for the home page and the form of a new game."""
    game = game_class.with_options([])
    return {
        "name": game.name,
        "id": game.id,
        "title": _(game.title),
        "summary": _(game.summary),
        "people": _(game.people),
        "rulebook": _(game.rulebook),
        "strategy": _(game.strategy) if game.strategy else "",
        "page": bool(game.page()),
        "sides": [game.side(0), game.side(1)],
        "aliases": list(game.aliases),
        "options": [
            {
                "name": option.name,
                "type": _option_type(option.default),
                "default": option.default,
                "choices": list(option.choices),
                "low": option.low,
                "high": option.high,
                "label": _(option.label) if option.label else option.name,
                "help": _(option.help),
                "words": _words_json(option.words),
            }
            for option in game.options().values()
        ],
        "presets": game.presets,
        "preset_words": _words_json(game.preset_words),
        "setups": isinstance(game, SetUpGame),
        "compiled": has_kernel(game.name),
        "notations": [notation.name for notation in game.notations()],
        "start": view(game.start()),
        "scene": _scene(game),
    }


def _scene(game: Game) -> Json:
    """What lies where at a moment worth looking at: some moves by lot, always the same ones."""
    lot, position = Random(SCENE), game.start()  # noqa: S311 - a picture, no secret
    for _ply in range(PLIES_TO_SCENE):
        after = position.play(lot.choice(position.legal_moves()))
        if after.turn is None or not after.legal_moves():
            break
        position = after
    told: Json = _lying(position)["places"]
    return told


def _words_json(words: Mapping[str, Words]) -> Json:
    """What people call each value, and a line about it."""
    return {name: {"word": _(word), "line": _(line)} for name, (word, line) in words.items()}


def _option_type(default: object) -> str:
    if isinstance(default, bool):
        return "bool"
    return "int" if isinstance(default, int) else "choice"

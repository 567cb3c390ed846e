"""A position as the browser needs it: what may be played, what it would do, and why not the rest.

The browser decides no rule. What is told here comes from the stories of the moves, so a stranger's
game has a view too; `MARKS` and `BARRED` add what only its own game knows.

A server tells a view with every move, so it is written as text at once, and what comes again and again,
a move from the same house with as many seeds, or a seed that falls there, is written once.

>>> from mbegu.core.registry import game
>>> seen = view(game("oware").position("0-3-0-6-1-2-0-0-2-1-0-3-0-0-S"))
>>> seen["legal"][1]["preview"]["captures"], seen["barred"]["A"]
([['d', 2], ['c', 3]], 'this house is empty')
"""

import json
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple

from mbegu.core import events as ev
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import _, current_language
from mbegu.core.outcome import Outcome
from mbegu.core.story import Gist, gist, tell_event, tell_gist, tell_outcome
from mbegu.games import awale2, kalah, morabaraba, oware, urubugu
from mbegu.server.wire import Json, dumps

__all__ = ["card", "events_text", "outcome_json", "told_events", "view", "view_text"]

MOST_KEPT = 4096  # pieces of views, and as many of stories


def view(position: Position, outcome: Outcome | None = None) -> Json:
    """The position in the language of the moment; `outcome` is how a match ended, if it did."""
    seen: Json = json.loads(view_text(position, outcome))
    return seen


def view_text(position: Position, outcome: Outcome | None = None) -> str:
    """The same, as JSON."""
    game, outcome = position.game, outcome or position.outcome()
    over = outcome is not None
    legal = [] if over else [_choice(position, move) for move in position.legal_moves()]
    barred = BARRED.get(game.name)
    marks = MARKS.get(game.name)
    facts = dumps(
        {
            "text": str(position),
            "state": position.to_json(),
            "turn": None if over else position.turn,
            "scores": list(position.scores()),
            "barred": {} if over or barred is None else barred(position, legal),
            "marks": {} if marks is None else marks(position, legal),
            "outcome": None if outcome is None else outcome_json(game, outcome),
        }
    )
    choices = ",".join([choice.text for choice in legal])
    return f'{{{_names(current_language(), game)},"legal":[{choices}],{facts[1:]}'


@lru_cache(MOST_KEPT)
def _names(language: str, game: Game) -> str:
    """What all views of a game have in common, in the language of the moment."""
    sides = [game.side(0), game.side(1)]
    return dumps({"game": str(game), "rules": game.id, "sides": sides})[1:-1]


def outcome_json(game: Game, outcome: Outcome) -> Json:
    """How a game ended, also as a sentence."""
    return {
        **outcome.to_json(),
        "result": outcome.result,
        "sentence": tell_outcome(game, outcome),
    }


def told_events(position: Position, story: Iterable[ev.Event]) -> list[Json]:
    """The steps of a move in this position, each also as a sentence."""
    steps: list[Json] = json.loads(events_text(position, story))
    return steps


def events_text(position: Position, story: Iterable[ev.Event]) -> str:
    """The same, as JSON."""
    language, game, player = current_language(), position.game, position.turn
    assert player is not None
    return f"[{','.join([_event_text(language, game, event, player) for event in story])}]"


@lru_cache(MOST_KEPT)
def _event_text(language: str, game: Game, event: ev.Event, player: int) -> str:
    """One step, in the language of the moment."""
    return dumps({**event.to_json(), "told": tell_event(game, event, player)})


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


def _choice(position: Position, move: Move) -> Choice:
    player, word = position.turn, position.game.format_move(move, position)
    assert player is not None
    told, _after = position.unfold(move)
    return _written(current_language(), position.game, player, (move, word), gist(told))


@lru_cache(MOST_KEPT)
def _written(language: str, game: Game, player: int, name: tuple[Move, str], gist: Gist) -> Choice:
    """A move in the language of the moment, written once for all that have the same gist."""
    move, word = name
    start, end = _places(gist.first)
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


def _places(first: ev.Event) -> tuple[str | None, str | None]:
    """Where the player touches the board: where a move begins, where it ends."""
    match first:
        case ev.Lift():
            return first.hole, None
        case ev.Slide() | ev.Fly():
            return first.start, first.end
        case ev.Place() | ev.Shoot():
            return None, first.point
    return None, None


# ---- why not: every place with which no legal move begins -------------------------------------------


def _starts(legal: list[Choice]) -> set[str | None]:
    return {choice.place for choice in legal}


def _not_yours(game: Game, turn: int) -> str:
    return _("this belongs to {other}; {side} is to move").format(
        other=game.side(1 - turn), side=game.side(turn)
    )


def _barred_oware(position: Position, legal: list[Choice]) -> dict[str, str]:
    starts = _starts(legal)
    return {
        place: position.forbids(house) or ""
        for house, place in enumerate(oware.HOUSES)
        if place not in starts
    }


def _barred_kalah(position: Position, legal: list[Choice]) -> dict[str, str]:
    assert isinstance(position, kalah.KalahPosition)
    assert position.turn is not None
    game, found = position.game, dict[str, str]()
    for owner, side in enumerate(kalah.SIDES):
        for pit in range(game.pits):
            place = f"{side}{pit + 1}"
            if owner != position.turn:
                found[place] = _not_yours(game, position.turn)
            elif rule := position.forbids(pit):
                found[place] = rule
        found[side] = _("stones in a store stay there")
    return found


def _barred_awale2(position: Position, legal: list[Choice]) -> dict[str, str]:
    assert isinstance(position, awale2.Awale2Position)
    found: dict[str, str] = {}
    for hole, place in enumerate(awale2.HOLES):
        rules = {colour: position.forbids(f"{place}{colour}") for colour in awale2.COLOURS}
        found |= {f"{place}{colour}": rule for colour, rule in rules.items() if rule}
        if all(rules.values()):
            mine = position.turn is not None and hole in awale2.OWN[position.turn]
            found[place] = _("this hole is empty") if mine else rules["R"] or ""
    return found


def _barred_urubugu(position: Position, legal: list[Choice]) -> dict[str, str]:
    assert position.turn is not None
    found = {}
    for owner, names in enumerate(urubugu.NAMES):
        for cell, place in enumerate(names, 1):
            if owner != position.turn:
                found[place] = _not_yours(position.game, position.turn)
            elif rule := position.forbids(cell):
                found[place] = rule
    return found


def _barred_morabaraba(position: Position, legal: list[Choice]) -> dict[str, str]:
    assert isinstance(position, morabaraba.MorabarabaPosition)
    starts, phase, mine = _starts(legal), position.phase(), set(position.cows(position.side))
    banned = {move["from"]: move["why"] for move in _barred_moves(position)}
    found = {}
    for point in morabaraba.POINTS:
        if point in starts:
            continue
        if phase in ("ADD", "STEAL"):
            found[point] = position.forbids(f"{phase} {point}") or ""
        elif point not in mine:
            found[point] = _("{point} is not your cow").format(point=point)
        else:
            found[point] = banned.get(point) or _("the cow on {point} has nowhere to go").format(
                point=point
            )
    return found


BARRED: dict[str, Callable[[Position, list[Choice]], dict[str, str]]] = {
    "oware": _barred_oware,
    "kalah": _barred_kalah,
    "awale2": _barred_awale2,
    "urubugu": _barred_urubugu,
    "morabaraba": _barred_morabaraba,
}


# ---- hints of each game -------------------------------------------------------------------------------


def _capturable(legal: list[Choice]) -> list[str]:
    """The places that some legal move captures."""
    return sorted({place for choice in legal for place, _seeds in choice.captures})


def _marks_oware(position: Position, legal: list[Choice]) -> Json:
    assert isinstance(position, oware.OwarePosition)
    theirs = () if position.turn is None else oware.OWN[1 - position.turn]
    return {
        "must_feed": bool(theirs) and not any(position.board[house] for house in theirs),
        "capturable": _capturable(legal),
        "to_win": oware.MAJORITY,
    }


def _marks_kalah(position: Position, legal: list[Choice]) -> Json:
    return {
        "capturable": _capturable(legal),
        "extra_turns": [choice.start for choice in legal if choice.again],
    }


def _marks_awale2(position: Position, legal: list[Choice]) -> Json:
    return {
        "capturable": _capturable(legal),
        "to_win": awale2.MAJORITY,
        "owner": [hole % 2 for hole in range(16)],
    }


def _marks_urubugu(position: Position, legal: list[Choice]) -> Json:
    return {"capturable": _capturable(legal), "beads": list(position.scores())}


def _marks_morabaraba(position: Position, legal: list[Choice]) -> Json:
    assert isinstance(position, morabaraba.MorabarabaPosition)
    phase = position.phase()
    banned = [[name.split("-") for name in names] for names in position.bans]
    return {
        "phase": phase,
        "due": "" if phase == "OVER" else _DUE[phase](),
        "hands": list(position.hands),
        "cows": [len(position.cows(player)) for player in (0, 1)],
        "mills": [[list(mill) for mill in position.mills_of(player)] for player in (0, 1)],
        "banned": banned,
        "barred_moves": list(_barred_moves(position)),
        "flies": [position.flies(player) for player in (0, 1)],
        "quiet": position.quiet,
        "three": position.three,
    }


_DUE = {
    "ADD": lambda: _("place a cow on an empty point"),
    "MOVE": lambda: _("move a cow along a line"),
    "FLY": lambda: _("fly: move a cow to any empty point"),
    "STEAL": lambda: _("a mill: shoot a cow of your opponent"),
}


def _barred_moves(position: morabaraba.MorabarabaPosition) -> Iterable[Json]:
    """Moves to an empty point in reach that would close a mill too soon."""
    phase, player = position.phase(), position.side
    if phase not in ("MOVE", "FLY") or not position.bans[player]:
        return
    for start in position.cows(player):
        reach = morabaraba.POINTS if phase == "FLY" else morabaraba.NEIGHBOURS[start]
        for end in reach:
            if position.board[morabaraba.INDEX[end]] == ".":
                rule = position.forbids(f"{phase} {start} {end}")
                if rule:
                    yield {"from": start, "to": end, "why": rule}


MARKS: dict[str, Callable[[Position, list[Choice]], Json]] = {
    "oware": _marks_oware,
    "kalah": _marks_kalah,
    "awale2": _marks_awale2,
    "urubugu": _marks_urubugu,
    "morabaraba": _marks_morabaraba,
}


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
                "help": _(option.help),
            }
            for option in game.options().values()
        ],
        "presets": game.presets,
        "setups": isinstance(game, urubugu.Urubugu),
        "start": view(game.start()),
    }


def _option_type(default: object) -> str:
    if isinstance(default, bool):
        return "bool"
    return "int" if isinstance(default, int) else "choice"

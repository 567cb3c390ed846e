"""A position as the browser needs it: what may be played, what it would do, and why not the rest.

The browser decides no rule. What is told here comes from the stories of the moves, so a stranger's
game has a view too; `MARKS` and `BARRED` add what only its own game knows.

>>> from mbegu.core.registry import game
>>> seen = view(game("oware").position("0-3-0-6-1-2-0-0-2-1-0-3-0-0-S"))
>>> seen["legal"][1]["preview"]["captures"], seen["barred"]["A"]
([('d', 2), ('c', 3)], 'this house is empty')
"""

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

from mbegu.core import events as ev
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import _
from mbegu.core.outcome import Outcome
from mbegu.core.story import tell, tell_event, tell_outcome
from mbegu.games import awale2, kalah, morabaraba, oware, urubugu

__all__ = ["card", "outcome_json", "told_events", "view"]

Json = dict[str, Any]


def view(position: Position, outcome: Outcome | None = None) -> Json:
    """The position in the language of the moment; `outcome` is how a match ended, if it did."""
    game, outcome = position.game, outcome or position.outcome()
    over = outcome is not None
    legal = [] if over else [_legal(position, move) for move in position.legal_moves()]
    barred = BARRED.get(game.name)
    marks = MARKS.get(game.name)
    return {
        "game": str(game),
        "rules": game.id,
        "text": str(position),
        "state": position.to_json(),
        "turn": None if over else position.turn,
        "scores": list(position.scores()),
        "sides": [game.side(0), game.side(1)],
        "legal": legal,
        "barred": {} if over or barred is None else barred(position, legal),
        "marks": {} if marks is None else marks(position, legal),
        "outcome": None if outcome is None else outcome_json(game, outcome),
    }


def outcome_json(game: Game, outcome: Outcome) -> Json:
    """How a game ended, also as a sentence."""
    return {
        **outcome.to_json(),
        "result": outcome.result,
        "sentence": tell_outcome(game, outcome),
    }


def told_events(position: Position, story: Iterable[ev.Event]) -> list[Json]:
    """The steps of a move in this position, each also as a sentence."""
    game, player = position.game, position.turn
    assert player is not None
    return [{**event.to_json(), "told": tell_event(game, event, player)} for event in story]


# ---- moves -------------------------------------------------------------------------------------------


def _legal(position: Position, move: Move) -> Json:
    player = position.turn
    story = list(position.events(move))
    start, end = _places(story[0])
    captures: list[tuple[str, int]] = [
        (event.hole, event.seeds) for event in story if isinstance(event, ev.Capture)
    ]
    captures += [(event.point, 1) for event in story if isinstance(event, ev.Shoot)]
    sown = [event.hole for event in story if isinstance(event, ev.Sow)]
    mills = [list(event.points) for event in story if isinstance(event, ev.Mill)]
    extra = any(isinstance(event, ev.ExtraTurn) and event.player == player for event in story)
    return {
        "move": move,
        "word": position.game.format_move(move, position),
        "from": start,
        "to": end,
        "story": tell(position, move, story),
        "preview": {
            "last": sown[-1] if sown else end,
            "captures": captures,
            "again": extra or bool(mills),
            "laps": _laps(story),
            "ends": any(isinstance(event, ev.End) for event in story),
            "mills": mills,
            "forfeits": [
                hole for event in story if isinstance(event, ev.Forfeit) for hole in event.holes
            ],
            "sown": len(sown),
        },
    }


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


def _laps(story: list[ev.Event]) -> int:
    """One, one more for each relay, and one more for each capture that is sown on."""
    return (
        1
        + sum(isinstance(event, ev.Relay) for event in story)
        + sum(
            isinstance(event, ev.Capture)
            and not event.to
            and not isinstance(before, ev.Capture)  # two facing holes are taken together
            for before, event in pairwise(story)
        )
    )


# ---- why not: every place with which no legal move begins -------------------------------------------


def _starts(legal: list[Json]) -> set[str]:
    return {move["from"] or move["to"] for move in legal}


def _not_yours(game: Game, turn: int) -> str:
    return _("this belongs to {other}; {side} is to move").format(
        other=game.side(1 - turn), side=game.side(turn)
    )


def _barred_oware(position: Position, legal: list[Json]) -> dict[str, str]:
    starts = _starts(legal)
    return {
        place: position.forbids(house) or ""
        for house, place in enumerate(oware.HOUSES)
        if place not in starts
    }


def _barred_kalah(position: Position, legal: list[Json]) -> dict[str, str]:
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


def _barred_awale2(position: Position, legal: list[Json]) -> dict[str, str]:
    assert isinstance(position, awale2.Awale2Position)
    found: dict[str, str] = {}
    for hole, place in enumerate(awale2.HOLES):
        rules = {colour: position.forbids(f"{place}{colour}") for colour in awale2.COLOURS}
        found |= {f"{place}{colour}": rule for colour, rule in rules.items() if rule}
        if all(rules.values()):
            mine = position.turn is not None and hole in awale2.OWN[position.turn]
            found[place] = _("this hole is empty") if mine else rules["R"] or ""
    return found


def _barred_urubugu(position: Position, legal: list[Json]) -> dict[str, str]:
    assert position.turn is not None
    found = {}
    for owner, names in enumerate(urubugu.NAMES):
        for cell, place in enumerate(names, 1):
            if owner != position.turn:
                found[place] = _not_yours(position.game, position.turn)
            elif rule := position.forbids(cell):
                found[place] = rule
    return found


def _barred_morabaraba(position: Position, legal: list[Json]) -> dict[str, str]:
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


BARRED: dict[str, Callable[[Position, list[Json]], dict[str, str]]] = {
    "oware": _barred_oware,
    "kalah": _barred_kalah,
    "awale2": _barred_awale2,
    "urubugu": _barred_urubugu,
    "morabaraba": _barred_morabaraba,
}


# ---- hints of each game -------------------------------------------------------------------------------


def _capturable(legal: list[Json]) -> list[str]:
    """The places that some legal move captures."""
    return sorted({place for move in legal for place, _seeds in move["preview"]["captures"]})


def _marks_oware(position: Position, legal: list[Json]) -> Json:
    assert isinstance(position, oware.OwarePosition)
    theirs = () if position.turn is None else oware.OWN[1 - position.turn]
    return {
        "must_feed": bool(theirs) and not any(position.board[house] for house in theirs),
        "capturable": _capturable(legal),
        "to_win": oware.MAJORITY,
    }


def _marks_kalah(position: Position, legal: list[Json]) -> Json:
    return {
        "capturable": _capturable(legal),
        "extra_turns": [move["from"] for move in legal if move["preview"]["again"]],
    }


def _marks_awale2(position: Position, legal: list[Json]) -> Json:
    return {
        "capturable": _capturable(legal),
        "to_win": awale2.MAJORITY,
        "owner": [hole % 2 for hole in range(16)],
    }


def _marks_urubugu(position: Position, legal: list[Json]) -> Json:
    return {"capturable": _capturable(legal), "beads": list(position.scores())}


def _marks_morabaraba(position: Position, legal: list[Json]) -> Json:
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


MARKS: dict[str, Callable[[Position, list[Json]], Json]] = {
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

"""Tells a move in words, from its events, in the language of the moment.

>>> from mbegu.core.registry import game
>>> oware = game("oware")
>>> tell(oware.position("0-3-0-6-1-2-0-0-2-1-0-3-0-0-S"), 3)
'South sows D (6), last seed in d. Captured: d (2), c (3).'
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from mbegu.core import events as ev
from mbegu.core.board import Board
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import N_, _, current_language, speaking
from mbegu.core.outcome import AnyReason, Outcome, Reason

__all__ = [
    "Gist",
    "gist",
    "outcome_in",
    "tell",
    "tell_event",
    "tell_gist",
    "tell_landing",
    "tell_outcome",
    "tell_shots",
    "tell_sown",
]

MOST_KEPT = 4096  # sentences
_SEED = re.compile(r"\b(?:seed|piece)(s?)\b(?!})")  # the word, not the blank {seeds}
MOST_LISTED = 4  # captures that an ear can follow; of more than these, the sum is told


def tell(position: Position, move: Move, story: list[ev.Event] | None = None) -> str:
    """What a move does: from where, how far, what it captures, and whether it ends the game.

    Whoever has the events of the move at hand gives them as `story`.
    """
    assert position.turn is not None
    story = list(position.events(move)) if story is None else story
    return tell_gist(position.game, position.turn, gist(story))


class Gist(NamedTuple):
    """What a story comes to: moves of a game and player with the same gist are told the same."""

    first: ev.Event
    sown: int  # how many seeds fell
    last: str  # the hole into which the last of them did; empty if none
    landing: str  # the same for those that were lifted first
    laps: int
    captures: tuple[ev.Capture, ...]
    rest: tuple[ev.Event, ...]  # what is more than sowing and capturing; all of it in other games


def gist(story: Sequence[ev.Event]) -> Gist:
    """A story without the single seeds.

    >>> from mbegu.core.registry import game
    >>> gist(list(game("oware").start().events(0)))
    Gist(first=Lift(hole='A', seeds=4, colour=''), sown=4, last='E', landing='E', laps=1, captures=(), rest=())
    """
    sown, laps, last, landing = 0, 1, "", ""
    lifted = story[0].seeds if isinstance(story[0], ev.Lift) else 0
    before: type[ev.Event] | None = None
    captures, rest = list[ev.Capture](), list[ev.Event]()
    for event in story:
        kind = type(event)
        if isinstance(event, ev.Sow):
            sown, last = sown + 1, event.hole
            if sown == lifted:
                landing = last
        elif isinstance(event, ev.Capture):
            captures.append(event)
            # In a relay game a capture is sown again, as a lap of its own; two facing holes are one lap.
            laps += not event.to and before is not ev.Capture
        elif kind is ev.Relay:
            laps += 1
        elif kind is not ev.Lift and kind is not ev.Skip:
            rest.append(event)
        before = kind
    first = story[0]
    told = rest if isinstance(first, ev.Lift) else story
    return Gist(first, sown, last, landing, laps, tuple(captures), tuple(told))


def tell_gist(game: Game, player: int, told: Gist) -> str:
    """What a move does, from its gist."""
    return _told(current_language(), game, player, told)


@lru_cache(MOST_KEPT)
def _told(language: str, game: Game, player: int, told: Gist) -> str:
    """A move in the language of the moment, written once for all that have the same gist."""
    if isinstance(told.first, ev.Lift):
        return " ".join(_tell_sowing(game, player, told))
    sentences = (tell_event(game, event, player) for event in told.rest)
    return " ".join(filter(None, sentences)) or _tell_any(game, player)


def _tell_any(game: Game, player: int) -> str:
    """A move of which its game tells nothing."""
    return _("{side} makes a move.").format(side=game.side(player))


def _tell_sowing(game: Game, player: int, told: Gist) -> Iterable[str]:
    lift, laps, captures = told.first, told.laps, told.captures
    assert isinstance(lift, ev.Lift)
    words = {
        "side": game.side(player),
        "hole": _lifted(game, player, lift),
        "seeds": lift.seeds,
        "last": game.hole_name(told.last, None),
        "laps": laps,
    }
    relayed = laps > 1 or any(not event.to for event in captures)
    yield _worded(game, _RELAYED if relayed else _SOWN)().format(**words)
    given = [event for event in captures if game.board.taker(event.to, player) != player]
    yield from _tell_captures(game, [event for event in captures if event not in given])
    if given:
        yield _tell_given(game, 1 - player, given)
    outcome = outcome_in(told.rest)
    for event in told.rest:
        yield tell_event(game, event, player, outcome)


def _tell_captures(game: Game, captures: list[ev.Capture]) -> Iterable[str]:
    """What the mover has taken; of very much, the sum."""
    if len(captures) > MOST_LISTED:
        seeds = sum(capture.seeds for capture in captures)
        sentence = _TAKEN.get(game.board.hole, _TAKEN["hole"])
        yield sentence().format(seeds=seeds, holes=len(captures))
    elif captures:
        yield _("Captured: {list}.").format(list=_listed(game, captures))


def _tell_given(game: Game, player: int, captures: list[ev.Capture]) -> str:
    """What a move takes for the other player."""
    return _("{side} receives: {list}.").format(
        side=game.side(player), list=_listed(game, captures)
    )


def _listed(game: Game, captures: list[ev.Capture]) -> str:
    return ", ".join(f"{game.hole_name(c.hole, None)} ({c.seeds})" for c in captures)


def tell_event(game: Game, event: ev.Event, player: int, outcome: Outcome | None = None) -> str:
    """One event of a player's move as a sentence; with the `outcome` of the game, if this move ends it."""
    if isinstance(event, ev.Sweep) and outcome is not None:
        return _tell_sum(game, event, outcome.scores[event.player])
    if isinstance(event, ev.Capture) and game.board.taker(event.to, player) != player:
        return _tell_given(game, 1 - player, [event])
    known = _SENTENCES.get(type(event))
    if known is None:  # one of the game's own
        known = _sentence(lambda: _(event.sentence) if event.sentence else "")
    return known(game, event, player)


def outcome_in(story: Iterable[ev.Event]) -> Outcome | None:
    """How the game ends in this story, if it does."""
    return next((event.outcome for event in story if isinstance(event, ev.End)), None)


def tell_outcome(game: Game, outcome: Outcome) -> str:
    """Who won, with what score, and why."""
    if outcome.reason is Reason.ABORTED:
        return str(outcome.reason)
    if outcome.reason in _BY_HAND:  # what lay on the board has decided nothing
        return _tell_decision(game, outcome)
    first, second = outcome.scores
    score = _("{side0} {score0}, {side1} {score1}").format(
        side0=game.side(0), score0=first, side1=game.side(1), score1=second
    )
    if outcome.winner is None:
        return _("A draw: {score}. {reason}").format(score=score, reason=outcome.reason)
    return _("{side} wins: {score}. {reason}").format(
        side=game.side(outcome.winner), score=score, reason=outcome.reason
    )


_BY_HAND: dict[AnyReason, str] = {
    Reason.RESIGNATION: N_("{winner} wins: {loser} has resigned."),
    Reason.TIMEOUT: N_("{winner} wins: {loser} has run out of time."),
    Reason.FORFEIT: N_("{winner} wins: {loser} has broken the rules of the match."),
    Reason.ABANDONED: N_("{winner} wins: {loser} has left the game."),
    Reason.AGREEMENT: N_("A draw by agreement."),
}


def _tell_decision(game: Game, outcome: Outcome) -> str:
    """An end that is not of the rules' making; no score goes with it."""
    if outcome.winner is None and outcome.reason is not Reason.AGREEMENT:
        return _("A draw. {reason}").format(reason=outcome.reason)
    winner = outcome.winner or 0
    return _(_BY_HAND[outcome.reason]).format(winner=game.side(winner), loser=game.side(1 - winner))


def tell_sown(game: Game, player: int, move: Gist) -> str:
    """How a move begins, and no more: what comes of it is for the player to find out."""
    lift = move.first
    if not isinstance(lift, ev.Lift):
        return tell_event(game, lift, player)
    return _("{side} sows {hole} ({seeds}).").format(
        side=game.side(player), hole=_lifted(game, player, lift), seeds=lift.seeds
    )


def tell_landing(game: Game, player: int, move: Gist) -> str:
    """How a move begins, and where the last of what was lifted falls."""
    lift = move.first
    if not isinstance(lift, ev.Lift):
        return tell_event(game, lift, player)
    return _worded(game, _SOWN)().format(
        side=game.side(player),
        hole=_lifted(game, player, lift),
        seeds=lift.seeds,
        last=game.hole_name(move.landing, None),
    )


def _lifted(game: Game, player: int, lift: ev.Lift) -> str:
    return game.hole_name(lift.hole, player) + (f" {lift.colour}" if lift.colour else "")


Sentence = Callable[[Game, ev.Event, int], str]
_SENTENCES: dict[type[ev.Event], Sentence] = {}


def _sentence(text: Callable[[], str]) -> Sentence:
    """A sentence whose blanks are the fields of the event, told as the player would name them."""

    def told(game: Game, event: ev.Event, _player: int) -> str:
        words = {}
        for name, value in event.to_json().items():
            if name == "player":
                words["side"] = game.side(event.player)  # type: ignore[attr-defined]
            elif name == "hole":
                words[name] = game.hole_name(str(value), None)
            elif name == "holes" and isinstance(value, tuple):
                words[name] = ", ".join(game.hole_name(hole, None) for hole in value)
            elif isinstance(value, list | tuple):
                words[name] = ", ".join(map(str, value))
            else:
                words[name] = str(value)
        return text().format(**words)

    return told


def _worded(game: Game, texts: dict[str, Callable[[], str]]) -> Callable[[], str]:
    """The sentence with the game's own word for what is sown or placed.

    A stranger's word stands in our English sentence in the place of the seed; in another language the
    sentence is his (`add_words`), or that of a seed.
    """
    return texts.get(game.board.piece) or partial(_in_own_word, game.board, texts["seed"])


def tell_shots(game: Game, points: Sequence[str], *, besides: bool) -> str:
    """What a move takes off the board, as a part of a sentence that begins with something else or does not."""
    first, more = _CLAUSES_OF_SHOTS.get(game.board.piece, _CLAUSES_OF_SHOTS["seed"])
    return (more if besides else first)().format(points=", ".join(points))


def _in_own_word(board: Board, of_seeds: Callable[[], str]) -> str:
    with speaking("en"):
        english = _SEED.sub(lambda found: board.pieces if found[1] else board.piece, of_seeds())
    told = _(english)
    return of_seeds() if told == english and current_language() != "en" else told


def _by_piece(texts: dict[str, Callable[[], str]]) -> Sentence:
    """A sentence with the game's own word for what is sown or placed."""
    return lambda game, event, player: _sentence(_worded(game, texts))(game, event, player)


def _tell_sum(game: Game, event: ev.Sweep, score: int) -> str:
    """What a player is given at the end, added up."""
    return _("{side} keeps what is left in {holes}: {had} + {seeds} = {score}.").format(
        side=game.side(event.player),
        holes=", ".join(game.hole_name(hole, None) for hole in event.holes),
        had=score - event.seeds,
        seeds=event.seeds,
        score=score,
    )


# Whole sentences for each word: in other languages more than the word changes with it.
_SOWN: dict[str, Callable[[], str]] = {
    "seed": lambda: _("{side} sows {hole} ({seeds}), last seed in {last}."),
    "stone": lambda: _("{side} sows {hole} ({seeds}), last stone in {last}."),
    "bead": lambda: _("{side} sows {hole} ({seeds}), last bead in {last}."),
}
_RELAYED: dict[str, Callable[[], str]] = {
    "seed": lambda: _("{side} sows {hole} ({seeds}), laps: {laps}, last seed in {last}."),
    "stone": lambda: _("{side} sows {hole} ({seeds}), laps: {laps}, last stone in {last}."),
    "bead": lambda: _("{side} sows {hole} ({seeds}), laps: {laps}, last bead in {last}."),
}
_LIFTED: dict[str, Callable[[], str]] = {
    "seed": lambda: _("All seeds are taken out of {hole}: {seeds}."),
    "stone": lambda: _("All stones are taken out of {hole}: {seeds}."),
    "bead": lambda: _("All beads are taken out of {hole}: {seeds}."),
}
_FALLEN: dict[str, Callable[[], str]] = {
    "seed": lambda: _("A seed falls into {hole}, which now holds {now}."),
    "stone": lambda: _("A stone falls into {hole}, which now holds {now}."),
    "bead": lambda: _("A bead falls into {hole}, which now holds {now}."),
}
_TAKEN: dict[str, Callable[[], str]] = {
    "hole": lambda: _("Captured: {seeds}, from {holes} holes."),
    "house": lambda: _("Captured: {seeds}, from {holes} houses."),
    "cell": lambda: _("Captured: {seeds}, from {holes} cells."),
}

# Who has no word of his own for what is placed or shot has pieces.
_PLACED: dict[str, Callable[[], str]] = {
    "seed": lambda: _("{side} places a piece on {point}."),
    "cow": lambda: _("{side} places a cow on {point}."),
}
_SHOT: dict[str, Callable[[], str]] = {
    "seed": lambda: _("{side} takes the piece on {point}."),
    "cow": lambda: _("{side} shoots the cow on {point}."),
}

_CLAUSES_OF_SHOTS: dict[str, tuple[Callable[[], str], Callable[[], str]]] = {
    "seed": (lambda: _("takes {points}"), lambda: _("and takes {points}")),
    "cow": (lambda: _("shoots {points}"), lambda: _("and shoots {points}")),
}

_SENTENCES |= {
    ev.Lift: _by_piece(_LIFTED),
    ev.Sow: _by_piece(_FALLEN),
    ev.Skip: _sentence(lambda: _("{hole} is passed over.")),
    ev.Capture: _sentence(lambda: _("{hole} is captured: {seeds}.")),
    ev.Forfeit: _sentence(
        lambda: _("A grand slam: {holes} would leave the opponent nothing, so nothing is captured.")
    ),
    ev.Relay: _sentence(lambda: _("Relay: {hole} is taken up ({seeds}) and sown on.")),
    ev.LapLimit: _sentence(lambda: _("The turn stops at its limit of {laps} laps.")),
    ev.ExtraTurn: _sentence(lambda: _("{side} moves again.")),
    ev.Sweep: _sentence(lambda: _("{side} keeps what is left in {holes}: {seeds}.")),
    ev.Place: _by_piece(_PLACED),
    ev.Slide: _sentence(lambda: _("{side} moves from {start} to {end}.")),
    ev.Fly: _sentence(lambda: _("{side} flies from {start} to {end}.")),
    ev.Mill: _sentence(lambda: _("A mill: {points}.")),
    ev.MillBroken: _sentence(
        lambda: _("{side} has opened the mill {points}; the next move may not close it.")
    ),
    ev.Shoot: _by_piece(_SHOT),
    ev.Untold: lambda game, _event, player: _tell_any(game, player),
    ev.End: lambda game, event, _player: tell_outcome(game, event.outcome),  # type: ignore[attr-defined]
}

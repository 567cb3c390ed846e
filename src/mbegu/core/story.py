"""Tells a move in words, from its events, in the language of the moment.

>>> from mbegu.core.registry import game
>>> oware = game("oware")
>>> tell(oware.position("0-3-0-6-1-2-0-0-2-1-0-3-0-0-S"), 3)
'South sows D (6), last seed in d. Captured: d (2), c (3).'
"""

from collections.abc import Callable, Iterable
from itertools import pairwise

from mbegu.core import events as ev
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import _
from mbegu.core.outcome import Outcome

__all__ = ["tell", "tell_event", "tell_outcome"]


def tell(position: Position, move: Move, story: list[ev.Event] | None = None) -> str:
    """What a move does: from where, how far, what it captures, and whether it ends the game.

    Whoever has the events of the move at hand gives them as `story`.
    """
    assert position.turn is not None
    story = list(position.events(move)) if story is None else story
    if isinstance(story[0], ev.Lift):
        return " ".join(_tell_sowing(position.game, position.turn, story))
    return " ".join(tell_event(position.game, event, position.turn) for event in story)


def _tell_sowing(game: Game, player: int, story: list[ev.Event]) -> Iterable[str]:
    lift = story[0]
    assert isinstance(lift, ev.Lift)
    sown = [event for event in story if isinstance(event, ev.Sow)]
    laps = 1 + sum(isinstance(event, ev.Relay) for event in story)
    captures = [event for event in story if isinstance(event, ev.Capture)]
    # In a relay game each capture is sown again, as a lap of its own; two facing holes are one lap.
    relayed = [event for event in captures if not event.to]
    laps += sum(
        not isinstance(before, ev.Capture)
        for before, event in pairwise(story)
        if isinstance(event, ev.Capture) and not event.to
    )
    words = {
        "side": game.side(player),
        "hole": game.hole_name(lift.hole, player) + (f" {lift.colour}" if lift.colour else ""),
        "seeds": lift.seeds,
        "last": game.hole_name(sown[-1].hole, player),
        "laps": laps,
    }
    if laps > 1 or relayed:
        yield _("{side} sows {hole} ({seeds}), laps: {laps}, last bead in {last}.").format(**words)
    else:
        yield _("{side} sows {hole} ({seeds}), last seed in {last}.").format(**words)
    if captures:
        yield _("Captured: {list}.").format(
            list=", ".join(f"{game.hole_name(c.hole, player)} ({c.seeds})" for c in captures)
        )
    for event in story:
        if not isinstance(event, ev.Lift | ev.Sow | ev.Skip | ev.Capture | ev.Relay):
            yield tell_event(game, event, player)


def tell_event(game: Game, event: ev.Event, player: int) -> str:
    """One event of a player's move as a sentence."""
    return _SENTENCES[type(event)](game, event, player)


def tell_outcome(game: Game, outcome: Outcome) -> str:
    """Who won, with what score, and why."""
    first, second = outcome.scores
    score = _("{side0} {score0}, {side1} {score1}").format(
        side0=game.side(0), score0=first, side1=game.side(1), score1=second
    )
    if outcome.winner is None:
        return _("A draw: {score}. {reason}").format(score=score, reason=outcome.reason)
    return _("{side} wins: {score}. {reason}").format(
        side=game.side(outcome.winner), score=score, reason=outcome.reason
    )


Sentence = Callable[[Game, ev.Event, int], str]
_SENTENCES: dict[type[ev.Event], Sentence] = {}


def _sentence(text: Callable[[], str]) -> Sentence:
    """A sentence whose blanks are the fields of the event, told as the player would name them."""

    def told(game: Game, event: ev.Event, player: int) -> str:
        words = {}
        for name, value in event.to_json().items():
            if name == "player":
                words["side"] = game.side(event.player)  # type: ignore[attr-defined]
            elif name == "hole":
                words[name] = game.hole_name(str(value), player)
            elif name == "holes" and isinstance(value, tuple):
                words[name] = ", ".join(game.hole_name(hole, player) for hole in value)
            elif isinstance(value, list | tuple):
                words[name] = ", ".join(map(str, value))
            else:
                words[name] = str(value)
        return text().format(**words)

    return told


_SENTENCES |= {
    ev.Lift: _sentence(lambda: _("All seeds are taken out of {hole}: {seeds}.")),
    ev.Sow: _sentence(lambda: _("A seed falls into {hole}, which now holds {now}.")),
    ev.Skip: _sentence(lambda: _("{hole} is passed over.")),
    ev.Capture: _sentence(lambda: _("{hole} is captured: {seeds}.")),
    ev.Forfeit: _sentence(
        lambda: _("A grand slam: {holes} would leave the opponent nothing, so nothing is captured.")
    ),
    ev.Relay: _sentence(lambda: _("Relay: {hole} is taken up ({seeds}) and sown on.")),
    ev.LapLimit: _sentence(lambda: _("The turn stops at its limit of {laps} laps.")),
    ev.ExtraTurn: _sentence(lambda: _("{side} moves again.")),
    ev.Sweep: _sentence(lambda: _("{side} keeps what is left in {holes}: {seeds}.")),
    ev.Place: _sentence(lambda: _("{side} places a cow on {point}.")),
    ev.Slide: _sentence(lambda: _("{side} moves from {start} to {end}.")),
    ev.Fly: _sentence(lambda: _("{side} flies from {start} to {end}.")),
    ev.Mill: _sentence(lambda: _("A mill: {points}.")),
    ev.MillBroken: _sentence(
        lambda: _("{side} has opened the mill {points}; the next move may not close it.")
    ),
    ev.Shoot: _sentence(lambda: _("{side} shoots the cow on {point}.")),
    ev.End: lambda game, event, _player: tell_outcome(game, event.outcome),  # type: ignore[attr-defined]
}

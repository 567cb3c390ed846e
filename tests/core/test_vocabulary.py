"""A game from elsewhere brings words of its own: events, reasons, sentences in every language."""

from dataclasses import dataclass
from typing import ClassVar

import pytest
from nim import Nim, NimPosition

import mbegu
from mbegu.core.events import EFFECTS, End, Event
from mbegu.core.game import Move, Position, Story
from mbegu.core.i18n import LANGUAGES, N_, add_words, speaking
from mbegu.core.match import Match
from mbegu.core.outcome import Outcome, OwnReason, Reason, find_reason
from mbegu.core.story import tell, tell_event, tell_outcome
from mbegu.testing import check_game


@dataclass(frozen=True, slots=True)
class Grab(Event):
    """Some stones leave the heap."""

    sentence: ClassVar[str] = N_("{side} grabs {count} from {hole}.")
    effect: ClassVar[str] = "take"

    player: int
    hole: str
    count: int


class NimReason(OwnReason):
    """Why this Nim ends."""

    LAST_STONE = "last_stone", N_("The last stone is gone.")


@dataclass(frozen=True)
class OwnNim(Nim):
    """Nim in its own words."""

    strategy = "Leave a multiple of four."

    def start(self) -> Position:
        return OwnNimPosition(self, self.stones, 0)

    def position(self, text: str) -> Position:
        found = super().position(text)
        assert isinstance(found, NimPosition)
        return OwnNimPosition(self, found.heap, found.side)

    def from_json(self, obj: object) -> Position:
        found = super().from_json(obj)
        assert isinstance(found, NimPosition)
        return OwnNimPosition(self, found.heap, found.side)


@dataclass(frozen=True, slots=True, repr=False)
class OwnNimPosition(NimPosition):
    """The same heap."""

    def _story(self, move: Move) -> Story:
        assert isinstance(move, int)
        yield Grab(self.side, "heap", move)
        after = OwnNimPosition(self.game, self.heap - move, 1 - self.side)
        outcome = after.outcome()
        if outcome is not None:
            yield End(outcome)
        return after

    def outcome(self) -> Outcome | None:
        return None if self.heap else Outcome(1 - self.side, (0, 0), NimReason.LAST_STONE)


def test_an_event_of_its_own_is_told_and_shown() -> None:
    start = OwnNim().start()
    (event,) = start.events(2)
    assert event.to_json() == {
        "event": "grab", "effect": "take", "player": 0, "hole": "heap", "count": 2
    }  # fmt: skip
    assert event.effect in EFFECTS
    assert tell(start, 2) == "First grabs 2 from heap."


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != "en"])
def test_its_sentences_are_told_in_every_language(language: str) -> None:
    add_words(language, {Grab.sentence: language + ": {count}", "The last stone is gone.": "?!"})
    with speaking(language):
        assert tell_event(OwnNim(), Grab(0, "heap", 3), 0) == f"{language}: 3"
        assert str(NimReason.LAST_STONE) == "?!"
    with speaking("en"):
        assert tell_event(OwnNim(), Grab(0, "heap", 3), 0) == "First grabs 3 from heap."


def test_nobody_speaks_for_us() -> None:
    add_words("fr", {"South": "Midi"})
    with speaking("fr"):
        assert mbegu.game("oware").side(0) == "Sud"
    with pytest.raises(ValueError, match="'xx' is not one of"):
        add_words("xx", {})


def test_a_reason_of_its_own_is_kept_and_told() -> None:
    match = Match(OwnNim(stones=3))
    match.play(3)
    outcome = match.outcome
    assert outcome is not None
    assert outcome.reason is NimReason.LAST_STONE
    assert find_reason("last_stone") is NimReason.LAST_STONE
    assert find_reason("majority") is Reason.MAJORITY
    assert tell_outcome(OwnNim(), outcome).endswith("The last stone is gone.")
    assert '[Termination "last_stone"]' in str(match.record())


def test_such_a_game_keeps_every_promise() -> None:
    check_game(OwnNim(), games=3)

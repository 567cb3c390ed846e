"""Every lesson is played by the rules, step by step."""

import pytest

import mbegu
from mbegu.core import events as ev
from mbegu.games.lessons import LessonStep, lesson

STEPS = [
    pytest.param(step, id=f"{name}-{number}")
    for name in mbegu.game_names()
    for number, step in enumerate(lesson(name), 1)
]


@pytest.mark.parametrize("step", STEPS)
def test_the_moves_of_a_step_are_legal(step: LessonStep) -> None:
    position = step.start()
    assert not step.position or str(position) == step.position
    assert set(step.accept) <= set(position.legal_moves())
    assert len(set(step.accept)) == len(step.accept) > 0
    for move in step.accept:
        assert list(position.events(move))
    for text in (step.title, step.text, step.hint, step.after):
        assert text
        assert text == text.strip()


# What a lesson must have shown by its end: the kinds of events, and a whole turn that wins.
SHOWN: dict[str, set[type[ev.Event]]] = {
    "oware": {ev.Skip, ev.Capture, ev.Forfeit, ev.End},
    "kalah": {ev.Skip, ev.ExtraTurn, ev.Capture, ev.Sweep, ev.End},
    "awale2": {ev.Skip, ev.Capture, ev.Sweep, ev.End},
    "urubugu": {ev.Capture, ev.Relay, ev.End},
    "morabaraba": {ev.Place, ev.Slide, ev.Fly, ev.Mill, ev.MillBroken, ev.Shoot, ev.End},
}


@pytest.mark.parametrize("name", SHOWN)
def test_a_lesson_shows_every_rule(name: str) -> None:
    steps = lesson(name)
    assert 6 <= len(steps) <= 10
    seen = {type(event) for step in steps for event in step.start().events(step.accept[0])}
    assert SHOWN[name] <= seen


def test_some_moves_are_barred_where_the_text_says_so() -> None:
    feeding = lesson("oware")[5].start()
    assert feeding.legal_moves() == [5]
    assert "you must feed" in str(feeding.forbids(0))
    banned = lesson("morabaraba")[6].start()
    assert "just broken" in str(banned.forbids("MOVE g4 g1"))
    safe = lesson("morabaraba")[2].start()
    assert "in a mill" in str(safe.forbids("STEAL d2"))


def test_impaga_is_a_win_in_the_very_first_turn() -> None:
    step = lesson("urubugu")[-1]
    position = step.start()
    assert position.scores() == (32, 32)
    outcome = position.play(step.accept[0]).outcome()
    assert outcome is not None
    assert outcome.scores == (64, 0)


def test_a_game_without_a_lesson() -> None:
    assert lesson("chess") == ()

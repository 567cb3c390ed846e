"""Rules that never answer: whoever asks them is told, and nothing of it comes back later."""

import contextlib
import threading
from collections.abc import Callable
from typing import Any

import pytest
from herders import Herders, HerdersPosition

from mbegu.core import patience
from mbegu.core.errors import BrokenGame
from mbegu.core.patience import TooLong, patiently


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "PATIENCE", 0.1)
    monkeypatch.setattr(patience, "AGAIN", 0.1)
    monkeypatch.setattr(patience, "LOOK", 0.02)
    monkeypatch.setattr(patience, "_in_debugger", lambda _thread: False)


def for_ever() -> None:
    while True:
        pass


def deaf() -> None:
    """Catches what it can."""
    while True:
        with contextlib.suppress(Exception):
            for_ever()


def deafer(heard: list[BaseException]) -> str:
    """Catches even more, but in the end it has enough."""
    while len(heard) < 3:
        try:
            for_ever()
        except BaseException as error:
            heard.append(error)
    return "enough"


def a_while() -> int:
    """Longer than anybody waits for an answer; every step is a place at which it could be ended."""
    done = threading.Event()
    threading.Timer(0.5, done.set).start()
    steps = 0
    while not done.is_set():
        steps += 1
    return steps


def test_an_answer_comes_back_and_so_does_what_is_raised() -> None:
    assert patiently(lambda: 6 * 7) == 42
    with pytest.raises(KeyError):
        patiently(lambda: {}["nothing"])


@pytest.mark.parametrize("job", [for_ever, deaf])
def test_who_never_answers_is_stopped(job: Callable[[], None]) -> None:
    with pytest.raises(TooLong):
        patiently(job)
    assert a_while(), "nothing comes later"


def test_who_goes_on_all_the_same_is_stopped_again() -> None:
    heard: list[BaseException] = []
    assert patiently(lambda: deafer(heard)) == "enough"
    assert [type(error) for error in heard] == [TooLong] * 3
    assert a_while(), "nothing comes later"


def test_between_two_answers_one_may_think() -> None:
    patiently(lambda: None)
    assert a_while()
    patiently(lambda: None)


def test_a_question_within_a_question_is_part_of_it() -> None:
    def many() -> None:
        while True:
            patiently(lambda: None)

    with pytest.raises(TooLong):
        patiently(many)


def test_every_thread_has_its_own_time() -> None:
    ended: list[str] = []

    def wait() -> None:
        try:
            patiently(for_ever)
        except TooLong:
            ended.append(threading.current_thread().name)

    threads = [threading.Thread(target=wait, name=name) for name in "ab"]
    for one in threads:
        one.start()
    assert a_while()
    for one in threads:
        one.join(60)
    assert sorted(ended) == ["a", "b"]


def _endless_story(_self: Any, _move: Any) -> Any:
    yield from ()
    for_ever()


@pytest.mark.parametrize(
    ("method", "ask"),
    [
        ("legal_moves", lambda position: position.legal_moves()),
        ("scores", lambda position: position.scores()),
        ("_story", lambda position: position.play("a2")),
    ],
)
def test_the_game_is_named_with_the_position_and_the_line(
    method: str, ask: Callable[[Any], Any]
) -> None:
    loop = _endless_story if method == "_story" else lambda _self: for_ever()
    stubborn = type("Stubborn", (HerdersPosition,), {method: loop, "__slots__": ()})
    with pytest.raises(BrokenGame) as found:
        ask(stubborn(Herders(), "x...o....", 0))
    told = str(found.value)
    assert told.startswith("herders cannot be used: its rules fail at “x...o.... x”: TimeoutError")
    assert "take longer than" in told
    assert "test_too_long.py, line" in told

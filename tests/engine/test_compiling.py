"""Who is told that the engine is being compiled, when, and in which language."""

import threading
from collections.abc import Callable

import pytest

from mbegu.core.i18n import _, speaking
from mbegu.engine import compiling

ENGLISH = "Compiling the engine for this game: this takes some seconds, the first time only."

Compile = Callable[[str], None]


@pytest.fixture
def compile_something(monkeypatch: pytest.MonkeyPatch) -> Compile:
    """Tells the listeners that a function is compiled."""
    listeners: list[Compile] = []
    monkeypatch.setattr(compiling, "_announcement", None)
    monkeypatch.setattr("mbegu.engine.cache.on_compile", listeners.append)
    return lambda name: [listener(name) for listener in listeners].clear()


def test_it_is_said_once_for_many_functions(compile_something: Compile) -> None:
    said: list[str] = []
    compiling.announce_compiling(said.append)
    assert said == []
    compile_something("search")
    compile_something("evaluate")
    assert said == [ENGLISH]


def test_who_asks_again_is_told_again(compile_something: Compile) -> None:
    first, second = list[str](), list[str]()
    compiling.announce_compiling(first.append)
    compile_something("search")
    compiling.announce_compiling(second.append)
    compile_something("search for hints")
    assert (first, second) == ([ENGLISH], [ENGLISH])


def test_it_is_said_in_the_language_of_the_one_who_asked(compile_something: Compile) -> None:
    said: list[str] = []
    with speaking("fr"):
        compiling.announce_compiling(said.append)
        french = _(ENGLISH)
    thread = threading.Thread(target=compile_something, args=["search"])
    thread.start()
    thread.join()
    assert said == [french] != [ENGLISH]


def test_behind_the_scenes_nothing_is_said_until_somebody_waits(compile_something: Compile) -> None:
    said: list[str] = []
    begun, told = threading.Event(), threading.Event()

    def work() -> None:
        compile_something("search")
        begun.set()
        assert told.wait(10)

    def say(sentence: str) -> None:
        said.append(sentence)
        told.set()

    compiling.announce_compiling(say)
    compiling.compile_behind(work)
    assert begun.wait(10)
    assert said == []
    compiling.wait_for_the_engine()
    assert said == [ENGLISH]


def test_who_waits_for_an_engine_that_is_ready_hears_nothing(compile_something: Compile) -> None:
    said: list[str] = []
    compiling.announce_compiling(said.append)
    compiling.compile_behind(lambda: None)
    compiling.wait_for_the_engine()
    assert said == []

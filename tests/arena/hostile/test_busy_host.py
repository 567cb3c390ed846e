"""The engine's clock on a computer that others keep busy: it looks at the wall and at the processor's time."""

import time
from collections.abc import Callable

import pytest

import mbegu
from mbegu.arena.bot_main import BuiltIn, Class
from mbegu.arena.roster import find_bot
from mbegu.arena.runner import BotProcess
from mbegu.arena.waiting import FORGIVEN_MOST, counted_on
from mbegu.core.clock import Clock, TimeControl
from mbegu.engine.deepening import IterativeDeepening
from mbegu.engine.engine import Engine, EngineError, Info, Limits
from mbegu.engine.levels import LevelBot
from mbegu.engine.search_threads import ThreadData

OWARE = mbegu.game("oware")
GIVEN = 0.15


def thought(limits: Limits) -> Info:
    """The last word of a thought."""
    engine = Engine(OWARE, hash_mb=16)
    engine.warm_up()
    *_before, last = engine.think(OWARE.start(), limits)
    return last


@pytest.fixture
def begun_again(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How much time each search that was stopped has got once more."""
    found: list[float] = []
    goes_on = IterativeDeepening._goes_on

    def look(self: IterativeDeepening, thread: ThreadData) -> bool:
        more = goes_on(self, thread)
        if more:
            found.append(self._waited())
        return more

    monkeypatch.setattr(IterativeDeepening, "_goes_on", look)
    return found


def test_what_it_waited_for_a_processor_is_thought_afterwards(
    monkeypatch: pytest.MonkeyPatch, begun_again: list[float]
) -> None:
    monkeypatch.setattr(time, "process_time", lambda: 7.0)  # it has had none at all
    last = thought(Limits(movetime=0.05, waiting=GIVEN))
    assert last.seconds >= GIVEN, "the wall alone would have stopped it long before"
    assert begun_again
    assert max(begun_again) <= GIVEN, "no more than a referee gives back"


@pytest.mark.parametrize("waiting", [0.0, GIVEN])
def test_who_has_a_processor_thinks_no_longer(
    monkeypatch: pytest.MonkeyPatch, begun_again: list[float], waiting: float
) -> None:
    monkeypatch.setattr(time, "process_time", time.perf_counter)
    thought(Limits(movetime=0.05, waiting=waiting))
    assert not begun_again


def test_without_a_referee_only_the_wall_counts(
    monkeypatch: pytest.MonkeyPatch, begun_again: list[float]
) -> None:
    monkeypatch.setattr(time, "process_time", lambda: 7.0)
    thought(Limits(movetime=0.05))
    assert not begun_again, "a person waits for the answer"


def test_who_is_told_to_stop_stops(
    monkeypatch: pytest.MonkeyPatch, begun_again: list[float]
) -> None:
    monkeypatch.setattr(time, "process_time", lambda: 7.0)
    engine = Engine(OWARE, hash_mb=16)
    engine.warm_up()
    for _info in engine.think(OWARE.start(), Limits(movetime=60, waiting=60)):
        engine.stop()
    assert not begun_again


def test_a_count_of_nodes_is_kept(
    monkeypatch: pytest.MonkeyPatch, begun_again: list[float]
) -> None:
    monkeypatch.setattr(time, "process_time", lambda: 7.0)
    last = thought(Limits(nodes=20_000, movetime=60, waiting=60))
    assert last.nodes < 40_000
    assert not begun_again


def test_waiting_is_a_time() -> None:
    with pytest.raises(EngineError, match="waiting"):
        Limits(movetime=1, waiting=-1).check()


@pytest.mark.parametrize(("kind", "ours"), [(BuiltIn, True), (Class, False)])
def test_only_our_own_bots_count_on_it(kind: Callable[..., BuiltIn], ours: bool) -> None:
    bot = LevelBot(10, 1)

    class Known(kind):  # type: ignore[misc, valid-type]
        def __init__(self) -> None:
            pass

        def make(self, order: object) -> LevelBot:
            return bot

    Known().game({"game": "oware", "seed": 1})
    assert bot.waiting == (counted_on() if ours else 0.0)
    assert counted_on() in (0.0, FORGIVEN_MOST / 2)


def test_a_level_tells_its_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Limits] = []
    think = Engine.think

    def hear(self: Engine, position: object, limits: Limits, *more: object) -> object:
        asked.append(limits)
        return think(self, position, limits, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(Engine, "think", hear)
    bot = LevelBot(10, 1)
    bot.waiting = 0.25
    clock = Clock(TimeControl.parse("0.1/move"))
    clock.start(0)
    beyond_the_book = OWARE.position("0-3-0-6-1-2-0-0-2-1-0-3-10-20-S")
    bot.choose(beyond_the_book, clock)
    assert [limits.waiting for limits in asked] == [0.25]


def test_who_compiles_on_a_busy_host_is_not_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a cold cache three levels that compiled at once needed more than two minutes, and lost."""
    given: list[float] = []
    monkeypatch.setattr(BotProcess, "start", lambda _self: None)
    monkeypatch.setattr(BotProcess, "_ask", lambda _self, _order, seconds: given.append(seconds))
    level = BotProcess(find_bot("level10"))
    monkeypatch.setattr(level, "_channels", NoChannels())
    level.new_game(OWARE, OWARE.start(), 0, 1)
    assert given[0] >= 600


class NoChannels:
    """Of a process that never began."""

    def new_game(self) -> None:
        """Nothing to count."""

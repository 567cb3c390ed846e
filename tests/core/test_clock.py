"""Time controls and clocks, with a time that the tests turn by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mbegu.core.clock import Clock, TimeControl
from mbegu.core.errors import InvalidTimeControl


class Hand:
    """A source of time that stands still until it is moved."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


@pytest.mark.parametrize(
    ("text", "control", "canonical"),
    [
        ("60+1", TimeControl(60, 1), "60+1"),
        ("60", TimeControl(60, 0), "60+0"),
        ("0.5+0.05", TimeControl(0.5, 0.05), "0.5+0.05"),
        ("5/move", TimeControl(per_move=5), "5/move"),
        ("-", TimeControl(), "-"),
    ],
)
def test_texts(text: str, control: TimeControl, canonical: str) -> None:
    assert TimeControl.parse(text) == control
    assert str(control) == canonical
    assert TimeControl.parse(canonical) == control


@pytest.mark.parametrize("text", ["", "0", "-5", "60+", "+1", "5/", "5/turn", "1e3", "60+1+1", "٣"])
def test_refused(text: str) -> None:
    with pytest.raises(InvalidTimeControl, match=r"write 60\+1"):
        TimeControl.parse(text)


@given(st.integers(1, 10**6), st.integers(0, 10**4))
def test_round_trip(bank: int, increment: int) -> None:
    control = TimeControl(bank / 1000, increment / 1000)
    assert TimeControl.parse(str(control)) == control


def test_bank_and_increment() -> None:
    hand = Hand()
    clock = Clock(TimeControl.parse("10+2"), hand)
    clock.start(0)
    hand.time += 3
    assert clock.remaining(0) == 7
    assert clock.moved(0) == 3
    assert (clock.remaining(0), clock.remaining(1)) == (9, 10)
    clock.start(1)
    hand.time += 10
    assert not clock.flagged(1)  # the last instant still counts
    hand.time += 0.5
    assert clock.flagged(1)
    assert not clock.flagged(0)
    clock.moved(1)
    assert clock.remaining(1) == -0.5, "no increment for a player whose time is up"


def test_per_move_begins_anew() -> None:
    hand = Hand()
    clock = Clock(TimeControl.parse("5/move"), hand)
    clock.start(0)
    hand.time += 4
    clock.moved(0)
    clock.start(0)
    assert clock.remaining(0) == 5


def test_no_limit() -> None:
    hand = Hand()
    clock = Clock(now=hand)
    clock.start(1)
    hand.time += 10**6
    assert clock.remaining(1) is None
    assert not clock.flagged(1)
    assert clock.stop() == 10**6
    assert clock.stop() == 0, "nothing runs any more"


def test_only_one_runs() -> None:
    hand = Hand()
    clock = Clock(TimeControl.parse("10"), hand)
    clock.start(0)
    hand.time += 1
    clock.start(1)
    hand.time += 1
    assert (clock.remaining(0), clock.remaining(1), clock.running) == (9, 9, 1)

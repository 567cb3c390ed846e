"""What the pages say of strategies is true on the boards that they show."""

import sys
from pathlib import Path

import mbegu
from mbegu.core.events import Capture

sys.path.append(str(Path(__file__).resolve().parents[2] / "tools"))
import pictures


def captures(position: mbegu.Position) -> bool:
    return any(
        isinstance(event, Capture)
        for move in position.legal_moves()
        for event in position.events(move)
    )


def test_spreading_fills_more_cells() -> None:
    text, move = pictures.STRATEGY["spreading"]
    before = mbegu.game("urubugu").position(text)
    after = before.play(move)
    held = [sum(count > 0 for count in position.cells[0]) for position in (before, after)]
    assert held == [5, 10]
    assert before.cells[0][move - 1] == max(before.cells[0])


def test_decapitation_leaves_nothing_to_capture() -> None:
    text, move = pictures.STRATEGY["decapitation"]
    before = mbegu.game("urubugu").position(text)
    theirs = before.as_if(1)
    assert theirs is not None
    assert captures(theirs), "North threatens something"
    taken = {event.hole for event in before.events(move) if isinstance(event, Capture)}
    assert {"N1", "N16"} <= taken
    assert not captures(before.play(move))


def test_the_rules_of_urubugu_tell_them() -> None:
    strategy = mbegu.game("urubugu").strategy
    assert "Spreading" in strategy
    assert "Decapitation" in strategy

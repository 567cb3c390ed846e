"""Counter-settings of a game of another package: asked for, not known by name."""

from dataclasses import dataclass
from importlib.metadata import EntryPoint
from random import Random
from typing import Any, ClassVar

import pytest
from nim import Nim, NimPosition

import mbegu
from mbegu.cli import main
from mbegu.core import registry
from mbegu.core.errors import InvalidSetUp, MbeguError
from mbegu.core.setups import SetUpGame
from mbegu.lab.counters import games_with_counters, study_of


@dataclass(frozen=True)
class Laid(Nim, SetUpGame):
    """Nim in which each player lays 1 to 3 matches; who finds 3 or fewer on the table takes them all."""

    name = "laid"
    counter_settings: ClassVar[bool] = True

    def setup(self, beads: Any = None) -> tuple[int, ...]:
        if beads is None:
            return (2, 2)
        if isinstance(beads, str):
            beads = [int(part) for part in beads.split(",")]
        if len(beads) != 2 or not all(1 <= count <= 3 for count in beads):
            raise InvalidSetUp("two counts of 1 to 3")
        return tuple(beads)

    @staticmethod
    def random_setup(lot: Random) -> tuple[int, ...]:
        return lot.randint(1, 3), lot.randint(1, 3)

    def start(self, setup0: Any = None, setup1: Any = None) -> Any:
        mine, theirs = self.setup(setup0), self.setup(setup1)
        return NimPosition(self, max(1, sum(mine) + sum(theirs) - 5), 0)


@pytest.fixture
def laid(monkeypatch: pytest.MonkeyPatch) -> Laid:
    point = EntryPoint("laid", f"{__name__}:Laid", registry.GROUP)
    monkeypatch.setattr(registry, "_claims", lambda: {"laid": (point,)})
    monkeypatch.setattr(registry, "_load", lambda _point: Laid)
    for known in (registry._trouble, registry.game_class):
        known.cache_clear()
    yield Laid()
    monkeypatch.undo()
    for known in (registry._trouble, registry.game_class):
        known.cache_clear()


def test_the_lab_asks_the_game(laid: Laid) -> None:
    assert games_with_counters() == [Laid]
    study = study_of(laid)
    search = study.find(study.setting_of("1,1"), limit=3, seed=1)
    assert len(search.found) == 3
    for counter in search.found:
        assert sum(counter.setting) <= 6
        assert counter.position.play(counter.moves[0]).outcome().winner == 0
    assert search.table().num_rows >= 3
    frequency = study.count((3, 3), samples=300, seed=2)
    # 3 + 3 laid, so that at most 3 are on the table where the other lays 2: one setting of nine.
    assert frequency.drawn == 300
    assert 10 < frequency.counters < 60
    assert "about" not in frequency.to_json()
    best = study.resistant(method="lot", limit=1, classes=9, seconds=5, samples=100)
    assert best.found[0].opponent == (3, 3)


def test_what_it_cannot_do_is_said(laid: Laid) -> None:
    study = study_of(laid)
    with pytest.raises(MbeguError, match="method: climb is none of auto, random"):
        study.find((1, 1), method="climb")
    with pytest.raises(MbeguError, match="no book of counters for laid"):
        study.prove()
    with pytest.raises(
        InvalidSetUp, match="neither 2 counts like 2,2,…,2 nor one of: default, lot"
    ):
        study.setting_of("front")


def test_games_without_are_told_of_those_with(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(
        MbeguError, match="oware has no counter-settings; these games have: urubugu"
    ):
        study_of(mbegu.game("oware"))
    assert main(["lab", "counter", "default", "--game", "kalah"]) == 2
    assert "kalah has no counter-settings" in capsys.readouterr().err

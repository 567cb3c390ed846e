"""The ladder: who is stronger comes to stand above, and nothing is forgotten."""

import random
from pathlib import Path

import pytest

import mbegu
from mbegu.arena.ladder import MU, SIGMA, Ladder, Rung, update
from mbegu.arena.rating import expected_score
from mbegu.arena.referee import Conditions
from mbegu.core.errors import MbeguError

KALAH = mbegu.game("kalah(pits=3,seeds=3)")


def test_update_by_hand() -> None:
    """Two newcomers: the winner gains what the loser loses, and both are known better."""
    won, lost = update(Rung("a", "a"), Rung("b", "b"), 1.0)
    spread = (2 * SIGMA**2 + 2 * (SIGMA / 2) ** 2) ** 0.5  # half of it is luck
    assert won.mu - MU == pytest.approx(SIGMA**2 / spread / 2, rel=1e-3)
    assert won.mu - MU == pytest.approx(MU - lost.mu)
    assert won.sigma == lost.sigma < SIGMA
    drawn, other = update(Rung("a", "a"), Rung("b", "b"), 0.5)
    assert drawn.mu == other.mu == MU


def test_strengths_are_found() -> None:
    chance = random.Random(1)
    rungs = [Rung(str(number), "") for number in range(5)]
    for _game in range(600):
        i, j = chance.sample(range(5), 2)
        won = chance.random() < expected_score(150 * (i - j))
        rungs[i], rungs[j] = update(rungs[i], rungs[j], float(won))
    assert [rung.name for rung in sorted(rungs, key=lambda rung: rung.mu)] == list("01234")
    assert all(rung.sigma < SIGMA / 3 for rung in rungs)


def test_a_ladder_lives_on(tmp_path: Path) -> None:
    path = str(tmp_path / "deep" / "ladder.db")
    gone = tmp_path / "gone.py"
    gone.write_text("class B:\n    def choose(self, position, clock):\n        return 0\n")
    with Ladder(path) as ladder:
        with pytest.raises(MbeguError, match="needs two bots"):
            ladder.run(KALAH, 2, Conditions())
        ladder.add(KALAH, "random")
        ladder.add(KALAH, "greedy")
        ladder.add(KALAH, "random", "again")
        ladder.add(KALAH, str(gone))
        with pytest.raises(MbeguError, match="already"):
            ladder.add(KALAH, "random")
        with pytest.raises(MbeguError, match="no bot is called"):
            ladder.add(KALAH, "nobody")
    gone.unlink()
    warnings: list[str] = []
    with Ladder(path) as ladder:
        assert ladder.run(KALAH, 21, Conditions("5/move"), warn=warnings.append) == 21
        rungs = {rung.name: rung for rung in ladder.rungs(KALAH)}
    assert "gone" in warnings[0]
    assert rungs["gone"].played == 0
    assert sum(rung.played for rung in rungs.values()) == 42
    assert all(rungs[name].played >= 6 for name in ("random", "greedy", "again"))
    with Ladder(path) as ladder:
        assert ladder.games() == [str(KALAH)]
        assert {rung.name: rung for rung in ladder.rungs(KALAH)} == rungs
        ladder.remove(KALAH, "gone")
        with pytest.raises(MbeguError, match="nobody"):
            ladder.remove(KALAH, "gone")


def test_an_unusable_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("this is not a database, but a rather long text " * 50)
    with pytest.raises(MbeguError, match="cannot be used"):
        Ladder(str(tmp_path / "file"))
    with pytest.raises(MbeguError, match="cannot be used"):
        Ladder(str(tmp_path / "file" / "x"))

"""Games that were left: kept after every move, found again, forgotten at the end."""

import os
from pathlib import Path

import pytest

import mbegu
from mbegu.core.clock import Clock, TimeControl
from mbegu.core.errors import MbeguError
from mbegu.core.match import Match
from mbegu.terminal.keeping import Keeper, latest, tidy


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MBEGU_DATA", str(tmp_path))


def played(game: str, plies: int, clock: Clock | None = None) -> Match:
    match = Match(mbegu.game(game), clock=clock)
    for _ply in range(plies):
        match.play(match.position.legal_moves()[0])
    return match


@pytest.mark.parametrize("game", mbegu.game_names())
def test_a_game_comes_back_as_it_was(game: str) -> None:
    match = played(game, 5, Clock(TimeControl.parse("60+1")))
    Keeper().keep(match, ("human", "level3"))
    found = latest()
    assert found.seats == ("human", "level3")
    assert found.match.positions == match.positions
    assert str(found.match.clock.control) == "60+1"


def test_none_is_left_to_be_found() -> None:
    with pytest.raises(MbeguError, match="no game was left"):
        latest()
    keeper = Keeper()
    match = played("oware", 2)
    keeper.keep(match, ("human", "human"))
    match.resign(0)
    keeper.keep(match, ("human", "human"))
    with pytest.raises(MbeguError, match="no game was left"):
        latest()


def test_the_newest_one_and_not_one_that_is_being_played(tmp_path: Path) -> None:
    folder = tmp_path / "unfinished"
    Keeper(folder / f"1-{2**22 + 5}.json").keep(played("oware", 1), ("human", "human"))
    Keeper(folder / f"2-{2**22 + 5}.json").keep(played("oware", 2), ("human", "human"))
    Keeper(folder / f"3-{os.getppid()}.json").keep(played("oware", 3), ("human", "human"))
    (folder / f"4-{2**22 + 5}.json").write_text("{ half a file")
    assert len(latest().match.moves) == 2


def test_a_full_disk_does_not_stop_the_game(tmp_path: Path) -> None:
    (tmp_path / "unfinished").write_text("a file where the folder should be")
    keeper = Keeper()
    keeper.keep(played("oware", 1), ("human", "human"))
    assert "not kept" in keeper.trouble


def test_old_ones_make_room(tmp_path: Path) -> None:
    match = played("oware", 1)
    for number in range(100, 130):
        Keeper(tmp_path / "unfinished" / f"{number}-1.json").keep(match, ("human", "human"))
    tidy()
    assert len(list((tmp_path / "unfinished").glob("*.json"))) == 20

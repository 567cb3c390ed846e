"""The server has endgame tables made, but only those of the usual rules."""

import pytest

import mbegu
from mbegu.core.game import Game
from mbegu.engine.levels import LevelBot
from mbegu.engine.tables import ready
from mbegu.server.think import jobs


def test_strangers_choose_no_tables_for_our_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Game] = []
    monkeypatch.setattr(ready, "prepare", asked.append)
    for spec in ("oware", "oware(min_seeds=0)", "oware(grand_slam=take)", "oware(min_seeds=6)"):
        jobs._have_a_table_made(mbegu.game(spec))
    assert asked == [mbegu.game("oware"), mbegu.game("oware")]


@pytest.mark.parametrize(("level", "looks"), [(7, False), (10, True)])
def test_only_the_strongest_level_looks_into_tables(level: int, looks: bool) -> None:
    game = mbegu.game("oware")
    bot = LevelBot(level, 1)
    bot.warm_up(game)
    assert bot._engine is not None
    assert bot._engine.tables is looks

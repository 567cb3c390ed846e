"""What `mbegu game check` notices beyond the rules: wrong counts, a kernel that errs under one option only."""

from dataclasses import replace

import pytest
from rows_of_three import Rows

import mbegu
from mbegu.core.board import Lying
from mbegu.core.game import Game
from mbegu.testing.plugin import Part, examine_plugin


def part(game: Game, what: str) -> Part:
    """One part of a game, as it is found."""
    return next(found for found in examine_plugin(game, games=1) if found.what == what)


def test_wrong_counts_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    game = mbegu.game("oware")
    assert part(game, "The board says what lies where.").trouble == ""
    places = type(game.start()).places

    def one_more(self: object) -> dict[str, Lying]:
        return {name: Lying((sum(at.counts) + 1,)) for name, at in places(self).items()}

    monkeypatch.setattr(type(game.start()), "places", one_more)
    trouble = part(game, "The board says what lies where.").trouble
    assert "the move tells that 5 lie in" in trouble
    assert "places() tells 6" in trouble


def test_a_kernel_is_compared_under_every_option(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[str]()

    def disagreement(_kernel: object, game: Game, **_how: int) -> str | None:
        asked.append(str(game))
        return "it errs" if "empty_capture=True" in str(game) else None

    monkeypatch.setattr("mbegu.engine.kernels.agreement.disagreement", disagreement)
    trouble = part(mbegu.game("kalah"), "The kernel plays by the same rules.").trouble
    assert trouble == "kalah(pits=6,seeds=4,empty_capture=True): it errs"
    assert asked[0] == "kalah(pits=6,seeds=4)"
    assert "kalah(pits=10,seeds=4)" in asked


def test_what_a_game_does_without_is_not_called_right(monkeypatch: pytest.MonkeyPatch) -> None:
    game = mbegu.game("oware")
    monkeypatch.setattr(type(game), "lesson", classmethod(lambda _game: ()))
    found = part(game, "The lesson follows the rules.")
    assert found.missing
    assert found.trouble == ""
    assert not part(game, "The board says what lies where.").missing


def test_places_that_lie_upon_each_other_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """So they do on a board whose places tell no row and no column."""
    game = Rows()
    assert part(game, "The board says what lies where.").trouble == ""
    heap = replace(game.board, places=tuple(replace(at, row=0) for at in game.board.places))
    monkeypatch.setattr(Rows, "board", heap)
    assert (
        "a3 and a2 lie both in row 0, column 0"
        in part(game, "The board says what lies where.").trouble
    )
    monkeypatch.setattr(Rows, "board", replace(heap, family="ring"))
    assert part(game, "The board says what lies where.").trouble == ""

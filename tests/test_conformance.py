"""Our own games pass what we ask of a stranger's: every part of them."""

import pytest

import mbegu
from mbegu.testing import check_plugin


@pytest.mark.parametrize("name", mbegu.game_names())
def test_every_part_of_our_games_is_in_order(name: str) -> None:
    check_plugin(mbegu.game(name), games=1)

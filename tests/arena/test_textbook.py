"""The searches of the textbooks: three of them agree, and each sees as far as it is told."""

import random

import pytest

import mbegu
from mbegu.arena.bots import SEARCHERS, make_bot
from mbegu.arena.roster import find_bot
from mbegu.arena.textbook import AlphaBeta, Minimax, Negamax
from mbegu.core.clock import Clock
from mbegu.core.errors import MbeguError


@pytest.mark.parametrize("game", mbegu.game_names())
def test_minimax_negamax_and_alphabeta_agree(game: str) -> None:
    lot, position = random.Random(3), mbegu.game(game).start()
    for ply in range(16):
        if position.turn is None:
            break
        if ply % 5 == 0 and len(position.legal_moves()) < 30:
            for depth in (0, 1, 2):
                found = {
                    kind(1).worth(position, player, depth)
                    for kind in (Minimax, Negamax, AlphaBeta)
                    for player in (0,)
                }
                assert len(found) == 1, (ply, depth, found)
        position = position.play(lot.choice(position.legal_moves()))


@pytest.mark.parametrize("name", SEARCHERS)
def test_each_plays_a_legal_move_at_its_depth(name: str) -> None:
    position = mbegu.game("kalah(pits=4,seeds=3)").start()
    for depth in ("", ":1", ":3"):
        assert make_bot(name + depth, 1).choose(position, Clock()) in position.legal_moves()


@pytest.mark.parametrize("name", ["alphabeta:0", "alphabeta:99", "minimax:deep", "bfs:"])
def test_a_depth_that_makes_no_sense_is_told(name: str) -> None:
    for look in (make_bot, find_bot):
        with pytest.raises(MbeguError, match="from 1 to 12"):
            look(name)


def test_two_moves_ahead_see_more_than_one() -> None:
    """To take two now costs more than it wins: depth 1 takes them, depth 2 does not."""
    kalah = mbegu.game("kalah(pits=3,seeds=2)")
    seen = set()
    for depth in (1, 2, 3, 4):
        bot = make_bot(f"alphabeta:{depth}", 1)
        position, moves = kalah.start(), []
        while position.turn is not None and len(moves) < 12:
            moves.append(bot.choose(position, Clock()))
            position = position.play(moves[-1])
        seen.add(tuple(moves))
    assert len(seen) > 1

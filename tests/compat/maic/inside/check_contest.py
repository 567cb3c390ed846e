"""How the arena asks an AI of the contest."""

from pathlib import Path

from core import Color

from mbegu.arena.worker import Contest

AIS = Path(__file__).parent / "ais"


def asked(fly_moves):
    """What the AI of -1 answers with three cows against four, after so many moves that count."""
    contest = Contest({"path": str(AIS / "first.py")})
    contest.game({"seed": 1, "player": 0})
    state = contest.state
    for cell in ((0, 0), (0, 3), (3, 0)):
        state.board.fill_cell(cell, Color(-1))
    for cell in ((6, 6), (5, 5), (6, 3), (2, 2)):
        state.board.fill_cell(cell, Color(1))
    state.in_hand = {-1: 0, 1: 0}
    state.fly_case, state.fly_moves = True, fly_moves
    state.set_latest_player(1)
    given = []
    play = contest.ai.play
    contest.ai.play = lambda state, left: given.append(left) or play(state, left)
    answer = contest.choose({"moves": [], "left": [1.5, 2.0], "player": 0})
    return answer, given


def check_an_ai_is_asked_with_its_time():
    answer, given = asked(9)
    assert answer.startswith("FLY a1 ")
    assert given == [1.5]


def check_no_ai_is_asked_after_the_contests_own_end():
    answer, given = asked(10)
    assert answer.startswith("FLY ")
    assert not given

"""Morabaraba: the board, the phases, mills and bans, both rule sets, and what it refuses."""

import pytest

import mbegu
from mbegu.core.events import End, Fly, Mill, MillBroken, Place, Shoot, Slide
from mbegu.core.outcome import Outcome, Reason
from mbegu.games.morabaraba import MILLS, NEIGHBOURS, POINTS, coordinates

GAME = mbegu.game("morabaraba")
CLASSIC = mbegu.game("morabaraba(rules=classic)")


def test_the_board() -> None:
    assert len(POINTS) == 24
    assert len(MILLS) == 20
    assert sum(map(len, NEIGHBOURS.values())) == 2 * 40
    assert all(point in NEIGHBOURS[other] for point in POINTS for other in NEIGHBOURS[point])
    assert [coordinates(point) for point in ("a1", "d1", "g7")] == [(0, 0), (0, 3), (6, 6)]
    assert NEIGHBOURS["a1"] == ["d1", "b2", "a4"]


def test_placing_and_a_mill() -> None:
    position = GAME.position("10/10 a1,d1 a4,b4 x 0/0 - - 4 0")
    assert list(position.events("ADD g1")) == [Place(0, "g1"), Mill(0, ("a1", "d1", "g1"))]
    after = position.play("ADD g1")
    assert after.turn == 0, "the shot is an action of the same player"
    assert after.legal_moves() == ["STEAL a4", "STEAL b4"]
    assert list(after.events("STEAL b4")) == [Shoot(0, "b4")]
    assert str(after.play("STEAL b4")) == "9/10 a1,d1,g1 a4 o 1/0 - - 0 0"


def test_cows_in_a_mill_are_safe_unless_all_are() -> None:
    some = GAME.position("0/0 a1,d1,g1 b2,d2,f2,g7 x! 8/9 - - 3 0")
    assert some.legal_moves() == ["STEAL g7"]
    with pytest.raises(mbegu.IllegalMove, match="b2 is in a mill"):
        some.play("STEAL b2")
    everyone = GAME.position("0/0 a1,d1,g1 b2,d2,f2 x! 9/9 - - 3 0")
    assert everyone.legal_moves() == ["STEAL b2", "STEAL d2", "STEAL f2"]
    after = everyone.play("STEAL b2")
    assert after.outcome() == Outcome(0, (10, 9), Reason.TWO_COWS)


def test_three_cows_fly() -> None:
    position = GAME.position("0/0 a1,d1,g7 b2,d2,f4,g4 x 8/9 - - 3 2")
    assert {move.split()[0] for move in map(str, position.legal_moves())} == {"FLY"}
    assert list(position.events("FLY g7 g1")) == [Fly(0, "g7", "g1"), Mill(0, ("a1", "d1", "g1"))]
    assert GAME.parse_move("g7-g1", position) == "FLY g7 g1"


def test_a_broken_mill_may_not_be_closed_by_the_next_move() -> None:
    position = GAME.position("0/0 a1,d1,g1,c5 b4,c4,e5,f6 x 8/8 - - 3 0")
    story = list(position.events("MOVE d1 d2"))
    assert story == [Slide(0, "d1", "d2"), MillBroken(0, ("a1", "d1", "g1"))]
    after = position.play("MOVE d1 d2").play("MOVE b4 b6")
    assert "MOVE d2 d1" not in after.legal_moves()
    with pytest.raises(mbegu.IllegalMove, match="just broken may not be closed"):
        after.play("MOVE d2 d1")
    later = after.play("MOVE c5 d5").play("MOVE b6 b4")
    assert "MOVE d2 d1" in later.legal_moves(), "the ban lasts exactly one own move"


def test_classic_bans_only_the_cow_that_formed_a_new_mill() -> None:
    # d1-d2 opens a1-d1-g1 without a new mill: classic lets it close again.
    quiet = CLASSIC.position("0/0 a1,d1,g1,c5 b4,c4,e5,f6 x 8/8 - - 3 0")
    after = quiet.play("MOVE d1 d2").play("MOVE b4 b6")
    assert "MOVE d2 d1" in after.legal_moves()
    # With b2 and f2 it forms b2-d2-f2: now the same cow may not go straight back.
    busy = CLASSIC.position("0/0 a1,d1,g1,b2,f2 b4,c4,e5,f6 x 8/7 - - 3 0")
    after = busy.play("MOVE d1 d2").play("STEAL f6").play("FLY b4 b6")
    assert after.to_json()["ban"] == [["d2-d1"], []]
    assert "MOVE d2 d1" not in after.legal_moves()
    assert CLASSIC.position(str(after)) == after


def test_a_blocked_player_who_is_ahead_wins_unless_classic() -> None:
    behind = "0/0 a1,a4,a7,b4,c4 b2,b6,c3,c5,d1,d7 x 6/7 - - 5 0"
    assert GAME.position(behind).outcome() == Outcome(1, (6, 7), Reason.NO_MOVES)
    text = "0/0 a1,a4,a7,b4,c4,d1,d7,b2 b6,c3,c5,d2,d6,g1,g7 x 5/4 - - 5 0"
    ahead, classic = GAME.position(text).outcome(), CLASSIC.position(text).outcome()
    assert ahead == Outcome(0, (5, 4), Reason.NO_MOVES)
    assert classic == Outcome(1, (5, 4), Reason.NO_MOVES)


def test_ten_and_fifty() -> None:
    ten = "0/0 a1,d1,g7 b2,d2,f4,g4 x 8/9 - - 9 9"
    after = GAME.position(ten).play("FLY g7 e5")
    assert after.outcome() == Outcome(1, (8, 9), Reason.TEN_MOVES)
    classic = CLASSIC.position(ten).play("FLY g7 e5")
    assert classic.outcome() == Outcome(None, (8, 9), Reason.TEN_MOVES)
    fifty = "0/0 a1,d1,g7,e5 b2,d2,f4,g4 x 8/8 - - 49 0"
    story = list(GAME.position(fifty).events("MOVE g7 f6"))
    assert story[-1] == End(Outcome(None, (8, 8), Reason.FIFTY_MOVES))
    assert CLASSIC.position(fifty).play("MOVE g7 f6").outcome() is None


def test_never_while_a_shot_is_due() -> None:
    position = GAME.position("0/0 a1,d1,g7 b2,d2,f4,g4 x 8/9 - - 49 9")
    after = position.play("FLY g7 g1")
    assert after.outcome() is None
    assert after.legal_moves()[0] == "STEAL b2"


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("a1", "ADD a1"),
        ("A1", "ADD a1"),
        ("ADD a1", "ADD a1"),
        ("add (0, 0)", "ADD a1"),
        ("ADD  (6,6)", "ADD g7"),
    ],
)
def test_views_of_a_placing(text: str, move: str) -> None:
    assert GAME.parse_move(text, GAME.start()) == move


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("g7-f6", "MOVE g7 f6"),
        ("MOVE g7 f6", "MOVE g7 f6"),
        ("MOVE (6,6) (5,5)", "MOVE g7 f6"),
    ],
)
def test_views_of_a_move(text: str, move: str) -> None:
    position = GAME.position("0/0 a1,d1,g7,e5 b2,d2,f4,g4 x 8/8 - - 4 0")
    assert GAME.parse_move(text, position) == move
    assert GAME.format_move(move, position) == "g7-f6"


def test_a_word_may_tell_a_move_and_its_shot() -> None:
    position = GAME.position("10/10 a1,d1 a4,b4 x 0/0 - - 4 0")
    assert GAME.parse_turn("g1xb4", position) == ("ADD g1", "STEAL b4")
    assert GAME.format_turn(["ADD g1", "STEAL b4", "ADD g7"], position) == ("g1xb4", 2)
    with pytest.raises(mbegu.IllegalMove, match="while you have cows in hand you must place one"):
        GAME.parse_turn("g4xb4", position)
    with pytest.raises(mbegu.InvalidMove):
        GAME.parse_move("g1xb4", position)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is not a Morabaraba position"),
        ("12/12 - - z 0/0 - - 0 0", "is not a Morabaraba position"),
        ("11/12 - - x 0/0 - - 0 0", "Dark must have twelve cows"),
        ("11/12 a9 - x 0/0 - - 0 0", "“a9” is not a point"),
        ("10/12 a1,a1 - x 0/0 - - 0 0", "is taken twice"),
        ("12/12 - - x! 0/0 - - 0 0", "a shot is due only after a mill"),
        ("12/12 - - x 0/0 a1-b1-c1 - 0 0", "is not a mill"),
        ("12/12 - - x 0/0 - - many 0", "counter: “many”"),
        ("13/12 - - x 0/0 - - 0 0", "“13” is not a number from 0 to 12"),
    ],
)
def test_refused_texts(text: str, words: str) -> None:
    with pytest.raises(mbegu.InvalidPosition) as caught:
        GAME.position(text)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("board", "x" * 24),
        ("board", 24),
        ("board", "." * 23),
        ("turn", 0),
        ("turn", True),
        ("phase", "MOVE"),
        ("phase", "STEAL"),
        ("in_hand", [12]),
        ("score", [0, -1]),
        ("ban", []),
        ("ban", [[["a1"]], []]),
        ("ban", [["a1-a4"], []]),
        ("quiet", None),
        ("three", 1.0),
        ("over", {"reason": "two_cows", "winner": 1}),
    ],
)
def test_refused_states(key: str, value: object) -> None:
    state = GAME.start().to_json() | {key: value}
    with pytest.raises(mbegu.InvalidPosition):
        GAME.from_json(state)

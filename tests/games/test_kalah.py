"""Kalah: its options, instructive moves, texts and refusals."""

import pytest

import mbegu
from mbegu.core.events import Capture, End, ExtraTurn, Lift, Skip, Sow, Sweep
from mbegu.core.outcome import Outcome, Reason
from mbegu.core.reader import read_records
from mbegu.games.kalah import Kalah, KalahPosition

KALAH = Kalah()
START = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S"


def at(text: str, game: Kalah = KALAH) -> KalahPosition:
    return game.position(text)


# ---- the card and its options


def test_the_card() -> None:
    assert (KALAH.name, KALAH.id) == ("kalah", "kalah@1")
    assert (KALAH.side(0), KALAH.side(1)) == ("South", "North")
    assert "Champion" in KALAH.people
    assert mbegu.game("mancala") == mbegu.game("kalaha") == KALAH
    assert KALAH.repetition_limit is None  # stones only ever move forward


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("kalah", "kalah(pits=6,seeds=4)"),
        ("kalah(seeds=3)", "kalah(pits=6,seeds=3)"),
        ("kalah(pits=10, seeds=12)", "kalah(pits=10,seeds=12)"),
        ("kalah(pits=1,seeds=127)", "kalah(pits=1,seeds=127)"),
        ("kalah(empty_capture=True)", "kalah(pits=6,seeds=4,empty_capture=True)"),
        ("kalah(empty_capture=False)", "kalah(pits=6,seeds=4)"),
    ],
)
def test_game_strings(text: str, canonical: str) -> None:
    assert str(mbegu.game(text)) == canonical
    assert mbegu.game(canonical) == mbegu.game(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kalah(pits=0)", "option pits: “0” is not one of 1..10"),
        ("kalah(pits=11)", "option pits: “11” is not one of 1..10"),
        ("kalah(seeds=0)", "option seeds: “0” is not one of 1..127"),
        ("kalah(seeds=-1)", "option seeds: “-1” is not one of 1..127"),
        ("kalah(empty_capture=1)", "option empty_capture: “1” is not one of True | False"),
        (
            "kalah(pits=10,seeds=13)",
            "pits=10 with seeds=13 makes 260 stones; a board may hold 255",
        ),
    ],
)
def test_refused_options(text: str, message: str) -> None:
    with pytest.raises(mbegu.InvalidOption) as caught:
        mbegu.game(text)
    assert str(caught.value) == message


def test_start() -> None:
    start = KALAH.start()
    assert start.to_json() == {"pits": [4] * 6 + [0] + [4] * 6 + [0], "to_move": 0}
    assert str(start) == START
    assert str(Kalah(pits=2, seeds=3).start()) == "<2,0,0,3,3,3,3> S"
    assert start.legal_moves() == [0, 1, 2, 3, 4, 5]
    assert start.scores() == (0, 0)
    assert start.outcome() is None


# ---- moves, told as events


def test_sowing_into_the_store_and_beyond() -> None:
    assert list(KALAH.start().events(4)) == [
        Lift("S5", 4),
        Sow("S6", 5),
        Sow("S", 1),
        Sow("N1", 5),
        Sow("N2", 5),
    ]
    assert str(KALAH.start().play(4)) == "<6,1,0,4,4,4,4,0,5,5,5,4,4,4,4> N"


def test_last_stone_in_the_store_moves_again() -> None:
    assert list(KALAH.start().events(2)) == [
        Lift("S3", 4),
        Sow("S4", 5),
        Sow("S5", 5),
        Sow("S6", 5),
        Sow("S", 1),
        ExtraTurn(0),
    ]
    again = KALAH.start().play(2)
    assert again.turn == 0
    assert again.legal_moves() == [0, 1, 3, 4, 5]


def test_the_opponents_store_is_passed_over() -> None:
    position = at("<6,0,0,1,1,0,0,0,8,1,1,1,1,1,1> S")
    assert list(position.events(5)) == [
        Lift("S6", 8),
        Sow("S", 1),
        *(Sow(f"N{number}", 2) for number in range(1, 7)),
        Skip("N"),
        Sow("S1", 2),
    ]
    north = at("<6,0,0,1,1,1,1,1,1,1,1,0,0,0,8> N")
    assert list(north.events(5)) == [
        Lift("N6", 8),
        Sow("N", 1),
        *(Sow(f"S{number}", 2) for number in range(1, 7)),
        Skip("S"),
        Sow("N1", 2),
    ]


def test_capture_across() -> None:
    position = at("<6,0,0,1,0,3,3,3,3,4,4,4,4,5,4> S")
    assert list(position.events(0)) == [
        Lift("S1", 1),
        Sow("S2", 1),
        Capture("S2", 1, "S"),
        Capture("N5", 5, "S"),
    ]
    assert str(position.play(0)) == "<6,6,0,0,0,3,3,3,3,4,4,4,4,0,4> N"


def test_north_captures_too() -> None:
    position = at("<6,0,0,4,5,4,4,4,4,3,3,3,1,0,3> N")
    assert list(position.events(3)) == [
        Lift("N4", 1),
        Sow("N5", 1),
        Capture("N5", 1, "N"),
        Capture("S2", 5, "N"),
    ]


def test_thirteen_stones_come_home_and_capture() -> None:
    position = at("<6,0,0,0,0,13,0,0,1,1,1,1,1,1,1> S")
    told = list(position.events(2))
    assert told[0] == Lift("S3", 13)
    assert told.count(Skip("N")) == 1
    assert told[-3:] == [Sow("S3", 1), Capture("S3", 1, "S"), Capture("N4", 2, "S")]
    assert str(position.play(2)) == "<6,4,0,1,1,0,1,1,2,2,2,2,0,2,2> N"


def test_nothing_is_taken_across_from_an_empty_pit() -> None:
    text = "<6,0,0,1,0,3,3,3,3,4,4,4,4,0,4> S"
    assert list(at(text).events(0)) == [Lift("S1", 1), Sow("S2", 1)]
    assert str(at(text).play(0)) == "<6,0,0,0,1,3,3,3,3,4,4,4,4,0,4> N"


def test_the_option_empty_capture_takes_the_lone_stone() -> None:
    position = at("<6,0,0,1,0,3,3,3,3,4,4,4,4,0,4> S", Kalah(empty_capture=True))
    assert list(position.events(0)) == [Lift("S1", 1), Sow("S2", 1), Capture("S2", 1, "S")]
    assert str(position.play(0)) == "<6,1,0,0,0,3,3,3,3,4,4,4,4,0,4> N"


def test_no_capture_on_the_opponents_side() -> None:
    position = at("<6,0,0,3,3,3,3,3,3,4,0,4,4,4,4> S")
    assert position.play(5).to_json()["pits"][7:9] == [5, 1]


# ---- the end


def test_an_empty_row_ends_the_game_and_overrides_the_extra_turn() -> None:
    position = at("<6,23,21,0,0,0,0,0,1,0,0,0,2,0,1> S")
    drawn = Outcome(None, (24, 24), Reason.SIDE_EMPTY)
    assert list(position.events(5)) == [
        Lift("S6", 1),
        Sow("S", 24),
        Sweep(1, ("N4", "N6"), 3),
        End(drawn),
    ]
    after = position.play(5)
    assert str(after) == "<6,24,24,0,0,0,0,0,0,0,0,0,0,0,0> ."
    assert (after.turn, after.legal_moves(), after.outcome()) == (None, [], drawn)


def test_a_capture_that_empties_the_other_row_leaves_the_mover_his_stones() -> None:
    position = at("<6,21,24,0,1,0,0,0,1,0,0,0,1,0,0> S")
    assert list(position.events(1)) == [
        Lift("S2", 1),
        Sow("S3", 1),
        Capture("S3", 1, "S"),
        Capture("N4", 1, "S"),
        Sweep(0, ("S6",), 1),
        End(Outcome(None, (24, 24), Reason.SIDE_EMPTY)),
    ]


def test_no_early_stop_at_a_majority() -> None:
    assert at("<6,40,0,1,0,0,0,0,1,1,0,0,0,0,5> S").outcome() is None


@pytest.mark.parametrize("side", ["S", "N", "."])
def test_a_position_with_an_empty_row_is_over(side: str) -> None:
    position = at(f"<6,10,20,0,0,0,0,0,0,1,2,3,4,5,3> {side}")
    assert position.turn is None
    assert str(position) == "<6,10,20,0,0,0,0,0,0,1,2,3,4,5,3> ."
    assert position.scores() == (10, 20)
    assert position.outcome() == Outcome(1, (10, 38), Reason.SIDE_EMPTY)


def test_the_smallest_board() -> None:
    game = Kalah(pits=1, seeds=1)
    after = game.start().play(0)
    assert str(after) == "<1,1,1,0,0> ."
    assert after.outcome() == Outcome(None, (1, 1), Reason.SIDE_EMPTY)


# ---- notation


def test_letters_run_along_the_sowing_and_capitals_are_souths() -> None:
    south = KALAH.start()
    north = south.play(0)
    assert [KALAH.format_move(move, south) for move in range(6)] == list("ABCDEF")
    assert [KALAH.format_move(move, north) for move in range(6)] == list("abcdef")
    assert KALAH.parse_move(" F ", south) == 5  # next to South's store
    assert KALAH.parse_move("a", north) == 0
    assert KALAH.parse_move("f", north) == 5


def test_small_letters_of_older_records_name_souths_pits_against_the_sowing() -> None:
    south = KALAH.start()
    assert [KALAH.parse_move(letter, south) for letter in "abcdef"] == [5, 4, 3, 2, 1, 0]
    (old,) = read_records('[Game "kalah(pits=6,seeds=4)"]\n\n1. d c b *\n')
    (new,) = read_records(str(old))
    assert list(new.moves) == list(old.moves) == [2, 3, 1]
    assert "1. C D 2. b" in str(old)


def test_whoever_types_sees_the_board_and_minds_no_capitals() -> None:
    south, north = KALAH.start(), KALAH.start().play(0)
    assert KALAH.parse_move(KALAH.typed("c", south), south) == 2
    assert KALAH.parse_move(KALAH.typed("C", north), north) == 2


def test_numbers_run_from_the_movers_left() -> None:
    south = KALAH.start()
    north = south.play(0)
    for position in (south, north):
        assert [KALAH.parse_move(text, position) for text in "123456"] == [0, 1, 2, 3, 4, 5]
    ten = Kalah(pits=10)
    assert ten.parse_move("10", ten.start()) == 9 == ten.parse_move("a", ten.start())
    assert ten.parse_move("j", ten.start()) == 0


@pytest.mark.parametrize("text", ["", "g", "0", "7", "01", "-1", "ab", "²", "a1", "S1", "x" * 9999])
def test_moves_that_cannot_be_read(text: str) -> None:
    with pytest.raises(mbegu.InvalidMove) as caught:
        KALAH.parse_move(text, KALAH.start())
    assert str(caught.value).endswith(
        " is not a pit: South plays A–F, North plays a–f, or write a number from 1 to 6"
    )
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("move", [-1, 6, True, 1.0, "0", None, 10**30])
def test_moves_that_are_no_pit(move: object) -> None:
    with pytest.raises(mbegu.InvalidMove, match=r"is not a pit: pits are 0 to 5$"):
        KALAH.start().play(move)  # type: ignore[arg-type]


def test_illegal_moves_name_the_rule() -> None:
    with pytest.raises(mbegu.IllegalMove) as caught:
        KALAH.parse_move("d", KALAH.start().play(2))
    assert str(caught.value) == "C: this pit is empty"
    over = at("<6,24,24,0,0,0,0,0,0,0,0,0,0,0,0> .")
    with pytest.raises(mbegu.IllegalMove) as caught:
        KALAH.parse_move("a", over)
    assert str(caught.value) == "F: the game is over"


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (KALAH, START),
        (KALAH, "<6,3,7,0,14,0,0,1,0,4,4,0,4,4,7> N"),
        (KALAH, "<6,0,0,0,0,0,0,0,0,0,0,0,0,0,0> ."),
        (KALAH, "<6,255,0,0,0,0,0,0,0,0,0,0,0,0,0> ."),
        (Kalah(pits=1), "<1,0,0,100,155> N"),
        (Kalah(pits=10, seeds=1), f"<10,0,0{',1' * 20}> S"),
    ],
)
def test_round_trips(game: Kalah, text: str) -> None:
    position = game.position(text)
    assert str(position) == text
    assert game.from_json(position.to_json()) == position


def test_a_literal_alone_means_south() -> None:
    assert at(START[:-2]) == KALAH.start()
    assert at(f"  {START} ") == KALAH.start()


HELP = (
    " is not a Kalah position: write the number of pits, South's store, North's store, "
    f"South's pits, North's pits and S or N, like {START}"
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "“”" + HELP),
        ("hello", "“hello”" + HELP),
        ("<", "“<”" + HELP),
        (START + " S", f"“{START} S”" + HELP),
        (START[:-1] + "s", f"“{START[:-1]}s”" + HELP),
        ("<6,0,0,4,4> S", "“<6,0,0,4,4> S”" + HELP),
        ("<6,0,0" + ",4" * 13 + ">", "“<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4>”" + HELP),
        (None, "“None”" + HELP),
        (b"<6>", "“b'<6>'”" + HELP),
        ("<>", "pits: “” is not a number from 0 to 255"),
        (
            "<5,0,0,4,4,4,4,4,4,4,4,4,4> S",
            "“<5,0,0,4,4,4,4,4,4,4,4,4,4> S” has pits=5, but this game has pits=6",
        ),
        ("<6,-1,0" + ",4" * 12 + ">", "store: “-1” is not a number from 0 to 255"),
        ("<6,0,0" + ",4" * 11 + ",04>", "pit N6: “04” is not a number from 0 to 255"),
        ("<6,0,0,x" + ",4" * 11 + ">", "pit S1: “x” is not a number from 0 to 255"),
        ("<6,0,0,256" + ",4" * 11 + ">", "pit S1: “256” is not a number from 0 to 255"),
        ("<6,200,56" + ",0" * 12 + ">", "256 stones are too many: a board may hold 255"),
        (START[:-1] + ".", "somebody must be to move: the game is not over"),
    ],
)
def test_refused_texts(text: str, message: str) -> None:
    with pytest.raises(mbegu.InvalidPosition) as caught:
        KALAH.position(text)
    assert str(caught.value) == message


FOURS = [4] * 14


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (None, "pits must be a list of 14 numbers, not “None”"),
        ([], "pits must be a list of 14 numbers, not “None”"),
        ({"pits": [4] * 13, "to_move": 0}, None),
        ({"pits": "44444444444444", "to_move": 0}, None),
        ({"pits": [True, *FOURS[1:]], "to_move": 0}, "pits: “True” is not a number from 0 to 255"),
        ({"pits": [-1, *FOURS[1:]], "to_move": 0}, "pits: “-1” is not a number from 0 to 255"),
        ({"pits": [4.0, *FOURS[1:]], "to_move": 0}, "pits: “4.0” is not a number from 0 to 255"),
        ({"pits": [10**40, *FOURS[1:]], "to_move": 0}, None),
        ({"pits": [19] * 14, "to_move": 0}, "266 stones are too many: a board may hold 255"),
        ({"pits": FOURS, "to_move": 2}, "to_move must be 0, 1 or null, not “2”"),
        ({"pits": FOURS, "to_move": True}, "to_move must be 0, 1 or null, not “True”"),
        ({"pits": FOURS}, "to_move must be 0, 1 or null, not “”"),
        ({"pits": FOURS, "to_move": None}, "somebody must be to move: the game is not over"),
    ],
)
def test_refused_json(state: object, message: str | None) -> None:
    with pytest.raises(mbegu.InvalidPosition) as caught:
        KALAH.from_json(state)
    assert str(caught.value) == message or message is None
    assert len(str(caught.value).splitlines()) == 1


# ---- diagrams


def drawn(text: str) -> str:
    """A diagram as written below: without the frame of the test file."""
    return "\n".join(line.removeprefix("    |") for line in text.strip("\n").splitlines())


def test_diagram_with_letters_over_souths_pits() -> None:
    assert at("<6,3,12,1,2,3,4,5,6,7,8,9,10,11,0> S").diagram() == drawn("""
    |              F    E    D    C    B    A
    |      +----+----+----+----+----+----+----+----+
    |      |    |  6 |  5 |  4 |  3 |  2 |  1 |    |
    |South |  3 +----+----+----+----+----+----+ 12 | North
    |      |    |  7 |  8 |  9 | 10 | 11 |  0 |    |
    |      +----+----+----+----+----+----+----+----+
""")


def test_diagram_with_letters_under_norths_pits() -> None:
    assert at("<3,0,0,1,1,1,2,2,2> N", Kalah(pits=3)).diagram() == drawn("""
    |      +----+----+----+----+----+
    |      |    |  1 |  1 |  1 |    |
    |South |  0 +----+----+----+  0 | North
    |      |    |  2 |  2 |  2 |    |
    |      +----+----+----+----+----+
    |              a    b    c
""")


def test_diagram_of_the_end_has_no_letters_and_wide_counts_fit() -> None:
    assert at("<2,100,7,0,0,5,120> .", Kalah(pits=2)).diagram() == drawn("""
    |      +-----+-----+-----+-----+
    |      |     |   0 |   0 |     |
    |South | 100 +-----+-----+   7 | North
    |      |     |   5 | 120 |     |
    |      +-----+-----+-----+-----+
""")


@pytest.mark.parametrize("pits", range(1, 11))
def test_diagrams_are_straight(pits: int) -> None:
    lines = Kalah(pits=pits).start().diagram().splitlines()
    edge, top, bottom = lines[1], lines[2], lines[4]
    assert len(edge) == len(top) == len(bottom)
    assert [i for i, c in enumerate(edge) if c == "+"] == [i for i, c in enumerate(top) if c == "|"]
    under = {lines[2][i] for i, c in enumerate(lines[0]) if c != " "}
    assert under == {"4"}

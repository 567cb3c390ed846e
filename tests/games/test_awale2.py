"""Two-colour Awale: its options, the worked cases, texts and refusals."""

import re

import pytest

import mbegu
from mbegu.core.events import Capture, End, Lift, Skip, Sow, Sweep
from mbegu.core.outcome import Outcome, Reason
from mbegu.games.awale2 import Awale2, Awale2Position

AWALE2 = Awale2()
START = "-".join(["2R2B"] * 16) + "-0-0-O"


def board(
    holes: dict[int, str],
    *,
    turn: int,
    score: tuple[int, int] = (0, 0),
    game: Awale2 = AWALE2,
) -> Awale2Position:
    """The position with these holes, written like 2R2B; all others are empty."""
    cells = "-".join(holes.get(number, "0R0B") for number in range(1, 17))
    return game.position(f"{cells}-{score[0]}-{score[1]}-{'OE'[turn]}")


# ---- the card and its options


def test_the_card() -> None:
    assert (AWALE2.name, AWALE2.id, AWALE2.ply_cap) == ("awale2", "awale2@1", 1000)
    assert (AWALE2.side(0), AWALE2.side(1)) == ("Odd", "Even")
    assert "West Africa" in AWALE2.people
    assert mbegu.game("two-colour-awale") == AWALE2


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("awale2", "awale2"),
        ("awale2(chain=ring)", "awale2"),
        ("awale2(chain=sown,red_everywhere=False)", "awale2(red_everywhere=False,chain=sown)"),
        ("awale2(starve_first=False)", "awale2(starve_first=False)"),
    ],
)
def test_game_strings(text: str, canonical: str) -> None:
    assert str(mbegu.game(text)) == canonical
    assert mbegu.game(canonical) == mbegu.game(text)


def test_refused_options() -> None:
    with pytest.raises(mbegu.InvalidOption) as caught:
        mbegu.game("awale2(chain=long)")
    assert str(caught.value) == "option chain: “long” is not one of ring | sown"


def test_start() -> None:
    start = AWALE2.start()
    assert str(start) == START
    assert start.to_json() == {
        "red": [2] * 16,
        "blue": [2] * 16,
        "score": [0, 0],
        "to_move": 0,
    }
    assert start.legal_moves() == [f"{hole}{c}" for hole in range(1, 17, 2) for c in "RB"]
    assert start.play("1R").legal_moves() == [
        f"{hole}{c}" for hole in range(2, 17, 2) for c in "RB"
    ]
    assert start.scores() == (0, 0)
    assert start.outcome() is None


# ---- moves, told as events


def test_red_falls_into_every_hole() -> None:
    assert list(AWALE2.start().events("15R")) == [
        Lift("15", 2, "R"),
        Sow("16", 5, "R"),
        Sow("1", 5, "R"),
    ]


def test_blue_falls_into_the_opponents_holes_only() -> None:
    assert list(AWALE2.start().events("1B")) == [
        Lift("1", 2, "B"),
        Sow("2", 5, "B"),
        Skip("3"),
        Sow("4", 5, "B"),
    ]


def test_the_option_red_everywhere_swaps_the_colours() -> None:
    start = Awale2(red_everywhere=False).start()
    assert [event.hole for event in start.events("1B") if isinstance(event, Sow)] == ["2", "3"]
    assert [event.hole for event in start.events("1R") if isinstance(event, Sow)] == ["2", "4"]


def test_the_hole_of_departure_never_receives() -> None:
    position = board({1: "16R1B", 2: "4R4B", 16: "4R4B"}, turn=0)
    told = list(position.events("1R"))
    assert told[0] == Lift("1", 16, "R")
    assert told[-3:] == [Sow("16", 9, "R"), Skip("1"), Sow("2", 10, "R")]
    after = position.play("1R")
    assert (after.red[0], after.blue[0]) == (0, 1)


def test_blue_goes_round_past_its_own_hole() -> None:
    position = board({1: "0R9B", 2: "4R4B", 16: "4R4B"}, turn=0)
    told = list(position.events("1B"))
    assert told[-3:] == [Sow("16", 9, "B"), Skip("1"), Sow("2", 10, "B")]
    assert [event.hole for event in told if isinstance(event, Skip)] == [
        *(str(hole) for hole in range(3, 16, 2)),
        "1",
    ]


# ---- captures: the worked cases


def test_capture_runs_round_the_ring_and_takes_the_hole_of_departure() -> None:
    position = board({1: "2R0B", 16: "2R0B", 15: "0R2B", 14: "2R2B", 13: "2R2B"}, turn=1)
    assert list(position.events("14B")) == [
        Lift("14", 2, "B"),
        Sow("15", 3, "B"),
        Skip("16"),
        Sow("1", 3, "B"),
        Capture("1", 3, "Even"),
        Capture("16", 2, "Even"),
        Capture("15", 3, "Even"),
        Capture("14", 2, "Even"),
        End(Outcome(1, (0, 10), Reason.FEW_SEEDS)),
    ]


SECOND = {
    1: "1R0B",
    2: "2R0B",
    3: "0R1B",
    4: "0R2B",
    5: "1R0B",
    16: "1R3B",
    15: "2R0B",
    14: "0R4B",
}


def test_the_second_worked_case() -> None:
    position = board(SECOND, turn=1)
    blue = [event for event in position.events("16B") if isinstance(event, Capture)]
    assert blue == [
        Capture("5", 2, "Even"),
        Capture("4", 2, "Even"),
        Capture("3", 2, "Even"),
        Capture("2", 2, "Even"),
        Capture("1", 2, "Even"),
    ]
    assert position.play("16B").scores() == (0, 10)
    red = [event for event in position.events("16R") if isinstance(event, Capture)]
    assert red == [Capture("1", 2, "Even"), Capture("16", 3, "Even"), Capture("15", 2, "Even")]
    assert position.play("16R").scores() == (0, 7)


def test_the_option_chain_sown_takes_only_holes_just_sown() -> None:
    position = board(SECOND, turn=1, game=Awale2(chain="sown"))
    taken = {
        move: [event.hole for event in position.events(move) if isinstance(event, Capture)]
        for move in ("16B", "16R")
    }
    assert taken == {"16B": ["5", "3", "1"], "16R": ["1"]}


def test_one_and_four_break_the_chain() -> None:
    four = board({1: "2R0B", 2: "3R0B", 3: "1R0B", 8: "4R4B"}, turn=0)
    assert four.play("1R").scores() == (2, 0)  # hole 3 makes two, hole 2 makes four
    one = board({1: "1R0B", 8: "4R4B", 9: "4R4B"}, turn=0)
    assert one.play("1R").scores() == (0, 0)


# ---- the end


def test_starving_takes_all_that_is_left() -> None:
    position = board(
        {4: "5R0B", 10: "0R1B", 11: "0R1B", 16: "6R7B"},
        turn=1,
        score=(20, 24),
    )
    assert list(position.events("10B")) == [
        Lift("10", 1, "B"),
        Sow("11", 2, "B"),
        Capture("11", 2, "Even"),
        Sweep(1, ("4", "16"), 18),
        End(Outcome(1, (20, 44), Reason.STARVED)),
    ]
    after = position.play("10B")
    assert str(after) == "-".join(["0R0B"] * 16) + "-20-44-."
    assert (after.turn, after.legal_moves()) == (None, [])


def test_starving_may_make_it_even() -> None:
    holes = {2: "0R2B", 4: "0R1B", 12: "1R1B", 14: "0R1B", 15: "0R1B", 16: "0R1B"}
    after = board(holes, turn=1, score=(32, 24)).play("14B")
    assert after.outcome() == Outcome(None, (32, 32), Reason.STARVED)


STARVES_AND_LEAVES_FEW = {2: "0R2B", 4: "1R1B", 14: "0R1B", 15: "0R1B", 16: "0R2B"}


def test_starving_comes_before_too_few_seeds() -> None:
    after = board(STARVES_AND_LEAVES_FEW, turn=1, score=(30, 10)).play("14B")
    assert after.outcome() == Outcome(0, (30, 18), Reason.STARVED)


def test_the_option_starve_first_reverses_the_order() -> None:
    game = Awale2(starve_first=False)
    after = board(STARVES_AND_LEAVES_FEW, turn=1, score=(30, 10), game=game).play("14B")
    assert after.outcome() == Outcome(0, (30, 12), Reason.FEW_SEEDS)
    assert sum(after.red + after.blue) == 6
    many = board({4: "5R3B", 10: "0R1B", 11: "0R1B"}, turn=1, game=game).play("10B")
    assert many.outcome() == Outcome(1, (0, 10), Reason.STARVED)


def test_a_majority_ends_the_game_before_starving() -> None:
    holes = {2: "2R1B", 3: "2R0B", 4: "0R2B", 8: "3R1B", 14: "0R1B", 16: "2R1B"}
    position = board(holes, turn=1, score=(20, 29))
    assert list(position.events("2R"))[-3:] == [
        Capture("4", 3, "Even"),
        Capture("3", 3, "Even"),
        End(Outcome(1, (20, 35), Reason.MAJORITY)),
    ]


def test_too_few_seeds_count_for_nobody() -> None:
    position = board({1: "1R0B", 2: "1R0B", 4: "3R0B", 9: "4R0B"}, turn=0, score=(10, 20))
    after = position.play("1R")
    assert sum(after.red) == 7
    assert after.outcome() == Outcome(1, (12, 20), Reason.FEW_SEEDS)


def test_play_goes_on_when_only_the_mover_is_empty() -> None:
    after = board({1: "1R0B", 4: "4R4B"}, turn=0).play("1R")
    assert after.turn == 1
    assert after.outcome() is None


def test_a_position_set_up_with_a_starved_player_is_settled() -> None:
    position = board({1: "4R4B"}, turn=1, score=(3, 4))
    assert str(position) == "-".join(["0R0B"] * 16) + "-11-4-."
    assert position.outcome() == Outcome(0, (11, 4), Reason.STARVED)
    assert board({2: "4R4B"}, turn=0).outcome() == Outcome(1, (0, 8), Reason.STARVED)


def test_positions_set_up_after_the_end() -> None:
    few = board({1: "4R0B", 2: "3R0B"}, turn=0)
    assert few.outcome() == Outcome(None, (0, 0), Reason.FEW_SEEDS)
    won = board({1: "4R4B", 2: "3R0B"}, turn=0, score=(5, 33))
    assert won.outcome() == Outcome(1, (5, 33), Reason.MAJORITY)
    assert str(won).endswith("-5-33-.")


def test_the_ply_cap_is_a_draw() -> None:
    position = board({1: "4R4B", 2: "3R0B"}, turn=0, score=(5, 13))
    assert AWALE2.ply_cap_outcome(position) == Outcome(None, (5, 13), Reason.PLY_CAP)


# ---- notation


def test_moves_are_read_and_written() -> None:
    start = AWALE2.start()
    assert AWALE2.parse_move("3R", start) == AWALE2.parse_move(" 3r ", start) == "3R"
    assert AWALE2.parse_move("15b", start) == "15B"
    assert AWALE2.format_move("15B", start) == "15B"


@pytest.mark.parametrize(
    "text", ["", "R", "3", "0R", "17R", "03R", "3G", "3RB", "-3R", "³R", "3 R"]
)
def test_moves_that_cannot_be_read(text: str) -> None:
    with pytest.raises(mbegu.InvalidMove) as caught:
        AWALE2.parse_move(text, AWALE2.start())
    assert str(caught.value) == (
        f"“{text}” is not a move: write a hole from 1 to 16 and R or B, like 3R"
    )


@pytest.mark.parametrize("move", [3, True, None, "3r", ["3R"], ("3", "R")])
def test_moves_that_are_none(move: object) -> None:
    with pytest.raises(mbegu.InvalidMove, match="is not a move"):
        AWALE2.start().play(move)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("2R", "2R: this hole belongs to Even; Odd is to move"),
        ("1R", "1R: this hole has no red seeds"),
        ("3B", "3B: this hole has no blue seeds"),
    ],
)
def test_illegal_moves_name_the_rule(move: str, message: str) -> None:
    position = board({1: "0R4B", 2: "4R4B", 3: "4R0B"}, turn=0)
    with pytest.raises(mbegu.IllegalMove) as caught:
        AWALE2.parse_move(move, position)
    assert str(caught.value) == message


def test_no_move_after_the_end() -> None:
    with pytest.raises(mbegu.IllegalMove) as caught:
        board({1: "0R4B"}, turn=0).play("1B")
    assert str(caught.value) == "1B: the game is over"


@pytest.mark.parametrize(
    "text",
    [
        START,
        "-".join(["0R0B"] * 16) + "-44-20-.",
        "-".join(["0R0B"] * 15 + ["64R0B"]) + "-0-0-E",
        "-".join(["1R0B"] * 7 + ["0R0B"] * 9) + "-27-30-.",
        "-".join(["1R2B"] * 16) + "-7-9-E",
    ],
)
def test_round_trips(text: str) -> None:
    position = AWALE2.position(text)
    assert str(position) == text
    assert AWALE2.from_json(position.to_json()) == position


CELLS = ["2R2B"] * 15
HELP = (
    " is not a two-colour Awale position: write sixteen holes like 2R2B, two scores and O or E, "
    "all joined by -"
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "“”" + HELP),
        ("hello", "“hello”" + HELP),
        (None, "“None”" + HELP),
        ("2R2B-0-0-O", "“2R2B-0-0-O”" + HELP),
        ("-".join(["2", *CELLS]) + "-0-0-O", "hole 1: write “2” like 2R2B"),
        ("-".join([*CELLS, "2B2R"]) + "-0-0-O", "hole 16: write “2B2R” like 2R2B"),
        ("-".join([*CELLS, "2R2Bx"]) + "-0-0-O", "hole 16: write “2R2Bx” like 2R2B"),
        ("-".join(["R2B", *CELLS]) + "-0-0-O", "hole 1: “” is not a number from 0 to 64"),
        ("-".join(["2R02B", *CELLS]) + "-0-0-O", "hole 1: “02” is not a number from 0 to 64"),
        ("-".join(["65R0B", *CELLS]) + "-0-0-O", "hole 1: “65” is not a number from 0 to 64"),
        (START[:-5] + "x-0-O", "score: “x” is not a number from 0 to 64"),
        (
            START[:-5] + "1-0-O",
            "65 seeds are too many: board and scores may hold 64",
        ),
        (START[:-1] + ".", "somebody must be to move: the game is not over"),
    ],
)
def test_refused_texts(text: str, message: str) -> None:
    with pytest.raises(mbegu.InvalidPosition) as caught:
        AWALE2.position(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"red": [2] * 15}, None),
        ({"red": None}, "red must be a list of 16 numbers, not “None”"),
        ({"red": [True] * 16}, "red: “True” is not a number from 0 to 64"),
        ({"blue": [-1] * 16}, "blue: “-1” is not a number from 0 to 64"),
        ({"blue": [65] * 16}, "blue: “65” is not a number from 0 to 64"),
        ({"blue": ["2"] * 16}, "blue: “2” is not a number from 0 to 64"),
        ({"score": [0]}, "score must be a list of 2 numbers, not “[0]”"),
        ({"score": [0, 10**50]}, None),
        ({"score": [1, 0]}, "65 seeds are too many: board and scores may hold 64"),
        ({"to_move": "0"}, "to_move must be 0, 1 or null, not “0”"),
        ({"to_move": False}, "to_move must be 0, 1 or null, not “False”"),
        ({"to_move": None}, "somebody must be to move: the game is not over"),
    ],
)
def test_refused_json(change: dict[str, object], message: str | None) -> None:
    with pytest.raises(mbegu.InvalidPosition) as caught:
        AWALE2.from_json(AWALE2.start().to_json() | change)
    assert str(caught.value) == message or message is None
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("state", [None, [], "start", 7, {}])
def test_refused_json_of_another_kind(state: object) -> None:
    with pytest.raises(mbegu.InvalidPosition, match=r"^red must be a list of 16 numbers"):
        AWALE2.from_json(state)


# ---- diagrams


def drawn(text: str) -> str:
    """A diagram as written below: without the frame of the test file."""
    return "\n".join(line.removeprefix("    |") for line in text.strip("\n").splitlines())


def test_diagram() -> None:
    position = board({1: "1R2B", 8: "0R3B", 9: "4R0B", 16: "5R6B"}, turn=0, score=(3, 12))
    assert position.diagram() == drawn("""
    |   1       2       3       4       5       6       7       8
    |[1R 2B] [0R 0B] [0R 0B] [0R 0B] [0R 0B] [0R 0B] [0R 0B] [0R 3B]
    |[5R 6B] [0R 0B] [0R 0B] [0R 0B] [0R 0B] [0R 0B] [0R 0B] [4R 0B]
    |  16      15      14      13      12      11      10       9
    |Odd ( 3)   Even (12)
""")


def test_wide_counts_fit() -> None:
    lines = board({1: "12R2B", 8: "0R30B"}, turn=0).diagram().splitlines()
    assert lines[1].startswith("[12R  2B] [ 0R  0B]")
    assert len(lines[1]) == len(lines[2]) == 79


def test_colour_is_never_alone() -> None:
    position = AWALE2.start().play("1R")
    coloured = position.diagram(colour=True)
    assert "\x1b[91m3R\x1b[0m \x1b[94m2B\x1b[0m" in coloured
    assert re.sub(r"\x1b\[\d+m", "", coloured) == position.diagram()


def test_a_capture_of_every_seed_can_be_a_majority() -> None:
    seeds = {12: (0, 2), 13: (0, 2), 14: (1, 2), 15: (1, 0)}
    state = {
        "red": [seeds.get(hole, (0, 0))[0] for hole in range(16)],
        "blue": [seeds.get(hole, (0, 0))[1] for hole in range(16)],
        "score": [30, 26],
        "to_move": 0,
    }
    outcome = mbegu.game("awale2").from_json(state).play("15R").outcome()
    assert outcome is not None
    assert (outcome.scores, outcome.reason) == ((38, 26), mbegu.Reason.MAJORITY)

"""Records: exact round trips, and an error with its place for everything that is wrong."""

import io
import json
import os
import random
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mbegu.core import files, movetext
from mbegu.core.errors import InvalidRecord
from mbegu.core.files import open_records, save_text, write_records
from mbegu.core.game import Position
from mbegu.core.outcome import Outcome, Reason
from mbegu.core.reader import parse_record, read_records
from mbegu.core.record import MAX_NESTING, RESULTS, Record, Step
from mbegu.core.registry import game, game_names

GAMES = [
    "oware",
    "oware(grand_slam=take,min_seeds=0)",
    "kalah",
    "kalah(pits=3,seeds=2)",
    "awale2",
    "urubugu",
    "urubugu(start_min=2)",
    "morabaraba",
    "morabaraba(rules=classic)",
]

KALAH = """\
[Game "kalah(pits=1,seeds=1)"]
[Rules "kalah@1"]
[Player0 "Amina"]
[Player1 "greedy"]
[Result "1/2-1/2"]
[Score "1-1"]
[Termination "side_empty"]

1. a 1/2-1/2
"""


def play_out(start: Position, rng: random.Random, plies: int) -> Record:
    """A random game of at most so many plies."""
    moves = []
    position = start
    while position.turn is not None and len(moves) < plies:
        moves.append(rng.choice(position.legal_moves()))
        position = position.play(moves[-1])
    record = Record.of(start, moves)
    outcome = position.outcome()
    return record if outcome is None else record.ended(outcome)


def annotated(
    position: Position, rng: random.Random, plies: int, texts: list[str], depth: int = 0
) -> tuple[Step, ...]:
    """A random line with comments, glyphs and variations within variations."""
    steps = []
    for _ply in range(plies):
        if position.turn is None:
            break
        move = rng.choice(position.legal_moves())
        variations = []
        while depth < 3 and rng.random() < 0.2:
            variations.append(annotated(position, rng, rng.randint(1, 4), texts, depth + 1))
        comment = rng.choice(texts) if texts and rng.random() < 0.3 else ""
        glyphs = tuple(rng.randrange(256) for _ in range(rng.choice([0, 0, 0, 1, 2])))
        steps.append(Step(move, comment, glyphs, tuple(variations)))
        position = position.play(move)
    return tuple(steps)


ANY_TEXT = st.text(st.characters(), max_size=60)  # surrogates and control characters included
NASTY = st.one_of(
    ANY_TEXT,
    st.text(' {}()[];"\\$%\n\r\t\0nu0é語\ud800\ufeff\u2028*1.-', max_size=200),
    st.text("word ", max_size=300),
)


@st.composite
def records(draw: st.DrawFn) -> Record:
    rng = draw(st.randoms(use_true_random=False))
    chosen = game(draw(st.sampled_from(GAMES)))
    start = play_out(chosen.start(), rng, draw(st.sampled_from([0, 0, 1, 7, 30]))).final
    texts = draw(st.lists(NASTY, max_size=5))
    steps = annotated(start, rng, draw(st.integers(0, 12)), texts)
    names = draw(st.lists(st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,8}", fullmatch=True), max_size=3))
    names = sorted(set(names) - set(Record.OWN_TAGS))
    record = Record(
        start,
        steps,
        players=draw(st.tuples(NASTY, NASTY)),
        date=draw(st.sampled_from(["", "2026.11.15", "????.??.??"])),
        time_control=draw(st.sampled_from(["", "60+1"])),
        comment=draw(NASTY),
        tags=tuple((name, draw(NASTY)) for name in names),
    )
    outcome = record.final.outcome()
    if outcome is None and draw(st.booleans()):
        reason = draw(st.sampled_from([Reason.TIMEOUT, Reason.FORFEIT, Reason.ABANDONED]))
        outcome = Outcome(draw(st.sampled_from([0, 1, None])), record.final.scores(), reason)
    return record if outcome is None else record.ended(outcome)


# ---- round trips


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(records())
def test_text_round_trip_is_exact(record: Record) -> None:
    text = str(record)
    again = parse_record(text)
    assert again == record
    assert str(again) == text
    text.encode()  # whatever the names and comments hold, the file is UTF-8
    assert all(len(line) <= 80 or " " not in line.strip("{} ") for line in _moves_of(text))


def _moves_of(text: str) -> list[str]:
    """Lines of movetext without runs of spaces, which must not be broken."""
    return [line for line in text.split("\n\n", 1)[1].splitlines() if "  " not in line]


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(records())
def test_json_round_trip_is_exact(record: Record) -> None:
    obj = json.loads(json.dumps(record.to_json()))
    assert Record.from_json(obj) == record


@pytest.mark.parametrize("name", GAMES)
def test_whole_games_round_trip(name: str) -> None:
    for seed in range(3):
        record = play_out(game(name).start(), random.Random(seed), 400)
        record.check()
        assert parse_record(str(record)) == record
        assert record.positions()[-1] == record.final
        assert len(record.positions()) == len(record.moves) + 1
    assert {str(game(name)).split("(")[0] for name in GAMES} >= set(game_names()) - {"nim"}


def test_layout() -> None:
    start = game("oware").start()
    record = Record(
        start,
        (
            Step(2, "Wide."),
            Step(11, glyphs=(5, 14), variations=((Step(6), Step(5)), (Step(7),))),
            Step(5),
        ),
        players=('Am\\i"na', "Ñandú"),
        date="2026.11.15",
        time_control="60+1",
        comment="{A} first\ngame",
        tags=(("Event", "Club"),),
    )
    text = str(record)
    assert text == (
        '[Game "oware"]\n[Rules "oware-abapa@1"]\n[Player0 "Am\\\\i\\"na"]\n[Player1 "Ñandú"]\n'
        '[Date "2026.11.15"]\n[TimeControl "60+1"]\n[Result "*"]\n[Event "Club"]\n\n'
        "{\\{A\\} first\\ngame} 1. C {Wide.} 1... f $5 $14 (1... a 2. F) (1... b) 2. F *\n"
    )
    assert parse_record(text) == record


def test_a_shot_and_its_move_are_one_word_unless_a_remark_stands_between() -> None:
    start = game("morabaraba").start()
    moves = ["ADD a1", "ADD g7", "ADD a4", "ADD g4", "ADD a7", "STEAL g7", "ADD b2"]
    plain = Record.of(start, moves)
    assert "3. a7xg7 b2 *" in str(plain)
    steps = list(plain.steps)
    said = replace(plain, steps=(*steps[:4], replace(steps[4], comment="A mill."), *steps[5:]))
    assert "3. a7 {A mill.} 3... xg7 4. b2 *" in str(said)
    other = replace(steps[5], variations=((Step("STEAL g4"),),))
    cut = replace(plain, steps=(*steps[:5], other, steps[6]))
    assert "3. a7 xg7 (3... xg4) 4. b2 *" in str(cut)
    first = replace(steps[4], variations=((Step("ADD b4"),),))
    whole = replace(plain, steps=(*steps[:4], first, *steps[5:]))
    assert "3. a7xg7 (3. b4) 3... b2 *" in str(whole)
    for record in (plain, said, cut, whole):
        assert parse_record(str(record)) == record


def test_loose_text_is_read_and_written_canonically() -> None:
    text = (
        '\ufeff  [Game "awale"]   [Player0 "A"]\r\n'
        "; before the game\r\n"
        "1.A!? f ?? 2. B{x}$3(2.C {y} ) {z};rest of the line\r\n"
        "2...({better} 2. D) a *"
    )
    record = parse_record(text)
    assert record.comment == "before the game"
    assert record.players == ("A", "?")
    assert record.steps == (
        Step(0, glyphs=(5,)),
        Step(11, glyphs=(4,)),
        Step(1, "x z rest of the line", (3,), ((Step(2, "y"),), (Step(3, "better"),))),
        Step(6),
    )
    assert str(parse_record(str(record))) == str(record)


# ---- the model


def test_append_and_ended() -> None:
    record = Record.of(game("kalah(pits=1,seeds=1)").start())
    assert record.outcome is None
    done = record.append(0)
    assert (done.result, done.termination, done.score) == ("1/2-1/2", Reason.SIDE_EMPTY, (1, 1))
    assert done.outcome == done.final.outcome()
    given_up = record.ended(Outcome(1, (0, 0), Reason.RESIGNATION))
    assert given_up.outcome == Outcome(1, (0, 0), Reason.RESIGNATION)
    assert given_up.append(0).result == "1/2-1/2"


@pytest.mark.parametrize("name", ["Game", "Result", "two words", "", "é", "9"])
def test_bad_extra_tags_are_refused(name: str) -> None:
    with pytest.raises(InvalidRecord, match="extra tag"):
        Record(game("oware").start(), tags=((name, "x"),))


def test_a_tag_twice_and_a_strange_result_are_refused() -> None:
    start = game("oware").start()
    with pytest.raises(InvalidRecord, match="extra tag"):
        Record(start, tags=(("Event", "x"), ("Event", "y")))
    with pytest.raises(InvalidRecord, match="is not a result"):
        Record(start, result="2-0")


def test_a_record_too_deep_or_too_long_is_not_written() -> None:
    steps: tuple[Step, ...] = (Step(0),)
    for _depth in range(MAX_NESTING):
        steps = (Step(0, variations=(steps,)),)
    start = game("oware").start()
    assert parse_record(str(Record(start, steps))).steps == steps
    with pytest.raises(InvalidRecord, match="deep"):
        str(Record(start, (Step(0, variations=(steps,)),)))
    with pytest.raises(InvalidRecord, match="too long"):
        str(Record(start, comment="x" * movetext.MAX_LINE))
    with pytest.raises(InvalidRecord, match="too long"):
        str(Record(start, comment="x y " * (movetext.MAX_RECORD // 4)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": "chess"}, "no game is called"),
        ({"game": 5}, "game cannot be"),
        ({"rules": "kalah@9"}, "this version knows kalah@1"),
        ({"setup": "nonsense"}, "nonsense"),
        ({"result": "1-0"}, "by the rules this game ended 1/2-1/2"),
        ({"score": [1, True]}, "score cannot be"),
        ({"termination": "boredom"}, "is not why a game ends"),
        ({"tags": [["Event"]]}, "tags cannot be"),
        ({"players": "ab"}, "players cannot be"),
        ({"steps": [{"move": 5}]}, "a|5"),
        ({"steps": [{"move": True}]}, "not a step"),
        ({"steps": [{"move": 0, "glyphs": [256]}]}, "not a step"),
        ({"steps": [{"move": 0, "variations": [[]]}]}, "needs a move"),
        ({"steps": ["a"]}, "move cannot be"),
    ],
)
def test_bad_json(change: dict[str, object], message: str) -> None:
    obj = parse_record(KALAH).to_json()
    assert Record.from_json(obj) == parse_record(KALAH)
    with pytest.raises(InvalidRecord, match=message):
        Record.from_json(obj | change)
    for junk in (None, [], "x", 5):
        with pytest.raises(InvalidRecord):
            Record.from_json(junk)


def test_json_too_deep_is_refused() -> None:
    obj: dict[str, object] = {"move": 0}
    for _depth in range(200):
        obj = {"move": 0, "variations": [[obj]]}
    with pytest.raises(InvalidRecord, match="deep"):
        Record.from_json({"game": "oware", "steps": [obj]})


# ---- what is wrong, and where

HEAD = '[Game "oware"]\n[Rules "oware-abapa@1"]\n\n'
BAD = [
    # text, line, column, message
    ("", 0, 0, "no record"),
    ("A b *", 1, 1, "begins with tags"),
    ('[Event "x"]\n*', 1, 1, "the tag Game is missing"),
    ('[Game "go"]\n*', 1, 1, "no game is called “go”; there are: .*oware"),
    ('[Game "kalah(pits=99)"]\n*', 1, 1, "option pits"),
    ('[Game "oware"]\n[Rules "oware-abapa@2"]\n*', 2, 1, "played by “oware-abapa@2”; this version knows oware-abapa@1"),
    ('[Game "oware"]\n[SetUp "4-4"]\n*', 2, 1, "not an Oware position"),
    ('[Game "oware"]\n[Game "kalah"]\n*', 2, 1, "tag Game stands here twice"),
    ('[Game "oware]\n*', 1, 7, "quote is not closed"),
    ('[Game "oware\\"]\n*', 1, 7, "quote is not closed"),
    ('[Game "oware"\n*', 1, 1, "bracket is not closed"),
    ("[Game oware]\n*", 1, 7, "stands in quotes"),
    ("[]\n*", 1, 2, "begins with its name"),
    ('["oware"]\n*', 1, 2, "begins with its name"),
    ('[Gäme "oware"]\n*', 1, 3, "stands in quotes"),
    ('[Game "oware"] [Event "a\\qb"]\n*', 1, 25, "means nothing"),
    ('[Game "oware"] [Event "a\\u12"]\n*', 1, 25, "means nothing"),
    (HEAD + "1. A G *", 4, 6, "“G” is not a house"),
    (HEAD + "1. a *", 4, 4, "a: this house belongs to North"),
    (HEAD + "1. A b\n2. A *", 5, 4, "A: this house is empty"),
    (HEAD + "1. A 2. b *", 4, 6, "the move number here is 1..., not “2.”"),
    (HEAD + "1... A *", 4, 1, "the move number here is 1., not “1...”"),
    (HEAD + "2. A *", 4, 1, "the move number here is 1."),
    (HEAD + "1. A (2. B) *", 4, 7, "the move number here is 1."),
    (HEAD + "1. A b", 4, 7, "stops without its result"),
    (HEAD, 4, 1, "stops without its result"),
    (HEAD + KALAH, 4, 1, "stops without its result"),
    (HEAD + '1. A b\n\n[Game "oware"]\n\n*', 6, 1, "stops without its result"),
    (HEAD + "1. A {never closed\n\n*", 4, 6, "comment is not closed"),
    (HEAD + "1. A {a\\} *", 4, 6, "comment is not closed"),
    (HEAD + "1. A } *", 4, 6, "no comment is open"),
    (HEAD + "1. A (1. B *", 4, 6, "variation is not closed"),
    (HEAD + "1. A ) *", 4, 6, "no variation is open"),
    (HEAD + "1. A () *", 4, 7, "a variation needs a move"),
    (HEAD + "(1. A) *", 4, 1, "follows the move that it replaces"),
    (HEAD + "1. A (1. B b (1... a) 1-0) *", 4, 6, "variation is not closed"),
    (HEAD + "1. A (1. B b 2. B) *", 4, 17, "B: this house is empty"),
    (HEAD + "$1 1. A *", 4, 1, "a glyph follows"),
    (HEAD + "1. A $256 *", 4, 6, "not a glyph"),
    (HEAD + "1. A ] *", 4, 6, "does not belong between moves"),
    (HEAD + '1. A "b" *', 4, 6, "does not belong between moves"),
    (HEAD + "1. A {\\x} *", 4, 7, "means nothing"),
    (HEAD + "1. A\0 *", 4, 5, r"U\+0000 .* binary"),
    (HEAD + "1. A \x1b[31m *", 4, 6, r"U\+001B .* binary"),
    (HEAD + "1. A {" + "x" * movetext.MAX_LINE + "} *", 4, movetext.MAX_LINE + 1, "line is longer"),
    (HEAD + "1. A " + "(1. B " * 40 + "*", 4, 186, "variations go 30 deep"),
    (HEAD + "1. A " + "(" * 100_000, 4, None, "line is longer|follows"),
    (HEAD + "1. A 1-0", 4, 6, "not over: write .* resignation"),
    (HEAD + "1. A * f", 4, 8, "begins with tags such as .*, not with “f”"),
    ('[Game "oware"] [Result "1-0"]\n*', 2, 1, "closes with ., but its Result tag says 1-0"),
    ('[Game "oware"] [Result "won"]\n*', 1, 16, "“won” is not a result"),
    ('[Game "oware"] [Score "many"]\n*', 1, 16, "not a score"),
    ('[Game "oware"] [Termination "fun"]\n*', 1, 16, "is not why a game ends"),
    ('[Game "oware"] [Termination "majority"]\n1-0', 2, 1, "by the rules this game is not over"),
    ('[Game "oware"] [Termination "timeout"]\n*', 2, 1, "goes on, but"),
    ('[Game "oware"] [Termination "agreement"]\n1-0', 2, 1, "an agreement is a draw"),
    ('[Game "oware"] [Termination "resignation"]\n1/2-1/2', 2, 1, "is not a draw"),
    ('[Game "oware"] [Termination "repetition"]\n1-0', 2, 1, "ended 1/2-1/2 with 24-24"),
    (KALAH.replace("1/2-1/2", "1-0"), 9, 6, "ended 1/2-1/2 with 1-1: side_empty"),
    (KALAH.replace("1/2-1/2", "*"), 9, 6, "ended 1/2-1/2 with 1-1: side_empty"),
    (KALAH.replace('"1-1"', '"2-0"'), 9, 6, "ended 1/2-1/2 with 1-1: side_empty"),
    (KALAH.replace("side_empty", "timeout"), 9, 6, "ended 1/2-1/2 with 1-1: side_empty"),
    (KALAH.replace("1. a 1", "1. a b 1"), 9, 6, "“b” comes after the end: the game ended 1/2-1/2"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "column", "message"), BAD)
def test_errors_say_where_and_why(text: str, line: int, column: int | None, message: str) -> None:
    with pytest.raises(InvalidRecord, match=message) as caught:
        parse_record(text, "file.txt")
    error = caught.value
    assert error.source == "file.txt"
    assert str(error).startswith("file.txt:" + (f"{line}:" if line else " "))
    assert "\n" not in str(error)
    assert error.line == line
    if column is not None:
        assert error.column == column


@pytest.mark.parametrize(("text", "line", "column", "message"), BAD)
def test_a_loose_reading_never_raises_and_keeps_the_error(
    text: str, line: int, column: int | None, message: str
) -> None:
    errors: list[InvalidRecord] = []
    after = f"\n\n{KALAH}"
    found = list(read_records(text + after, "file.txt", strict=False, errors=errors))
    if line:
        assert errors
    unclosed = "comment is not closed" in message or "longer" in message
    assert unclosed or found[-1] == parse_record(KALAH)
    assert {id(error) for record in found for error in record.errors} <= {id(e) for e in errors}


def test_remarks_alone_are_no_record() -> None:
    with pytest.raises(InvalidRecord, match=r"1:16: .* not with the end of the file"):
        parse_record("{only a remark}")


def test_a_loose_reading_keeps_what_it_can() -> None:
    text = HEAD + "1. A b 2. A {lost} b (2... c) 3. B 1-0\n"
    (record,) = read_records(text, "x", strict=False)
    assert record.moves == [0, 7]
    assert record.result == "1-0"
    assert [error.column for error in record.errors] == [11]
    text = HEAD + "1. A (1. B b 2. B b) f {kept} *\n"
    (record,) = read_records(text, "x", strict=False)
    assert record.steps == (Step(0, variations=((Step(1), Step(7)),)), Step(11, "kept"))
    text = '[Game "nothing"]\n\n1. A *\n\n' + KALAH
    errors: list[InvalidRecord] = []
    (record,) = read_records(text, "x", strict=False, errors=errors)
    assert record == parse_record(KALAH)
    assert record.errors == ()
    assert [error.line for error in errors] == [1]
    text = '[Game "oware"]\n[Rules "oware-abapa@9"]\n\n1. A *\n'
    (record,) = read_records(text, "x", strict=False)
    assert record.moves == [0]
    assert len(record.errors) == 1


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        ("1-0", "resignation"),
        ("0-1", "timeout"),
        ("1/2-1/2", "agreement"),
        ("1-0", "forfeit"),
        ("0-1", "abandoned"),
        ("*", "abandoned"),
        ("*", "aborted"),
        ("1/2-1/2", "repetition"),
        ("1/2-1/2", "ply_cap"),
    ],
)
def test_ends_that_the_players_brought_about(result: str, reason: str) -> None:
    text = f'[Game "oware"]\n[Termination "{reason}"]\n\n{result}\n'
    record = parse_record(text)
    assert (record.result, record.termination) == (result, Reason(reason))  # type: ignore[call-arg]
    if result != "*":
        assert record.outcome is not None
        assert record.outcome.result == result


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_a_damaged_file_is_read_or_refused_but_never_breaks(data: st.DataObject) -> None:
    text = str(data.draw(records())) + "\n" + KALAH
    raw = bytearray(text.encode())
    for _damage in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    if data.draw(st.booleans()):
        del raw[data.draw(st.integers(0, len(raw))) :]
    places = []
    try:
        list(read_records(io.BytesIO(bytes(raw)), "f"))
    except InvalidRecord as error:
        places.append((error.source, error.line, error.column))
    assert all(source == "f" and line > 0 and column > 0 for source, line, column in places)
    errors: list[InvalidRecord] = []
    list(read_records(io.BytesIO(bytes(raw)), "f", strict=False, errors=errors))
    assert bool(errors) == bool(places)


# ---- streams and files


class Endless(io.RawIOBase):
    """A file that never ends, and counts what is read of it."""

    def __init__(self, line: bytes) -> None:
        self.line, self.given = line, 0

    def readline(self, size: int | None = -1, /) -> bytes:
        assert size is not None
        assert size > 0
        self.given += len(self.line[:size])
        return self.line[:size]


def test_records_come_one_at_a_time() -> None:
    lines = (line for _copy in iter(int, 1) for line in [*KALAH.splitlines(), ""])
    records = read_records(lines)
    assert [next(records) for _ in range(50)] == [parse_record(KALAH)] * 50


def test_an_endless_line_and_an_endless_comment_are_refused() -> None:
    wall = Endless(b"x" * 10_000_000)
    with pytest.raises(InvalidRecord, match="line is longer"):
        next(read_records(wall))
    assert wall.given <= 2 * movetext.MAX_LINE
    stream = Endless(b"{ and so on\n")
    with pytest.raises(InvalidRecord, match="record is longer"):
        next(read_records(stream))
    assert stream.given <= 2 * movetext.MAX_RECORD


def test_a_text_stream_that_does_not_decode() -> None:
    stream = io.TextIOWrapper(io.BytesIO(KALAH.encode() + b"\xff\n"), encoding="utf-8")
    with pytest.raises(InvalidRecord, match="not UTF-8"):
        list(read_records(stream, "f"))
    stream = io.TextIOWrapper(io.BytesIO(KALAH.encode() + b"\xff\n"), encoding="utf-8")
    list(read_records(stream, "f", strict=False))


def test_bytes_that_are_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(KALAH.replace("Amina", "Aïna").encode() + b"\n{\xc3\xa9\xff}")
    found = open_records(path)
    next(found)
    with pytest.raises(InvalidRecord, match="0xFF is not UTF-8") as caught:
        next(found)
    assert (caught.value.line, caught.value.column) == (11, 3)
    path.write_bytes(bytes(range(256)) * 10)
    with pytest.raises(InvalidRecord, match=r"a\.txt:1:1: .*binary"):
        list(open_records(path))


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    missing = tmp_path / "missing.txt"
    with pytest.raises(InvalidRecord, match=r"missing\.txt: cannot be read: No such file"):
        open_records(missing)
    with pytest.raises(InvalidRecord, match="this is a folder"):
        open_records(tmp_path)
    with pytest.raises(InvalidRecord, match="not the name of a file"):
        open_records("a\0b")
    (tmp_path / "empty.txt").write_bytes(b"")
    assert list(open_records(tmp_path / "empty.txt")) == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads anything")
def test_an_unreadable_file(tmp_path: Path) -> None:
    path = tmp_path / "secret.txt"
    path.write_text(KALAH)
    path.chmod(0)
    with pytest.raises(InvalidRecord, match=r"secret\.txt: cannot be read: Permission denied"):
        open_records(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_can_be_read() -> None:
    reading, writing = os.pipe()
    os.write(writing, KALAH.encode())
    os.close(writing)
    if not Path(f"/dev/fd/{reading}").exists():
        os.close(reading)
        pytest.skip("no /dev/fd here")
    assert list(open_records(f"/dev/fd/{reading}")) == [parse_record(KALAH)]
    os.close(reading)


def test_files_round_trip(tmp_path: Path) -> None:
    many = [play_out(game(name).start(), random.Random(5), 60) for name in GAMES]
    path = tmp_path / "many.txt"
    write_records(many, path)
    assert list(open_records(path)) == many
    assert path.read_text(encoding="utf-8") == "\n".join(map(str, many))
    with path.open(encoding="utf-8") as stream:
        assert list(read_records(stream)) == many
    assert [entry.name for entry in tmp_path.iterdir()] == ["many.txt"]


def test_an_existing_file_is_replaced_only_if_asked(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    save_text(path, "old\n")
    with pytest.raises(InvalidRecord, match=r"a\.txt: this file exists already"):
        save_text(path, "new\n")
    assert path.read_text() == "old\n"
    path.chmod(0o640)
    save_text(path, "né\n", overwrite=True)
    assert path.read_bytes() == "né\n".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.txt"]


def test_a_failure_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old\n")
    good = parse_record(KALAH)
    with pytest.raises(InvalidRecord, match="too long"):
        write_records([good, replace(good, comment="x" * movetext.MAX_LINE)], path, overwrite=True)
    with pytest.raises(InvalidRecord, match="ud800"):
        save_text(path, "\ud800", overwrite=True)

    def broken() -> Iterator[Record]:
        yield good
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_records(broken(), path, overwrite=True)

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(InvalidRecord, match=r"a\.txt: cannot be saved: No space left"):
        save_text(path, "new\n", overwrite=True)
    assert path.read_text() == "old\n"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.txt"]


def test_a_name_taken_while_we_write_is_respected(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"

    def meanwhile() -> Iterator[Record]:
        yield parse_record(KALAH)
        path.write_text("theirs")

    with pytest.raises(InvalidRecord, match="exists already"):
        write_records(meanwhile(), path)
    assert path.read_text() == "theirs"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.txt"]


def test_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    path = tmp_path / "a.txt"
    save_text(path, "new\n")
    assert path.read_text() == "new\n"
    with pytest.raises(InvalidRecord, match="exists already"):
        save_text(path, "newer\n")


def test_places_where_nothing_can_be_saved(tmp_path: Path) -> None:
    with pytest.raises(InvalidRecord, match="cannot be saved: No such file"):
        save_text(tmp_path / "no" / "a.txt", "x")
    with pytest.raises(InvalidRecord, match="this is a folder"):
        save_text(tmp_path, "x", overwrite=True)
    with pytest.raises(InvalidRecord, match="not the name of a file"):
        save_text("a\0b", "x")
    if Path(os.devnull).is_char_device():
        with pytest.raises(InvalidRecord, match="not a regular file"):
            save_text(os.devnull, "x", overwrite=True)


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    try:
        link.symlink_to(real)
    except OSError:
        pytest.skip("no symbolic links here")
    save_text(link, "new", overwrite=True)
    assert link.is_symlink()
    assert real.read_text() == "new"


def test_results_are_the_four() -> None:
    assert RESULTS == ("1-0", "0-1", "1/2-1/2", "*")


def test_the_example_of_the_documentation_is_canonical() -> None:
    page = Path(__file__).parents[2] / "docs" / "records.md"
    example = page.read_text(encoding="utf-8").split("```text\n")[1].split("```")[0]
    assert str(parse_record(example)) == example

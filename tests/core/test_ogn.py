"""Aualé's OGN: what it writes is read, and what we write it reads as the same game."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mbegu.core.errors import InvalidRecord
from mbegu.core.files import open_records, write_ogn, write_records
from mbegu.core.game import Move, Position
from mbegu.core.outcome import Outcome, Reason
from mbegu.core.record import Record, Step
from mbegu.core.registry import game
from mbegu.games.oware.ogn import format_ogn, parse_ogn, read_ogn

HEAD = """\
[Variant "Oware Abapa"]
[Event "?"]
[Site "?"]
[Date "?"]
[Round "?"]
[South "Amina"]
[North "Juma"]
"""
# The layout of a file saved by Aualé: scores as results, captures with a plus, no closing star.
SAVED = f"""\
{HEAD}[Result "*"]

1. C f 2. F {{ Two words }} b
"""


def random_steps(
    position: Position, rng: random.Random, plies: int, texts: list[str], depth: int = 0
) -> tuple[Step, ...]:
    steps = []
    for _ply in range(plies):
        if position.turn is None:
            break
        move = rng.choice(position.legal_moves())
        variations = []
        while depth < 3 and rng.random() < 0.2:
            variations.append(random_steps(position, rng, rng.randint(1, 3), texts, depth + 1))
        comment = rng.choice(texts) if texts and rng.random() < 0.3 else ""
        glyphs = (rng.randrange(256),) if rng.random() < 0.2 else ()
        steps.append(Step(move, comment, glyphs, tuple(variations)))
        position = position.play(move)
    return tuple(steps)


@st.composite
def records(draw: st.DrawFn, texts: st.SearchStrategy[str], nested: bool = True) -> Record:
    rng = draw(st.randoms(use_true_random=False))
    position = game(draw(st.sampled_from(["oware", "oware(min_seeds=0)"]))).start()
    for _ply in range(draw(st.sampled_from([0, 0, 5, 40]))):
        if position.turn is not None:
            after = position.play(rng.choice(position.legal_moves()))
            position = position if after.turn is None else after
    steps = random_steps(
        position,
        rng,
        draw(st.sampled_from([0, 3, 12, 150] if not nested else [0, 3, 8])),
        draw(st.lists(texts, max_size=4)),
        0 if nested else 3,
    )
    record = Record(
        position,
        steps,
        players=(draw(texts), draw(texts)),
        date=draw(st.sampled_from(["", "2026.11.15"])),
        time_control=draw(st.sampled_from(["", "60+1"])),
        comment=draw(texts),
        tags=draw(st.sampled_from([(), (("Event", "Club"), ("Round", "3"), ("Table", "7"))])),
    )
    outcome = record.final.outcome()
    if outcome is None and draw(st.booleans()):
        outcome = Outcome(1, record.final.scores(), Reason.TIMEOUT)
    return record if outcome is None else record.ended(outcome)


def as_auale_reads(text: str) -> list[Move]:
    """Every letter from A to f after the tags is a move, save in {...} and (...), up to the first
    closing bracket."""
    moves: list[Move] = []
    inside = ""
    for line in text.splitlines():
        if line.startswith("[") and not moves and not inside:
            continue
        for sign in line:
            if inside:
                inside = "" if sign == inside else inside
            elif sign in "{(":
                inside = {"{": "}", "(": ")"}[sign]
            elif sign in "ABCDEFabcdef":
                moves.append("ABCDEFabcdef".index(sign))
    return moves


PLAIN = st.from_regex(r"([A-Za-z0-9é!?.,;'\"\\]+( [A-Za-zé\"\\]+)*)?", fullmatch=True)
NASTY = st.one_of(st.text(st.characters(), max_size=40), st.text('(){}[];"\\\n ab', max_size=60))


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(records(PLAIN, nested=False))
def test_round_trip_is_exact_for_what_ogn_can_hold(record: Record) -> None:
    text = format_ogn(record)
    assert parse_ogn(text) == record
    assert all(len(line) <= 80 for line in text.split("\n\n", 1)[1].splitlines() if " " in line)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(records(NASTY))
def test_anything_is_written_as_auale_reads_it(record: Record) -> None:
    text = format_ogn(record)
    text.encode()
    again = parse_ogn(text)
    assert again.moves == record.moves
    assert (again.start, again.result, again.score) == (record.start, record.result, record.score)
    assert again.termination == record.termination
    assert format_ogn(again) == text
    assert as_auale_reads(text) == record.moves
    assert text.startswith("[Variant ")


def lines_of(steps: tuple[Step, ...], lead: tuple[Move, ...] = ()) -> set[tuple[Move, ...]]:
    """Every line of play of a tree, from the start."""
    found = set()
    for step in steps:
        for variation in step.variations:
            found |= lines_of(variation, lead)
        lead = (*lead, step.move)
    return found | {lead}


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(records(PLAIN))
def test_flat_variations_tell_the_same_tree(record: Record) -> None:
    again = parse_ogn(format_ogn(record))
    assert lines_of(again.steps) == lines_of(record.steps)
    assert not any(
        inner.variations for step in again.steps for line in step.variations for inner in line
    )


def test_a_file_saved_by_auale() -> None:
    record = parse_ogn(SAVED)
    assert str(record.game) == "oware(min_seeds=0)"  # Aualé plays on with fewer than six seeds
    assert record.players == ("Amina", "Juma")
    assert record.steps == (Step(2), Step(11), Step(5, "Two words"), Step(7))
    assert (record.result, record.date, record.tags) == ("*", "", ())
    assert format_ogn(record) == SAVED.rstrip("\n").replace(" } b", " } 2... b") + " *\n"


def finished_game() -> Record:
    rng = random.Random(1)
    record = Record.of(game("oware(min_seeds=0)").start(), players=("Amina", "Juma"))
    position = record.start
    moves = []
    while position.turn is not None:
        moves.append(rng.choice(position.legal_moves()))
        position = position.play(moves[-1])
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.reason is Reason.MAJORITY
    return replace(record, steps=tuple(map(Step, moves))).ended(outcome)


def test_a_score_as_the_result() -> None:
    record = finished_game()
    tail = format_ogn(record).split("\n\n")[1].removesuffix(f"{record.result}\n")
    captured, counted = record.final.scores(), record.score
    assert captured != counted
    for score in (captured, counted):
        assert score is not None
        text = f'{HEAD}[Result "{score[0]}-{score[1]}"]\n\n{tail}{score[0]}-{score[1]}\n'
        assert parse_ogn(text) == record
    text = f'{HEAD}[Result "47-1"]\n\n{tail}47-1\n'
    with pytest.raises(InvalidRecord, match="by the rules this game ended"):
        parse_ogn(text)


def test_why_a_game_ended_is_found_where_auale_does_not_say() -> None:
    record = parse_ogn(f'{HEAD}[Result "1-0"]\n\n1. C f 1-0\n')
    assert record.termination is Reason.RESIGNATION
    record = parse_ogn(f'{HEAD}[Result "24-24"]\n\n1. C f 24-24\n')
    assert record.termination is Reason.AGREEMENT


def test_a_position_that_comes_back_ends_a_game() -> None:
    # Two lonely seeds chase each other round the board.
    start = game("oware(min_seeds=0)").position("1-0-0-0-0-0-1-0-0-0-0-0-23-23-S")
    seen, moves = [start], []
    while seen.count(seen[-1]) < 2:
        moves.append(seen[-1].legal_moves()[0])
        seen.append(seen[-1].play(moves[-1]))
    assert seen[-1].turn is not None
    words = " ".join("ABCDEFabcdef"[int(house)] for house in moves)
    text = f'{HEAD}[Result "24-24"]\n[FEN "{start}"]\n\n{words} 24-24\n'
    record = parse_ogn(text)
    assert (record.termination, record.score) == (Reason.REPETITION, (24, 24))
    assert parse_ogn(format_ogn(record)) == record


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ('[Variant "Nam-nam"]\n*', 1, 1, "variant “Nam-nam” is not known"),
        ('[Variant "Abapa"]\n[Game "kalah"]\n*', 2, 1, "OGN is a notation for Oware"),
        ('[Variant "Abapa"]\n[FEN "4-4-S"]\n*', 2, 1, "not an Oware position"),
        ('[Variant "Abapa"]\n1. C g *', 2, 6, "“g” is not a move"),
        ('[Variant "Abapa"]\n1. C+2 *', 2, 4, "C.2: this move captures 0"),
        ('[Variant "Abapa"]\n1. C C *', 2, 6, "belongs to South"),
        ('[Variant "Abapa"]\n[Result "1-0"]\n1. C f', 3, 7, "stops without its result"),
        ('[Variant "Abapa"]\n[Result "1-0"]\n1. C f 0-1', 3, 8, "closes with 0-1"),
        ('[Variant "Abapa"]\n[Result "soon"]\n1. C f *', 2, 1, "is not a result"),
        ('[Variant "Abapa"]\n1. C { never', 2, 6, "comment is not closed"),
        ('[Variant "Abapa"]\n1. C ( B', 2, 6, "variation is not closed"),
        ("1. C f *", 1, 1, "begins with tags such as .Variant"),
    ],
)
def test_errors_say_where(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(InvalidRecord, match=message) as caught:
        parse_ogn(text, "g.ogn")
    assert (caught.value.source, caught.value.line, caught.value.column) == ("g.ogn", line, column)
    list(read_ogn(text, "g.ogn", strict=False))


def test_captures_are_told() -> None:
    start = game("oware").position("4-4-4-4-4-1-1-4-4-4-4-4-0-0-S")
    text = format_ogn(Record.of(start, [5]))
    assert "1. F+2 *" in text
    assert f'[FEN "{start}"]' in text
    assert parse_ogn(text).start == start


def test_what_ogn_cannot_hold_is_refused() -> None:
    with pytest.raises(InvalidRecord, match="OGN is a notation for Oware"):
        format_ogn(Record.of(game("kalah").start()))
    with pytest.raises(InvalidRecord, match="grand_slam=take"):
        format_ogn(Record.of(game("oware(grand_slam=take)").start()))
    with pytest.raises(InvalidRecord, match="the tag FEN has a meaning"):
        format_ogn(Record(game("oware").start(), tags=(("FEN", "x"),)))
    over = game("oware").position("0-0-0-0-0-0-0-0-0-0-0-0-24-24-S")
    with pytest.raises(InvalidRecord, match="cannot begin with"):
        format_ogn(Record(over))


def test_files_are_told_apart_by_content_then_by_name(tmp_path: Path) -> None:
    record = finished_game()
    ogn, ours = tmp_path / "a.ogn", tmp_path / "b.txt"
    write_records([record], ogn)
    write_records([record], ours)
    assert ogn.read_text().startswith("[Variant")
    assert ours.read_text().startswith("[Game")
    assert list(open_records(ogn)) == list(open_records(ours)) == [record]
    swapped, renamed = tmp_path / "c.ogn", tmp_path / "d.txt"
    swapped.write_text(str(record))
    write_ogn([record, record], renamed)
    assert list(open_records(swapped)) == [record]
    assert list(open_records(renamed)) == [record, record]
    bare = tmp_path / "e.OGN"
    bare.write_text('[Event "x"]\n[Variant "Abapa"]\n[Result "*"]\n\n1. C f *\n')
    (read,) = open_records(bare)
    assert read.moves == [2, 11]


def test_no_break_spaces_of_a_comment_stay() -> None:
    """French has one before a colon, and a line must not end there."""
    comment = "Erreur\u00a0: 12\u202f% à gagner"
    record = Record.of(game("oware").start(), [2])
    written = format_ogn(replace(record, steps=(replace(record.steps[0], comment=comment),)))
    assert comment in written
    (read,) = read_ogn(written)
    assert read.steps[0].comment == comment

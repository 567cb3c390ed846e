"""Numbers, quotes and colons as each language writes them, and that a terminal gets them whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mbegu.core.errors import shorten
from mbegu.core.i18n import speaking
from mbegu.core.printable import printable
from mbegu.core.typography import Number, labelled, numeral

NARROW, WIDE = "\u202f", "\u00a0"


@pytest.mark.parametrize("space", [NARROW, WIDE])
def test_no_break_spaces_are_printable(space: str) -> None:
    text = f"Partie 1{space}: perdue"
    assert printable(text) == text
    assert text in shorten(text)


@given(st.text())
def test_nothing_that_a_terminal_obeys_is_left(text: str) -> None:
    for shown in (printable(text), shorten(text)):
        assert all(sign.isprintable() or sign.isspace() for sign in shown)
        assert not {"\n", "\r", "\t", "\x1b", "\x85", "\u2028", "\u2029"} & set(shown)


@pytest.mark.parametrize(
    ("language", "quoted"), [("en", "“abc”"), ("fr", f"«{WIDE}abc{WIDE}»"), ("sw", "“abc”")]
)
def test_quotes(language: str, quoted: str) -> None:
    with speaking(language):
        assert shorten("abc") == quoted


@pytest.mark.parametrize(
    ("language", "value", "spec", "told"),
    [
        ("en", 1234567.891, ",.1f", "1,234,567.9"),
        ("fr", 1234567.891, ",.1f", f"1{NARROW}234{NARROW}567,9"),
        ("fr", 0.1234, ".1%", f"12,3{WIDE}%"),
        ("en", 0.1234, ".1%", "12.3%"),
        ("fr", -3.14, "+.1f", "-3,1"),
        ("rn", 3.14, ".1f", "3,1"),
        ("sw", 3.14, ".1f", "3.1"),
        ("fr", 12, "6", "    12"),
        ("fr", 1.5, "g", "1,5"),
    ],
)
def test_numbers(language: str, value: float, spec: str, told: str) -> None:
    with speaking(language):
        assert numeral(value, spec) == told
        assert f"{Number(value):{spec}}" == told


def test_labels() -> None:
    assert labelled("South", "human") == "South: human"
    with speaking("fr"):
        assert labelled("Sud", "humain") == f"Sud{WIDE}: humain"

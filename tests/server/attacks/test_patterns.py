"""Every pattern that meets a stranger's text takes time that grows as the text does, not faster."""

from collections.abc import Callable

import pytest
from found_patterns import is_anywhere, motifs, patterns, spent

from mbegu.core.options import split_game_text
from mbegu.server.keep.database import shown
from mbegu.server.net.front import is_ours
from mbegu.server.net.logs import mask

SHORT = 8_000
FOUR = 4
TOO_STEEP = 9.0  # four times the text: four times the work, or sixteen if it is quadratic
IN_NO_TIME = 0.01  # seconds of processor time that prove nothing
PATTERNS = dict(patterns())


def check(action: Callable[[str], object], motif: str) -> None:
    text = motif * (SHORT // len(motif) + 1)
    four = spent(action, text * FOUR)
    if four > IN_NO_TIME:
        one = spent(action, text)
        assert four < TOO_STEEP * max(one, IN_NO_TIME / FOUR), (motif, one, four)


@pytest.mark.parametrize("name", PATTERNS)
def test_work_grows_as_the_text(name: str) -> None:
    pattern = PATTERNS[name]
    for motif in motifs(pattern):
        check(pattern.match, motif)
        check(pattern.fullmatch, motif)
        if is_anywhere(name):
            check(lambda text: [None for _found in pattern.finditer(text)], motif)


@pytest.mark.parametrize("motif", ["://a:", "://", "new='", "token: ", "Aa", "A", "code=bearer "])
@pytest.mark.parametrize("action", [mask, shown])
def test_what_is_logged_is_masked_in_good_time(action: Callable[[str], str], motif: str) -> None:
    check(action, motif)
    assert action("postgresql://me:hunter22@db/mbegu").count("hunter22") == 0
    assert action("http://here:80/a b://c") == "http://here:80/a b://c"


@pytest.mark.parametrize("motif", ["a.", "a", ":1", "1:", "[:", ".", "a-.", "%", "0.", "::"])
def test_a_host_is_known_in_good_time(motif: str) -> None:
    check(lambda host: is_ours(host, ["play.example.org"]), motif)


def test_the_work_for_options_grows_as_their_number() -> None:
    """A message of eight kilobytes may name a thousand of them."""
    options = [f"a{number}" for number in range(8000)]
    texts = {many: f"kalah({','.join(options[:many])})" for many in (2000, 8000)}
    one, four = (spent(split_game_text, text) for text in texts.values())
    assert four < TOO_STEEP * max(one, IN_NO_TIME / FOUR)


def test_all_are_there() -> None:
    """The test looks where the patterns are."""
    assert {"mbegu.server.net.logs._USER", "mbegu.core.movetext._TAG"} <= set(PATTERNS)
    assert any(name.startswith("mbegu.server.net.front:") for name in PATTERNS)
    assert any(name.startswith("mbegu.arena.") for name in PATTERNS)
    assert len(PATTERNS) > 30

"""Every pattern that meets a stranger's text takes time that grows as the text does, not faster."""

import importlib
import pkgutil
import re
import time
from collections.abc import Callable, Iterator
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

import pytest

import mbegu.core
import mbegu.games
import mbegu.server
from mbegu.server.keep.database import shown
from mbegu.server.net.logs import mask

SHORT = 8_000
FOUR = 4
TOO_STEEP = 9.0  # four times the text: four times the work, or sixteen if it is quadratic
IN_NO_TIME = 0.01  # seconds of processor time that prove nothing
MIGRATIONS = "mbegu.server.keep.migrations"


def patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Whatever our modules have compiled."""
    for package in (mbegu.core, mbegu.games, mbegu.server):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if found.name.startswith(MIGRATIONS):
                continue
            module = importlib.import_module(found.name)
            for name, value in vars(module).items():
                if isinstance(value, re.Pattern):
                    text = value.pattern
                    plain = text.decode("latin-1") if isinstance(text, bytes) else text
                    yield f"{found.name}.{name}", re.compile(plain, value.flags & ~re.UNICODE)


PATTERNS = dict(patterns())
# Patterns that look for a beginning anywhere: the others are asked at one place.
ANYWHERE = {name for name in PATTERNS if ".logs." in name or name.endswith("_PASSWORD")}


def pieces(parsed: Any) -> list[str]:
    """One text for each part of a pattern that takes characters, in their order."""
    found: list[str] = []
    for kind, value in parsed:
        if kind is _constants.LITERAL:
            found.append(chr(value))
        elif kind in (_constants.NOT_LITERAL, _constants.ANY):
            found.append("a" if value != ord("a") else "b")
        elif kind is _constants.IN:
            found.append(member(value))
        elif kind is _constants.BRANCH:
            found += pieces(value[1][0])
        elif kind in (_constants.MAX_REPEAT, _constants.MIN_REPEAT):
            found += pieces(value[2])
        elif kind is _constants.SUBPATTERN:
            found += pieces(value[3])
    return found


def member(inside: Any) -> str:
    """A character of a set."""
    for sign in "aA1 -:.([\x01\u2028":
        if re.fullmatch(_set_text(inside), sign):
            return sign
    return "a"


def _set_text(inside: Any) -> Any:
    state = _parser.State()
    return re._compiler.compile(_parser.SubPattern(state, [(_constants.IN, inside)]))  # type: ignore[attr-defined]


def motifs(pattern: re.Pattern[str]) -> set[str]:
    """Beginnings of what the pattern looks for, each of which promises much when it comes again."""
    parts = pieces(_parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE))
    begun = ["".join(parts[:end]) for end in range(1, len(parts) + 1)]
    return {*begun, *parts, *(first + "a" for first in begun), "a ", "://a:"}


def spent(action: Callable[[str], object], text: str) -> float:
    """Seconds of this process, the least of three."""
    times = []
    for _time in range(3):
        began = time.process_time()
        action(text)
        times.append(time.process_time() - began)
    return min(times)


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
        if name in ANYWHERE:
            check(lambda text: [None for _found in pattern.finditer(text)], motif)


@pytest.mark.parametrize("motif", ["://a:", "://", "new='", "token: ", "Aa", "A", "code=bearer "])
@pytest.mark.parametrize("action", [mask, shown])
def test_what_is_logged_is_masked_in_good_time(action: Callable[[str], str], motif: str) -> None:
    check(action, motif)
    assert action("postgresql://me:hunter22@db/mbegu").count("hunter22") == 0
    assert action("http://here:80/a b://c") == "http://here:80/a b://c"


def test_all_are_there() -> None:
    """The test looks where the patterns are."""
    assert {"mbegu.server.net.logs._USER", "mbegu.core.movetext._TAG"} <= set(PATTERNS)
    assert len(PATTERNS) > 20

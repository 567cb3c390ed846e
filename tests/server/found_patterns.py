"""Every pattern of the package, found by looking at its modules, and texts that promise much to each."""

import ast
import importlib
import pkgutil
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

import mbegu

# Of the lab and the tests of strangers' games no pattern meets a stranger's text.
LEFT_OUT = ("mbegu.server.keep.migrations", "mbegu.lab", "mbegu.testing", "mbegu.rl", "mbegu.cli")
SEARCHING = (" sub", " search", " findall", " finditer", " split")
ROOT = Path(mbegu.__file__).parent


def patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Whatever our modules have compiled, and what stands in a call of `re`."""
    for found in pkgutil.walk_packages(mbegu.__path__, "mbegu.", onerror=lambda _name: None):
        if found.name.startswith(LEFT_OUT) or found.name.endswith("__main__"):
            continue
        try:
            module = importlib.import_module(found.name)
        except ImportError:  # of a package that is not installed here
            continue
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern):
                text = value.pattern
                plain = text.decode("latin-1") if isinstance(text, bytes) else text
                yield f"{found.name}.{name}", re.compile(plain, value.flags & ~re.UNICODE)
    for file in sorted(ROOT.rglob("*.py")):
        name = ".".join(["mbegu", *file.relative_to(ROOT).with_suffix("").parts])
        if not name.startswith(LEFT_OUT):
            yield from _inline(name, file)


def _inline(module: str, file: Path) -> Iterator[tuple[str, re.Pattern[str]]]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            here, first = node.func.value, node.args[0]
            named = isinstance(here, ast.Name) and here.id == "re"
            if named and isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield f"{module}:{node.lineno} {node.func.attr}", re.compile(first.value)


def is_anywhere(name: str) -> bool:
    """Whether a pattern looks for a beginning anywhere: the others are asked at one place."""
    return ".logs." in name or name.endswith(("_PASSWORD", *SEARCHING))


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

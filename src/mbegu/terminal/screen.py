"""What this terminal can do."""

import os
import re
import shutil
import sys
from contextlib import suppress
from typing import TextIO

__all__ = ["ask", "can_rewrite", "has_colour", "paragraphs", "reflowed", "wrapped"]

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_WITHIN = re.compile(
    r"\n(?!\n|[ \t]|[-*•] |\d+\. )(?<!\n\n)"
)  # not before a line that stands for itself
_READABLE = 100  # columns of prose: longer lines are hard to follow back


def ask(prompt: str) -> str:
    """A line from the keyboard or the pipe; EOFError at its end."""
    if not sys.stdin.isatty():
        line = input(prompt)
        print(line)  # through a pipe nobody sees what is typed; a transcript should show it
        return line
    with suppress(ImportError):
        import readline  # noqa: F401, PLC0415 (with it, input() has arrow keys and history)
    return input(prompt)


def can_rewrite(stream: TextIO) -> bool:
    """Whether it is a terminal that knows how to write over a line."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def has_colour() -> bool:
    """Whether colours would be seen, and are wanted."""
    return can_rewrite(sys.stdout) and "NO_COLOR" not in os.environ


def wrapped(text: str, stream: TextIO) -> str:
    """A text whose long lines end between words, on a terminal; through a pipe as it is.

    Lines of a board are never longer than a terminal, and stay as they are."""
    if not stream.isatty():
        return text
    return "\n".join(_fold(line, _width()) for line in text.split("\n"))


def paragraphs(text: str) -> str:
    """Prose that was written in lines of some length, each paragraph as one line."""
    return _WITHIN.sub(" ", text)


def reflowed(text: str, stream: TextIO) -> str:
    """Prose in lines that fill the terminal; through a pipe as it was written."""
    if not stream.isatty():
        return text
    width = min(_width(), _READABLE)
    return "\n".join(_fold(line, width, hanging=0) for line in paragraphs(text).split("\n"))


def _width() -> int:
    return max(20, shutil.get_terminal_size().columns - 1)


def _fold(line: str, width: int, hanging: int = 2) -> str:
    """In lines of so many signs, as they are seen: colours take no room."""
    if _seen(line) <= width:
        return line
    first = " " * (len(line) - len(line.lstrip()))
    indent = first + " " * hanging
    words = line.lstrip().split(" ")
    lines = [first + words[0]]
    for word in words[1:]:
        if _seen(lines[-1]) + 1 + _seen(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(indent + word)
    return "\n".join(lines)


def _seen(text: str) -> int:
    return len(_COLOURS.sub("", text))

"""What this terminal can do."""

import os
import sys
from contextlib import suppress
from typing import TextIO

__all__ = ["ask", "can_rewrite", "has_colour"]


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

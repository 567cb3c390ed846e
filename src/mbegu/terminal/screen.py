"""What this terminal can do."""

import os
import sys
from contextlib import suppress

__all__ = ["ask", "has_colour"]


def ask(prompt: str) -> str:
    """A line from the keyboard or the pipe; EOFError at its end."""
    if not sys.stdin.isatty():
        line = input(prompt)
        print(line)  # through a pipe nobody sees what is typed; a transcript should show it
        return line
    with suppress(ImportError):
        import readline  # noqa: F401, PLC0415 (with it, input() has arrow keys and history)
    return input(prompt)


def has_colour() -> bool:
    """Whether colours would be seen, and are wanted."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"

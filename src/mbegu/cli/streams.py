"""The streams of a command: what they cannot show, and when they are full."""

import codecs
import errno
import os
import sys
from typing import TextIO

from mbegu.core.errors import MbeguError, system_words
from mbegu.core.i18n import _
from mbegu.terminal.tui.ascii import in_ascii

__all__ = ["Full", "finish", "say_what_can_be_said"]

NEAREST = "mbegu-nearest"  # what a stream does with a sign that its encoding lacks


class Full(MbeguError):
    """Nothing more can be written where the output goes."""


def say_what_can_be_said() -> None:
    """A stream that is not UTF-8, such as a pipe on Windows, gets the nearest sign that it knows."""
    # One may be closed, as in `mbegu games >&-`: what is written there is for nobody.
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    codecs.register_error(NEAREST, _nearest)
    for stream in (sys.stdout, sys.stderr):
        # A test and a notebook have streams of their own.
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None and codecs.lookup(stream.encoding).name != "utf-8":
            reconfigure(errors=NEAREST)


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")


def _nearest(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return in_ascii(error.object[error.start : error.end]), error.end


def finish(error: OSError) -> None:
    """What comes of an error of the operating system: nobody reads any more, nothing more fits, or it is another one."""
    if not isinstance(error, BrokenPipeError) and error.errno not in (errno.ENOSPC, errno.EDQUOT):
        raise error
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # Python writes once more when it ends
    if not isinstance(error, BrokenPipeError):
        told = _("{file} cannot be written: {why}")
        raise Full(told.format(file=error.filename or "output", why=system_words(error))) from None

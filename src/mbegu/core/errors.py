"""What can go wrong, as a tree.

    MbeguError (a ValueError)
    ├── InvalidGame          a game string that cannot be read, or a game nobody knows
    │   ├── BrokenGame       a game of another package whose rules fail
    │   └── InvalidOption    an option that the game does not have, or a value it does not take
    ├── InvalidPosition      a position that cannot be read, or that the rules cannot reach or play
    │   └── InvalidSetUp     a set-up that is not what the rules ask for
    ├── InvalidMove          a move that cannot be read
    ├── IllegalMove          a move that can be read but is not allowed: `.rule` says why
    ├── InvalidTimeControl   a time control that cannot be read
    ├── InvalidRecord        a record that cannot be read: `.source`, `.line`, `.column`
    └── MatchError           something that a match does not allow now, such as undo at the start

Every message is one line that names the input, the rule and what would be right.
"""

import sysconfig
from pathlib import Path

from mbegu.core.i18n import N_, _
from mbegu.core.printable import is_printable, one_line, printable
from mbegu.core.typography import quoted

__all__ = [
    "BrokenGame",
    "IllegalMove",
    "InvalidGame",
    "InvalidMove",
    "InvalidOption",
    "InvalidPosition",
    "InvalidRecord",
    "InvalidSetUp",
    "InvalidTimeControl",
    "MatchError",
    "MbeguError",
    "shorten",
    "system_words",
    "told",
    "where_raised",
]


class MbeguError(ValueError):
    """The root of every error that a wrong input may cause."""


class InvalidGame(MbeguError):
    """A game string that cannot be read, or a game that nobody knows."""


class BrokenGame(InvalidGame):
    """The rules of a game of another package fail."""


class InvalidOption(InvalidGame):
    """An option that the game does not have, or a value that it does not take."""


class InvalidPosition(MbeguError):
    """A position that cannot be read, or that the rules cannot play."""


class InvalidSetUp(InvalidPosition):
    """A set-up that is not what the rules ask for."""


class InvalidMove(MbeguError):
    """A move that cannot be read."""


class IllegalMove(MbeguError):
    """A move that can be read but is not allowed; `rule` is the sentence that forbids it."""

    def __init__(self, move: str, rule: str) -> None:
        super().__init__(_("{move}: {rule}").format(move=move, rule=rule))
        self.move = move
        self.rule = rule


class InvalidTimeControl(MbeguError):
    """A time control that cannot be read."""


class InvalidRecord(MbeguError):
    """A record that cannot be read; says where."""

    def __init__(self, message: str, source: str = "", line: int = 0, column: int = 0) -> None:
        self.message, self.source, self.line, self.column = message, source, line, column
        place = ":".join(str(part) for part in (source, line, column) if part)
        super().__init__(f"{place}: {message}" if place else message)


class MatchError(MbeguError):
    """Something that a match does not allow at this moment."""


def shorten(thing: object, width: int = 60) -> str:
    """Quotes an input for a message, on one line and never longer than `width`."""
    text = thing if isinstance(thing, str) else repr(thing)
    text = "".join(c if is_printable(c) else "\N{REPLACEMENT CHARACTER}" for c in text)
    return quoted(text if len(text) <= width else text[: width - 1] + "…")


# What systems say of an error, as far as people meet it; whatever else they say stays English.
SYSTEM_WORDS = (
    *(N_("No such file or directory"), N_("Permission denied"), N_("Operation not permitted")),
    *(N_("Is a directory"), N_("Not a directory"), N_("File exists"), N_("Directory not empty")),
    *(N_("No space left on device"), N_("Disk quota exceeded"), N_("File too large")),
    *(N_("Read-only file system"), N_("Input/output error"), N_("File name too long")),
    *(N_("Too many open files"), N_("Too many levels of symbolic links")),
    *(N_("Address already in use"), N_("Cannot assign requested address")),
    *(N_("Name or service not known"), N_("Temporary failure in name resolution")),
    *(N_("Connection refused"), N_("Connection reset by peer"), N_("Connection timed out")),
    *(N_("Network is unreachable"), N_("No route to host")),
)


def system_words(error: object) -> str:
    """Why something failed, as the system says it, in the language of the moment.

    >>> from mbegu.core.i18n import speaking
    >>> with speaking("fr"):
    ...     print(system_words(FileNotFoundError(2, "No such file or directory", "a.txt")))
    ce fichier ou ce dossier n’existe pas
    """
    said = getattr(error, "strerror", None) or str(error)
    return _(said) if said in SYSTEM_WORDS else said


_HOUSE = Path(__file__).parent.parent
_LIBRARY = Path(sysconfig.get_path("stdlib"))


def where_raised(error: BaseException) -> str:
    """The last line of code outside Mbegu and Python that an error came through, as ` (file, line 3)`; or ""."""
    found, step = "", error.__traceback__
    while step is not None:
        path = Path(step.tb_frame.f_code.co_filename)
        known = path.is_relative_to(_HOUSE) or path.is_relative_to(_LIBRARY)
        if path.is_file() and (not known or "site-packages" in path.parts):
            found = f" ({path.parent.name}/{path.name}, line {step.tb_lineno})"
        step = step.tb_next
    return found


LONGEST = 400


def told(error: BaseException) -> str:
    """What a stranger's code has raised, and where, as one line that is fit for a terminal."""
    try:
        text = str(error)
    except Exception:  # not even that
        text = ""
    if not isinstance(error, MbeguError):
        text = f"{type(error).__name__}: {text[:LONGEST]}{where_raised(error)}"
    text = printable(one_line(text))
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"

"""The contest's window is not part of Mbegu: matches are shown by `mbegu maic`.

The package can be imported, because an AI may do so; nothing can be taken from it.
"""

from typing import NoReturn


def __getattr__(name: str) -> NoReturn:
    if name.startswith("__"):
        raise AttributeError(name)
    raise ImportError(
        f"gui.{name} is not available: the contest's window is replaced by the command"
        " `mbegu maic -ai0 A.py -ai1 B.py`"
    )

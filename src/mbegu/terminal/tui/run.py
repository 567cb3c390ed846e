"""Opens the full-screen terminal, as well as this terminal can show it."""

import os
import sys
from typing import TYPE_CHECKING, Any

from mbegu.core.errors import MbeguError
from mbegu.core.i18n import _
from mbegu.terminal.tui.ascii import has_utf8, in_ascii

if TYPE_CHECKING:
    from mbegu.terminal.tui.wishes import Wishes

__all__ = ["can_open", "open_table"]


def can_open() -> bool:
    """Whether this is a terminal on which a full screen can be shown."""
    return (
        sys.stdin.isatty()
        and sys.stdout.isatty()
        and sys.stderr.isatty()  # on which Textual draws
        and os.environ.get("TERM", "dumb" if os.name != "nt" else "") != "dumb"
    )


def open_table(
    wishes: "Wishes", *, look: str | None = None, plain: bool | None = None, speed: int = 3
) -> int:
    """Plays until the player leaves; the exit code."""
    if not can_open():
        raise MbeguError(
            _(
                "the full screen needs a terminal; in lines of text it goes anywhere: mbegu play --plain"
            )
        )
    from mbegu.terminal.tui.app import TableApp  # noqa: PLC0415 - Textual takes its time

    plain = not has_utf8() if plain is None else plain
    settings: dict[str, Any] = {"driver_class": _ascii_driver()} if plain else {}
    app = TableApp(wishes, look=look or _usual_look(), plain=plain, speed=speed, **settings)
    code = app.run()
    return app.return_code or 0 if code is None else code


def _usual_look() -> str:
    """Our colours where the terminal has many, its own where it has sixteen."""
    from rich.console import Console  # noqa: PLC0415 - comes with Textual

    many = Console(file=sys.stderr).color_system in ("256", "truecolor", "windows")
    return "dusk" if many else "terminal"


def _ascii_driver() -> Any:
    """A driver that writes nothing but ASCII."""
    if os.name == "nt":
        return None
    from textual.drivers.linux_driver import LinuxDriver  # noqa: PLC0415 - comes with Textual

    class AsciiDriver(LinuxDriver):
        """Every other character becomes one that each terminal knows."""

        def write(self, data: str) -> None:
            """Writes it in ASCII."""
            super().write(in_ascii(data))

    return AsciiDriver

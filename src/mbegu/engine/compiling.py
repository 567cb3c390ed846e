"""Says that the engine is being compiled, to whoever waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable

from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.engine.kernels.ready import why_slow

__all__ = ["announce_compiling", "compile_behind", "wait_for_the_engine"]


class _Announcement:
    """What to say, to whom, and whether it has been said; and who compiles behind the scenes."""

    def __init__(self) -> None:
        self.say: Callable[[str], None] = print
        self.sentence = ""
        self.said = self.begun = False
        self.behind: threading.Thread | None = None

    def begin(self, _function: str) -> None:
        self.begun = True
        if threading.current_thread() is not self.behind:
            self.tell()

    def tell(self) -> None:
        if not self.said:
            self.said = True
            self.say(self.sentence)


_announcement: _Announcement | None = None


def announce_compiling(say: Callable[[str], None], game: Game | None = None) -> None:
    """From now on: calls `say` with a sentence when something must be compiled, once.

    For a game that has nothing to compile, says that it will be slower."""
    global _announcement  # noqa: PLW0603 (a process compiles for one person)
    if game is not None and (why := why_slow(game)) is not None:
        say(why)
        return
    if _announcement is None:
        from mbegu.engine.cache import on_compile  # noqa: PLC0415 (not before it is needed)

        _announcement = _Announcement()
        on_compile(_announcement.begin)
    _announcement.say, _announcement.said = say, False
    # In the language of the one who asked: the compiler may run in a thread that speaks none.
    _announcement.sentence = _(
        "Compiling the engine for this game: this takes some seconds, the first time only."
    )


def compile_behind(work: Callable[[], None]) -> None:
    """Does the work in a thread, without a word as long as nobody waits for it."""
    thread = threading.Thread(target=work, daemon=True)
    if _announcement is not None:
        _announcement.behind = thread
    thread.start()


def wait_for_the_engine() -> None:
    """Waits until the work behind the scenes is done, and says why if it compiles."""
    if _announcement is None or _announcement.behind is None:
        return
    if _announcement.begun and _announcement.behind.is_alive():
        _announcement.tell()
    _announcement.behind.join()

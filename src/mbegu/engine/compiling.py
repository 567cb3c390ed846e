"""Says once that the engine is being compiled, for whoever waits."""

from __future__ import annotations

from collections.abc import Callable

from mbegu.core.i18n import _

__all__ = ["announce_compiling"]

_announced: list[Callable[[str], None]] = []


def announce_compiling(say: Callable[[str], None]) -> None:
    """Calls `say` with a sentence when something must be compiled, at most once in a process."""
    from mbegu.engine.cache import on_compile  # noqa: PLC0415 (Numba takes its time)

    if _announced:
        return
    _announced.append(say)
    said: list[str] = []

    def listener(function: str) -> None:
        if not said:
            said.append(function)
            _announced[0](
                _(
                    "Compiling the engine for this game: this takes some seconds, the first time only."
                )
            )

    on_compile(listener)

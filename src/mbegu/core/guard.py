"""The rules of another package may fail in any way: whoever asks them gets one error, with the reason and the line.

`Position` puts this guard about the methods of every position class that is not Mbegu's own.
"""

from collections.abc import Callable, Generator
from functools import wraps
from typing import Any

from mbegu.core.errors import BrokenGame, MbeguError, shorten, where_raised
from mbegu.core.i18n import _

__all__ = ["guard"]

ASKED = ("legal_moves", "outcome", "scores", "places", "marks", "diagram", "to_json")
STORY = "_story"


def guard(kind: type) -> None:
    """Guards what the class itself defines."""
    for name in (*ASKED, STORY):
        method = vars(kind).get(name)
        if callable(method) and not hasattr(method, "guarded"):
            made = _guarded_story(method) if name == STORY else _guarded(method)
            made.guarded = True  # type: ignore[attr-defined]
            setattr(kind, name, made)


def _guarded(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def asked(self: Any, *arguments: Any, **more: Any) -> Any:
        try:
            return method(self, *arguments, **more)
        except MbeguError:
            raise
        except (Exception, SystemExit) as error:
            raise _broken(self, error) from error

    return asked


def _guarded_story(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def told(self: Any, move: Any) -> Generator[Any, None, Any]:
        try:
            return (yield from method(self, move))
        except MbeguError:
            raise
        except (Exception, SystemExit) as error:
            raise _broken(self, error) from error

    return told


def _broken(position: Any, error: BaseException) -> BrokenGame:
    try:
        where = str(position)
    except Exception:  # not even that
        where = "?"
    why = _("its rules fail at {position}: {why}").format(
        position=shorten(where), why=f"{type(error).__name__}: {error}{where_raised(error)}"
    )
    return BrokenGame(_("{name} cannot be used: {why}").format(name=position.game.name, why=why))

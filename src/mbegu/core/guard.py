"""The rules of another package may fail in any way: whoever asks them gets one error, with the reason and the line.

`Position` and `Game` put this guard about the methods of every class that is not Mbegu's own.
"""

from collections.abc import Callable, Generator
from functools import partial, wraps
from math import isfinite
from typing import Any

from mbegu.core.errors import BrokenGame, InvalidGame, MbeguError, shorten, told
from mbegu.core.i18n import _
from mbegu.core.outcome import Outcome
from mbegu.core.patience import PATIENCE, TooLong, patiently

__all__ = [
    "check_end",
    "check_outcome",
    "check_scores",
    "guard_game",
    "guard_position",
    "must_go_on",
]

GAME = (
    *("start", "position", "from_json", "read_move", "format_move", "typed", "side", "hole_name"),
    *("parse_move", "parse_turn", "format_turn", "check_options", "__str__"),
    *("symmetries", "closing", "captured_colours", "repetition_outcome", "ply_cap_outcome"),
)
POSITION = (
    *(
        "legal_moves",
        "forbids",
        "outcome",
        "scores",
        "places",
        "layout",
        "barred",
        "why_not",
        "marks",
    ),
    *("as_if", "diagram", "to_json", "__str__"),
)
STORY = "_story"
MOST_SCORE = 30_000  # greater margins would look like forced wins to the search
PASSED_ON = (
    MbeguError,
    KeyboardInterrupt,
    GeneratorExit,
)  # Ctrl-C, and a story nobody hears to its end


def guard_position(kind: type) -> None:
    """Guards what a class of positions defines itself."""
    for name in (*POSITION, STORY):
        method = vars(kind).get(name)
        if callable(method) and not hasattr(method, "guarded"):
            made = _guarded_story(method) if name == STORY else _guarded(method, CHECKS.get(name))
            made.guarded = True  # type: ignore[attr-defined]
            setattr(kind, name, made)


def guard_game(kind: type) -> None:
    """Guards what a class of games defines itself."""
    for name in GAME:
        method = vars(kind).get(name)
        if callable(method) and not hasattr(method, "guarded"):
            made = _guarded(method, CHECKS.get(name))
            made.guarded = True  # type: ignore[attr-defined]
            setattr(kind, name, made)


def _guarded(
    method: Callable[..., Any], check: Callable[[Any], None] | None = None
) -> Callable[..., Any]:
    @wraps(method)
    def asked(self: Any, *arguments: Any, **more: Any) -> Any:
        try:
            found = patiently(partial(method, self, *arguments, **more))
        except PASSED_ON:
            raise
        except BaseException as error:
            raise _broken(self, arguments, error) from error
        if check is not None:
            try:
                check(found)
            except InvalidGame as error:
                raise _broken(self, arguments, error) from error
        return found

    return asked


def _guarded_story(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def story(self: Any, move: Any) -> Generator[Any, None, Any]:
        try:
            told = iter(method(self, move))
            while True:
                try:
                    event = patiently(partial(next, told))
                except StopIteration as end:
                    return end.value
                yield event
        except (*PASSED_ON, GeneratorExit):  # nobody hears it to its end
            raise
        except BaseException as error:
            raise _broken(self, (), error) from error

    return story


def _broken(asked: Any, arguments: tuple[Any, ...], error: BaseException) -> BrokenGame:
    """What is said of it. `asked` is a position, or a game that was asked about one."""
    if isinstance(error, TooLong):
        late = TimeoutError(
            _("its rules take longer than {seconds} seconds").format(seconds=int(PATIENCE))
        )
        error = late.with_traceback(error.__traceback__)
    last = arguments[-1] if arguments else None
    position = asked if hasattr(asked, "turn") else last if hasattr(last, "turn") else None
    name = getattr(asked, "game", asked).name
    try:
        where = "" if position is None else shorten(_unguarded_text(position))
    except BaseException:  # not even that
        where = "?"
    if where:
        why = _("its rules fail at {position}: {why}").format(position=where, why=told(error))
    else:
        why = told(error)
    return BrokenGame(_("{name} cannot be used: {why}").format(name=name, why=why))


def _unguarded_text(position: Any) -> str:
    """A position as text; where that is what fails, it fails here once more and not for ever."""
    method: Any = type(position).__str__
    return str(getattr(method, "__wrapped__", method)(position))


# ---- what they answer ----------------------------------------------------------------------------------


def check_scores(scores: object) -> None:
    """Raises InvalidGame unless these are two numbers."""
    if not isinstance(scores, tuple | list) or len(scores) != 2 or not all(map(_number, scores)):
        raise InvalidGame(
            _("a score is two numbers up to {most}, not {value}").format(
                most=MOST_SCORE, value=shorten(scores)
            )
        )


def _number(value: object) -> bool:
    return isinstance(value, int | float) and isfinite(value) and abs(value) <= MOST_SCORE


def check_outcome(outcome: object) -> None:
    """Raises InvalidGame unless this is None or an end that can be told."""
    if outcome is None:
        return
    if not isinstance(outcome, Outcome) or not hasattr(outcome.reason, "value"):
        raise InvalidGame(_("{value} is no Outcome").format(value=shorten(outcome)))
    if outcome.winner is not None and outcome.winner not in (0, 1):
        told_winner = shorten(outcome.winner)
        raise InvalidGame(_("a winner is 0, 1 or None, not {value}").format(value=told_winner))
    check_scores(outcome.scores)


def must_go_on(position: Any) -> None:
    """Raises InvalidGame where a game is not over, and nobody can move."""
    if position.turn is None:
        raise InvalidGame(_("nobody is to move, and outcome() tells no end"))
    if not position.legal_moves():
        raise InvalidGame(_("the game is not over, and there are no moves"))


def check_end(position: Any) -> None:
    """The same of a stranger's game that is being played; of ours it is shown by tests."""
    if not type(position).__module__.startswith("mbegu."):
        try:
            must_go_on(position)
        except BrokenGame:
            raise
        except InvalidGame as error:
            raise _broken(position, (), error) from error


def _check_barred(barred: object) -> None:
    if not isinstance(barred, dict) or not all(isinstance(why, str) for why in barred.values()):
        raise InvalidGame(_("{value} tells no reasons").format(value=shorten(barred)))


def _check_position(position: object) -> None:
    if not hasattr(position, "legal_moves"):
        raise InvalidGame(_("{value} is not a Position").format(value=shorten(position)))


def _check_list(events: object) -> None:
    if not isinstance(events, list | tuple):
        raise InvalidGame(_("{value} is not a list").format(value=shorten(events)))


def _check_text(text: object) -> None:
    if not isinstance(text, str):
        raise InvalidGame(_("{value} is not a text").format(value=shorten(text)))


CHECKS: dict[str, Callable[[Any], None]] = {
    "start": _check_position,
    "position": _check_position,
    "from_json": _check_position,
    "closing": _check_list,
    "barred": _check_barred,
    "outcome": check_outcome,
    "repetition_outcome": check_outcome,
    "ply_cap_outcome": check_outcome,
    "scores": check_scores,
    "diagram": _check_text,
    "__str__": _check_text,
    "format_move": _check_text,
    "side": _check_text,
    "hole_name": _check_text,
}

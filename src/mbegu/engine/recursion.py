"""Calls of a compiled function to itself.

Numba knows recursion, but infers the types of the whole function anew for each such call, and that
took most of the time in which the search was compiled. These calls have a type of their own; they
go to the function in whose body they stand.
"""

from __future__ import annotations

from typing import Any

from mbegu.engine.jit import cgutils, intrinsic, types


def _call(context: Any, builder: Any, signature: Any, args: tuple[Any, ...]) -> Any:
    convention = context.call_conv
    status, answer = convention.call_function(
        builder, builder.function, signature.return_type, signature.args, args
    )
    with cgutils.if_unlikely(builder, status.is_error):
        convention.return_status_propagate(builder, status)
    return answer


def _six(context: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any) -> Any:
    """Calls the function itself with six arguments; it returns an int64."""
    return types.int64(a, b, c, d, e, f), _call


def _seven(context: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any) -> Any:
    """Calls the function itself with seven arguments; it returns an int64."""
    return types.int64(a, b, c, d, e, f, g), _call


itself_of_six: Any = intrinsic(_six)
itself_of_seven: Any = intrinsic(_seven)

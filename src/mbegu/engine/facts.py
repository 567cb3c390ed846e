"""What the search may know of a game beyond its rules. Every function here has a default.

They are chosen by the class of the state, like those of `mbegu.engine.kernels.interface`, and the
ones that return a constant cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import int64, types
from numba.extending import overload

from mbegu.engine.jit import PART
from mbegu.engine.kernels.bits import U, mix, total
from mbegu.engine.kernels.interface import again, key

State = Any

_PITS = U(0x0000FFFFFFFFFFFF)
_STORE = U(48)
_SCORE, _BYTE = U(8), U(0xFF)
NEVER, KEEP_SEEDS, DRAW = 0, 1, 2

KALAH = ("Kalah", "KalahEmptyCapture")
OWARE = ("Oware", "OwareVariant")
AWALE2 = ("Awale2", "Awale2Variant")
URUBUGU = ("Urubugu", "UrubuguVariant")
MORABARABA = ("Morabaraba", "MorabarabaClassic")


def margin_only(state: State) -> bool:  # type: ignore[empty-body]
    """Whether the search maximises nothing but the margin, and not the win before it. True in a
    game that goes on when it is decided, and in which no player can put off the end."""


def recurrence(state: State) -> int:  # type: ignore[empty-body]
    """How a match ends when a position comes back: NEVER ends, KEEP_SEEDS or DRAW."""


def standing(state: State) -> int:  # type: ignore[empty-body]
    """The part of the margin that is settled and has no influence on the rest of the game."""


def table_key(state: State) -> int:  # type: ignore[empty-body]
    """The key of the state with its settled part left out."""


def bounds(state: State) -> tuple[int, int]:  # type: ignore[empty-body]
    """The least and the greatest final margin that can still come about."""


def gain(before: State, after: State) -> int:  # type: ignore[empty-body]
    """What the move between two states won for the player who made it; 0 for a quiet move."""


def worth_sharing(state: State) -> int:  # type: ignore[empty-body]
    """From which depth on it pays to leave to another thread what it is busy with."""


def _of(function: Callable[..., Any], default: Any, **bodies: Any) -> None:
    """Registers the bodies by class name."""
    names = {
        "kalah": KALAH,
        "kalah_wide": ("KalahWide",),
        "oware": OWARE,
        "awale2": AWALE2,
        "urubugu": URUBUGU,
        "morabaraba": MORABARABA,
    }
    by_class = {name: body for game, body in bodies.items() for name in names[game]}

    def choose(state: Any, *others: Any) -> Any:
        if isinstance(state, types.NamedTuple | types.NamedUniTuple):
            return by_class.get(state.instance_class.__name__, default)
        return None

    overload(function, strict=False, jit_options=PART)(choose)


def _yes(state):  # type: ignore[no-untyped-def]
    return True


def _no(state):  # type: ignore[no-untyped-def]
    return False


_of(margin_only, _no, kalah=_yes, kalah_wide=_yes)


def _never(state):  # type: ignore[no-untyped-def]
    return NEVER


def _keep_seeds(state):  # type: ignore[no-untyped-def]
    return KEEP_SEEDS


def _draw(state):  # type: ignore[no-untyped-def]
    return DRAW


_of(recurrence, _never, oware=_keep_seeds, urubugu=_draw)


def _nothing(state):  # type: ignore[no-untyped-def]
    return 0


def _kalah_standing(state):  # type: ignore[no-untyped-def]
    return int64(state.me >> _STORE) - int64(state.op >> _STORE)


_of(standing, _nothing, kalah=_kalah_standing)


def _whole_key(state):  # type: ignore[no-untyped-def]
    return key(state)


def _kalah_key(state):  # type: ignore[no-untyped-def]
    return mix(state.me & _PITS, state.op & _PITS)


_of(table_key, _whole_key, kalah=_kalah_key)


def _unknown(state):  # type: ignore[no-untyped-def]
    return -255, 255


def _urubugu_bounds(state):  # type: ignore[no-untyped-def]
    beads = total(state.back) + total(state.front) + total(state.op_back) + total(state.op_front)
    return -int64(beads), int64(beads)


def _morabaraba_bounds(state):  # type: ignore[no-untyped-def]
    return -10, 10  # the tenth shot ends the game


def _kalah_bounds(state):  # type: ignore[no-untyped-def]
    ahead = int64(state.me >> _STORE) - int64(state.op >> _STORE)
    left = int64(total((state.me & _PITS) + (state.op & _PITS)))
    return ahead - left, ahead + left


def _wide_bounds(state):  # type: ignore[no-untyped-def]
    mine, his = int64(state.me2 >> U(56)), int64(state.op2 >> U(56))
    low, high = state.me2 & U(0xFFFF), state.op2 & U(0xFFFF)
    left = int64(total(state.me) + total(low) + total(state.op) + total(high))
    return mine - his - left, mine - his + left


def _oware_bounds(state):  # type: ignore[no-untyped-def]
    ahead = int64(state.me >> _STORE) - int64(state.op >> _STORE)
    left = int64(total((state.me & _PITS) + (state.op & _PITS)))
    return ahead - left, ahead + left


def _awale2_bounds(state):  # type: ignore[no-untyped-def]
    ahead = int64(state.score) - int64(state.op_score)
    left = int64(total(state.a + state.b + state.op_a + state.op_b))
    return ahead - left, ahead + left


_of(
    bounds,
    _unknown,
    kalah=_kalah_bounds,
    kalah_wide=_wide_bounds,
    oware=_oware_bounds,
    awale2=_awale2_bounds,
    urubugu=_urubugu_bounds,
    morabaraba=_morabaraba_bounds,
)


def _no_gain(before, after):  # type: ignore[no-untyped-def]
    return 0


def _kalah_gain(before, after):  # type: ignore[no-untyped-def]
    mine = after.me if again(after) else after.op
    return int64(mine >> _STORE) - int64(before.me >> _STORE)


def _wide_gain(before, after):  # type: ignore[no-untyped-def]
    mine = after.me2 if again(after) else after.op2
    return int64(mine >> U(56)) - int64(before.me2 >> U(56))


def _oware_gain(before, after):  # type: ignore[no-untyped-def]
    return int64(after.op >> _STORE) - int64(before.me >> _STORE)


def _awale2_gain(before, after):  # type: ignore[no-untyped-def]
    return int64(after.op_score) - int64(before.score)


def _urubugu_gain(before, after):  # type: ignore[no-untyped-def]
    mine = int64(total(after.op_back)) + int64(total(after.op_front))
    return mine - int64(total(before.back)) - int64(total(before.front))


def _morabaraba_gain(before, after):  # type: ignore[no-untyped-def]
    if again(after):
        return 2  # a mill: the shot follows
    return 2 * (int64((after.his >> _SCORE) & _BYTE) - int64((before.mine >> _SCORE) & _BYTE))


_of(
    gain,
    _no_gain,
    kalah=_kalah_gain,
    kalah_wide=_wide_gain,
    oware=_oware_gain,
    awale2=_awale2_gain,
    urubugu=_urubugu_gain,
    morabaraba=_morabaraba_gain,
)


def _deep(state):  # type: ignore[no-untyped-def]
    return 6


def _shallow(state):  # type: ignore[no-untyped-def]
    return 4  # a tree so wide is shallow


_of(worth_sharing, _deep, morabaraba=_shallow)

"""Bits and byte lanes (SIMD within a register): the few tricks that every kernel shares.

A *lane* is one byte of a 64-bit word and holds the seeds of one house. All lanes of a word are
added, compared and cleared at once. No lane may pass 255: `pack` refuses larger positions.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Compiled functions have no annotations: Numba infers their types, a set for each game.

from __future__ import annotations

import platform
from typing import Any

from mbegu.engine.arrays import np
from mbegu.engine.jit import cgutils, inlined, intrinsic, ir, overloaded, types

U = np.uint64  # NumPy's uint64, because Numba turns uint64 + int64 into a float
ZERO, ONE, FF = U(0), U(1), U(0xFF)
ONES = U(0x0101010101010101)  # times a word: the sum of its lanes, in the top lane
LOW7 = U(0x7F7F7F7F7F7F7F7F)
HIGH = U(0x8080808080808080)
TOP = U(56)
GATHER = U(0x0102040810204080)  # times bits 0, 8, 16...: the same bits side by side in the top lane

Words = tuple[Any, ...]


def _popcount(context: Any, word: Any) -> Any:
    """The number of one bits."""

    def code(context: Any, builder: Any, signature: Any, args: Words) -> Any:
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), code


def _lowest(context: Any, word: Any) -> Any:
    """The index of the lowest one bit; 64 for an empty word."""

    def code(context: Any, builder: Any, signature: Any, args: Words) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), code


def _leading_zeros(context: Any, word: Any) -> Any:
    """The number of zero bits above the highest one bit; 64 for an empty word."""

    def code(context: Any, builder: Any, signature: Any, args: Words) -> Any:
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), code


popcount: Any = intrinsic(_popcount)
lowest: Any = intrinsic(_lowest)
leading_zeros: Any = intrinsic(_leading_zeros)


@inlined
def lane(word, index):
    """The seeds in one lane."""
    return (word >> (index << U(3))) & FF


@inlined
def total(word):
    """The seeds in all lanes of a word."""
    return (word * ONES) >> TOP


@inlined
def occupied(word):
    """Bit 8i + 7 is set where lane i holds a seed."""
    return (((word & LOW7) + LOW7) | word) & HIGH


@inlined
def gather(word):
    """Brings the bits 8i + 7 of a word together as bits 0..7."""
    return ((word >> U(7)) * GATHER) >> TOP


@inlined
def mix(a, b):
    """Hashes two words into one; every bit of both reaches the whole result."""
    x = (a ^ (b * U(0x9E3779B97F4A7C15))) * U(0xD6E8FEB86659FD93)
    x = (x ^ (x >> U(32)) ^ b) * U(0xD6E8FEB86659FD93)
    return x ^ (x >> U(32))


# NTH[bits][k] is the index of the k-th one bit of a byte.
NTH = np.zeros((256, 8), np.uint8)
for _bits in range(256):
    _found = [_i for _i in range(8) if _bits >> _i & 1]
    NTH[_bits, : len(_found)] = _found


def _deposit(context: Any, bits: Any, mask: Any) -> Any:
    """Lays the low bits of a word on the one bits of a mask: one instruction of x86 processors."""

    def code(context: Any, builder: Any, signature: Any, args: Words) -> Any:
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word, word])
        name = "llvm.x86.bmi.pdep.64"
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), args)

    return types.uint64(types.uint64, types.uint64), code


deposit: Any = intrinsic(_deposit)


@inlined
def _nth_by_deposit(word, k):
    return lowest(deposit(ONE << U(k), word))


@inlined
def _nth_by_halves(word, k):
    k, base = U(k), ZERO
    for half in (U(32), U(16), U(8)):
        here = popcount(word & ((ONE << half) - ONE))
        beyond = k >= here
        word = word >> half if beyond else word
        base += half if beyond else ZERO
        k -= here if beyond else ZERO
    return base + U(NTH[word & FF, k])


def _deposits_fast() -> bool:
    from llvmlite import binding  # noqa: PLC0415 - asked for when something is compiled
    from numba.core import config  # noqa: PLC0415

    if platform.machine().lower() not in ("x86_64", "amd64") or config.CPU_NAME:  # type: ignore[attr-defined]
        return False
    slow = binding.get_host_cpu_name() in ("znver1", "znver2")  # they do it bit by bit
    return bool(binding.get_host_cpu_features().get("bmi2", False)) and not slow


def nth_bit(word: Any, k: Any) -> Any:
    """The index of the k-th one bit of a word that has more than k."""


def _nth_bit(word: Any, k: Any) -> Any:
    if _deposits_fast():
        return _nth_by_deposit.py_func
    return _nth_by_halves.py_func


overloaded(nth_bit, _nth_bit)


def lanes(counts: list[int]) -> int:
    """Packs up to eight counts into a word."""
    return sum(count << (8 * i) for i, count in enumerate(counts))


def counts(word: int, length: int) -> list[int]:
    """The first lanes of a word as a list."""
    return [int(word) >> (8 * i) & 0xFF for i in range(length)]

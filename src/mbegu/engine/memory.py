"""Words at an address: what a search passes on to itself instead of arrays.

An array costs seven machine words in every call, an address one. Only compiled code calls these,
with indices that it has made itself: nothing checks them.
"""

from __future__ import annotations

from typing import Any

from mbegu.engine.jit import intrinsic, ir, types

Words = tuple[Any, ...]


def _pointer(builder: Any, address: Any, index: Any) -> Any:
    base = builder.inttoptr(address, ir.IntType(64).as_pointer())
    return builder.gep(base, [index], inbounds=True)  # WebAssembly adds a constant for nothing then


def _peek(context: Any, address: Any, index: Any) -> Any:
    """The signed word with this index."""

    def code(context: Any, builder: Any, signature: Any, args: Words) -> Any:
        return builder.load(_pointer(builder, *args), align=8)

    return types.int64(types.int64, types.int64), code


def _poke(context: Any, address: Any, index: Any, value: Any) -> Any:
    """Writes a signed word."""

    def code(context: Any, builder: Any, signature: Any, args: Words) -> Any:
        builder.store(args[2], _pointer(builder, *args[:2]), align=8)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), code


def _peek_anew(context: Any, address: Any, index: Any) -> Any:
    """The signed word with this index, read anew even if no code here could have changed it."""

    def code(context: Any, builder: Any, signature: Any, args: Words) -> Any:
        return builder.load_atomic(_pointer(builder, *args), ordering="monotonic", align=8)

    return types.int64(types.int64, types.int64), code


def _peek_bits(context: Any, address: Any, index: Any) -> Any:
    """The unsigned word with this index."""

    def code(context: Any, builder: Any, signature: Any, args: Words) -> Any:
        return builder.load(_pointer(builder, *args), align=8)

    return types.uint64(types.int64, types.int64), code


def _poke_bits(context: Any, address: Any, index: Any, value: Any) -> Any:
    """Writes an unsigned word."""

    def code(context: Any, builder: Any, signature: Any, args: Words) -> Any:
        builder.store(args[2], _pointer(builder, *args[:2]), align=8)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.uint64), code


def _fetch(context: Any, address: Any, index: Any) -> Any:
    """Asks the processor to bring the cache line of a word near."""

    def code(context: Any, builder: Any, signature: Any, args: Words) -> Any:
        byte = ir.IntType(8).as_pointer()
        i32 = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, i32, i32, i32])
        function = builder.module.declare_intrinsic("llvm.prefetch", (byte,), kind)
        where = builder.bitcast(_pointer(builder, *args), byte)
        builder.call(function, [where, i32(0), i32(3), i32(1)])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), code


def _read_clock(context: Any, function: Any, which: Any, into: Any) -> Any:
    """Calls the C library's `clock_gettime` at its address; it writes two words at another one."""

    def code(context: Any, builder: Any, signature: Any, args: Words) -> Any:
        byte, i32 = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(i32, [i32, byte])
        clock = builder.inttoptr(args[0], kind.as_pointer())
        builder.call(clock, [builder.trunc(args[1], i32), builder.inttoptr(args[2], byte)])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), code


peek: Any = intrinsic(_peek)
poke: Any = intrinsic(_poke)
peek_anew: Any = intrinsic(_peek_anew)
peek_bits: Any = intrinsic(_peek_bits)
poke_bits: Any = intrinsic(_poke_bits)
fetch: Any = intrinsic(_fetch)
read_clock: Any = intrinsic(_read_clock)


def _peek_state(context: Any, like: Any, address: Any, index: Any) -> Any:
    """The state, of the same class as another one, whose words begin with this index."""

    def code(context: Any, builder: Any, signature: Any, args: Words) -> Any:
        kind = context.get_value_type(signature.return_type).as_pointer()
        return builder.load(builder.bitcast(_pointer(builder, *args[1:]), kind), align=8)

    return like(like, types.int64, types.int64), code


def _poke_state(context: Any, address: Any, index: Any, state: Any) -> Any:
    """Writes the words of a state."""

    def code(context: Any, builder: Any, signature: Any, args: Words) -> Any:
        kind = args[2].type.as_pointer()
        builder.store(args[2], builder.bitcast(_pointer(builder, *args[:2]), kind), align=8)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, state), code


peek_state: Any = intrinsic(_peek_state)
poke_state: Any = intrinsic(_poke_state)

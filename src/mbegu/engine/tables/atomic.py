"""Bytes at an address, also such that several threads change at once."""

from __future__ import annotations

from typing import Any

from mbegu.engine.jit import intrinsic, ir, types

Words = tuple[Any, ...]


def _pointer(builder: Any, address: Any, index: Any) -> Any:
    return builder.gep(builder.inttoptr(address, ir.IntType(8).as_pointer()), [index])


def _changed(operation: str) -> Any:
    """Changes a byte in one step, and tells what it was before."""

    def change(context: Any, address: Any, index: Any, value: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Words) -> Any:
            value = builder.trunc(args[2], ir.IntType(8))
            old = builder.atomic_rmw(operation, _pointer(builder, *args[:2]), value, "monotonic")
            return builder.zext(old, ir.IntType(64))

        return types.int64(types.int64, types.int64, types.int64), code

    return change


def _byte_near(context: Any, address: Any, index: Any) -> Any:
    """Asks the processor to bring the cache line of a byte near."""

    def code(context: Any, builder: Any, signature: Any, args: Words) -> Any:
        i32 = ir.IntType(32)
        pointer = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [pointer, i32, i32, i32])
        function = builder.module.declare_intrinsic("llvm.prefetch", (pointer,), kind)
        builder.call(function, [_pointer(builder, *args), i32(1), i32(3), i32(1)])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), code


def _reserve(context: Any, address: Any, count: Any) -> Any:
    """Adds to the word at an address in one step, and tells what it was before."""

    def code(context: Any, builder: Any, signature: Any, args: Words) -> Any:
        word = builder.inttoptr(args[0], ir.IntType(64).as_pointer())
        return builder.atomic_rmw("add", word, args[1], "monotonic")

    return types.int64(types.int64, types.int64), code


def _byte_at(context: Any, address: Any, index: Any) -> Any:
    """The byte with this index, from 0 to 255."""

    def code(context: Any, builder: Any, signature: Any, args: Words) -> Any:
        return builder.zext(builder.load(_pointer(builder, *args)), ir.IntType(64))

    return types.int64(types.int64, types.int64), code


less: Any = intrinsic(_changed("sub"))
either: Any = intrinsic(_changed("or"))
byte_at: Any = intrinsic(_byte_at)
reserve: Any = intrinsic(_reserve)
byte_near: Any = intrinsic(_byte_near)

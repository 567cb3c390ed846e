"""Reads the pickles that the contest called traces, without ever running what is in them.

A pickle is a small program. The usual restricted unpickler forbids some of the names it may call;
this reader calls nothing at all. It walks the opcodes, builds plain values, and for each of the few
classes that a trace holds it builds an inert `Thing` with the class's name, which the caller
looks through. A hostile file can therefore at worst be refused, with the name it asked for.

The module stands alone: it imports neither the framework around it nor the rest of Mbegu.
"""

import pickletools
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MAX_BYTES = 32 * 1024 * 1024  # a game of a thousand plies has about five million
MAX_OPCODES = 4_000_000
_MAX_DEPTH = 100_000


class TraceError(ValueError):
    """The file is no trace, is damaged, or asks for something that no trace needs."""


@dataclass(eq=False, slots=True)
class Thing:
    """What stands for an object: the kind of its class, what it was made with, and its state."""

    kind: str
    args: tuple[Any, ...] = ()
    state: Any = None


@dataclass(frozen=True)
class _Global:
    kind: str


# (pattern of the module, name) -> kind. Older and newer numpy keep the same helpers in `core`
# and `_core`; the framework's modules moved between releases, its class names did not.
_ALLOWED: tuple[tuple[str, str, str], ...] = (
    (r"utils\.trace|core\.trace", "Trace", "trace"),
    (r"morabaraba(\.morabaraba_state)?", "MorabarabaState", "state"),
    (r"morabaraba(\.morabaraba_board)?", "MorabarabaBoard", "board"),
    (r"core(\.\w+)?", "Color", "color"),
    (r"builtins", "getattr", "member"),  # Python 3.11.0 to 3.11.3 write an enum's member so
    (r"numpy\._?core\.multiarray", "_reconstruct", "new array"),
    (r"numpy\._?core\.numeric", "_frombuffer", "buffer array"),
    (r"numpy\._?core\.multiarray", "scalar", "scalar"),
    (r"numpy", "ndarray", "array type"),
    (r"numpy", "dtype", "dtype"),
)
_MADE_BY_NEWOBJ = {"trace", "state", "board"}
_BUILDABLE = {"trace", "state", "board", "array", "dtype"}
_MARK = object()


def _find(module: Any, name: Any) -> _Global:
    if isinstance(module, str) and isinstance(name, str):
        for pattern, allowed, kind in _ALLOWED:
            if name == allowed and re.fullmatch(pattern, module):
                return _Global(kind)
        wanted = f"{module}.{name}"[:200].encode("ascii", "backslashreplace").decode()
        raise TraceError(f"forbidden name {wanted}: no trace of the contest needs it")
    raise TraceError("a name in the pickle is not text")


def _color(args: tuple[Any, ...]) -> Thing:
    if len(args) == 1 and type(args[0]) is int and args[0] in (-1, 0, 1):
        return Thing("color", args)
    raise TraceError("a colour other than -1, 0 and 1")


_MEMBERS = {"white": -1, "empty": 0, "green": 1}


def _member(args: tuple[Any, ...]) -> Thing:
    """A colour by its name, as some versions of Python write it; nothing else has members here."""
    match args:
        case (_Global(kind="color"), str(name)) if name in _MEMBERS:
            return Thing("color", (_MEMBERS[name],))
    raise TraceError("forbidden name builtins.getattr: no trace of the contest needs it")


def _scalar(args: tuple[Any, ...]) -> int:
    """An integer of numpy: its type and its bytes."""
    if len(args) == 2 and isinstance(args[0], Thing) and isinstance(args[1], bytes):
        kind, raw = args[0], args[1]
        if kind.kind == "dtype" and kind.args and kind.args[0] in {"i8", "i4", "i2", "i1"}:
            order = kind.state[1] if isinstance(kind.state, tuple) and len(kind.state) > 1 else "<"
            if len(raw) == int(kind.args[0][1]):
                return int.from_bytes(raw, "big" if order == ">" else "little", signed=True)
    raise TraceError("a number of numpy that is no integer")


@dataclass
class _Machine:
    """The stack machine of the pickle format, reduced to what writing a trace can produce."""

    stack: list[Any] = field(default_factory=list)
    memo: dict[int, Any] = field(default_factory=dict)

    def pop(self) -> Any:
        if not self.stack or self.stack[-1] is _MARK:
            raise TraceError("damaged pickle: a value is missing")
        return self.stack.pop()

    def pop_to_mark(self) -> list[Any]:
        items: list[Any] = []
        while self.stack:
            item = self.stack.pop()
            if item is _MARK:
                return items[::-1]
            items.append(item)
        raise TraceError("damaged pickle: a mark is missing")

    def top(self, kind: type) -> Any:
        if self.stack and isinstance(self.stack[-1], kind):
            return self.stack[-1]
        raise TraceError(f"damaged pickle: a {kind.__name__} was expected")

    def put(self, index: int) -> None:
        if not self.stack or self.stack[-1] is _MARK:
            raise TraceError("damaged pickle: nothing to remember")
        self.memo[index] = self.stack[-1]

    def get(self, index: int) -> None:
        if index not in self.memo:
            raise TraceError("damaged pickle: a reference to nothing")
        self.stack.append(self.memo[index])

    def tuple_of(self, count: int) -> None:
        items = [self.pop() for _ in range(count)]
        self.stack.append(tuple(items[::-1]))

    def set_items(self, items: list[Any]) -> None:
        target = self.top(dict)
        if len(items) % 2:
            raise TraceError("damaged pickle: a key without a value")
        for key, value in zip(items[::2], items[1::2], strict=True):
            # Only simple keys: the hash of deeply nested tuples could take for ever.
            if not isinstance(key, str | int | None):
                raise TraceError("a key that is neither text nor a number")
            target[key] = value

    def append(self, items: list[Any]) -> None:
        self.top(list).extend(items)

    def call(self) -> None:
        args, callee = self.pop(), self.pop()
        if not isinstance(callee, _Global) or not isinstance(args, tuple):
            raise TraceError("damaged pickle: a call of something that is no class")
        if callee.kind == "color":
            self.stack.append(_color(args))
        elif callee.kind == "member":
            self.stack.append(_member(args))
        elif callee.kind == "scalar":
            self.stack.append(_scalar(args))
        elif callee.kind in {"new array", "buffer array"}:
            self.stack.append(Thing("array", args))
        elif callee.kind == "dtype":
            self.stack.append(Thing("dtype", args))
        else:
            raise TraceError(f"damaged pickle: a {callee.kind} is not made in this way")

    def new_object(self) -> None:
        args, callee = self.pop(), self.pop()
        if not isinstance(callee, _Global) or callee.kind not in _MADE_BY_NEWOBJ or args != ():
            raise TraceError("damaged pickle: an object of something that is no class of a trace")
        self.stack.append(Thing(callee.kind))

    def build(self) -> None:
        state = self.pop()
        thing = self.top(Thing)
        if thing.kind not in _BUILDABLE:
            raise TraceError(f"damaged pickle: a {thing.kind} has no state")
        thing.state = state


_LITERALS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False, "EMPTY_TUPLE": ()}
_PUSH_ARGUMENT = frozenset(
    "INT BININT BININT1 BININT2 LONG LONG1 LONG4 FLOAT BINFLOAT UNICODE SHORT_BINUNICODE BINUNICODE"
    " BINUNICODE8 SHORT_BINBYTES BINBYTES BINBYTES8 BYTEARRAY8".split()
)


def _global(machine: _Machine, arg: Any) -> None:
    module, _, name = arg.partition(" ")
    machine.stack.append(_find(module, name))


def _stack_global(machine: _Machine, _arg: Any) -> None:
    name, module = machine.pop(), machine.pop()
    machine.stack.append(_find(module, name))


def _dict(machine: _Machine, _arg: Any) -> None:
    items = machine.pop_to_mark()
    machine.stack.append({})
    machine.set_items(items)


def _items(machine: _Machine, count: int) -> list[Any]:
    return [machine.pop() for _ in range(count)][::-1]


_STEPS: dict[str, Callable[[_Machine, Any], Any]] = {
    "PROTO": lambda m, arg: None,
    "FRAME": lambda m, arg: None,
    "MARK": lambda m, arg: m.stack.append(_MARK),
    "EMPTY_LIST": lambda m, arg: m.stack.append([]),
    "EMPTY_DICT": lambda m, arg: m.stack.append({}),
    "LIST": lambda m, arg: m.stack.append(m.pop_to_mark()),
    "TUPLE": lambda m, arg: m.stack.append(tuple(m.pop_to_mark())),
    "DICT": _dict,
    "TUPLE1": lambda m, arg: m.tuple_of(1),
    "TUPLE2": lambda m, arg: m.tuple_of(2),
    "TUPLE3": lambda m, arg: m.tuple_of(3),
    "APPEND": lambda m, arg: m.append(_items(m, 1)),
    "APPENDS": lambda m, arg: m.append(m.pop_to_mark()),
    "SETITEM": lambda m, arg: m.set_items(_items(m, 2)),
    "SETITEMS": lambda m, arg: m.set_items(m.pop_to_mark()),
    "MEMOIZE": lambda m, arg: m.put(len(m.memo)),
    "PUT": lambda m, arg: m.put(arg),
    "BINPUT": lambda m, arg: m.put(arg),
    "LONG_BINPUT": lambda m, arg: m.put(arg),
    "GET": lambda m, arg: m.get(arg),
    "BINGET": lambda m, arg: m.get(arg),
    "LONG_BINGET": lambda m, arg: m.get(arg),
    "GLOBAL": _global,
    "STACK_GLOBAL": _stack_global,
    "REDUCE": lambda m, arg: m.call(),
    "NEWOBJ": lambda m, arg: m.new_object(),
    "BUILD": lambda m, arg: m.build(),
}


def loads(data: bytes) -> Any:
    """The value in `data`: plain values and `Thing`s only. Anything else is a TraceError."""
    machine = _Machine()
    opcodes = pickletools.genops(data)
    count = 0
    while True:
        try:
            opcode, arg, position = next(opcodes)
        except StopIteration:
            raise TraceError("damaged pickle: it has no end") from None
        except Exception as fault:  # genops has many ways of saying that the bytes make no sense
            raise TraceError(f"not a pickle, or cut short: {fault}") from None
        count += 1
        if count > MAX_OPCODES or len(machine.stack) > _MAX_DEPTH:
            raise TraceError("far more in it than any game can hold")
        name = opcode.name
        if name == "STOP":
            value = machine.pop()
            if machine.stack:
                raise TraceError("damaged pickle: values are left over")
            return value
        if name in _LITERALS:
            machine.stack.append(_LITERALS[name])
        elif name in _PUSH_ARGUMENT:
            machine.stack.append(arg)
        elif name in _STEPS:
            _STEPS[name](machine, arg)
        else:
            raise TraceError(f"not a trace of the contest: opcode {name} at byte {position}")


def load(path: str | Path) -> Any:
    """The value in a file, which must be of a size that a game can have."""
    path = Path(path)
    if not path.is_file():
        raise TraceError(f"{path}: there is no such file")
    if path.stat().st_size > MAX_BYTES:
        raise TraceError(
            f"{path}: {path.stat().st_size:,} bytes; a trace has at most {MAX_BYTES:,}"
        )
    try:
        with path.open("rb") as file:
            # One byte more than allowed: the file may have grown since it was measured.
            data = file.read(MAX_BYTES + 1)
    except OSError as fault:
        raise TraceError(f"{path}: cannot be read: {fault.strerror}") from None
    if not data:
        raise TraceError(f"{path}: the file is empty")
    if len(data) > MAX_BYTES:
        raise TraceError(f"{path}: more than {MAX_BYTES:,} bytes")
    try:
        return loads(data)
    except TraceError as fault:
        raise TraceError(f"{path}: {fault}") from None


# -- looking through what was read ---------------------------------------------------------------


def fields(thing: Any, kind: str) -> dict[str, Any]:
    """The attributes of an object of that kind."""
    if not isinstance(thing, Thing) or thing.kind != kind:
        raise TraceError(f"a {kind} was expected")
    state = thing.state
    if not isinstance(state, dict) or not all(isinstance(name, str) for name in state):
        raise TraceError(f"the {kind} has no attributes")
    return state


def grid(array: Any) -> list[list[int]]:
    """The 7 x 7 colours of a board, as -1, 0 and 1."""
    if not isinstance(array, Thing) or array.kind != "array" or not isinstance(array.state, tuple):
        raise TraceError("the board is no array")
    match array.state:
        # Objects are listed row by row, whatever the order in memory that the fourth item tells.
        case (int(), (7, 7), Thing(kind="dtype"), _, list(cells)) if len(cells) == 49:
            pass
        case _:
            raise TraceError("the board is no array of 7 x 7 colours")
    values = []
    for cell in cells:
        if not isinstance(cell, Thing) or cell.kind != "color":
            raise TraceError("a cell of the board has no colour")
        values.append(cell.args[0])
    return [values[7 * row : 7 * row + 7] for row in range(7)]

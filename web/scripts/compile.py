"""Run inside Pyodide by tab.mjs: bytecode in two zips, without docstrings, asserts and what only tools read."""

import ast
import importlib.util
import marshal
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import CodeType

NOWHERE = (
    0x80 | 15 << 3
)  # an entry of a table of lines without one; plus the number of instructions - 1


class Unannotated(ast.NodeTransformer):
    """Functions without their annotations: each would be a function of its own in memory. Those of classes
    stay, because dataclasses read them."""

    def _plain(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        given = node.args
        everyone = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
        for each in everyone:
            if each is not None:
                each.annotation = None
        node.returns = None
        return self.generic_visit(node)

    visit_FunctionDef = visit_AsyncFunctionDef = _plain  # noqa: N815 (ast names them)


def without_lines(code: CodeType) -> CodeType:
    """Code that does not know from which line it came: tracebacks in a tab name functions, not lines.

    Every byte of the table says of eight instructions that their place is unknown (the last one of fewer)."""
    inner = [without_lines(each) if isinstance(each, CodeType) else each for each in code.co_consts]
    eights, rest = divmod(len(code.co_code) // 2, 8)
    table = bytes([NOWHERE + 7]) * eights + (bytes([NOWHERE + rest - 1]) if rest else b"")
    return code.replace(co_consts=tuple(inner), co_linetable=table)


def bytecode(source: bytes, name: str) -> bytes:
    """A .pyc that is never compared with its source."""
    tree = ast.fix_missing_locations(Unannotated().visit(ast.parse(source)))
    code = compile(tree, name, "exec", optimize=2, dont_inherit=True)
    return importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(without_lines(code))


def squeeze(sources: Iterator[tuple[str, bytes]], target: str) -> None:
    """Writes a zip in which every module is bytecode."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in sources:
            if name.endswith(".py"):
                made.writestr(name + "c", bytecode(data, name))
            else:
                made.writestr(name, data)


def in_zip(path: str) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(path) as given:
        for name in given.namelist():
            if not name.endswith("/"):
                yield name, given.read(name)


def in_folder(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.relative_to(folder).as_posix(), path.read_bytes()


squeeze(in_zip("/in/library.zip"), "/in/library-o.zip")
squeeze(in_folder(Path("/in/own")), "/in/own-o.zip")

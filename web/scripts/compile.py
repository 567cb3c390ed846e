"""Run inside Pyodide by tab.mjs: bytecode without docstrings and asserts, in two zips."""

import importlib.util
import marshal
import zipfile
from collections.abc import Iterator
from pathlib import Path


def bytecode(source: bytes, name: str) -> bytes:
    """A .pyc that is never compared with its source."""
    code = compile(source, name, "exec", optimize=2, dont_inherit=True)
    return importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code)


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

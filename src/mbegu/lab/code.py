"""Which code this is: a hash of the package's sources, and the commit where there is one.

A version number stays the same between releases; a table can be traced to what made it by these.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import mbegu

__all__ = ["code"]

PACKAGE = Path(mbegu.__file__).parent
SOURCES = ("*.py", "books.json")  # what can change a table; not pictures, pages and translations


@cache
def code() -> dict[str, str | None]:
    """`sha256` of all sources of the package, and the `commit` that is checked out around it."""
    return {"sha256": _sources(PACKAGE), "commit": _commit(PACKAGE)}


def _sources(folder: Path) -> str:
    told = hashlib.sha256()
    paths = {path.relative_to(folder) for kind in SOURCES for path in folder.rglob(kind)}
    for path in sorted(paths, key=lambda path: path.as_posix()):
        data = (folder / path).read_bytes().replace(b"\r\n", b"\n")
        told.update(f"{path.as_posix()} {len(data)}\n".encode() + data)
    return told.hexdigest()


def _commit(folder: Path) -> str | None:
    """What Git's files say; Git itself need not be there. None for a package that was installed."""
    for above in folder.parents[:3]:
        if (above / ".git").exists() and (above / "pyproject.toml").exists():
            try:
                return _head(above / ".git")
            except (OSError, ValueError, IndexError):
                return None
    return None


def _head(git: Path) -> str | None:
    if git.is_file():  # a work tree of another clone: "gitdir: …"
        git = (git.parent / git.read_text().split(":", 1)[1].strip()).resolve()
    head = (git / "HEAD").read_text().strip()
    if not head.startswith("ref:"):
        return head
    name = head.removeprefix("ref:").strip()
    common = git
    if (git / "commondir").exists():
        common = (git / (git / "commondir").read_text().strip()).resolve()
    for place in (git / name, common / name):
        if place.exists():
            return place.read_text().strip()
    for line in (common / "packed-refs").read_text().splitlines():
        if line.endswith(f" {name}"):
            return line.split()[0]
    return None

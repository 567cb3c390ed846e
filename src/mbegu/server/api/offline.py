"""What a browser keeps for the time without a network: a list of files with their hashes, and its service worker.

The service worker (web/src/offline/sw.ts) gets the list written before it. So every change of any file
changes the script, by which browsers know that there is a new version.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path

from mbegu.server.net.messages import dumps

__all__ = ["TAB", "Version", "content_hash", "files_below", "folder_hash", "metas", "tab_address"]

TAB = Path(__file__).parents[2] / "site" / "tab"  # Python for browsers, where it was built
HEAD = '<meta charset="utf-8" />'


def content_hash(data: bytes) -> str:
    """What stands for a content: 64 bits against accidents, not against attackers."""
    return hashlib.sha256(data).hexdigest()[:16]


def files_below(folder: Path) -> list[Path]:
    """Every file below a folder, in order."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


def folder_hash(folder: Path) -> str:
    """The same for a folder: names and contents."""
    told = [
        f"{path.relative_to(folder).as_posix()} {content_hash(path.read_bytes())}"
        for path in files_below(folder)
    ]
    return content_hash("\n".join(told).encode())


def tab_address(folder: Path = TAB) -> str:
    """Where Python for browsers lies on its host: an address that names its content, so that no page
    ever starts another version of it than its own."""
    return f"tab/{folder_hash(folder)}/"


def metas(page: str, told: Mapping[str, str], policy: str = "") -> str:
    """A page that says something about itself."""
    head = "".join(
        f'<meta name="mbegu-{name}" content="{escape(value)}" />' for name, value in told.items()
    )
    if policy:
        head = f'<meta http-equiv="content-security-policy" content="{escape(policy)}" />{head}'
    return page.replace(HEAD, HEAD + head, 1)


@dataclass(frozen=True)
class Version:
    """One whole version of the app."""

    version: str
    home: str  # "server" or "tab": who keeps the games
    page: str
    files: Mapping[str, str]
    later: Iterable[str] = ()  # what comes when a page asks for it

    def script(self, worker: str) -> str:
        """The service worker of this version."""
        told = {
            "version": self.version,
            "home": self.home,
            "page": self.page,
            "files": dict(self.files),
            "later": list(self.later),
        }
        return f"const MBEGU = {dumps(told)};\n{worker}"

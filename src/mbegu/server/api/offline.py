"""What a browser keeps for the time without a network: a list of files with their hashes, and its service worker.

The service worker (web/src/offline/sw.ts) gets the list written before it. So every change of any file
changes the script, by which browsers know that there is a new version.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from mbegu.core.i18n import current_language
from mbegu.server.net.messages import dumps

__all__ = [
    "TAB",
    "Version",
    "carried",
    "content_hash",
    "early_links",
    "files_below",
    "folder_hash",
    "metas",
    "tab_address",
]

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


def early_links(parts: Mapping[str, Any], sources: Iterable[str], root: str = "/") -> str:
    """What the browser should fetch while it still reads the first script; `parts` is the manifest of the build."""
    scripts, styles = dict[str, None](), dict[str, None]()

    def add(source: str) -> None:
        part = parts.get(source, {})
        if not part or part.get("isEntry") or part["file"] in scripts:
            return
        scripts[part["file"]] = None
        styles.update(dict.fromkeys(part.get("css", ())))
        for other in part.get("imports", ()):
            add(other)

    for source in sources:
        add(source)
    return "".join(
        [f'<link rel="modulepreload" crossorigin href="{root}{escape(file)}">' for file in scripts]
        + [f'<link rel="stylesheet" crossorigin href="{root}{escape(file)}">' for file in styles]
    )


def carried(answers: Mapping[str, str]) -> str:
    """Answers as data in the page, which no browser runs; `<` cannot end it."""
    if not answers:
        return ""
    body = ",".join(f"{json.dumps(question)}:{answer}" for question, answer in answers.items())
    data = f'{{"lang":"{current_language()}","answers":{{{body}}}}}'.replace("<", "\\u003c")
    return f'<script type="application/json" id="first">{data}</script>'


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

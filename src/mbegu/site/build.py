"""Builds the folder: the web app, Python for the tab, and the answers to its first questions.

Nothing is compiled here. What the web app and the tab are made of was built with the package.
"""

import hashlib
import json
import shutil
from collections.abc import Iterator
from html import escape
from pathlib import Path

from mbegu import __version__
from mbegu.core.errors import MbeguError
from mbegu.core.i18n import LANGUAGES, _, current_language, speaking
from mbegu.core.registry import usable_games
from mbegu.server.net.messages import dumps
from mbegu.server.play.catalogue import told_cards, told_lesson
from mbegu.server.play.views import view

__all__ = ["POLICY", "SiteError", "build_site"]

STATIC = Path(__file__).parent.parent / "server" / "static"
TAB = Path(__file__).parent / "tab"
NOT_FOR_SITES = {"routes.json", "manifest.json"}
PACKED = {".br", ".gz"}
MARK = ".mbegu-site"  # a folder that we have built, and may build again
# Our own files only; WebAssembly may be compiled, texts may not become programs.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data: blob:; font-src 'self'; media-src 'self' data: blob:; connect-src 'self'; "
    "worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
)


class SiteError(MbeguError):
    """The folder cannot be built."""


def build_site(folder: Path, base: str = "./") -> int:
    """Writes the site into a folder; how many bytes it has."""
    _check(folder, base)
    part = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    try:
        _copy(part)
        _write_first(part)
        (part / "index.html").write_text(_page((STATIC / "index.html").read_text("utf-8"), base))
        (part / "files.json").write_text(dumps(_files(part)))
        (part / MARK).write_text(f"{__version__}\n")
        shutil.rmtree(folder, ignore_errors=True)
        part.rename(folder)  # whole, or not at all
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _check(folder: Path, base: str) -> None:
    for needed in (STATIC / "index.html", TAB / "tab.json"):
        if not needed.is_file():
            raise SiteError(
                _(
                    "this installation has no Python for browsers ({path} is missing): "
                    "in a clone, `make site` builds it"
                ).format(path=needed.name)
            )
    if folder.exists() and not (folder / MARK).is_file() and any(folder.iterdir()):
        raise SiteError(
            _("{folder} is not empty, and not a site of ours: name another folder").format(
                folder=folder
            )
        )
    if not base.endswith("/"):
        raise SiteError(_("{base} must end with a slash").format(base=base))


def _copy(part: Path) -> None:
    def left_out(_folder: str, names: list[str]) -> set[str]:
        return {name for name in names if name in NOT_FOR_SITES or Path(name).suffix in PACKED}

    shutil.copytree(STATIC, part, ignore=left_out)
    shutil.copytree(TAB, part / "tab")


def _page(index: str, base: str) -> str:
    """`index.html` for a folder: it says so, and what it allows."""
    told = {"mbegu-home": "tab", "mbegu-base": base}
    metas = "".join(
        f'<meta name="{name}" content="{escape(value)}" />' for name, value in told.items()
    )
    policy = f'<meta http-equiv="content-security-policy" content="{escape(POLICY)}" />'
    return index.replace('<meta charset="utf-8" />', f'<meta charset="utf-8" />{policy}{metas}', 1)


def _write_first(part: Path) -> None:
    """What the first screens ask is answered beforehand: they do not wait for Python."""
    (part / "first").mkdir()
    for language in LANGUAGES:
        with speaking(language):
            answers = {question: json.loads(text) for question, text in _first_answers()}
            (part / "first" / f"{language}.json").write_text(dumps(answers), "utf-8")


def _first_answers() -> Iterator[tuple[str, str]]:
    yield "/account", dumps({"account": None, "ratings": {}})
    yield "/games", told_cards(current_language(), True)
    for game in usable_games():
        yield f"/lessons/{game.name}", told_lesson(game.name, current_language())
        yield f"/view?game={game.name}", dumps(view(game().start()))


def _files(part: Path) -> dict[str, object]:
    """Every file with its hash: what a browser keeps for the time without a network."""
    files = {
        path.relative_to(part).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()[:16]
        for path in sorted(part.rglob("*"))
        if path.is_file()
    }
    version = hashlib.sha256(dumps(files).encode()).hexdigest()[:12]
    return {"version": version, "files": files}

"""Builds the folder: the web app, Python for the tab, and the answers to its first questions.

Nothing is compiled here. What the web app and the tab are made of was built with the package.
"""

import asyncio
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

from mbegu import __version__
from mbegu.core.errors import MbeguError, system_words
from mbegu.core.game import Game
from mbegu.core.i18n import LANGUAGES, _, current_language, speaking
from mbegu.core.registry import is_ours, usable_games
from mbegu.server.api.offline import (
    TAB,
    Version,
    carried,
    content_hash,
    early_links,
    files_below,
    metas,
    tab_address,
)
from mbegu.server.net.messages import dumps
from mbegu.server.play.catalogue import told_cards, told_lesson
from mbegu.server.play.forms import new_room
from mbegu.server.play.hall import Hall
from mbegu.server.play.room import Room
from mbegu.server.play.views import view
from mbegu.server.tab.engines import TabEngines
from mbegu.server.tab.store import HERE, TabStore

__all__ = ["POLICY", "SiteError", "build_site", "not_on_a_site"]

STATIC = Path(__file__).parent.parent / "server" / "static"
NOT_FOR_SITES = {"routes.json", "manifest.json", "sw.js"}
PACKED = {".br", ".gz"}
MARK = ".mbegu-site"  # a folder that we have built, and may build again
# Our own files only; WebAssembly may be compiled, texts may not become programs.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data: blob:; font-src 'self'; media-src 'self' data: blob:; connect-src 'self'; "
    "worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
)

FIRST_SCREEN = "src/screens/Home.svelte"
FIRST_QUESTIONS = ("/account", "/games")

EXAMPLE = """<!doctype html>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<h1>{title}</h1>
<script async src="../embed.js" data-game="{game}"></script>
"""


class SiteError(MbeguError):
    """The folder cannot be built."""


def build_site(folder: Path, base: str = "./") -> int:
    """Writes the site into a folder; how many bytes it has."""
    try:
        _check(folder, base)
        folder.mkdir(parents=True, exist_ok=True)
        # From now on it is ours, also if this is cut: it may be built again.
        (folder / MARK).write_text(f"{__version__}\n")
        _build(folder, base)
        return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    except OSError as error:
        raise SiteError(
            _("{path} cannot be used: {why}").format(path=folder, why=system_words(error))
        ) from None


def _build(folder: Path, base: str) -> None:
    """Builds beside what is there, within the folder: it may be a link, a stick, or where one stands."""
    part = Path(mkdtemp(prefix=f"{MARK}-", dir=folder))
    try:
        new, old = part / "new", part / "old"
        _write_version(new, base, _copy(new))
        old.mkdir()
        before = [path for path in folder.iterdir() if path.name not in (MARK, part.name)]
        _move(before, old)
        _move(list(new.iterdir()), folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _move(paths: list[Path], folder: Path) -> None:
    """All of them, or none."""
    moved: list[Path] = []
    try:
        for path in paths:
            path.rename(folder / path.name)
            moved.append(path)
    except OSError:
        for path in moved:
            (folder / path.name).rename(path)
        raise


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
        raise SiteError(_("{base} must end with a slash").format(base=f"--base {base}".rstrip()))


def _copy(part: Path) -> str:
    """Copies what was built; where Python for the tab lies now."""

    def left_out(_folder: str, names: list[str]) -> set[str]:
        return {name for name in names if name in NOT_FOR_SITES or Path(name).suffix in PACKED}

    shutil.copytree(STATIC, part, ignore=left_out)
    new = part / "tab" / "new"
    shutil.copytree(TAB, new)
    _write_first(new)
    address = tab_address(new)
    new.rename(part / address)
    return address


def _write_version(part: Path, base: str, tab: str) -> None:
    """The page, which names its version, and the service worker that keeps this version."""
    files = {
        path.relative_to(part).as_posix(): content_hash(path.read_bytes())
        for path in files_below(part)
        if path.parent.name != "icons" and path.name != "index.html"
    }
    index = (STATIC / "index.html").read_text("utf-8")
    worker = (STATIC / "sw.js").read_text("utf-8")
    version = content_hash(dumps([files, index, base, worker, POLICY]).encode())
    told = {"home": "tab", "base": base, "files": tab, "version": version}
    page = metas(index, told, POLICY).replace("</head>", f"{_first_screen()}</head>", 1)
    (part / "index.html").write_text(page, "utf-8")
    _write_embed(part, metas(index, {**told, "base": _above(base), "page": "embed"}, POLICY))
    files["index.html"] = content_hash(page.encode())
    script = Version(version, "tab", "index.html", files).script(worker)
    (part / "sw.js").write_text(script, "utf-8")


def _first_screen() -> str:
    """What the first screen needs, on its way with the page; its words in the language of most visitors'
    browsers, because a folder cannot ask for theirs."""
    parts = json.loads((STATIC / "manifest.json").read_text("utf-8"))
    links = early_links(parts, [FIRST_SCREEN], "./")
    with speaking("en"):
        answers = dict(_first_answers())
        return links + carried({question: answers[question] for question in FIRST_QUESTIONS})


def _above(base: str) -> str:
    """Where the site lies, seen from a folder in it."""
    return base if base.startswith("/") or "://" in base else f"../{base.removeprefix('./')}"


def _write_embed(part: Path, page: str) -> None:
    """The board for other pages (`embed/#…`), and a page that shows how it is done."""
    (part / "embed").mkdir()
    (part / "embed" / "index.html").write_text(page.replace('"./', '"../'), "utf-8")
    game = (Path(__file__).parent / "example.txt").read_text("utf-8").strip()
    example = EXAMPLE.format(title=_("A board on another page"), game=game)
    (part / "embed" / "example.html").write_text(example, "utf-8")


def _write_first(part: Path) -> None:
    """What the first screens ask is answered beforehand: they do not wait for Python."""
    (part / "first").mkdir()
    for language in LANGUAGES:
        with speaking(language):
            answers = {question: json.loads(text) for question, text in _first_answers()}
            (part / "first" / f"{language}.json").write_text(dumps(answers), "utf-8")
            rooms = asyncio.run(_first_rooms())
            (part / "first" / f"rooms-{language}.json").write_text(dumps(rooms), "utf-8")


def _first_answers() -> Iterator[tuple[str, str]]:
    yield "/account", dumps({"account": None, "ratings": {}})
    yield "/games", _told_cards()
    for game in _played_there():
        yield f"/lessons/{game.name}", told_lesson(game.name, current_language())
        yield f"/view?game={game.name}", dumps(view(game().start()))


def _played_there() -> list[type[Game]]:
    """Mbegu's own games: Python in a tab comes with no other package."""
    return [game for game in usable_games() if is_ours(game)]


def not_on_a_site() -> list[str]:
    """The names of the games that are installed here, and will not be there."""
    return [game.name for game in usable_games() if not is_ours(game)]


def _told_cards() -> str:
    told = json.loads(told_cards(current_language(), True))
    names = {game.name for game in _played_there()}
    told["games"] = [card for card in told["games"] if card["name"] in names]
    return dumps({**told, "unusable": []})


SEATS: dict[str, list[dict[str, object]]] = {
    "hc": [{"kind": "human"}, {"kind": "computer", "level": 1}],
    "hh": [{"kind": "human"}, {"kind": "human"}],
}


async def _first_rooms() -> dict[str, dict[str, object]]:
    """New rooms of every game as a line to them begins: one moves before Python has arrived."""
    hall = Hall(TabStore(_Nowhere()), TabEngines(None))
    found: dict[str, dict[str, object]] = {}
    for game in _played_there():
        found[game.name] = {}
        for who, seats in SEATS.items():
            room = Room(new_room({"game": game.name, "seats": seats}, HERE), hall)
            shot = await room.snapshot(HERE)
            room.close()
            del shot["view"]  # it is among the first answers
            shot["room"] |= {"id": "", "created": "", "updated": ""}  # same sources, same bytes
            found[game.name][who] = shot
    return found


class _Nowhere:
    """Keeps nothing."""

    async def load(self, _room: str) -> str | None:
        """Nothing is there."""
        return None

    async def append(self, _room: str, _events: str, _summary: str) -> str:
        """Nothing is kept."""
        return "gone"

    async def add(self, _rows: str) -> None:
        """Nothing is kept."""

    async def remove(self, _room: str) -> None:
        """Nothing was there."""

    async def list(self) -> str:
        """Nothing is there."""
        return "[]"

"""The front end: files that the build put into `static/`, and `index.html` for every client route."""

import json
import mimetypes
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response

from mbegu.core.i18n import _, current_language
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
from mbegu.server.api.preload import NEEDS, first_answers
from mbegu.server.net.rate_limits import RateLimits
from mbegu.server.net.replies import too_often

__all__ = ["Pages"]

STATIC = Path(__file__).parents[1] / "static"
YEAR = "public, max-age=31536000, immutable"
OURS = ("index.html", "routes.json", "manifest.json", "sw.js")  # for the server, not for visitors
AWAY = "offline.html"  # what a browser shows while this server does not answer
PACKED = {"br": ".br", "gzip": ".gz"}  # what the build leaves beside a file, best first
_FILE = re.compile(r"[A-Za-z0-9_.@-]+(?:/[A-Za-z0-9_.@-]+)*")


@dataclass(frozen=True)
class _Built:
    """What the build says about itself."""

    index: str
    routes: dict[str, re.Pattern[str]] | None
    parts: dict[str, Any] = field(default_factory=dict)  # Vite's manifest
    made: dict[str, str] = field(default_factory=dict)  # pages and scripts that are no files
    tab: str = ""  # where Python for browsers is found; empty where it was not built


class Pages:
    """Answers whatever is not the API."""

    def __init__(self, folder: Path = STATIC, tab: Path = TAB) -> None:
        self._folder, self._tab = folder, tab
        self._known: tuple[float, _Built] | None = None

    async def answer(self, request: Request) -> Response:
        """A file, a page, or the page that says that there is none."""
        limits: RateLimits = request.app.state.limits
        if not limits.pages.take(request.state.visitor, request.state.address):
            return too_often()
        path = request.path_params.get("path", "")
        if _FILE.fullmatch(path) and ".." not in path.split("/"):
            file = self._folder / path
            if path not in OURS and file.suffix not in PACKED.values() and _is_file(file):
                return _file(file, path.startswith("assets/"), request)
        built = self._built()
        if built is None:
            return HTMLResponse(_not_built(), 503)
        if (found := self._offline(built, path)) is not None:
            return _file(found, True, request) if isinstance(found, Path) else found
        return await self._page(request, built, "/" + path.rstrip("/"))

    async def _page(self, request: Request, built: _Built, path: str) -> Response:
        """`index.html` in the visitor's language, with what its screen will need at once."""
        found = _route(built, path)
        html = built.index.replace('<html lang="en"', f'<html lang="{current_language()}"')
        if found is not None:
            route, values = found
            head = early_links(built.parts, _parts(route))
            answers = await first_answers(request, route, values)
            html = html.replace("</head>", f"{head}{carried(answers)}</head>")
        return HTMLResponse(
            html, 200 if found is not None else 404, headers={"cache-control": "no-store"}
        )

    def _offline(self, built: _Built, path: str) -> Response | Path | None:
        """What a browser needs for the time without us."""
        if path in built.made:
            kind = "text/html" if path == AWAY else "text/javascript"
            return PlainTextResponse(
                built.made[path], headers={"cache-control": "no-cache"}, media_type=kind
            )
        inside = path.removeprefix(built.tab) if built.tab and path.startswith(built.tab) else ""
        if not _FILE.fullmatch(inside) or ".." in inside.split("/"):
            return None
        file = self._tab / inside
        return file if _is_file(file) else None

    def _built(self) -> _Built | None:
        """Read again when it was built again."""
        index = self._folder / "index.html"
        if not index.is_file():
            return None
        changed = index.stat().st_mtime
        if self._known is None or self._known[0] != changed:
            routes = self._json("routes.json")
            patterns = None if routes is None else {route: _pattern(route) for route in routes}
            # The build names files beside itself, for folders anywhere; we serve it at every address.
            text = index.read_text("utf-8").replace('"./', '"/')
            tab = tab_address(self._tab) if (self._tab / "tab.json").is_file() else ""
            text, made = self._version(text, tab)
            built = _Built(text, patterns, self._json("manifest.json") or {}, made, tab)
            self._known = changed, built
        return self._known[1]

    def _version(self, index: str, tab: str) -> tuple[str, dict[str, str]]:
        """The page that names its version, and what belongs to that: a service worker and a page of its own."""
        files = {
            path.relative_to(self._folder).as_posix(): content_hash(path.read_bytes())
            for path in files_below(self._folder)
            if path.relative_to(self._folder).as_posix() not in OURS
            and path.suffix not in PACKED.values()
            and path.parent.name != "icons"  # browsers keep those of the apps that they install
        }
        worker = self._folder / "sw.js"
        if not worker.is_file():
            return index, {}
        later = {} if not tab else self._tab_files(tab)
        script = worker.read_text("utf-8")
        version = content_hash(json.dumps([files, later, index, script]).encode())
        told = {"version": version, **({"files": f"/{tab}"} if tab else {})}
        away = metas(index, {**told, "away": "", **({"home": "tab"} if tab else {})})
        kept = {**files, **later, AWAY: content_hash(away.encode())}
        made = Version(version, "server", AWAY, kept, list(later))
        return metas(index, told), {AWAY: away, "sw.js": made.script(script)}

    def _tab_files(self, tab: str) -> dict[str, str]:
        return {
            tab + path.relative_to(self._tab).as_posix(): content_hash(path.read_bytes())
            for path in files_below(self._tab)
        }

    def _json(self, name: str) -> Any:
        file = self._folder / name
        return json.loads(file.read_text("utf-8")) if file.is_file() else None


def _is_file(file: Path) -> bool:
    """Whether there is such a file; a name that no file can have is none."""
    try:
        return file.is_file()
    except OSError:
        return False


def _file(file: Path, lasting: bool, request: Request) -> Response:
    """A file, compressed if the build has done that and the visitor can read it."""
    headers = {"cache-control": YEAR if lasting else "no-cache"}
    wanted = request.headers.get("accept-encoding", "")
    for coding, ending in PACKED.items():
        packed = file.with_name(file.name + ending)
        if coding in wanted and packed.is_file():
            headers |= {"content-encoding": coding, "vary": "Accept-Encoding"}
            kind = mimetypes.guess_type(file.name)[0]
            return FileResponse(packed, headers=headers, media_type=kind)
    return FileResponse(file, headers=headers)


def _route(built: _Built, path: str) -> tuple[str, dict[str, str]] | None:
    """The client route of a path, with the values in it."""
    if built.routes is None:
        return None if "." in path.rpartition("/")[2] else ("", {})
    for route, pattern in built.routes.items():
        if match := pattern.fullmatch(path):
            return route, match.groupdict()
    return None


def _pattern(route: str) -> re.Pattern[str]:
    """`/play/:game` as a pattern; `:name` is one segment."""
    parts = route.strip("/").split("/")
    return re.compile(
        "/"
        + "/".join(
            f"(?P<{part[1:]}>[^/]+)" if part.startswith(":") else re.escape(part) for part in parts
        )
    )


def _parts(route: str) -> list[str]:
    """The sources of what a route will load: its words and its screen."""
    screens = [f"src/screens/{NEEDS[route].screen}.svelte"] if route in NEEDS else []
    return [f"src/locale/{current_language()}.json", *screens]


def _not_built() -> str:
    """What an installation without its front end says."""
    title = _("The web pages are not built")
    text = _("The server runs, but its pages are missing from this installation.")
    return (
        f'<!doctype html><html lang="{current_language()}"><meta charset="utf-8">'
        f"<title>{title}</title><h1>{title}</h1><p>{text} "
        '<a href="/api/v1/games">/api/v1/games</a></p></html>'
    )

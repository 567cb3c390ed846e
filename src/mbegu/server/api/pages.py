"""The front end: files that the build put into `static/`, and `index.html` for every client route."""

import json
import mimetypes
import re
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response

from mbegu.core.i18n import _, current_language
from mbegu.server.api.preload import NEEDS, first_answers
from mbegu.server.net.rate_limits import RateLimits
from mbegu.server.net.replies import too_often

__all__ = ["Pages"]

STATIC = Path(__file__).parents[1] / "static"
YEAR = "public, max-age=31536000, immutable"
OURS = ("index.html", "routes.json", "manifest.json")  # for the server, not for visitors
PACKED = {"br": ".br", "gzip": ".gz"}  # what the build leaves beside a file, best first
_FILE = re.compile(r"[A-Za-z0-9_.@-]+(?:/[A-Za-z0-9_.@-]+)*")


@dataclass(frozen=True)
class _Built:
    """What the build says about itself."""

    index: str
    routes: dict[str, re.Pattern[str]] | None
    parts: dict[str, Any] = field(default_factory=dict)  # Vite's manifest


class Pages:
    """Answers whatever is not the API."""

    def __init__(self, folder: Path = STATIC) -> None:
        self._folder = folder
        self._known: tuple[float, _Built] | None = None

    async def answer(self, request: Request) -> Response:
        """A file, a page, or the page that says that there is none."""
        limits: RateLimits = request.app.state.limits
        if not limits.pages.take(request.state.visitor, request.state.address):
            return too_often()
        path = request.path_params.get("path", "")
        if _FILE.fullmatch(path) and ".." not in path.split("/"):
            file = self._folder / path
            if path not in OURS and file.suffix not in PACKED.values() and file.is_file():
                return _file(file, path.startswith("assets/"), request)
        built = self._built()
        if built is None:
            return HTMLResponse(_not_built(), 503)
        return await self._page(request, built, "/" + path.rstrip("/"))

    async def _page(self, request: Request, built: _Built, path: str) -> Response:
        """`index.html` in the visitor's language, with what its screen will need at once."""
        found = _route(built, path)
        html = built.index.replace('<html lang="en"', f'<html lang="{current_language()}"')
        if found is not None:
            route, values = found
            head = _links(built, *_parts(route))
            answers = await first_answers(request, route, values)
            html = html.replace("</head>", f"{head}{_told(answers)}</head>")
        return HTMLResponse(
            html, 200 if found is not None else 404, headers={"cache-control": "no-store"}
        )

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
            built = _Built(text, patterns, self._json("manifest.json") or {})
            self._known = changed, built
        return self._known[1]

    def _json(self, name: str) -> Any:
        file = self._folder / name
        return json.loads(file.read_text("utf-8")) if file.is_file() else None


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


def _links(built: _Built, *sources: str) -> str:
    """What the browser should fetch while it still reads the first script."""
    scripts, styles = dict[str, None](), dict[str, None]()

    def add(source: str) -> None:
        part = built.parts.get(source, {})
        if not part or part.get("isEntry") or part["file"] in scripts:
            return
        scripts[part["file"]] = None
        styles.update(dict.fromkeys(part.get("css", ())))
        for other in part.get("imports", ()):
            add(other)

    for source in sources:
        add(source)
    return "".join(
        [f'<link rel="modulepreload" crossorigin href="/{escape(file)}">' for file in scripts]
        + [f'<link rel="stylesheet" crossorigin href="/{escape(file)}">' for file in styles]
    )


def _told(answers: dict[str, str]) -> str:
    """Answers as data in the page, which no browser runs; `<` cannot end it."""
    if not answers:
        return ""
    body = ",".join(f"{json.dumps(question)}:{answer}" for question, answer in answers.items())
    data = f'{{"lang":"{current_language()}","answers":{{{body}}}}}'.replace("<", "\\u003c")
    return f'<script type="application/json" id="first">{data}</script>'


def _not_built() -> str:
    """What an installation without its front end says."""
    title = _("The web pages are not built")
    text = _("The server runs, but its pages are missing from this installation.")
    return (
        f'<!doctype html><html lang="{current_language()}"><meta charset="utf-8">'
        f"<title>{title}</title><h1>{title}</h1><p>{text} "
        '<a href="/api/v1/games">/api/v1/games</a></p></html>'
    )

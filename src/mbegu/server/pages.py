"""The front end: files that the build put into `static/`, and `index.html` for every client route."""

import json
import re
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response

from mbegu.core.i18n import _, current_language

__all__ = ["Pages"]

STATIC = Path(__file__).parent / "static"
YEAR = "public, max-age=31536000, immutable"
_FILE = re.compile(r"[A-Za-z0-9_.@-]+(?:/[A-Za-z0-9_.@-]+)*")


class Pages:
    """Answers whatever is not the API."""

    def __init__(self, folder: Path = STATIC) -> None:
        self._folder = folder
        self._routes: list[re.Pattern[str]] | None = None
        self._routes_of: float | None = None

    async def answer(self, request: Request) -> Response:
        """A file, a page, or the page that says that there is none."""
        path = request.path_params.get("path", "")
        if _FILE.fullmatch(path) and ".." not in path.split("/"):
            file = self._folder / path
            if path not in ("index.html", "routes.json") and file.is_file():
                lasting = path.startswith("assets/")
                return FileResponse(
                    file, headers={"cache-control": YEAR if lasting else "no-cache"}
                )
        index = self._folder / "index.html"
        if not index.is_file():
            return HTMLResponse(_not_built(), 503)
        found = self._is_route("/" + path.rstrip("/"))
        return FileResponse(index, 200 if found else 404, headers={"cache-control": "no-cache"})

    def _is_route(self, path: str) -> bool:
        file = self._folder / "routes.json"
        if not file.is_file():
            return "." not in path.rpartition("/")[2]
        changed = file.stat().st_mtime
        if self._routes is None or self._routes_of != changed:
            self._routes = [_pattern(route) for route in json.loads(file.read_text("utf-8"))]
            self._routes_of = changed
        return any(route.fullmatch(path) for route in self._routes)


def _pattern(route: str) -> re.Pattern[str]:
    """`/play/:game` as a pattern; `:name` is one segment."""
    parts = route.strip("/").split("/")
    return re.compile(
        "/" + "/".join("[^/]+" if part.startswith(":") else re.escape(part) for part in parts)
    )


def _not_built() -> str:
    """What an installation without its front end says."""
    title = _("The web pages are not built")
    text = _("The server runs, but its pages are missing from this installation.")
    return (
        f'<!doctype html><html lang="{current_language()}"><meta charset="utf-8">'
        f"<title>{title}</title><h1>{title}</h1><p>{text} "
        '<a href="/api/v1/games">/api/v1/games</a></p></html>'
    )

"""A small server for a folder of files, to try a site at home. A real host does better."""

from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from mbegu.core.listening import CannotServe, cannot_listen

__all__ = ["CannotServe", "Handler", "serve_folder"]


class Handler(SimpleHTTPRequestHandler):
    """Says what browsers want to hear: threads need a page that is isolated from others."""

    extensions_map = {  # noqa: RUF012 (as the class above has it)
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".js": "text/javascript",
        ".wasm": "application/wasm",
        ".webmanifest": "application/manifest+json",
    }

    def end_headers(self) -> None:
        self.send_header("cross-origin-opener-policy", "same-origin")
        self.send_header("cross-origin-embedder-policy", "require-corp")
        self.send_header("cache-control", "no-cache")
        super().end_headers()

    def log_message(self, *_told: object) -> None:
        """Nobody reads it."""


def serve_folder(folder: Path, port: int, tell: Callable[[str], None]) -> None:
    """Serves until Ctrl-C."""
    with _listening(folder, port) as server:
        tell(f"http://127.0.0.1:{server.server_port}/")
        server.serve_forever()


def _listening(folder: Path, port: int) -> ThreadingHTTPServer:
    try:
        return ThreadingHTTPServer(("127.0.0.1", port), partial(Handler, directory=str(folder)))
    except OSError as error:
        raise cannot_listen("127.0.0.1", port, error) from None

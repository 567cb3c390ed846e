"""The games as a folder of files, built once for all tests, and a plain server for it."""

import fcntl
import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from prebuilt_kernels import prebuilt_kernels

from mbegu.site import build as site_build
from mbegu.site.build import build_site

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import tab as tab_tool  # noqa: E402

IMAGES = ROOT / "build" / "test-tab"
BELOW = "games/mbegu"  # a path of its own, as on many a host


def image() -> Path:
    """Python for browsers of these sources: made by whoever needs it first, and kept.

    MBEGU_TEST_TAB names one that is to be taken as it is."""
    if told := os.environ.get("MBEGU_TEST_TAB"):
        return Path(told)
    IMAGES.mkdir(parents=True, exist_ok=True)
    kept = IMAGES / _sources()
    with (IMAGES / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (kept / "tab.json").is_file():
            for old in IMAGES.glob("*/"):
                shutil.rmtree(old)
            tab_tool.build(kept, quickly=True, prebuilt=prebuilt_kernels())
    return kept


def _sources() -> str:
    """What the image is made of, as a hash."""
    found = hashlib.sha256()
    paths = [ROOT / "web" / "package-lock.json", ROOT / "pyproject.toml"]
    for folder in (ROOT / "web" / "scripts", ROOT / "src" / "mbegu"):
        paths += sorted(path for path in folder.rglob("*") if path.is_file())
    for path in paths:
        if path.suffix not in (".pyc", ".po", ".pot") and "static" not in path.parts:
            found.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return found.hexdigest()[:16]


def build(folder: Path, tab: Path | None = None) -> None:
    """Writes a site, with that Python for browsers or the one of these sources."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(site_build, "TAB", tab or image())
        with ThreadPoolExecutor(1) as own:  # Playwright's loop runs in this thread
            own.submit(build_site, folder).result()


class Plain(SimpleHTTPRequestHandler):
    """What `python -m http.server` does, without its talk."""

    headers_too: dict[str, str] = {}  # noqa: RUF012

    def end_headers(self) -> None:
        for name, value in self.headers_too.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_told: object) -> None:
        pass


@contextmanager
def served(folder: Path, headers: dict[str, str] | None = None) -> Iterator[str]:
    """The address at which a plain server has a folder."""
    handler: Callable[..., Plain] = type("Told", (Plain,), {"headers_too": headers or {}})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()

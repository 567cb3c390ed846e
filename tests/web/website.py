"""A real server, for as long as tests need it."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def serving(folder: Path, **environment: str) -> Iterator[str]:
    """A server with its database in a folder, and its address."""
    command = [sys.executable, "-m", "mbegu", "serve", "--no-browser", "--port", "0"]
    with subprocess.Popen(
        [*command, "--database", str(folder / "games.db"), "--workers", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "MBEGU_LANG": "en", "PYTHONUNBUFFERED": "1", **environment},
    ) as server:
        assert server.stdout is not None
        told = ""
        for line in server.stdout:
            told += line
            if found := re.search(r"http://[^\s/]+:(\d+)", line):
                break
        else:
            pytest.fail(f"the server did not start:\n{told}")
        try:
            yield f"http://127.0.0.1:{found[1]}"
        finally:
            server.terminate()
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()

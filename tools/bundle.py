"""Mbegu on a stick: all wheels of an installation, and a script that installs them without a network.

usage: bundle.py [--platform TAG] [--python VERSION] [--extra NAME]... [FOLDER]

FOLDER is dist/bundle unless told. The wheels are for this system and this Python unless told otherwise, such
as `--platform win_amd64 --python 3.12`. Kernels that were compiled ahead for the system (`make wheels`) go
along; where there are none, Numba does, which compiles them at their first use.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEXTS = ROOT / "tools" / "bundle"
PREBUILT = ROOT / "src" / "mbegu" / "engine" / "ahead" / "prebuilt"


def main() -> None:
    """Makes the bundle beside its place, and then moves it there: whole, or not at all."""
    told = arguments()
    part = told.folder.with_name(f"{told.folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    wheels = part / "wheels"
    wheels.mkdir(parents=True)
    if find_spec("pip") is None:  # uv makes environments without it
        run(sys.executable, "-m", "ensurepip")
    system = prebuilt_for(told.platform)
    build_own_wheel(wheels, system)
    extras = sorted({*told.extra, *([] if system else ["jit"])})
    fetch_the_others(wheels, told, extras)
    (part / "extras.txt").write_text(",".join(extras), encoding="utf-8")
    for text in TEXTS.iterdir():
        if text.is_file():
            shutil.copy(text, part)
    listed = [*sorted(wheels.iterdir()), part / "extras.txt"]
    sums = [f"{digest(path)}  {path.relative_to(part).as_posix()}" for path in listed]
    (part / "SHA256SUMS").write_text("\n".join(sums) + "\n", encoding="utf-8")
    shutil.rmtree(told.folder, ignore_errors=True)
    part.replace(told.folder)
    size = sum(path.stat().st_size for path in told.folder.rglob("*") if path.is_file())
    print(
        f"{told.folder}: {size >> 20} MiB, {len(sums) - 1} wheels. Copy the folder; INSTALL.txt says the rest."
    )


def arguments() -> argparse.Namespace:
    """What the command line says."""
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    parser = argparse.ArgumentParser(prog="make bundle", description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "dist" / "bundle")
    parser.add_argument(
        "--platform", metavar="TAG", help="such as win_amd64; this system unless told"
    )
    parser.add_argument(
        "--python", metavar="VERSION", default=here, help="unless told: %(default)s"
    )
    parser.add_argument("--extra", action="append", default=[], help="lab, postgres ...")
    return parser.parse_args()


def prebuilt_for(platform: str | None) -> str:
    """The name of the system if its kernels are compiled from these sources, and the tag of its wheel."""
    try:
        from mbegu.engine.ahead.build import is_fresh  # noqa: PLC0415 - needs Numba
        from mbegu.engine.ahead.targets import TARGETS, of_system, this_system  # noqa: PLC0415
    except ImportError:
        return ""
    for target in TARGETS.values():
        wanted = target.tag == platform if platform else target.system == this_system()
        if wanted and is_fresh(PREBUILT, of_system(target.system)):
            return f"{target.system}={target.tag}"
    return ""


def build_own_wheel(wheels: Path, system: str) -> None:
    """The wheel of Mbegu itself, from this clone."""
    environment = {**os.environ, "MBEGU_WHEEL": system}
    pip = ("-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps")
    run(sys.executable, *pip, "--wheel-dir", str(wheels), str(ROOT), environment=environment)


def fetch_the_others(wheels: Path, told: argparse.Namespace, extras: list[str]) -> None:
    """All that it needs, as wheels: nothing is compiled where they will be installed."""
    (own,) = wheels.glob("mbegu-*.whl")
    pip = ["-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    pip += ["--only-binary=:all:", "--dest", str(wheels), "--find-links", str(wheels)]
    if told.platform:
        pip += ["--platform", told.platform, "--python-version", told.python]
    elif told.python != sysconfig.get_python_version():
        raise SystemExit("--python needs --platform: pip fetches for another Python only with both")
    run(sys.executable, *pip, f"{own}[{','.join(extras)}]" if extras else str(own))


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def run(*command: str, environment: dict[str, str] | None = None) -> None:
    """A step; when it fails, its own words are enough."""
    if subprocess.run(command, env=environment, check=False).returncode:
        raise SystemExit(f"the bundle was not made: `{' '.join(command[1:4])}` failed (see above)")


if __name__ == "__main__":
    main()

"""What an installation weighs, as the packages that it brings: `python tools/size.py [EXTRA]...`

It weighs what is installed in the environment that runs it: all that pyproject.toml requires, with these
extras, and what that requires in turn. pip itself and Python are not counted.
"""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

from mbegu.engine.ahead.targets import this_system

ROOT = Path(__file__).resolve().parent.parent
PREBUILT = ROOT / "src" / "mbegu" / "engine" / "ahead" / "prebuilt"
TAB = ROOT / "src" / "mbegu" / "site" / "tab"
MIB = 1 << 20
MOST = {(): 150, ("jit",): 350}  # MiB: what is promised for a wheel, and for a clone


def required(extras: tuple[str, ...] = ()) -> dict[str, Distribution]:
    """All that Mbegu needs with these extras, by name."""
    found: dict[str, Distribution] = {}
    waiting = _ours(extras)
    seen = set[tuple[str, frozenset[str]]]()
    while waiting:
        need = waiting.pop()
        name = re.sub(r"[-_.]+", "-", need.name).lower()
        if (name, frozenset(need.extras)) in seen:
            continue
        seen.add((name, frozenset(need.extras)))
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            raise SystemExit(f"{name} is not installed here") from None
        told = map(Requirement, found[name].requires or [])
        waiting += [more for more in told if _applies(more, need.extras)]
    return found


def _ours(extras: tuple[str, ...]) -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    told = [*project["dependencies"]]
    for extra in extras:
        told += project["optional-dependencies"][extra]
    return [Requirement(line) for line in told]


def _applies(need: Requirement, extras: set[str]) -> bool:
    marker = need.marker
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras))


def weigh(extras: tuple[str, ...] = ()) -> dict[str, int]:
    """Bytes of each package; ours as it would be in a wheel of this system, or with `jit` in a clone after `make play`."""
    files = [path for path in (ROOT / "src" / "mbegu").rglob("*") if path.is_file()]
    own = [path for path in files if (_cloned(path) if "jit" in extras else _packed(path))]
    weights = {"mbegu": sum(path.stat().st_size for path in own)}
    for name, package in required(extras).items():
        paths = [Path(str(package.locate_file(file))) for file in package.files or []]
        weights[name] = sum(path.stat().st_size for path in paths if path.is_file())
    return weights


def _packed(path: Path) -> bool:
    """Whether a file of the clone would be in the wheel: no sources of translations, no kernels of others."""
    if path.suffix in (".po", ".pot"):
        return False
    return PREBUILT not in path.parents or path.relative_to(PREBUILT).parts[0].startswith(
        ("manifest", "tables", this_system())
    )


def _cloned(path: Path) -> bool:
    """Whether a clone has this file without having built a wheel or a site."""
    return not {PREBUILT, TAB} & set(path.parents)


def main(extras: list[str]) -> int:
    """Prints the packages, the heaviest first, and their sum; 1 if that is more than was promised."""
    chosen = tuple(sorted(extras))
    weights = weigh(chosen)
    for name, size in sorted(weights.items(), key=lambda item: -item[1]):
        print(f"{size / MIB:8.1f} MiB  {name}")
    total, most = sum(weights.values()) / MIB, MOST.get(chosen)
    told = f" (at most {most})" if most else ""
    print(f"{total:8.1f} MiB  in all, with {', '.join(chosen) or 'no extra'}{told}")
    return int(most is not None and total > most)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Asks pip-audit and npm audit about known weaknesses of what Mbegu stands on.

Exit code 0 when nothing is known, 1 when something is, 3 when somebody could not be asked.
"""

import json
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from hatch_build import find_npm, has_node  # noqa: E402

KNOWN, UNREACHABLE = 1, 3


def main() -> int:
    """Both, and the worse of their answers."""
    return max(python_packages(), web_packages())


def python_packages() -> int:
    """What is installed, as PyPI's advisories see it."""
    beside = str(Path(sys.executable).parent)
    found = shutil.which("pip-audit", path=beside) or shutil.which("pip-audit")
    uvx = shutil.which("uvx")
    if found is None and uvx is None:
        return _cannot("pip-audit", "it is not installed: pip install pip-audit")
    runner = [found] if found else [str(uvx), "pip-audit"]
    where = ["--path", sysconfig.get_path("purelib")]
    asked = [*runner, *where, "--format", "json", "--progress-spinner", "off"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    try:
        packages = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        return _cannot("pip-audit", _last(done.stderr))
    weak = [
        (each["name"], each["version"], each["vulns"]) for each in packages if each.get("vulns")
    ]
    for name, version, known in weak:
        print(f"{name} {version}: " + ", ".join(one["id"] for one in known))
    print(f"pip-audit: {len(packages)} packages, {len(weak)} with known weaknesses")
    return KNOWN if weak else 0


def web_packages() -> int:
    """What the front end is built with."""
    if not has_node():
        return _cannot("npm audit", "there is no Node.js here")
    npm, environment = find_npm()
    done = subprocess.run(
        [*npm, "audit", "--json"],
        cwd=ROOT / "web",
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        counts = json.loads(done.stdout)["metadata"]["vulnerabilities"]
    except (ValueError, KeyError):
        return _cannot("npm audit", _last(done.stderr or done.stdout))
    print("npm audit: " + ", ".join(f"{kind} {count}" for kind, count in counts.items()))
    return KNOWN if counts["total"] else 0


def _cannot(what: str, why: str) -> int:
    print(f"{what} COULD NOT BE ASKED: {why}")
    return UNREACHABLE


def _last(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if "rror" in line and "complete log" not in line]
    return (telling or lines or ["no answer"])[-1][:200]


if __name__ == "__main__":
    sys.exit(main())

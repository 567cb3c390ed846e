"""Runs every check, goes on after a failure, and ends with a summary.

python tools/check.py                 all checks
python tools/check.py lint types      only these
python tools/check.py --list          their names
"""

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORKERS = os.environ.get("PYTEST_WORKERS") or str(min(os.cpu_count() or 1, 8))

CHECKS = {
    "format": ["ruff", "format", "--check", "."],
    "lint": ["ruff", "check", "."],
    "types": ["mypy"],
    "layers": ["lint-imports"],
    "catalogues": ["python", "tools/catalogues.py", "check"],
    "web": ["python", "tools/web.py", "lint", "check", "test"],
    "tests": ["pytest", "-n", WORKERS],
}


def run(command: list[str]) -> int:
    """Runs a program of this environment, whatever PATH says; its exit code."""
    program = Path(sys.executable).with_name(command[0])
    print("\n$", " ".join(command), flush=True)
    try:
        return subprocess.run([program, *command[1:]], cwd=ROOT, check=False).returncode
    except FileNotFoundError:
        print(f"{program} is missing: run `make test` to install it")
        return 127


def main(names: list[str]) -> int:
    """Exit code 0 when every check passed, 1 when one failed, 2 for a check nobody knows."""
    if names == ["--list"]:
        print("\n".join(CHECKS))
        return 0
    if unknown := [name for name in names if name not in CHECKS]:
        print(f"no check is called {unknown[0]}; there are: {', '.join(CHECKS)}", file=sys.stderr)
        return 2
    lines, failed = [], []
    begun = time.monotonic()
    for name in names or CHECKS:
        start = time.monotonic()
        code = run(CHECKS[name])
        verdict = "passed" if code == 0 else "FAILED"
        lines.append(f"  {name:<12} {verdict}  {time.monotonic() - start:6.1f} s")
        if code:
            failed.append(name)
    print("\nSummary", *lines, sep="\n")
    seconds = time.monotonic() - begun
    if failed:
        print(f"\nFAILED: {', '.join(failed)} ({seconds:.0f} s)")
        return 1
    print(f"\nAll checks passed ({seconds:.0f} s).")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)

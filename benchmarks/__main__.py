"""Runs the benchmarks: all of them, or those named.

python -m benchmarks            everything
python -m benchmarks rules      one of them
"""

import pkgutil
import sys
from importlib import import_module

import benchmarks

names = sorted(found.name for found in pkgutil.iter_modules(benchmarks.__path__))
names.remove("__main__")
for name in sys.argv[1:] or names:
    if name not in names:
        sys.exit(f"no benchmark is called {name}; there are: {', '.join(names)}")
    module = import_module(f"benchmarks.{name}")
    if hasattr(module, "run"):
        print(f"{name}: {(module.__doc__ or '').partition(chr(10))[0]}", flush=True)
        module.run()

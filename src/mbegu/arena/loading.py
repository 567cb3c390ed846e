"""A stranger's code and what it says: how a bot's file is loaded, and how its answers are read.

Only the standard library is imported: what a bot's process has loaded costs time.
"""

import os
import sys
from typing import Any

__all__ = ["load", "plain", "shown"]


def load(path: str) -> Any:
    """The module in a file, under a name of its own: two bots may have files of the same name."""
    from importlib.util import module_from_spec, spec_from_file_location

    folder = os.path.dirname(os.path.abspath(path))
    for place in (folder, os.path.splitext(os.path.abspath(path))[0]):  # and the one of its name
        if place not in sys.path and os.path.isdir(place):
            sys.path.append(place)
    name = os.path.splitext(os.path.basename(path))[0]
    if name in sys.modules or name in sys.stdlib_module_names:
        name = f"bot_{name}"  # a bot in random.py must not replace Python's own module
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def plain(value: Any) -> Any:
    """NumPy's numbers are what many bots compute with."""
    return value.item() if type(value).__module__ == "numpy" and hasattr(value, "item") else value


def shown(value: Any) -> str:
    """An answer that is no move, with its type."""
    try:
        return f"{type(value).__name__}: {value!r:.200}"
    except BaseException:
        return type(value).__name__

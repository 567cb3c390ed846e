"""What a bot's process finds around it: an environment with no secrets, and the cage that it is put into."""

import os
import site
from dataclasses import replace

from mbegu.arena.cage import Cage, bubblewrap

__all__ = ["cage_of", "environment"]

ENGINE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "engine")


def _engine_cache() -> str:
    """Where the engine's compiled code lies: a caged bot may use it, and cannot write there."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.environ.get("MBEGU_CACHE") or os.path.join(base, "mbegu")


def _python() -> dict[str, str]:
    """How a bot's Python is set up: it finds Mbegu where we found it, whoever's home it is in."""
    # A set of texts has the same order in each process, so that a bot can play the same again.
    told = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    if site.ENABLE_USER_SITE:
        told["PYTHONUSERBASE"] = site.getuserbase()
    else:
        told["PYTHONNOUSERSITE"] = "1"
    places = [place for place in os.environ.get("PYTHONPATH", "").split(os.pathsep) if place]
    if places:
        told["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, places))
    return told


def environment(scratch: str, *, caged: bool) -> dict[str, str]:
    """As little as possible: a stranger's program should not read our secrets."""
    # (_PYI…: by these the single-file program knows where it has unpacked itself.)
    ours = ("LANG", "LC_ALL", *(key for key in os.environ if key.startswith("_PYI")))
    kept = {key: os.environ[key] for key in ours if key in os.environ}
    if not caged:
        kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    home = {"HOME": scratch, "PATH": os.defpath} if caged else {}
    # One thread for number crunching: a bot has one core, and threads count as memory.
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    cache = {"MBEGU_CACHE": _engine_cache()}
    return {**kept, **home, **threads, **cache, **_python(), "TMPDIR": scratch}


def cage_of(*, memory: int, tasks: int, read: tuple[str, ...], scratch: str, engine: bool) -> Cage:
    """The cage of a bot that may read these files, and our engine's if it is lent one."""
    hidden = () if engine else (ENGINE, _engine_cache())
    cage = Cage(memory, (*read, _engine_cache()), scratch, hidden=hidden, tasks=tasks)
    if not bubblewrap():
        return cage
    covered = [word for place in hidden for word in ("--tmpfs", place)]
    wrapper = (*bubblewrap(), "--bind", scratch, scratch, *covered, "--")
    return replace(cage, wrapper=wrapper, without=("namespaces",))

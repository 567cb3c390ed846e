"""Extras: packages that not every installation has, and the sentence that says how to get one.

The extras themselves are declared in pyproject.toml. What needs much time looks first (`need`); what
only imports may let the import fail: the command line turns that into the same sentence.
"""

from __future__ import annotations

import json
import shlex
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from mbegu.core.errors import MbeguError
from mbegu.core.i18n import _

__all__ = ["EXTRAS", "MissingExtra", "MissingPackage", "extra_of", "has", "how_to_install", "need"]

# extra: what is imported of it
EXTRAS = {
    "cluster": ("dask", "distributed"),
    "jit": ("llvmlite", "numba"),
    "lab": ("matplotlib", "pandas", "pyarrow", "scipy"),
    "postgres": ("psycopg",),
    "rl": ("gymnasium", "pettingzoo"),
}


class MissingExtra(MbeguError):
    """Something needs a package that this installation was made without."""

    def __init__(self, package: str) -> None:
        extra = extra_of(package) or package
        super().__init__(
            _("this needs the package {package}, of the extra {extra}: {how}").format(
                package=package, extra=extra, how=how_to_install(extra)
            )
        )


class MissingPackage(MbeguError):
    """A package is missing without which nothing goes: the installation was cut short."""

    def __init__(self, package: str) -> None:
        super().__init__(
            _(
                "the package {package} is missing: the installation is not whole; install Mbegu again"
            ).format(package=package)
        )


def extra_of(package: str | None) -> str | None:
    """The extra that brings a package or a module of it.

    >>> extra_of("pyarrow.parquet"), extra_of("click")
    ('lab', None)
    """
    root = (package or "").partition(".")[0]
    return next((extra for extra, packages in EXTRAS.items() if root in packages), None)


def has(package: str) -> bool:
    """Whether a package is installed; it is not imported for that."""
    try:
        return find_spec(package) is not None
    except (ImportError, ValueError):
        return False


def need(*packages: str) -> None:
    """Raises MissingExtra if one of these packages is not installed: before hours are spent."""
    for package in packages:
        if not has(package):
            raise MissingExtra(package)


# ---- how to install one ---------------------------------------------------------------------------


def how_to_install(extra: str) -> str:
    """The command that adds an extra to this very installation, as one can paste it."""
    if getattr(sys, "frozen", False):  # the single file holds what it was made with
        return _("install Mbegu with Python; this single file cannot take it in")
    tool = f"{shlex.quote(sys.executable)} -m pip install"
    if not has("pip"):  # as in an environment that uv made
        tool = f"uv pip install --python {shlex.quote(sys.executable)}"
    editable, source = _source()
    return f"{tool} {'-e ' if editable else ''}{shlex.quote(f'{source}[{extra}]')}"


@cache
def _source() -> tuple[bool, str]:
    """Where this installation came from: whether it is a clone that is run in place, and its path."""
    from importlib.metadata import PackageNotFoundError, distribution  # noqa: PLC0415 - slow

    try:
        told = distribution("mbegu").read_text("direct_url.json")
        origin = json.loads(told) if told else {}
    except (PackageNotFoundError, ValueError):
        origin = {}
    url = urlsplit(origin.get("url", ""))
    if url.scheme != "file":
        return False, "mbegu"  # from an index, or from a folder of wheels
    path = Path(url2pathname(url.path))
    return bool(origin.get("dir_info", {}).get("editable")), str(path)

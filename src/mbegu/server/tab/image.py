"""What the image of a tab's memory holds: everything is imported, and what is slow to read is read."""

import gc
import importlib
import pkgutil
import sys
from contextlib import suppress

from mbegu.core.i18n import LANGUAGES, _, speaking
from mbegu.core.registry import usable_games
from mbegu.engine.kernels.door import has_kernel
from mbegu.server.tab import engines, office

__all__ = ["fill"]

# A tab has no files to import from, so whatever is imported late elsewhere is imported here.
WHOLE = ("mbegu.core", "mbegu.games", "mbegu.engine")
NOT_HERE = {
    "table",
    "retrograde",
    "proof",
    "build",
    "link",
    "targets",
    "compile",
}  # they build or solve

# Imported on the way, and of no use once everything is there.
DONE_WITH = (
    "ast",
    "asyncio.sslproto",
    "asyncio.unix_events",
    "bz2",
    "compression",
    "dis",
    "email",
    "importlib.metadata",
    "lzma",
    "shutil",
    "ssl",
    "subprocess",
    "tarfile",
    "tempfile",
    "zipfile",
)


def fill() -> None:
    """Loads the games and the catalogues of all languages, and forgets what was needed for that."""
    assert engines
    assert office
    _import_all()
    for language in LANGUAGES:
        with speaking(language):
            _("South")
    for game in usable_games():
        game().start()
        game.lesson()
        has_kernel(game.name)  # finds it, and remembers where
    for name in list(sys.modules):
        if name.startswith(DONE_WITH) and (name in DONE_WITH or name.split(".")[0] in DONE_WITH):
            del sys.modules[name]
    gc.collect()


def _import_all() -> None:
    """Every module of ours that can be imported without arrays and compilers."""
    for name in WHOLE:
        package = importlib.import_module(name)
        for found in pkgutil.walk_packages(package.__path__, f"{name}."):
            if found.name.rpartition(".")[2] not in NOT_HERE:
                with suppress(ImportError):
                    importlib.import_module(found.name)

"""What the image of a tab's memory holds: everything is imported, and what is slow to read is read."""

import gc
import sys

from mbegu.core.i18n import LANGUAGES, _, speaking
from mbegu.core.registry import usable_games
from mbegu.server.tab import engines, office

__all__ = ["fill"]

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
    for language in LANGUAGES:
        with speaking(language):
            _("South")
    for game in usable_games():
        game().start()
        game.lesson()
    for name in list(sys.modules):
        if name.startswith(DONE_WITH) and (name in DONE_WITH or name.split(".")[0] in DONE_WITH):
            del sys.modules[name]
    gc.collect()

"""The framework of the MAIC 2022 Morabaraba contest, as the contestants' programs see it.

The folder holds four *top-level* packages, `core`, `morabaraba`, `utils` and `gui`, because that is
what an AI written for the contest imports. Such names must not spread through a program that has a
life of its own, so the folder is put on `sys.path` only inside the process that runs one AI:

    sys.path.insert(0, str(mbegu.compat.maic.FOLDER))

It needs numpy and the standard library, and imports nothing of Mbegu. Where the framework and
Mbegu's own rules differ (when a game stops), this folder keeps the framework's way, since the AIs
look ahead with it.
"""

from pathlib import Path

FOLDER = Path(__file__).parent

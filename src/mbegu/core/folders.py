"""Where things of a user's own are kept."""

import os
import sys
from pathlib import Path

__all__ = ["data_folder"]


def data_folder() -> Path:
    """Where a user's data lives: $MBEGU_DATA, else where the system keeps such things."""
    chosen = os.environ.get("MBEGU_DATA")
    if chosen:
        return Path(chosen)
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "mbegu"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "mbegu"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "mbegu"

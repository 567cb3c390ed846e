"""What the server writes down: lines for people, or JSON for programs; never a secret.

>>> mask("GET /play/Zq3vT0-kLw8sYb1nXc5mRA HTTP/1.1")
'GET /play/Zq3v… HTTP/1.1'
>>> mask("Authorization: Bearer mbegu_0123456789abcdef; password=hunter22")
'Authorization: …; password=…'
"""

import json
import logging
import re
import sys
import time
from typing import Any

__all__ = ["JsonLines", "PlainLines", "mask", "set_up"]

_TOKEN = re.compile(r"mbegu_[A-Za-z0-9_-]{6,}")
_NAMED = re.compile(
    r"(?i)\b((?:set-)?cookie|authorization|password|passwd|token|secret|recovery|invite|code|new)"
    r"(\"?'?\s*[:=]\s*)(?:bearer\s+)?(?:\"[^\"]*\"|'[^']*'|[^\s\"',;&}]+)"
)
_USER = re.compile(r"(://[^/@:\s]*:)[^@\s]*@")
# 128 random bits or more, as they stand in addresses: seats, rooms, sessions.
_BITS = re.compile(
    r"(?<![A-Za-z0-9_-])(?=[A-Za-z0-9_-]*[a-z])(?=[A-Za-z0-9_-]*[A-Z])"
    r"([A-Za-z0-9_-]{4})[A-Za-z0-9_-]{18,}(?![A-Za-z0-9_-])"
)
_OWN = {*vars(logging.makeLogRecord({})), "message", "asctime", "taskName"}


def mask(text: str) -> str:
    """The text without what opens a door."""
    text = _USER.sub(r"\1…@", text)
    text = _TOKEN.sub("mbegu_…", text)
    text = _NAMED.sub(r"\1\2…", text)
    return _BITS.sub(r"\1…", text)


class PlainLines(logging.Formatter):
    """One line for people."""

    def __init__(self) -> None:
        super().__init__("%(levelname)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """With what went before an error, and without secrets."""
        return mask(super().format(record))


class JsonLines(logging.Formatter):
    """One JSON object on each line, with whatever was said in `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        told: dict[str, Any] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
            + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": mask(record.getMessage()),
        }
        for key, value in vars(record).items():
            if key not in _OWN:
                told[key] = mask(value) if isinstance(value, str) else value
        if record.exc_info:
            told["error"] = mask(self.formatException(record.exc_info))
        return json.dumps(told, ensure_ascii=False, default=str)


def set_up(form: str) -> None:
    """Writes to standard error: `text` tells what is wrong, `json` also every request."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else PlainLines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("mbegu").setLevel(logging.INFO if form == "json" else logging.WARNING)

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
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

__all__ = ["JsonLines", "PlainLines", "Sparing", "mask", "set_up"]

_TOKEN = re.compile(r"mbegu_[A-Za-z0-9_-]{6,}")
_NAMED = re.compile(
    r"(?i)\b((?:set-)?cookie|authorization|password|passwd|token|secret|recovery|invite|code|new)"
    r"(\"?'?\s*[:=]\s*)(?:bearer\s+)?(?:\"[^\"]*\"|'[^']*'|[^\s\"',;&}]+)"
)
# Takes whatever follows "://user:" whether an @ ends it or not: what is taken is not looked at again.
_USER = re.compile(r"(://[^/@:\s]*:)([^@\s]*)(@?)")
# 128 random bits or more, as they stand in addresses: seats, rooms, sessions.
_BITS = re.compile(
    r"(?<![A-Za-z0-9_-])(?=[A-Za-z0-9_-]*[a-z])(?=[A-Za-z0-9_-]*[A-Z])"
    r"([A-Za-z0-9_-]{4})[A-Za-z0-9_-]{18,}(?![A-Za-z0-9_-])"
)
A_MINUTE = 60.0
MOST_TROUBLES = 1000  # of different kinds that are counted
MOST_TOLD = 2000  # characters of one message: whoever asks for more has nothing to say
MOST_ERROR = 8000  # of what went before an error: its end says most
_OWN = {*vars(logging.makeLogRecord({})), "message", "asctime", "taskName"}


def mask(text: str) -> str:
    """The text without what opens a door, in time that grows as its length does."""
    text = _USER.sub(lambda found: f"{found[1]}…@" if found[3] else found[0], text)
    text = _TOKEN.sub("mbegu_…", text)
    text = _NAMED.sub(r"\1\2…", text)
    return _BITS.sub(r"\1…", text)


def told(text: str) -> str:
    """What is written of a text that may be anybody's."""
    return mask(text if len(text) <= MOST_TOLD else text[:MOST_TOLD] + "…")


class Sparing(logging.Filter):
    """Says the same trouble a few times a minute, and then how often it was.

    Whoever can cause an error can cause it a thousand times a second.
    """

    def __init__(self, most: int = 5, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._most, self._now = most, now
        self._said: OrderedDict[tuple[str, str], list[float]] = (
            OrderedDict()
        )  # since when, how often

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether this line is written."""
        if record.levelno < logging.WARNING:
            return True
        key, now = (record.name, str(record.msg)[:200]), self._now()
        since, count = self._said.pop(key, [now, 0])
        if now - since >= A_MINUTE:
            if count > self._most:
                record.msg = f"{record.msg} (and {count - self._most:.0f} more before)"
            since, count = now, 0
        self._said[key] = [since, count + 1]
        if len(self._said) > MOST_TROUBLES:
            self._said.popitem(last=False)
        return count < self._most


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
        line: dict[str, Any] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
            + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": told(record.getMessage()),
        }
        for key, value in vars(record).items():
            if key not in _OWN:
                line[key] = told(value) if isinstance(value, str) else value
        if record.exc_info:
            line["error"] = mask(self.formatException(record.exc_info)[-MOST_ERROR:])
        return json.dumps(line, ensure_ascii=False, default=str)


def set_up(form: str) -> None:
    """Writes to standard error: `text` tells what is wrong, `json` also every request."""
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(Sparing())
    handler.setFormatter(JsonLines() if form == "json" else PlainLines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("mbegu").setLevel(logging.INFO if form == "json" else logging.WARNING)

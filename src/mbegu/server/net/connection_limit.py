"""The lines that are open: no more than there are file handles, and no address has them all.

A part is kept for players: when it is crowded, only those who have a seat come into a room. When all
is taken, whoever has asked for nothing goes first; and who cannot come in is told so, in one answer that
costs nothing.
"""

import ipaddress
import logging
from collections import Counter, OrderedDict
from contextlib import suppress
from typing import Any

from mbegu.server.net.addresses import network
from mbegu.server.net.rate_limits import is_this_computer

__all__ = ["FULL", "ConnectionLimit", "raise_limit"]

WANTED = 65_536  # file handles
USUAL = 1024  # where nobody can say
LEAST = 16  # lines, however few handles there are
CROWDED = 0.75  # of all lines
log = logging.getLogger(__name__)


def _answer(status: str) -> bytes:
    return (
        f"HTTP/1.1 {status}\r\nconnection: close\r\nretry-after: 10\r\ncontent-length: 0\r\n\r\n"
    ).encode()


FULL, TOO_MANY = _answer("503 Service Unavailable"), _answer("429 Too Many Requests")


def raise_limit(wanted: int = WANTED) -> int:
    """Takes as many file handles as the system gives without asking; how many there are."""
    try:
        import resource  # noqa: PLC0415 (not on Windows)
    except ImportError:
        return USUAL
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return wanted if soft == resource.RLIM_INFINITY else min(soft, wanted)


class ConnectionLimit:
    """Counts lines, by address too; those of a proxy are everybody's."""

    def __init__(self, handles: int, proxy: str = "none") -> None:
        # The rest is for the database, for files that are sent, and for the thinking processes.
        self.most = max(LEAST, handles - max(64, handles // 8))
        self.each = max(LEAST, self.most // 2)
        self._proxies = proxy.split(",")
        self._lines: dict[Any, str] = {}
        self._at: Counter[str] = Counter()
        self._idle: OrderedDict[Any, None] = OrderedDict()  # asks for nothing; the longest first

    def __len__(self) -> int:
        """How many lines are open."""
        return len(self._lines)

    @property
    def crowded(self) -> bool:
        """Whether what is left is for players."""
        return len(self._lines) > CROWDED * self.most

    def enter(self, line: Any, address: str) -> bool:
        """Lets a line in; if not, it has been told so."""
        household = network(address)
        if self._at[household] >= self.each and not self._is_many(address):
            log.warning("too many lines from one address: more are refused")
            return _refuse(line, TOO_MANY)
        if len(self._lines) >= self.most and not self._make_room():
            log.warning("all %d lines are taken: more are refused", self.most)
            return _refuse(line, FULL)
        self._lines[line] = household
        self._at[household] += 1
        self._idle[line] = None
        return True

    def leave(self, line: Any) -> None:
        """A line is closed."""
        self._idle.pop(line, None)
        household = self._lines.pop(line, None)
        if household is not None:
            self._at[household] -= 1
            if not self._at[household]:
                del self._at[household]

    def rests(self, line: Any) -> None:
        """Nothing is being done for this line."""
        if line in self._lines:
            self._idle[line] = None
            self._idle.move_to_end(line)

    def works(self, line: Any) -> None:
        """Something is."""
        self._idle.pop(line, None)

    def _make_room(self) -> bool:
        if not self._idle:
            return False
        oldest = next(iter(self._idle))
        self.leave(oldest)
        oldest.abort()
        return True

    def _is_many(self, address: str) -> bool:
        """Whether an address stands for many: this computer, or a proxy."""
        return is_this_computer(address) or any(_is_in(address, one) for one in self._proxies)


def _is_in(address: str, proxy: str) -> bool:
    """Whether this is the proxy, or in its network."""
    if proxy.strip() in ("*", address):
        return True
    try:
        return ipaddress.ip_address(address) in ipaddress.ip_network(proxy.strip())
    except ValueError:
        return False


def _refuse(line: Any, answer: bytes) -> bool:
    line.write(answer)
    line.close()
    return False

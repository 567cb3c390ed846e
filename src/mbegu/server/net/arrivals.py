"""When something has arrived: the moment at which its bytes were there, not that at which they were read.

An event loop that is busy reads late. What a loop finds ready when it looks has come since it looked
last, so that moment is the one that counts: whoever makes the server busy cannot make others late. Where that
is long ago the system is asked how long the bytes have been there: nobody thinks for nothing while we are busy.

>>> loop = new_loop()
>>> async def look() -> bool:
...     await asyncio.sleep(0)
...     return arrived() <= time.monotonic()
>>> loop.run_until_complete(look())
True
>>> loop.close()
"""

import asyncio
import selectors
import socket
import sys
import threading
import time
from asyncio.trsock import TransportSocket
from typing import Any

from mbegu.server.net.priority import Ready, give_way, ready_of

__all__ = ["arrived", "new_loop"]

AT_ONCE = 0.0005  # seconds: a look that takes no longer has found what was there already
UNSURE = 0.02  # seconds since the last look after which the system is asked
MOST_GIVEN = 0.25  # seconds in somebody's favour where it cannot say
_INFO, _LAST_DATA = (
    104,
    slice(52, 56),
)  # struct tcp_info of Linux: tcpi_last_data_recv, in milliseconds


class _Look(threading.local):
    moment: float | None = None


_look = _Look()


class _Selector(selectors.DefaultSelector):
    """A selector that notes since when what it finds may have been there."""

    _last = 0.0
    ready: Ready | None = None

    def select(self, timeout: float | None = None) -> list[Any]:
        """Waits for something to read or write."""
        if self.ready is not None:
            timeout = self.ready.wait(timeout)
        begun = time.monotonic()
        found = super().select(timeout)
        now = time.monotonic()
        waited = now - begun > AT_ONCE or not self._last
        _look.moment = now if waited else self._last
        self._last = now
        return found


def new_loop() -> asyncio.AbstractEventLoop:
    """An event loop that knows when its news came, and where players go first.

    An ordinary one where there are no selectors.
    """
    if sys.platform == "win32":
        return asyncio.new_event_loop()
    selector = _Selector()
    loop = asyncio.SelectorEventLoop(selector)
    give_way(loop)
    selector.ready = ready_of(loop)
    return loop


def arrived(line: "socket.socket | TransportSocket | None" = None) -> float:
    """When that which is being read, from a line, has come, by the monotonic clock."""
    now = time.monotonic()
    if _look.moment is None:
        return now
    if now - _look.moment <= UNSURE:
        return _look.moment
    lain = None if line is None else _lain(line)
    return max(_look.moment, now - (MOST_GIVEN if lain is None else lain))


def _lain(line: "socket.socket | TransportSocket") -> float | None:
    """For how many seconds the last bytes of a line have been here; None where nobody knows."""
    if sys.platform != "linux":
        return None
    try:
        told = line.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _INFO)
    except OSError:  # no such line any more, or none of TCP
        return None
    return int.from_bytes(told[_LAST_DATA], sys.byteorder) / 1000

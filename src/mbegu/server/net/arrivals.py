"""When something has arrived: the moment at which its bytes were there, not that at which they were read.

An event loop that is busy reads late. What a loop finds ready when it looks has come since it looked
last, so that moment is the one that counts: whoever makes the server busy cannot make others late.

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
import sys
import threading
import time
from typing import Any

from mbegu.server.net.priority import Ready, give_way, ready_of

__all__ = ["arrived", "new_loop"]

AT_ONCE = 0.0005  # seconds: a look that takes no longer has found what was there already


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


def arrived() -> float:
    """When that which is being read has come, by the monotonic clock."""
    return time.monotonic() if _look.moment is None else _look.moment

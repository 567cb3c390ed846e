"""Messages as they go over a WebSocket: framed and compressed once for all who hear the same.

Each message is compressed by itself, without what was said before: so it is the same for every line, and
no line keeps a window of its own in memory.
"""

from functools import lru_cache

from websockets.extensions.permessage_deflate import (
    PerMessageDeflate,
    ServerPerMessageDeflateFactory,
)
from websockets.frames import Frame, Opcode
from websockets.protocol import Protocol

__all__ = ["DEFLATE", "framed", "window"]

WINDOW = 12  # bits
SETTINGS = {"memLevel": 5}
WORTHWHILE = 512  # characters; what is shorter is not compressed
MOST_FRAMES = 256  # that are kept for the next who hears the same
DEFLATE = ServerPerMessageDeflateFactory(
    server_no_context_takeover=True,
    client_no_context_takeover=True,
    server_max_window_bits=WINDOW,
    client_max_window_bits=WINDOW,
    compress_settings=SETTINGS,
)


def window(line: Protocol) -> int:
    """The window, in bits, that a line's other end has agreed to; 0 if it wants nothing compressed."""
    agreed = [found for found in line.extensions if isinstance(found, PerMessageDeflate)]
    return agreed[0].local_max_window_bits if agreed else 0


@lru_cache(MOST_FRAMES)
def framed(text: str, bits: int) -> bytes:
    """A message for all lines with such a window.

    >>> framed("ping", 12)
    b'\\x81\\x04ping'
    >>> len(framed("once again " * 100, 12)) < 50
    True
    """
    frame = Frame(Opcode.TEXT, text.encode())
    worthwhile = bits and len(text) >= WORTHWHILE
    deflate = [PerMessageDeflate(True, True, WINDOW, bits, SETTINGS)] if worthwhile else []
    return bytes(frame.serialize(mask=False, extensions=deflate))

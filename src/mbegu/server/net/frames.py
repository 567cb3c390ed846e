"""Messages as they go over a WebSocket: framed and compressed once for all who hear the same.

Each message is compressed by itself, without what was said before: so it is the same for every line, and
no line keeps a window of its own in memory.
"""

import zlib
from functools import lru_cache

from websockets.extensions.permessage_deflate import (
    PerMessageDeflate,
    ServerPerMessageDeflateFactory,
)
from websockets.protocol import Protocol

__all__ = ["DEFLATE", "Meter", "are_whole", "framed", "short_text", "window"]

WINDOW = 12  # bits
LEVEL, MEMORY = (
    1,
    5,
)  # more would take half as long again for messages that are five percent shorter
SETTINGS = {"memLevel": MEMORY}
TEXT, COMPRESSED, MASKED = 0x81, 0xC1, 0x80  # a whole text in one frame; the same, compressed
SHORT = 126  # bytes: what is shorter tells its length in one
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


# ---- what is told


def framed(text: str, bits: int) -> bytes:
    """A message for all lines with such a window.

    >>> framed("ping", 12)
    b'\\x81\\x04ping'
    >>> len(framed("once again " * 100, 12)) < 50
    True
    """
    if bits and len(text) >= WORTHWHILE:
        return _compressed(text, bits)
    return _frame(TEXT, text.encode())


@lru_cache(MOST_FRAMES)
def _compressed(text: str, bits: int) -> bytes:
    deflate = zlib.compressobj(LEVEL, zlib.DEFLATED, -bits, MEMORY)
    data = deflate.compress(text.encode()) + deflate.flush(zlib.Z_SYNC_FLUSH)
    return _frame(COMPRESSED, data[:-4])  # the end of each message is the same, and left out


def _frame(first: int, data: bytes) -> bytes:
    size = len(data)
    if size < SHORT:
        return bytes((first, size)) + data
    if size < 65_536:
        return bytes((first, 126)) + size.to_bytes(2) + data
    return bytes((first, 127)) + size.to_bytes(8) + data


# ---- what is heard


def short_text(data: bytes) -> str | None:
    """The text of a frame, if it is a short one, whole and alone, as nearly all commands are.

    >>> short_text(bytes.fromhex("81 82 01 00 00 00") + b"io"), short_text(b"more")
    ('ho', None)
    """
    size = len(data) - 6
    if not 0 < size < SHORT or data[0] != TEXT or data[1] != MASKED | size:
        return None
    try:
        return _unmasked(data[6:], data[2:6]).decode()
    except UnicodeDecodeError:
        return None


def _unmasked(data: bytes, mask: bytes) -> bytes:
    """What a client has said, without its mask.

    >>> _unmasked(_unmasked(b"as it was", b"mask"), b"mask")
    b'as it was'
    """
    size = len(data)
    key = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(data) ^ int.from_bytes(key)).to_bytes(size)


def are_whole(data: bytes) -> bool:
    """Whether these are frames of a client from the first byte to the last, with no piece of another.

    >>> frame = bytes.fromhex("81 82 01 00 00 00") + b"io"
    >>> are_whole(frame), are_whole(frame * 2), are_whole(frame[:-1]), are_whole(frame + frame[:1])
    (True, True, False, False)
    """
    start = 0
    while start + 1 < len(data):
        size = data[start + 1] & 0x7F
        if size == 127:
            return False
        if size == SHORT:
            size = int.from_bytes(data[start + 2 : start + 4]) + 2
        start += size + 6
    return start == len(data)


class Meter:
    """Counts the frames that a line sends, without reading them, over any pieces they come in.

    >>> frame = bytes.fromhex("89 81 01 00 00 00") + b"!"
    >>> meter = Meter()
    >>> meter.count(frame * 3 + frame[:1], 9), meter.count(frame[1:], 9), meter.count(frame * 99, 9)
    (3, 1, 10)
    """

    __slots__ = ("_head", "_rest")

    def __init__(self) -> None:
        self._head, self._rest = b"", 0  # a piece of a head; bytes that a frame still has

    def count(self, data: bytes, most: int) -> int:
        """How many frames begin here; one more than `most` if there are more, which are not counted."""
        data, at, found = self._head + data, self._rest, 0
        self._head = b""
        while at < len(data):
            if found >= most:
                return most + 1
            size = _whole_size(data, at)
            if size == 0:
                self._head, self._rest = data[at:], 0
                return found
            found += 1
            at += size
        self._rest = at - len(data)
        return found


def _whole_size(data: bytes, at: int) -> int:
    """The size of the frame that begins at a byte, with its head; 0 if that is not all there."""
    if at + 2 > len(data):
        return 0
    second = data[at + 1]
    size, mask = second & 0x7F, 4 if second & MASKED else 0
    if size < SHORT:
        return size + 2 + mask
    long = 2 if size == SHORT else 8
    if at + 2 + long > len(data):
        return 0
    return int.from_bytes(data[at + 2 : at + 2 + long]) + 2 + long + mask

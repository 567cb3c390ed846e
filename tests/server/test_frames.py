"""Frames are made once, and every line reads them."""

import zlib

import pytest
from guest import Guest
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory

from mbegu.server.frames import framed

LONG = "habari za asubuhi, " * 60


def payload(frame: bytes) -> bytes:
    """What a frame of middle length holds."""
    assert frame[1] == 126
    assert int.from_bytes(frame[2:4]) == len(frame) - 4
    return frame[4:]


def test_what_all_hear_is_framed_once() -> None:
    assert framed(LONG, 12) is framed(LONG, 12)
    assert framed(LONG, 0) is not framed(LONG, 12)


def test_only_what_is_long_is_compressed_and_only_for_those_who_agreed() -> None:
    assert framed("karibu", 12) == framed("karibu", 0) == b"\x81\x06karibu"
    assert framed(LONG, 0)[0] == 0x81
    assert payload(framed(LONG, 0)).decode() == LONG
    short = framed(LONG + "?", 12)
    assert short[0] == 0xC1
    assert len(short) < len(LONG) / 10
    assert zlib.decompressobj(-12).decompress(short[2:] + b"\0\0\xff\xff").decode() == LONG + "?"


@pytest.mark.parametrize("bits", [None, 9, 15])
def test_browsers_with_any_window_are_understood(guest: Guest, bits: int | None) -> None:
    room = guest.new_room("oware", "human", "human")
    wish = ClientPerMessageDeflateFactory(server_max_window_bits=bits, client_max_window_bits=True)
    with guest.socket(f"/ws/rooms/{room}", compression=None, extensions=[wish]) as line:
        for _time in range(3):  # each by itself
            line.send('{"t": "hello", "v": 1, "after": null}')
            told = line.recv(10)
            assert room in str(told)

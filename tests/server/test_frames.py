"""Frames are made once, and every line reads them."""

import re
import socket
import time
import zlib
from collections.abc import Iterator

import pytest
from guest import Guest
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory

from mbegu.server.net.frames import framed

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


# ---- what is heard: at once where a frame comes alone, with care otherwise


def masked(text: bytes, first: int = 0x81, mask: bytes = b"\x11\x22\x33\x44") -> bytes:
    """A frame as browsers send it."""
    size = bytes([0x80 | len(text)])
    hidden = bytes(byte ^ mask[n % 4] for n, byte in enumerate(text))
    return bytes([first]) + size + mask + hidden


class Raw:
    """A line of which each byte is chosen."""

    def __init__(self, guest: Guest, room: str) -> None:
        self.line = socket.create_connection(("127.0.0.1", guest.port), timeout=10)
        self.line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.line.sendall(
            f"GET /ws/rooms/{room} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\n"
            "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nCookie: {guest.cookie}\r\n\r\n".encode()
        )
        self.heard = b""
        self.until(b"\r\n\r\n")

    def say(self, *pieces: bytes) -> None:
        """Sends the pieces one by one."""
        for piece in pieces:
            self.line.sendall(piece)
            time.sleep(0.02)

    def until(self, wanted: bytes) -> bytes:
        """Everything up to and with some bytes; all there was if the line ends before."""
        while wanted not in self.heard:
            more = self.line.recv(65_536)
            if not more:
                break
            self.heard += more
        found, sep, self.heard = self.heard.partition(wanted)
        return found + sep


@pytest.fixture
def raw(guest: Guest) -> Iterator[Raw]:
    line = Raw(guest, guest.new_room("oware", "human", "human"))
    line.say(masked(b'{"t": "hello", "v": 1, "lean": true}'))
    line.until(b'"snapshot"')
    yield line
    line.line.close()


def ping(name: str) -> bytes:
    return masked(f'{{"t": "ping", "id": "{name}"}}'.encode())


def test_frames_may_come_in_any_pieces(raw: Raw) -> None:
    whole = ping("aaaaaaaa1")
    for piece in (1, 2, 6, len(whole) - 1):
        raw.say(whole[:piece], whole[piece:])
        assert raw.until(b'"id":"aaaaaaaa1"').endswith(b'"aaaaaaaa1"')
    raw.say(*(bytes([byte]) for byte in whole))
    assert raw.until(b'"id":"aaaaaaaa1"').endswith(b'"aaaaaaaa1"')
    raw.say(ping("bbbbbbbb1"), ping("bbbbbbbb2") + ping("bbbbbbbb3"), ping("bbbbbbbb4"))
    told = raw.until(b"bbbbbbbb4")
    assert re.findall(rb"b{8}\d", told) == [b"bbbbbbbb%d" % n for n in (1, 2, 3, 4)]


def test_a_message_in_several_frames_is_one(raw: Raw) -> None:
    text = b'{"t": "ping", "id": "cccccccc1"}'
    raw.say(masked(text[:9], 0x01), masked(text[9:20], 0x00), masked(text[20:], 0x80))
    assert raw.until(b"cccccccc1").endswith(b"cccccccc1")
    raw.say(masked(text[:9], 0x01))
    raw.say(ping("dddddddd1"))  # not while the other goes on
    assert b"dddddddd1" not in raw.until(b"never")


@pytest.mark.parametrize(
    "wrong",
    [
        masked(b'{"t": "ping", "id": "\xff\xfe"}'),
        b"\x81\x04ping",  # not masked
        masked(b"ping", 0xC1),  # compressed, which was not agreed
        masked(b"ping", 0x83),
    ],
    ids=["not UTF-8", "not masked", "compressed unasked", "of no kind"],
)
def test_what_breaks_the_protocol_ends_the_line(raw: Raw, wrong: bytes) -> None:
    raw.say(wrong + ping("eeeeeeee1"))
    assert b"eeeeeeee1" not in raw.until(b"never")  # until the server hangs up


def test_hello_may_be_said_again_however_it_is_written(raw: Raw) -> None:
    raw.say(masked(rb'{"t": "\u0068ello", "v": 1, "after": 0}'))
    assert raw.until(b'"resumed"').endswith(b'"resumed"')
    raw.say(masked(b'{"t": "hello", "v": 0}'))
    assert b'"refused"' in raw.until(b"load the page again")


def test_a_line_that_says_too_much_at_once_is_closed(raw: Raw) -> None:
    for number in range(20):
        raw.line.sendall(ping(f"ffffffff{number}"))
    assert raw.until(b"ffffffff19").count(b'"ack"') == 20
    raw.say(b"".join(ping(f"gggggggg{number}") for number in range(100)))
    assert (4008).to_bytes(2) in raw.until(b"never")

r"""Records in links: a whole game as a word that stands behind the # of an address.

A link is its version, then our text of the record (`docs/records.md`), packed by Deflate with a dictionary
of what nearly every record says, in the letters of base64url. What is read is held to the rules like
any other record; nothing is unpacked beyond what a record may have.

>>> from mbegu.core.reader import parse_record
>>> link = pack(parse_record('[Game "oware"]\n\n1. C f 2. F *'))
>>> len(link) < 60, [str(step.move) for step in unpack(link).steps]
(True, ['2', '11', '5'])
"""

import base64
import binascii
import re
import zlib

from mbegu.core.errors import InvalidRecord
from mbegu.core.i18n import _
from mbegu.core.reader import parse_record
from mbegu.core.record import Record

__all__ = ["MOST_LINK", "pack", "unpack"]

VERSION = "1"
MOST_LINK = 6000  # letters
MOST_TEXT = 100_000  # bytes of the record
_LETTERS = re.compile(r"[A-Za-z0-9_-]+")
# What comes most often stands last. A link of version 1 is read by this very text: it is never changed.
_USUAL = (
    b'[Termination "resignation"]\n\n[Termination "timeout"]\n\n[Termination "majority"]\n\n'
    b'[SetUp "[TimeControl "300+3"]\n[Game "\n[Rules "@1"]\n[Player0 "?"]\n[Player1 "mbegu 10"]\n'
    b'[Date "2026.11.18"]\n[Result "1/2-1/2"]\n[Result "0-1"]\n[Result "1-0"]\n[Result "*"]\n'
    b'[Score "\n\n15. 14. 13. 12. 11. 10. 9. 8. 7. 6. 5. 4. 3. 2. 1. '
)


def pack(record: Record) -> str:
    """A record as a link; `InvalidRecord` if it is too long for one."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_DEFAULT_STRATEGY, _USUAL)
    data = packer.compress(str(record).encode()) + packer.flush()
    link = VERSION + base64.urlsafe_b64encode(data).rstrip(b"=").decode()
    if len(link) > MOST_LINK:
        raise InvalidRecord(_("this record is too long for a link: send it as a file"))
    return link


def unpack(link: str) -> Record:
    """The record of a link; `InvalidRecord` says what is wrong with it."""
    if len(link) > MOST_LINK:
        raise InvalidRecord(
            _("this link is too long: at most {most} letters").format(most=MOST_LINK)
        )
    if link[:1].isdigit() and link[:1] != VERSION:
        raise InvalidRecord(_("this link is of a newer Mbegu: bring this one up to date"))
    return parse_record(_unpacked(link))


def _unpacked(link: str) -> str:
    damaged = InvalidRecord(_("this link is damaged: some of it is missing, or was changed"))
    letters = link[1:]
    if not link.startswith(VERSION) or not _LETTERS.fullmatch(letters):
        raise damaged
    unpacker = zlib.decompressobj(-15, _USUAL)
    try:
        data = base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
        text = unpacker.decompress(data, MOST_TEXT)
        if unpacker.unconsumed_tail:
            raise InvalidRecord(_("this link holds more than a record may have"))
        if not unpacker.eof or unpacker.unused_data:
            raise damaged
        return text.decode()
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        raise damaged from None

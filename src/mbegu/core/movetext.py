r"""The letters of a record: tokens on the way in, escapes and lines of 80 columns on the way out.

Our records and Aualé's share this scanner. It reads line by line, so that a file of any size needs the
memory of one record, and it knows the line and column of everything it hands out.

>>> scanner = Scanner(['[Game "oware"]', "1. A {well fed} f *"], "a.txt")
>>> [token.kind for token in iter(scanner.token, scanner.END)]
['tag', 'number', 'word', 'comment', 'word', 'word']
>>> escape('say "no"', '"')
'say \\"no\\"'
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, NoReturn

from mbegu.core.errors import InvalidRecord, shorten, system_words
from mbegu.core.i18n import _

__all__ = ["MAX_LINE", "MAX_RECORD", "WIDTH", "Lines", "Scanner", "Token", "escape", "fill"]

WIDTH = 80
MAX_LINE = 65_536  # characters; nobody writes longer lines, and a reader must not hold a whole file
MAX_RECORD = 4 * 1024 * 1024  # characters in one game with its tags and comments

Lines = Iterable[str] | Iterable[bytes]
"""An open file (text or bytes), any other lines, or one text."""

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_TAG = re.compile(r'\[[ \t]*([A-Za-z][A-Za-z0-9_]*)[ \t]*"((?:[^"\\]|\\.)*)"[ \t]*\]')
_TAG_NAME = re.compile(r"\[[ \t]*([A-Za-z][A-Za-z0-9_]*)?[ \t]*")
_TAG_VALUE = re.compile(r'"(?:[^"\\]|\\.)*"?')
_TOKEN = re.compile(r'(\d+)(\.+)|\$(\d+)|([^][ \t{}();"$]+)')
_ESCAPED = re.compile(r"\\(u[0-9A-Fa-f]{4}|.|$)", re.DOTALL)
UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")


class Token(NamedTuple):
    """A piece of a record and where it stands. `value`: a tag's value, a number's dots."""

    kind: str  # tag, number, word, glyph, comment, open, close, end
    text: str
    line: int
    column: int
    value: str = ""


class Scanner:
    """Cuts lines into tokens. Not strict: notes in `errors` what it can step over."""

    END = Token("end", "", 0, 0)

    def __init__(
        self,
        lines: Lines,
        source: str,
        *,
        strict: bool = True,
        errors: list[InvalidRecord] | None = None,
        escapes: bool = True,
    ) -> None:
        self.source, self.strict, self.escapes = source, strict, escapes
        self.errors: list[InvalidRecord] = [] if errors is None else errors
        self.size = 0  # of the record so far; whoever begins a record sets it to 0
        self._next_raw = _line_source(lines)
        self._line, self._number, self._at = "", 0, 0

    # ---- errors

    def fail(self, message: str, line: int, column: int) -> None:
        """Raises the error in a strict reading, notes it in another."""
        error = InvalidRecord(message, self.source, line, column)
        if self.strict:
            raise error
        self.errors.append(error)

    def stop(self, message: str, line: int, column: int) -> NoReturn:
        """Raises an error after which this record cannot be read, strict or not."""
        raise InvalidRecord(message, self.source, line, column)

    # ---- lines

    @property
    def here(self) -> tuple[int, int]:
        """The line and column of what comes next."""
        return self._number, self._at + 1

    def _read_line(self) -> bool:
        """Goes to the next line; False at the end."""
        raw = self._raw()
        if raw is None:
            return False
        self._number += 1
        self._at = 0
        self._line = self._decode(raw)
        self.size += len(self._line) + 1
        if self.size > MAX_RECORD:
            self.size = 0
            self.stop(
                _("this record is longer than {most} characters").format(most=MAX_RECORD),
                self._number,
                1,
            )
        return True

    def _raw(self) -> str | bytes | None:
        try:
            return self._next_raw()
        except UnicodeDecodeError as error:  # the stream itself decodes, so it cannot go on
            self.stop(_not_text(error), self._number + 1, 1)
        except OSError as error:
            self.stop(
                _("cannot be read: {why}").format(why=system_words(error)), self._number + 1, 1
            )

    def _decode(self, raw: str | bytes) -> str:
        if len(raw) > MAX_LINE:
            newline: Any = "\n" if isinstance(raw, str) else b"\n"
            while raw and not raw.endswith(newline) and not self.strict:
                raw = self._raw() or ""
            self.fail(
                _("this line is longer than {most} characters").format(most=MAX_LINE),
                self._number,
                MAX_LINE + 1,
            )
            return ""
        if isinstance(raw, str):
            text = raw
        else:
            try:
                text = raw.decode()
            except UnicodeDecodeError as error:
                self.fail(_not_text(error), self._number, len(raw[: error.start].decode()) + 1)
                text = raw.decode(errors="replace")
        text = text.removesuffix("\n").removesuffix("\r")
        if self._number == 1:
            text = text.removeprefix("\ufeff")
        bad = _CONTROL.search(text)
        if bad:
            self.fail(
                _("the character {code} does not belong in a text: is this a binary file?").format(
                    code=f"U+{ord(bad[0]):04X}"
                ),
                self._number,
                bad.start() + 1,
            )
            text = _CONTROL.sub(" ", text)
        return text

    def skip_record(self) -> None:
        """Goes to the next line that begins with a bracket after an empty line, or to the end."""
        empty = not self._line.strip()
        while True:
            self.size = 0
            try:
                if not self._read_line():
                    self._line, self._at = "", 0
                    return
            except InvalidRecord as error:
                self.errors.append(error)  # the stream itself is broken
                self._next_raw = lambda: None
                continue
            if empty and self._line.lstrip().startswith("["):
                return
            empty = not self._line.strip()

    # ---- tokens

    def token(self) -> Token:
        """The next token; END at the end, again and again."""
        while True:
            line, at = self._line, self._at
            while at < len(line) and line[at] in " \t":
                at += 1
            self._at = at
            if at == len(line):
                if not self._read_line():
                    return self.END
                continue
            token = self._token(line, at)
            if token is not None:
                return token

    def _token(self, line: str, at: int) -> Token | None:
        number, column = self._number, at + 1
        found = _TOKEN.match(line, at)
        if found:
            self._at = found.end()
            count, dots, glyph, word = found.groups()
            if word is not None:
                return Token("word", word, number, column)
            if count is not None:
                return Token("number", count, number, column, dots)
            return Token("glyph", glyph, number, column)
        sign = line[at]
        self._at = at + 1
        if sign == "[":
            return self._tag(line, at)
        if sign == "{":
            return self._comment(number, column)
        if sign == ";":
            self._at = len(line)
            return Token("comment", line[at + 1 :].strip(" \t"), number, column)
        if sign in "()":
            return Token("open" if sign == "(" else "close", sign, number, column)
        self.fail(_unexpected(sign), number, column)
        return None

    def _tag(self, line: str, at: int) -> Token | None:
        found = _TAG.match(line, at)
        if found:
            self._at = found.end()
            value = self._unescape(found[2], self._number, found.start(2))
            return Token("tag", found[1], self._number, at + 1, value)
        self._at = len(line)
        name = _TAG_NAME.match(line, at)
        assert name is not None
        value_found = _TAG_VALUE.match(line, name.end())
        if name[1] is None:
            why, place = _("a tag begins with its name"), name.end()
        elif value_found is None:
            why, place = _("the value of the tag {name} stands in quotes").format(name=name[1]), -1
        elif (
            len(value_found[0]) == 1
            or not value_found[0].endswith('"')
            or _odd_backslashes(value_found[0])
        ):
            why, place = _("the quote is not closed on this line"), value_found.start()
        else:
            why, place = _("the bracket is not closed on this line"), at
        place = name.end() if place < 0 else place
        self.fail(
            _("{why}; write a tag like {example}").format(why=why, example='[Game "oware"]'),
            self._number,
            place + 1,
        )
        return None

    def _comment(self, line: int, column: int) -> Token:
        """A comment in braces; a line break in it is a space."""
        pieces: list[str] = []
        while True:
            start, end = self._at, self._closing_brace()
            chunk = self._line[start : len(self._line) if end is None else end]
            pieces.append(self._unescape(chunk, self._number, start) if self.escapes else chunk)
            if end is not None:
                self._at = end + 1
                break
            self._at = len(self._line)
            if not self._read_line():
                self.fail(_("this comment is not closed: } is missing"), line, column)
                break
        return Token("comment", " ".join(pieces), line, column)

    def _closing_brace(self) -> int | None:
        """Where the comment ends on this line, if it does."""
        end = self._line.find("}", self._at)
        while end >= 0 and self.escapes:
            before = end
            while before > self._at and self._line[before - 1] == "\\":
                before -= 1
            if (end - before) % 2 == 0:
                break
            end = self._line.find("}", end + 1)
        return None if end < 0 else end

    def _unescape(self, text: str, line: int, start: int) -> str:
        if "\\" not in text:
            return text

        def plain(found: re.Match[str]) -> str:
            code = found[1]
            if code in ("\\", '"'):
                return code
            if not self.escapes:
                return found[0]
            if code in ("{", "}"):
                return code
            if code == "n":
                return "\n"
            if len(code) == 5:
                return chr(int(code[1:], 16))
            self.fail(
                _("{escape} means nothing; write {backslash} for a backslash").format(
                    escape=shorten(found[0]), backslash=r"\\"
                ),
                line,
                start + found.start() + 1,
            )
            return found[0]

        return _ESCAPED.sub(plain, text)


def _line_source(lines: Lines) -> Callable[[], str | bytes | None]:
    """A function that gives the next line, never much more than MAX_LINE of it; None at the end."""
    if isinstance(lines, str | bytes):
        lines = lines.splitlines(keepends=True) if isinstance(lines, bytes) else lines.split("\n")
    readline = getattr(lines, "readline", None)
    if readline is not None:
        return lambda: readline(MAX_LINE + 1) or None
    iterator: Iterator[str | bytes] = iter(lines)
    return lambda: next(iterator, None)


def _odd_backslashes(text: str) -> bool:
    """Whether the last character of a text is escaped."""
    body = text[:-1]
    return (len(body) - len(body.rstrip("\\"))) % 2 == 1


def _not_text(error: UnicodeDecodeError) -> str:
    return _("the byte {byte} is not UTF-8 text: is this a binary file?").format(
        byte=f"0x{error.object[error.start]:02X}"
    )


def _unexpected(sign: str) -> str:
    if sign == "}":
        return _("no comment is open here: { is missing")
    return _("{sign} does not belong between moves").format(sign=shorten(sign))


# ---- writing


def escape(text: str, special: str) -> str:
    """A text for a tag or a comment: `special` and backslashes escaped, one line, any letter."""
    for sign in "\\" + special:
        text = text.replace(sign, "\\" + sign)
    return UNSAFE.sub(lambda c: r"\n" if c[0] == "\n" else f"\\u{ord(c[0]):04x}", text)


def fill(atoms: Iterable[str]) -> list[str]:
    """Lines of at most 80 columns, unless a single atom is longer."""
    lines: list[str] = []
    line = ""
    for atom in atoms:
        if line and len(line) + 1 + len(atom) > WIDTH:
            lines.append(line)
            line = atom
        else:
            line = f"{line} {atom}" if line else atom
    return [*lines, line] if line else lines

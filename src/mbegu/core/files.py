"""Files of records, opened with clear errors and saved without ever leaving half a file.

The text is written beside the file and renamed onto it when it is complete and on the disk. Whatever
goes wrong before that moment, an existing file stays as it was.
"""

import os
import re
import shlex
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from mbegu.core.errors import InvalidRecord, shorten, system_words
from mbegu.core.i18n import _
from mbegu.core.notation import find_notation, notation
from mbegu.core.reader import read_records
from mbegu.core.record import Record

__all__ = ["lock_file", "open_records", "save_text", "saving", "write_ogn", "write_records"]

FilePath = str | os.PathLike[str]

_PICKLED = b"\x80"  # the first byte of what Python's pickle writes
_FIRST_TAG = re.compile(rb"(?:\xef\xbb\xbf)?\s*\[\s*(\w+)")


# ---- reading


def open_records(
    path: FilePath, strict: bool = True, *, errors: list[InvalidRecord] | None = None
) -> Iterator[Record]:
    """The records of a file by its name, ours or Aualé's; every error names the file."""
    name = os.fspath(path)
    try:
        if Path(name).is_dir():
            raise InvalidRecord(_("this is a folder, not a file of records"), name)
        if Path(name).is_file():
            Path(name).open("rb").close()  # so that the caller hears of it now
        else:
            Path(name).stat()
    except InvalidRecord:
        raise
    except (OSError, ValueError) as error:
        raise _unreadable(name, error) from None
    return _open_records(name, strict, errors)


def _open_records(name: str, strict: bool, errors: list[InvalidRecord] | None) -> Iterator[Record]:
    with ExitStack() as stack:
        try:
            file = stack.enter_context(Path(name).open("rb"))
            ahead = file.peek(4096)
            first = _FIRST_TAG.match(ahead)
        except OSError as error:
            raise _unreadable(name, error) from None
        if ahead[:1] == _PICKLED and name.lower().endswith(".trace"):
            told = _("an old game of the MAIC contest; this makes a record of it: {command}")
            raise InvalidRecord(
                told.format(command=f"mbegu maic convert {shlex.quote(name)}"), name
            )
        tag = first[1].decode("ascii", "replace") if first else ""
        other = None if tag == "Game" else find_notation(_ending(name), first_tag=tag)
        read = read_records if other is None else other.read
        yield from read(file, name, strict, errors=errors)


def _ending(path: FilePath) -> str:
    """How a file's name ends, without the dot."""
    return Path(os.fspath(path)).suffix.lower().removeprefix(".")


def _unreadable(name: str, error: Exception) -> InvalidRecord:
    if isinstance(error, OSError):
        why = _("cannot be read: {why}").format(why=system_words(error))
        return InvalidRecord(why, name)
    return InvalidRecord(_("this is not the name of a file"), shorten(name))


# ---- writing


def write_records(records: Iterable[Record], path: FilePath, overwrite: bool = False) -> None:
    """Writes records as a file; a name that ends in .ogn gets Aualé's notation, and so on."""
    other = find_notation(_ending(path))
    _write(records, path, overwrite, str if other is None else other.write)


def write_ogn(records: Iterable[Record], path: FilePath, overwrite: bool = False) -> None:
    """Writes records in Aualé's notation. Aualé itself reads the first of a file only."""
    _write(records, path, overwrite, notation("ogn").write)


def _write(
    records: Iterable[Record], path: FilePath, overwrite: bool, text: Callable[[Record], str]
) -> None:
    with saving(path, overwrite) as file:
        for index, record in enumerate(records):
            file.write((b"\n" if index else b"") + text(record).encode())


def save_text(path: FilePath, text: str, overwrite: bool = False) -> None:
    """Writes a text file whole or not at all; an existing file is replaced only if asked."""
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        bad = shorten(f"\\u{ord(text[error.start]):04x}")
        raise InvalidRecord(
            _("the character {bad} cannot be written to a file").format(bad=bad), os.fspath(path)
        ) from None
    with saving(path, overwrite) as file:
        file.write(data)


@contextmanager
def saving(path: FilePath, overwrite: bool = False) -> Iterator[BinaryIO]:
    """A file to write into, which takes its name only when the block ends well."""
    name = os.fspath(path)
    beside: Path | None = None
    try:
        target = Path(os.path.realpath(name))  # a link stays a link
        mode = _mode(target, name, overwrite)
        beside = target.with_name(f".{target.name[:100]}.{os.urandom(6).hex()}.tmp")
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        with os.fdopen(handle, "wb") as file:
            if mode is not None:
                beside.chmod(mode)
            yield file
            file.flush()
            os.fsync(file.fileno())
        if overwrite:
            beside.replace(target)
        else:
            _name_new(beside, target, name)
        beside = None
        _sync_folder(target.parent)
    except OSError as error:
        raise InvalidRecord(
            _("cannot be saved: {why}").format(why=system_words(error)), name
        ) from error
    except ValueError as error:
        if isinstance(error, InvalidRecord) or "\0" not in name:
            raise
        raise InvalidRecord(_("this is not the name of a file"), shorten(name)) from None
    finally:
        if beside is not None:
            with suppress(OSError):
                beside.unlink(missing_ok=True)


def _mode(target: Path, name: str, overwrite: bool) -> int | None:
    """The permissions of the file to be replaced; None for a new one."""
    try:
        there = target.stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(there.st_mode):
        raise InvalidRecord(_("this is a folder; give the name of a file"), name)
    if not stat.S_ISREG(there.st_mode):
        raise InvalidRecord(_("this is not a regular file; give another name"), name)
    if not overwrite:
        raise InvalidRecord(_exists(), name)
    return stat.S_IMODE(there.st_mode)


def _name_new(beside: Path, target: Path, name: str) -> None:
    """Gives the file its name unless somebody took that name meanwhile."""
    try:
        target.hardlink_to(beside)
    except FileExistsError:
        raise InvalidRecord(_exists(), name) from None
    except OSError:  # a file system without hard links
        if target.exists():
            raise InvalidRecord(_exists(), name) from None
        beside.replace(target)
    else:
        beside.unlink()


def _exists() -> str:
    return _(
        "this file exists already; give another name, or overwrite it (--overwrite, in a game save!)"
    )


def _sync_folder(folder: Path) -> None:
    """Makes the new name itself survive a power cut, where the system knows how."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def lock_file(handle: int) -> bool:
    """Takes the lock of a file, which ends with the process; False if another process has it."""
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - only Windows has it

        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl  # noqa: PLC0415 - and this everybody else

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True

"""Passwords: which are too easy, and what is kept of them.

They are kept as Argon2id hashes and checked in threads of their own, a few at a time.
"""

import asyncio
import os
import secrets
import sys
import threading
import unicodedata
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from mbegu.core.i18n import _
from mbegu.server.net.slices import take_slices
from mbegu.server.people.common_passwords import is_common
from mbegu.server.play.names import AccountError, folded

__all__ = ["Hasher", "asks_from", "check_password"]

Answer = TypeVar("Answer")
SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 256
MODEST = 10  # the priority of whoever hashes, as nice(1) counts
MOST_WAITING = 64  # passwords that wait to be checked
_asker: ContextVar[str] = ContextVar("asker", default="")


def asks_from(place: str) -> None:
    """Says for whom this task asks: an address, or a device that is known."""
    _asker.set(place)


class Hasher:
    """Argon2id off the event loop, a few at a time."""

    def __init__(
        self, passes: int = 3, kib: int = 65_536, lanes: int = 2, threads: int = 1
    ) -> None:
        self._argon = PasswordHasher(time_cost=passes, memory_cost=kib, parallelism=lanes)
        self._threads = ThreadPoolExecutor(threads, "password", _be_modest)
        self._turns = _Turns(threads)
        self._nobody = ""

    async def hash(self, password: str) -> str:
        """What to keep of a password."""
        return await self._run(lambda: self._argon.hash(_plain(password)))

    async def fits(self, kept: str | None, password: str) -> bool:
        """Whether this is the password. Takes as long where there is nobody to have one."""

        def check() -> bool:
            if not self._nobody:
                self._nobody = self._argon.hash(secrets.token_hex())
            try:
                return self._argon.verify(kept or self._nobody, _plain(password)) and bool(kept)
            except (Argon2Error, InvalidHashError):
                return False

        return await self._run(check)

    def is_old(self, kept: str) -> bool:
        """Whether a hash was made when hashing was cheaper."""
        return self._argon.check_needs_rehash(kept)

    async def _run(self, work: Callable[[], Answer]) -> Answer:
        await self._turns.wait(_asker.get())
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._turns.done()

    def close(self) -> None:
        """Ends the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)


class _Turns:
    """Who is next: one of each place after the other, however many come from one of them."""

    def __init__(self, threads: int) -> None:
        self._free = threads
        self._lines: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    async def wait(self, place: str) -> None:
        """Returns when it is the turn of somebody from a place."""
        if self._free:
            self._free -= 1
            return
        turn = self._enter(place)
        try:
            await turn
        except asyncio.CancelledError:
            self._forget(place, turn)
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self.done()  # it was given to one who has gone
            raise

    def done(self) -> None:
        """The next one, of the place that has waited longest."""
        while self._lines:
            place, line = self._lines.popitem(last=False)
            turn = line.popleft()
            if line:
                self._lines[place] = line
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    def _enter(self, place: str) -> "asyncio.Future[None]":
        """One more; when there are too many, the last one of the longest line is sent away."""
        if sum(map(len, self._lines.values())) >= MOST_WAITING:
            longest = max(self._lines, key=lambda name: len(self._lines[name]))
            if len(self._lines[longest]) <= len(self._lines.get(place, ())) + 1:
                raise _too_many()
            self._lines[longest].pop().set_exception(_too_many())
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._lines.setdefault(place, deque()).append(turn)
        return turn

    def _forget(self, place: str, turn: "asyncio.Future[None]") -> None:
        line = self._lines.get(place)
        if line is not None and turn in line:
            line.remove(turn)
            if not line:
                del self._lines[place]


def _too_many() -> AccountError:
    return AccountError(_("too many people sign in at this moment: try again"), 503)


def _be_modest() -> None:
    """This thread, and the lanes that it begins, run when nobody who plays wants the processor."""
    if sys.platform == "linux":  # where a thread has a priority of its own
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), MODEST)
        take_slices(0)


def _plain(password: str) -> str:
    return unicodedata.normalize("NFKC", password)


def check_password(password: str, name: str) -> None:
    """Refuses what is guessed first."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise AccountError(
            _("a password has at least {least} letters").format(least=SHORTEST_PASSWORD)
        )
    if is_common(_plain(password), name, folded(name)):
        raise AccountError(_("this password is guessed at once: choose another one"))

"""Passwords: which are too easy, and what is kept of them.

They are kept as Argon2id hashes and checked in threads of their own, a few at a time.
"""

import asyncio
import os
import secrets
import sys
import threading
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from mbegu.core.i18n import _
from mbegu.server.net.slices import take_slices
from mbegu.server.people.common_passwords import is_common
from mbegu.server.play.names import AccountError, folded

__all__ = ["Hasher", "check_password"]

Answer = TypeVar("Answer")
SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 256
MODEST = 10  # the priority of whoever hashes, as nice(1) counts
MOST_WAITING = 64  # passwords that wait to be checked


class Hasher:
    """Argon2id off the event loop, a few at a time."""

    def __init__(
        self, passes: int = 3, kib: int = 65_536, lanes: int = 2, threads: int = 1
    ) -> None:
        self._argon = PasswordHasher(time_cost=passes, memory_cost=kib, parallelism=lanes)
        self._threads = ThreadPoolExecutor(threads, "password", _be_modest)
        self._waiting = 0
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
        if self._waiting >= MOST_WAITING:
            raise AccountError(_("too many people sign in at this moment: try again"), 503)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Ends the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)


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

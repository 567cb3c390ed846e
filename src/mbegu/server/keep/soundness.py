"""How the database is: what is wrong with it now, if anything; each change is written down once."""

import logging
import threading

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError

from mbegu.core.printable import one_line
from mbegu.server.keep.database import shown

__all__ = ["Soundness"]

LASTING = ("malformed", "not a database", "corrupt")
OURS = (DataError, IntegrityError, ProgrammingError)  # what was asked was wrong, not the database
log = logging.getLogger(__name__)


class Soundness:
    """What the last reads and writes have told; they come from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._troubles: dict[str, str] = {}

    @property
    def trouble(self) -> str | None:
        """What is wrong."""
        return next(iter(self._troubles.values()), None)

    def failed(self, what: str, error: BaseException) -> None:
        """Reading or writing went wrong."""
        if not isinstance(error, DBAPIError) or isinstance(error, OURS):
            return
        why = one_line(shown(str(error.orig)))[:200]
        with self._lock:
            new = self._troubles.get(what) != why
            self._troubles[what] = why
        if new:
            log.error("%s the database fails: %s", what, why)

    def went_well(self, what: str) -> None:
        """It works, perhaps again."""
        if what in self._troubles and not _is_lasting(self._troubles[what]):
            with self._lock:
                self._troubles.pop(what, None)
            log.warning("%s the database works again", what)


def _is_lasting(why: str) -> bool:
    """Whether another page that can be read proves nothing: what is damaged does not heal."""
    return any(word in why.lower() for word in LASTING)

"""A limit to what one waits for: code of another package may never come back.

>>> within(10, lambda: 6 * 7)
42
"""

import threading
from collections.abc import Callable
from contextvars import copy_context
from typing import TypeVar

__all__ = ["within"]

Found = TypeVar("Found")


def within(seconds: float, job: Callable[[], Found]) -> Found:
    """What the job returns or raises; TimeoutError if that takes longer.

    Nothing can end a thread from outside: one that is given up goes on until the program ends.
    """
    found: list[Found] = []
    failed: list[BaseException] = []

    def work() -> None:
        try:
            found.append(job())
        except BaseException as error:  # whoever waits is told
            failed.append(error)

    thread = threading.Thread(target=copy_context().run, args=(work,), daemon=True)
    try:
        thread.start()
    except RuntimeError:  # no threads here, as in a browser
        return job()
    thread.join(seconds)
    if failed:
        raise failed[0]
    if not found:
        raise TimeoutError
    return found[0]

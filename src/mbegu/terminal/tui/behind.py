"""Thinking behind the scenes: work in threads, whose answers come back to the screen."""

import contextvars
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from textual.app import App

__all__ = ["Thinking"]


class Thinking(App[int]):
    """An app that lets others think. A thread ends with the process: nobody waits for it."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._asked = 0  # the number of the latest question: older answers do not count any more

    def _announce(self) -> None:
        """Before the first thought."""

    def _behind(
        self,
        work: Callable[[], Any],
        then: Callable[[Any], None],
        fails: Callable[[Exception], None] | None = None,
    ) -> None:
        """Does the work in a thread; its answer counts if nothing else was asked since."""
        number = self._asked

        def run() -> None:
            try:
                self._announce()
                found = work()
            except Exception as error:  # a bot's trouble must not end the screen
                if fails is not None:
                    self._from_thread(self._answer, number, fails, error)
            else:
                self._from_thread(self._answer, number, then, found)

        context = contextvars.copy_context()  # with the language of the player
        threading.Thread(target=context.run, args=(run,), daemon=True).start()

    def _answer(self, number: int, then: Callable[[Any], None], found: Any) -> None:
        if number == self._asked:
            then(found)

    def _from_thread(self, call: Callable[..., None], *arguments: Any) -> None:
        if threading.get_ident() == self._thread_id:
            call(*arguments)
        elif self.is_running and self._loop is not None:
            self._loop.call_soon_threadsafe(partial(self._in_context, call, *arguments))

    def _in_context(self, call: Callable[..., None], *arguments: Any) -> None:
        with self._context():
            call(*arguments)

"""Thinking in a tab: a second worker does it, so that whoever clicks is answered meanwhile.

`TabEngines` asks, in the worker that keeps the games; `Mind` does the jobs, in the other one, as a
thinking process of the server does.
"""

import json
import re
import secrets
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from mbegu.core.game import Game, Move
from mbegu.core.i18n import _, current_language
from mbegu.core.registry import game as find_game
from mbegu.engine.ahead.tab import JavaScriptHost
from mbegu.engine.kernels.door import has_kernel
from mbegu.engine.kernels.driver import kernel_of
from mbegu.engine.machine import install
from mbegu.server.play.ports import ThoughtFailed
from mbegu.server.think.jobs import EngineWorker

__all__ = ["FREE", "Mind", "TabEngines", "seconds_of"]

FREE = 10  # the level that thinks for a second
WITHIN = 0.85  # of it for the search itself: the ways between workers, and Python's own steps, need the rest
MOST_THREADS = 4  # of hints and analyses, where the page may have helpers at all


class TabEngines:
    """The `Engines` of a tab."""

    has_engine = True

    def __init__(self, page: Any) -> None:
        self._page = page
        self._waiting: Counter[str] = Counter()

    def waiting_of(self, owner: str) -> int:
        """How much somebody waits for."""
        return self._waiting[owner]

    async def warm(self, game: Game, level: int, owner: str, compiling: Callable[[], None]) -> None:
        """Nothing needs compiling; but whoever thinks needs a moment to start, and his module to come."""
        self._page.prepare(json.dumps([str(game)]))

    async def get_ready(self, game: Game, owner: str) -> None:
        """Nothing needs compiling."""

    async def choose(
        self,
        game: Game,
        position: str,
        history: Sequence[str],
        level: int,
        owner: str,
        control: str = "-",
        left: float | None = None,
        hurried: Callable[[float], None] = lambda _seconds: None,
        stand_in: Callable[[], None] = lambda: None,
        place: str = "",
    ) -> Move:
        """The move of a computer of this level."""
        seed = secrets.randbits(31)
        told = await self._ask(
            owner,
            "choose",
            [
                str(game),
                position,
                list(history),
                level,
                seed,
                control,
                left,
                seconds_of(level, control),
            ],
        )
        if told["simple"]:
            stand_in()
        move: Move = told["move"]
        return move

    async def hint(
        self,
        game: Game,
        position: str,
        history: Sequence[str],
        owner: str,
        compiling: Callable[[], None] = lambda: None,
        place: str = "",
    ) -> tuple[Move, str]:
        """A good move, and why in the language of the moment."""
        told = await self._ask(
            owner, "hint", [str(game), position, list(history), current_language()]
        )
        return told["move"], told["why"]

    async def analyse(
        self,
        game: Game,
        position: str,
        history: Sequence[str],
        lines: int,
        seconds: float,
        owner: str,
        heard: Callable[[dict[str, Any]], None],
        compiling: Callable[[], None],
    ) -> None:
        """Tells `heard` of every step of an analysis. Cancel it to stop."""
        question = [str(game), position, list(history), lines, seconds]
        await self._ask(owner, "analyse", question, heard)

    async def _ask(
        self,
        owner: str,
        kind: str,
        arguments: list[Any],
        heard: Callable[[dict[str, Any]], None] = lambda _told: None,
    ) -> dict[str, Any]:
        """The last answer to a job; the others are heard as they come."""
        last: dict[str, Any] = {}

        def more(text: str) -> None:
            last.clear()
            last.update(json.loads(text))
            heard(dict(last))

        hearer = _lasting(more)
        job = self._page.think(kind, json.dumps(arguments), hearer)
        self._waiting[owner] += 1
        try:
            problem = await job.done
        finally:
            self._waiting[owner] -= 1
            job.stop()  # a job that is over does not mind
            if hearer is not more:
                hearer.destroy()
        if problem:
            raise ThoughtFailed(_why(problem))
        return last


def seconds_of(level: int, control: str) -> float | None:
    """How long a search may last, where the level and its clock do not say it."""
    return WITHIN if level == FREE and control == "-" else None


def _why(problem: str) -> str:
    """What went wrong in the worker that thinks, for people."""
    file = re.search(r"(?:damaged|missing) (\S+)$", problem)
    if file is None:
        return problem
    return _(
        "the computer cannot think: {file} did not arrive whole. Load the page again when the "
        "network is there"
    ).format(file=file[1])


def _lasting(function: Callable[[str], None]) -> Any:
    """A function that JavaScript may keep after the call in which it was given."""
    if sys.platform != "emscripten":
        return function
    return import_module("pyodide.ffi").create_proxy(function)


class Mind:
    """Does one job after the other, with the kernels that the tab has opened.

    `hosts` are the modules of WebAssembly by name (web/src/engine), `libraries` is what is told of them, as
    JSON. A game without one is thought about by its readable rules.
    """

    def __init__(self, hosts: Any, libraries: str) -> None:
        self._told = {
            library["state"]: (name, library) for name, library in json.loads(libraries).items()
        }

        def supply(state: str) -> Any:
            name, library = self._told.get(state, ("", {}))
            host = getattr(hosts, name, None) if name else None
            return None if host is None else (JavaScriptHost(host), library)

        install(supply)
        self._thinker = EngineWorker(engine=True, threads=MOST_THREADS)
        self._number = 0

    def needs(self, arguments: str) -> str:
        """The name of the module that a job needs, to be opened before; empty if there is none."""
        game = find_game(json.loads(arguments)[0])
        if not has_kernel(game.name):
            return ""
        options = {name: getattr(game, name) for name in game.options()}
        state = type(kernel_of(game.name).pack(game.start().to_json(), options))
        name, _library = self._told.get(f"{state.__module__}.{state.__qualname__}", ("", {}))
        return str(name)

    def think(self, kind: str, arguments: str, more: Callable[[str], None]) -> None:
        """Tells the answers to a job, as they come."""
        self._number += 1
        for answer in self._thinker.think(self._number, kind, tuple(json.loads(arguments))):
            more(json.dumps(answer))

"""The program in which a bot lives: a process of its own, in a cage unless the bot is trusted.

It is started as `python -P -m mbegu.arena.bot_main IN OUT`, where IN and OUT are two pipes. Each line on
them is one JSON object: orders come in, answers go out. What the bot prints goes elsewhere.

    {"do": "start", "cage": {...} | null, "bot": {"kind": "class", "path": "...", "name": "MyBot"}}
    {"do": "game", "game": "oware", "position": "4-4-...", "player": 0, "seed": 7, "nodes": null, "movetime": null}
    {"do": "setup"}
    {"do": "choose", "id": 3, "position": "...", "moves": [2, 7], "left": [9.5, 8.0], "control": "10+0"}

Every answer repeats the order's "id" and has either "value" or "fault" with "error".
"""

import contextlib
import errno
import io
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Any

from mbegu.arena import loading
from mbegu.arena.cage import CageError, enter, from_json
from mbegu.arena.loading import load, plain, shown
from mbegu.arena.program import Deaf, Ended, Flood, Program, TwoAnswers
from mbegu.work.processes import die_with_parent

__all__ = ["main"]

MOST_CELLS = 100  # of a set-up: some never end
# What may wake a bot, but neither ends it nor tells of its own errors.
WAKING = {signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF, signal.SIGUSR1, signal.SIGUSR2}
OWN_FILES = {__file__, loading.__file__}  # a bot's error is told without them


def main(arguments: list[str]) -> None:
    """Obeys until the pipe is closed."""
    die_with_parent()
    orders = os.fdopen(int(arguments[0]), "r", encoding="utf-8", newline="\n")
    answers = os.fdopen(int(arguments[1]), "w", encoding="utf-8", newline="\n")
    host = BotHost()
    signal.pthread_sigmask(signal.SIG_BLOCK, WAKING)
    for line in orders:
        order = json.loads(line)
        answers.write(_answer(host, order) + "\n")
        answers.flush()


def _answer(host: "BotHost", order: dict[str, Any]) -> str:
    """What the bot says, or how it failed: a bot's error must never end the host."""
    number = order.get("id")
    try:
        with _woken():
            value = host.obey(order)
    except CageError as error:
        fault = {"fault": "cage", "error": str(error)}
    except MemoryError:
        fault = {"fault": "memory", "error": "MemoryError"}
    except OSError as error:
        # How the walls refuse: EXDEV is what Landlock says to a link across them.
        walls = error.errno in (errno.EPERM, errno.EACCES, errno.EXDEV)
        fault = {"fault": "cage" if walls else "crash", "error": _told(error)}
    except Flood:
        fault = {"fault": "output", "error": ""}
    except Deaf as error:
        fault = {"fault": "timeout", "error": str(error)}
    except TwoAnswers:
        fault = {"fault": "protocol", "error": "two answers to one question"}
    except BaseException as error:  # SystemExit is a crash too
        fault = {"fault": "crash", "error": _told(error)}
    else:
        try:
            return json.dumps({"id": number, "value": value}, allow_nan=False)
        except BaseException:  # anything may hide behind an object of a stranger
            fault = {"fault": "protocol", "error": shown(value)}
    with contextlib.suppress(BaseException):
        sys.stderr.flush()  # its last words, if they lack the end of a line
    return json.dumps({"id": number, **fault})


@contextlib.contextmanager
def _woken() -> Iterator[None]:
    """Lets signals through while the bot is asked: an alarm that it has set must not ring in our words."""
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, WAKING)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_BLOCK, WAKING)


def _told(error: BaseException) -> str:
    """The error and where it happened, from the bot's own first line on."""
    try:
        place = error.__traceback__
        while place is not None and place.tb_frame.f_code.co_filename in OWN_FILES:
            place = place.tb_next
        if isinstance(
            error, Ended
        ):  # of a stranger's program, in whatever language: our own lines say nothing
            return str(error)
        return "".join(traceback.format_exception(type(error), error, place, limit=-4))[-4000:]
    except BaseException:  # an exception may even fail to print itself
        return type(error).__name__


class BotHost:
    """One bot, through as many games as the referee likes."""

    def __init__(self) -> None:
        self.player: Any = None

    def obey(self, order: dict[str, Any]) -> Any:
        """Carries out one order."""
        if order["do"] == "start":
            return self.start(order)
        method: Callable[[dict[str, Any]], Any] = getattr(self.player, order["do"])
        return method(order)

    def start(self, order: dict[str, Any]) -> str:
        """Locks the cage, then loads the bot; answers with its name."""
        bot, cage = order["bot"], order.get("cage")
        kind = _kind(bot["kind"])
        kind.prepare()
        if kind is Program:
            bot["cage"] = cage  # the program is locked up, not we who speak for it
        elif cage is not None:
            enter(from_json(cage))
        self.player = kind(bot)
        return str(self.player.name)


def _kind(name: str) -> Any:
    """The class that speaks with such bots; an AI of the contest needs the contest's packages."""
    if name == "contest":
        from mbegu.compat import maic_bot

        OWN_FILES.add(maic_bot.__file__)
        return maic_bot.Contest
    return PLAYERS[name]


class BuiltIn:
    """A bot of ours, by name."""

    ours = True

    def __init__(self, bot: dict[str, Any]) -> None:
        self.name = bot["name"]
        self.bot: Any = None

    @staticmethod
    def prepare() -> None:
        """Imports what the cage would make slow or impossible to import."""
        import mbegu.arena.bots
        import mbegu.core.clock
        import mbegu.core.registry

    def make(self, order: dict[str, Any]) -> Any:
        """A fresh bot for a game."""
        from mbegu.arena.bots import make_bot

        return make_bot(self.name, order["seed"])

    def game(self, order: dict[str, Any]) -> None:
        """A new game begins."""
        import random

        from mbegu.core.registry import game

        self.rules = game(order["game"])
        random.seed(order["seed"])  # for bots that use Python's common source of chance
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(order["seed"] % 2**32)
        self.bot = self.make(order)
        if order.get("nodes") is not None and hasattr(self.bot, "nodes"):
            self.bot.nodes = order["nodes"]
        if self.ours and hasattr(self.bot, "waiting"):
            from mbegu.arena.waiting import counted_on

            self.bot.waiting = counted_on()
        if hasattr(self.bot, "warm_up"):
            self.bot.warm_up(self.rules)  # compiles before the clock runs

    def setup(self, order: dict[str, Any]) -> Any:
        """The bot's own set-up, if it has one."""
        from collections.abc import Iterable
        from itertools import islice

        choose = getattr(self.bot, "setup", None)
        laid = None if choose is None else choose()
        if isinstance(laid, Iterable):
            return [plain(count) for count in islice(laid, MOST_CELLS)]
        return None if laid is None else [shown(laid)]

    def choose(self, order: dict[str, Any]) -> Any:
        """Asks the bot for a move."""
        from mbegu.core.clock import Clock, TimeControl

        clock = Clock(TimeControl.parse(order["control"]))
        clock.set(order["left"])
        position = self.rules.position(order["position"])
        if position.turn is not None:
            clock.start(position.turn)
        return plain(self.bot.choose(position, clock))


class Class(BuiltIn):
    """A stranger's class in a file, with the one method `choose(position, clock)`."""

    ours = False

    def __init__(self, bot: dict[str, Any]) -> None:
        super().__init__(bot)
        self.type = getattr(load(bot["path"]), bot["name"])

    def make(self, order: dict[str, Any]) -> Any:
        """A fresh bot for a game; it gets the seed and the game if it asks for them."""
        from inspect import signature

        try:
            wanted = set(signature(self.type).parameters)
        except (TypeError, ValueError):
            wanted = set()
        offers = {"seed": order["seed"], "game": self.rules, "player": order["player"]}
        return self.type(**{name: offers[name] for name in offers if name in wanted})


class EntryPoint(Class):
    """A class of an installed package, by its entry point."""

    def __init__(self, bot: dict[str, Any]) -> None:
        from importlib import import_module

        BuiltIn.__init__(self, bot)
        module, _colon, name = bot["path"].partition(":")
        self.type = getattr(import_module(module), name)


PLAYERS: dict[str, Any] = {
    "builtin": BuiltIn,
    "class": Class,
    "entry": EntryPoint,
    "program": Program,
}


if __name__ == "__main__":
    sys.stdout = io.TextIOWrapper(os.fdopen(1, "wb", 0), write_through=True, errors="replace")
    main(sys.argv[1:])

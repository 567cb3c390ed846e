"""The program in which a bot lives: a process of its own, in a cage unless the bot is trusted.

It is started as `python -P -m mbegu.arena.worker IN OUT`, where IN and OUT are two pipes. Each line on
them is one JSON object: orders come in, answers go out. What the bot prints goes elsewhere.

    {"do": "start", "cage": {...} | null, "bot": {"kind": "class", "path": "...", "name": "MyBot"}}
    {"do": "game", "game": "oware", "position": "4-4-...", "player": 0, "seed": 7, "nodes": null}
    {"do": "setup"}
    {"do": "choose", "id": 3, "position": "...", "moves": [2, 7], "left": [9.5, 8.0], "control": "10+0"}

Every answer repeats the order's "id" and has either "value" or "fault" with "error".
"""

import contextlib
import errno
import io
import json
import os
import sys
import traceback
from collections.abc import Callable
from typing import Any

from mbegu.arena.cage import CageError, enter, from_json
from mbegu.arena.program import Flood, Program, TwoAnswers
from mbegu.work.processes import die_with_parent

__all__ = ["main"]

MOST_CELLS = 100  # of a set-up: some never end


def main(arguments: list[str]) -> None:
    """Obeys until the pipe is closed."""
    die_with_parent()
    orders = os.fdopen(int(arguments[0]), "r", encoding="utf-8", newline="\n")
    answers = os.fdopen(int(arguments[1]), "w", encoding="utf-8", newline="\n")
    worker = Worker()
    for line in orders:
        order = json.loads(line)
        answers.write(_answer(worker, order) + "\n")
        answers.flush()


def _answer(worker: "Worker", order: dict[str, Any]) -> str:
    """What the bot says, or how it failed: a bot's error must never end the worker."""
    number = order.get("id")
    try:
        value = worker.obey(order)
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
    except TwoAnswers:
        fault = {"fault": "protocol", "error": "two answers to one question"}
    except BaseException as error:  # SystemExit is a crash too
        fault = {"fault": "crash", "error": _told(error)}
    else:
        try:
            return json.dumps({"id": number, "value": value}, allow_nan=False)
        except BaseException:  # anything may hide behind an object of a stranger
            fault = {"fault": "protocol", "error": _shown(value)}
    with contextlib.suppress(BaseException):
        sys.stderr.flush()  # its last words, if they lack the end of a line
    return json.dumps({"id": number, **fault})


def _told(error: BaseException) -> str:
    """The error and where it happened, from the bot's own first line on."""
    try:
        place = error.__traceback__
        while place is not None and place.tb_frame.f_code.co_filename == __file__:
            place = place.tb_next
        return "".join(traceback.format_exception(type(error), error, place, limit=-4))[-4000:]
    except BaseException:  # an exception may even fail to print itself
        return type(error).__name__


def _shown(value: Any) -> str:
    """An answer that is no move, with its type."""
    try:
        return f"{type(value).__name__}: {value!r:.200}"
    except BaseException:
        return type(value).__name__


class Worker:
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
        kind = PLAYERS[bot["kind"]]
        kind.prepare()
        if kind is Program:
            bot["cage"] = cage  # the program is locked up, not we who speak for it
        elif cage is not None:
            enter(from_json(cage))
        self.player = kind(bot)
        return str(self.player.name)


class BuiltIn:
    """A bot of ours, by name."""

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
        if hasattr(self.bot, "warm_up"):
            self.bot.warm_up(self.rules)  # compiles before the clock runs

    def setup(self, order: dict[str, Any]) -> Any:
        """The bot's own set-up, if it has one."""
        from collections.abc import Iterable
        from itertools import islice

        choose = getattr(self.bot, "setup", None)
        laid = None if choose is None else choose()
        if isinstance(laid, Iterable):
            return [_plain(count) for count in islice(laid, MOST_CELLS)]
        return None if laid is None else [_shown(laid)]

    def choose(self, order: dict[str, Any]) -> Any:
        """Asks the bot for a move."""
        from mbegu.core.clock import Clock, TimeControl

        clock = Clock(TimeControl.parse(order["control"]))
        clock.set(order["left"])
        position = self.rules.position(order["position"])
        if position.turn is not None:
            clock.start(position.turn)
        return _plain(self.bot.choose(position, clock))


def _plain(value: Any) -> Any:
    """NumPy's numbers are what many bots compute with."""
    return value.item() if type(value).__module__ == "numpy" and hasattr(value, "item") else value


class Class(BuiltIn):
    """A stranger's class in a file, with the one method `choose(position, clock)`."""

    def __init__(self, bot: dict[str, Any]) -> None:
        super().__init__(bot)
        self.type = getattr(_load(bot["path"]), bot["name"])

    def make(self, order: dict[str, Any]) -> Any:
        """A fresh bot for a game; it gets the seed and the game if it asks for them."""
        from inspect import signature

        try:
            wanted = set(signature(self.type).parameters)
        except (TypeError, ValueError):
            wanted = set()
        offers = {"seed": order["seed"], "game": self.rules, "player": order["player"]}
        return self.type(**{name: offers[name] for name in offers if name in wanted})


class Entry(Class):
    """A class of an installed package, by its entry point."""

    def __init__(self, bot: dict[str, Any]) -> None:
        from importlib import import_module

        BuiltIn.__init__(self, bot)
        module, _colon, name = bot["path"].partition(":")
        self.type = getattr(import_module(module), name)


class Contest:
    """An unmodified AI of the MAIC 2022 contest: a file with `class AI(MorabarabaPlayer)`."""

    def __init__(self, bot: dict[str, Any]) -> None:
        self.path = bot["path"]
        self.type = _load(self.path).AI
        self.name = str(getattr(self.type, "name", os.path.basename(self.path)))

    @staticmethod
    def prepare() -> None:
        """The contest's own packages, `core`, `morabaraba` and `utils`, in this process only."""
        import mbegu

        sys.path.insert(0, os.path.join(os.path.dirname(mbegu.__file__), "compat", "maic"))
        import gui
        import morabaraba.morabaraba_rules
        import numpy as np
        import utils

        import mbegu.core.registry
        import mbegu.games.morabaraba

    def game(self, order: dict[str, Any]) -> None:
        """The one game of this process begins."""
        import random

        import numpy as np
        from core import Color

        random.seed(order["seed"])
        np.random.seed(order["seed"] % 2**32)
        self.lot = random.Random(order["seed"])  # noqa: S311 (a game, not a secret)
        self.state = _contest_state(order["game"], order["position"])
        self.side = order["player"] * 2 - 1
        self.ai = self.type(Color(self.side))
        self.ai.reset_player_informations()

    def setup(self, order: dict[str, Any]) -> None:
        """The contest had no set-ups."""

    def choose(self, order: dict[str, Any]) -> Any:
        """Plays the moves since the last time on its own state, then asks the AI."""
        from copy import deepcopy

        for move in order["moves"]:
            self._follow(move)
        if self._is_over(deepcopy(self.state)):
            return self._by_lot(deepcopy(self.state))
        left = order["left"][order["player"]]
        action = self.ai.play(deepcopy(self.state), 3600.0 if left is None else left)
        return _action_text(action)

    def _is_over(self, state: Any) -> bool:
        """By the contest's own count, which stops some games earlier than the rules do.

        No AI was ever asked in such a position, and many have no answer.
        """
        from morabaraba.morabaraba_rules import MorabarabaRules

        return state.get_latest_player() is not None and MorabarabaRules.is_end_game(state)

    def _by_lot(self, state: Any) -> Any:
        from morabaraba.morabaraba_rules import MorabarabaRules

        actions = MorabarabaRules.get_player_actions(state, self.side)
        return _action_text(self.lot.choice(actions)) if actions else [_shown(None)]

    def _follow(self, move: str) -> None:
        from morabaraba.morabaraba_rules import MorabarabaRules

        player = self.state.get_next_player()
        MorabarabaRules.make_move(self.state, _action(move), player)
        if player == self.side:
            self.ai.update_player_infos(self.state.get_player_info(player))


def _contest_state(name: str, text: str) -> Any:
    """A position as the contest's state; matches may begin anywhere."""
    from core import Color
    from morabaraba.morabaraba_board import MorabarabaBoard
    from morabaraba.morabaraba_state import MorabarabaState

    from mbegu.core.registry import game
    from mbegu.games.morabaraba import POINTS

    position = game(name).position(text)
    told = position.to_json()
    turn = told["turn"]
    state = MorabarabaState(MorabarabaBoard((7, 7)), turn, boring_limit=200)
    for point, sign in zip(POINTS, told["board"], strict=True):
        state.board.fill_cell(_cell(point), Color({"x": -1, "o": 1, ".": 0}[sign]))
    state.in_hand, state.score = (
        dict(zip((-1, 1), told[key], strict=True)) for key in ("in_hand", "score")
    )
    state.mill, state.boring_moves = told["phase"] == "STEAL", told["quiet"]
    state.fly_case, state.fly_moves = told["three"] > 0, told["three"]
    bans = [[[_cell(point) for point in mill.split("-")] for mill in ban] for ban in told["ban"]]
    state.player1_forbidden_mill, state.player2_forbidden_mill = (
        [True, mills] if mills else [False, None] for mills in bans
    )
    if position != position.game.start():
        state.set_latest_player(turn if state.mill else -turn)
    return state


def _cell(point: str) -> tuple[int, int]:
    return int(point[1]) - 1, "abcdefg".index(point[0])


def _action(move: str) -> Any:
    """`MOVE a1 a4` as the contest's action."""
    from morabaraba.morabaraba_action import MorabarabaAction, MorabarabaActionType

    kind, *points = move.split()
    cells = map(_cell, points)
    names = {"ADD": ("to",), "STEAL": ("at",)}.get(kind, ("at", "to"))
    return MorabarabaAction(MorabarabaActionType[kind], **dict(zip(names, cells, strict=True)))


def _action_text(action: Any) -> Any:
    """The contest's action as `MOVE a1 a4`; anything else in a list, which is never a move."""
    try:
        told = action.get_json_action()
        cells = [told["action"][name] for name in ("at", "to") if name in told["action"]]
        return " ".join([told["action_type"], *map(_point, cells)])
    except (AttributeError, KeyError, TypeError, ValueError):
        return [_shown(action)]


def _point(cell: Any) -> str:
    """The name of a cell; off the grid as it stands, which makes an action that is never legal."""
    row, column = cell
    if row in range(7) and column in range(7):
        return "abcdefg"[int(column)] + str(int(row) + 1)
    return f"{tuple(cell)!r:.40}"


def _load(path: str) -> Any:
    """The module in a file, under a name of its own: two bots may have files of the same name."""
    from importlib.util import module_from_spec, spec_from_file_location

    folder = os.path.dirname(os.path.abspath(path))
    for place in (folder, os.path.splitext(os.path.abspath(path))[0]):  # and the one of its name
        if place not in sys.path and os.path.isdir(place):
            sys.path.append(place)
    name = os.path.splitext(os.path.basename(path))[0]
    if name in sys.modules or name in sys.stdlib_module_names:
        name = f"bot_{name}"  # a bot in random.py must not replace Python's own module
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


PLAYERS: dict[str, Any] = {
    "builtin": BuiltIn,
    "class": Class,
    "entry": Entry,
    "contest": Contest,
    "program": Program,
}


if __name__ == "__main__":
    sys.stdout = io.TextIOWrapper(os.fdopen(1, "wb", 0), write_through=True, errors="replace")
    main(sys.argv[1:])

"""The program in which a bot lives: a process of its own, in a cage unless the bot is trusted.

It is started as `python -I -m mbegu.arena.worker IN OUT`, where IN and OUT are two pipes. Each line on
them is one JSON object: orders come in, answers go out. What the bot prints goes elsewhere.

    {"do": "start", "cage": {...} | null, "bot": {"kind": "class", "path": "...", "name": "MyBot"}}
    {"do": "game", "game": "oware", "position": "4-4-...", "player": 0, "seed": 7}
    {"do": "setup"}
    {"do": "choose", "id": 3, "position": "...", "moves": [2, 7], "left": [9.5, 8.0], "control": "10+0"}

Every answer repeats the order's "id" and has either "value" or "fault" with "error".
"""

import io
import json
import os
import sys
import traceback
from collections.abc import Callable
from typing import Any

from mbegu.arena.cage import Cage, CageError, enter

__all__ = ["main"]


def main(arguments: list[str]) -> None:
    """Obeys until the pipe is closed."""
    orders = os.fdopen(int(arguments[0]), "r", encoding="utf-8", newline="\n")
    answers = os.fdopen(int(arguments[1]), "w", encoding="utf-8", newline="\n")
    worker = Worker()
    for line in orders:
        order = json.loads(line)
        answer = _answer(worker, order)
        answers.write(json.dumps({"id": order.get("id"), **answer}) + "\n")
        answers.flush()


def _answer(worker: "Worker", order: dict[str, Any]) -> dict[str, Any]:
    """What the bot says, or how it failed: a bot's error must never end the worker."""
    try:
        return {"value": worker.obey(order)}
    except CageError as error:
        return {"fault": "cage", "error": str(error)}
    except MemoryError:
        return {"fault": "memory", "error": "MemoryError"}
    except PermissionError as error:
        return {"fault": "cage", "error": f"{error}\n{traceback.format_exc(limit=-3)}"}
    except BaseException as error:  # SystemExit is a crash too
        return {"fault": "crash", "error": _told(error)}


def _told(error: BaseException) -> str:
    try:
        return "".join(traceback.format_exception(error, limit=-4))[-4000:]
    except BaseException:  # an exception may even fail to print itself
        return type(error).__name__


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
        bot = order["bot"]
        kind = PLAYERS[bot["kind"]]
        kind.prepare()
        if order.get("cage") is not None:
            cage = order["cage"]
            enter(Cage(**{**cage, "read": tuple(cage["read"]), "without": tuple(cage["without"])}))
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

    def make(self, seed: int) -> Any:
        """A fresh bot for a game."""
        from mbegu.arena.bots import make_bot

        return make_bot(self.name, seed)

    def game(self, order: dict[str, Any]) -> None:
        """A new game begins."""
        from mbegu.core.registry import game

        self.rules = game(order["game"])
        self.bot = self.make(order["seed"])

    def setup(self, order: dict[str, Any]) -> Any:
        """The bot's own set-up, if it has one."""
        choose = getattr(self.bot, "setup", None)
        return None if choose is None else list(choose())

    def choose(self, order: dict[str, Any]) -> Any:
        """Asks the bot for a move."""
        from mbegu.core.clock import Clock, TimeControl

        clock = Clock(TimeControl.parse(order["control"]))
        clock.set(order["left"])
        position = self.rules.position(order["position"])
        if position.turn is not None:
            clock.start(position.turn)
        move = self.bot.choose(position, clock)
        # NumPy's integers are what many bots compute with.
        return move.item() if hasattr(move, "item") and not isinstance(move, str) else move


class Class(BuiltIn):
    """A stranger's class in a file, with the one method `choose(position, clock)`."""

    def __init__(self, bot: dict[str, Any]) -> None:
        super().__init__(bot)
        self.type = getattr(_load(bot["path"]), bot["name"])

    def make(self, seed: int) -> Any:
        """A fresh bot for a game; it gets the seed if it asks for one."""
        try:
            return self.type(seed=seed)
        except TypeError:
            return self.type()


class Contest:
    """An unmodified AI of the MAIC 2022 contest: a file with `class AI(MorabarabaPlayer)`."""

    def __init__(self, bot: dict[str, Any]) -> None:
        self.path = bot["path"]
        self.ai: Any = None
        self.name = os.path.splitext(os.path.basename(self.path))[0]

    @staticmethod
    def prepare() -> None:
        """The contest's own packages, `core`, `morabaraba` and `utils`, in this process only."""
        import mbegu

        sys.path.insert(0, os.path.join(os.path.dirname(mbegu.__file__), "compat", "maic"))
        import morabaraba.morabaraba_rules
        import numpy as np

    def game(self, order: dict[str, Any]) -> None:
        """A new game begins; the AI itself lives as long as the process, as it did in the contest."""
        import random

        import numpy as np
        from core import Color
        from morabaraba.morabaraba_board import MorabarabaBoard
        from morabaraba.morabaraba_state import MorabarabaState

        random.seed(order["seed"])
        np.random.seed(order["seed"] % 2**32)
        self.side = order["player"] * 2 - 1
        self.state = MorabarabaState(MorabarabaBoard((7, 7)), boring_limit=200)
        if self.ai is None or self.ai.color != Color(self.side):
            self.ai = _load(self.path).AI(Color(self.side))
            self.name = str(getattr(self.ai, "name", self.name))
        self.ai.reset_player_informations()

    def choose(self, order: dict[str, Any]) -> Any:
        """Plays the moves since the last time on its own state, then asks the AI."""
        from copy import deepcopy

        for move in order["moves"]:
            self._follow(move)
        left = order["left"]
        remaining = left[(self.side + 1) // 2] if left else 3600.0
        action = self.ai.play(deepcopy(self.state), remaining)
        return _action_text(action)

    def _follow(self, move: str) -> None:
        from morabaraba.morabaraba_rules import MorabarabaRules

        player = self.state.get_next_player()
        MorabarabaRules.make_move(self.state, _action(move), player)
        if player == self.side:
            self.ai.update_player_infos(self.state.get_player_info(player))


def _action(move: str) -> Any:
    """`MOVE a1 a4` as the contest's action."""
    from morabaraba.morabaraba_action import MorabarabaAction, MorabarabaActionType

    kind, *points = move.split()
    cells = [(int(point[1]) - 1, "abcdefg".index(point[0])) for point in points]
    names = {"ADD": ("to",), "STEAL": ("at",)}.get(kind, ("at", "to"))
    return MorabarabaAction(MorabarabaActionType[kind], **dict(zip(names, cells, strict=True)))


def _action_text(action: Any) -> Any:
    """The contest's action as `MOVE a1 a4`; anything else as it is, for the referee to refuse."""
    try:
        told = action.get_json_action()
        cells = [told["action"][name] for name in ("at", "to") if name in told["action"]]
        points = ["abcdefg"[int(column)] + str(int(row) + 1) for row, column in cells]
        return " ".join([told["action_type"], *points])
    except (AttributeError, KeyError, TypeError, ValueError, IndexError):
        return repr(action)[:200]


def _load(path: str) -> Any:
    """The module in a file, under a name of its own: two bots may have files of the same name."""
    from importlib.util import module_from_spec, spec_from_file_location

    folder = os.path.dirname(os.path.abspath(path))
    if folder not in sys.path:
        sys.path.append(folder)
    spec = spec_from_file_location(os.path.splitext(os.path.basename(path))[0], path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


PLAYERS: dict[str, Any] = {"builtin": BuiltIn, "class": Class, "contest": Contest}


if __name__ == "__main__":
    sys.stdout = io.TextIOWrapper(os.fdopen(1, "wb", 0), write_through=True, errors="replace")
    main(sys.argv[1:])

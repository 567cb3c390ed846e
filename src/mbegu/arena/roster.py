"""Finding bots: by name, by file, by class.

random, greedy, level5          the bots that come with the package
path/to/file.py:MyBot           a class with the method choose(position, clock)
path/to/file.py                 the same, when the file has one such class;
                                or an AI of the MAIC 2022 contest, which is always called AI
a name of an entry point in the group mbegu.bots
"""

import ast
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mbegu.arena.bots import BOTS
from mbegu.core.errors import MbeguError, shorten
from mbegu.core.i18n import _

__all__ = ["BotSpec", "find_bot"]

GROUP = "mbegu.bots"


@dataclass(frozen=True)
class BotSpec:
    """How a bot is called and how it is started."""

    name: str
    kind: str  # builtin, class or contest
    path: str = ""
    class_name: str = ""

    @property
    def trusted(self) -> bool:
        """Whether it is our own, or was installed by the user as a package."""
        return self.kind == "builtin"

    def order(self) -> dict[str, Any]:
        """What the worker needs to know."""
        return {"kind": self.kind, "name": self.class_name or self.name, "path": self.path}


def find_bot(text: str) -> BotSpec:
    """The bot that a text names; nothing of it is run yet."""
    if text in BOTS:
        return BotSpec(text, "builtin")
    path, _colon, class_name = text.rpartition(":") if text.rpartition(":")[0] else (text, "", "")
    if path.endswith(".py") or os.sep in path:
        return _in_file(path, class_name)
    from importlib.metadata import entry_points  # noqa: PLC0415 (slow, and seldom needed)

    for point in entry_points(group=GROUP, name=text):
        return BotSpec(text, "entry", point.value)
    raise MbeguError(
        _("no bot is called {name}; there are: {names}, or give a file like my_bot.py").format(
            name=shorten(text), names=", ".join(BOTS)
        )
    )


def _in_file(path: str, class_name: str) -> BotSpec:
    """Reads a file without running it, to see which class in it is the bot."""
    try:
        tree = ast.parse(Path(path).read_bytes(), filename=path)
    except OSError as error:
        raise MbeguError(f"{path}: {error.strerror or error}") from None
    except (SyntaxError, ValueError) as error:
        place = f"{path}:{getattr(error, 'lineno', None) or 1}"
        raise MbeguError(
            _("{place}: this is not Python: {error}").format(
                place=place, error=getattr(error, "msg", error)
            )
        ) from None
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    name = Path(path).stem
    if not class_name and "AI" in classes and _has_method(classes["AI"], "play"):
        return BotSpec(name, "contest", path, "AI")
    bots = [cls for cls, node in classes.items() if _has_method(node, "choose")]
    if class_name:
        bots = [cls for cls in classes if cls == class_name]
    if len(bots) != 1:
        raise MbeguError(
            _("{path}: expected one class with a method choose, found: {names}").format(
                path=path, names=", ".join(bots) or _("none")
            )
        )
    return BotSpec(name, "class", path, bots[0])


def _has_method(node: ast.ClassDef, name: str) -> bool:
    return any(isinstance(part, ast.FunctionDef) and part.name == name for part in node.body)

"""Parameters that several commands share."""

from typing import Any

import click
from click.shell_completion import CompletionItem

from mbegu.arena.bots import BOTS, is_search
from mbegu.arena.roster import find_bot, installed_bots
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.core.nearest import did_you_mean
from mbegu.core.registry import game, game_class, game_names, trouble
from mbegu.terminal.seats import is_file

__all__ = ["BOT", "GAME", "PLAYER", "RECORD_FILE", "SECONDS_EACH"]


class GameType(click.ParamType[Game]):
    """A game string such as `oware` or `kalah(pits=6,seeds=4)`."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Game:
        """The game; errors come as InvalidGame, which `main` tells in one line."""
        return value if isinstance(value, Game) else game(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The installed games."""
        return [
            CompletionItem(name, help=_(game_class(name).summary))
            for name in game_names()
            if name.startswith(incomplete) and trouble(name) is None
        ]


class PlayerType(click.Choice[str]):
    """Who plays: a human, a bot by its name, or a level by its number; `level3` is the same as 3."""

    def __init__(self) -> None:
        super().__init__(["human", *(name.removeprefix("level") for name in BOTS)])

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name of the player, as `make_bot` knows it."""
        if is_file(str(value)) or is_search(str(value)):  # a bot of one's own, or with its depth
            find_bot(str(value))
            return str(value)
        number = str(value).removeprefix("level")
        name = number if number.isdigit() else str(value)
        if name not in self.choices:
            self.fail(self._unknown(name), param, ctx)
        return f"level{name}" if name.isdigit() else name

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """On one line of eighty columns: not all seventeen."""
        words = [choice for choice in self.choices if not choice.isdigit()]
        return f"[{'|'.join(words[:4])}|...|1-10]"

    def _unknown(self, name: str) -> str:
        """In one line: the levels are not told one by one."""
        words = [choice for choice in self.choices if not choice.isdigit()]
        told = _(
            "{name!r} is not one of: a level from 1 to 10, {names}, a depth with it like "
            "alphabeta:6, or a file like my_bot.py"
        ).format(name=name, names=", ".join(words))
        return told + did_you_mean(name, words)


class BotType(click.ParamType[str]):
    """A bot by its name or its file; the shell completes both."""

    name = "bot"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """As it is: the arena finds it."""
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Our bots and those of installed packages; else a file."""
        found = [
            CompletionItem(name)
            for name in [*BOTS, *installed_bots()]
            if name.startswith(incomplete)
        ]
        return found or [CompletionItem(incomplete, type="file")]


class SecondsType(click.ParamType[tuple[float, ...]]):
    """Seconds of both players, or of the first and of the second: `0.5` or `0.5,5`."""

    name = "seconds"
    _one = click.FloatRange(0.001, 3600)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, ...]:
        """One number, or two."""
        if isinstance(value, tuple):
            return value
        parts = str(value).split(",", 1)
        return tuple(float(self._one(part.strip(), param, ctx)) for part in parts)


BOT = BotType()
GAME = GameType()
SECONDS_EACH = SecondsType()
PLAYER = PlayerType()
RECORD_FILE = click.Path(dir_okay=False, path_type=str)

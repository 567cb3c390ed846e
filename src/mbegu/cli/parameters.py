"""Parameters that several commands share."""

from typing import Any

import click
from click.shell_completion import CompletionItem

from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.core.registry import game, game_class, game_names

__all__ = ["GAME", "RECORD_FILE"]


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
            if name.startswith(incomplete)
        ]


GAME = GameType()
RECORD_FILE = click.Path(dir_okay=False, path_type=str)

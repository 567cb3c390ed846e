"""What is asked before a game: which one, against whom, who begins, how the pieces are laid."""

import random
import textwrap
from typing import TYPE_CHECKING

from mbegu.core.i18n import _
from mbegu.core.players import player_name
from mbegu.core.registry import game as find_game
from mbegu.core.registry import game_class, game_names, trouble
from mbegu.core.setups import SetUpGame
from mbegu.terminal.seats import HUMAN
from mbegu.terminal.tui.screens import Choose
from mbegu.terminal.tui.setup import SetUp
from mbegu.terminal.tui.wishes import DEFAULT_OPPONENT, Wishes

if TYPE_CHECKING:
    from mbegu.terminal.tui.app import TableApp

__all__ = ["ask_for"]

MARGINS = 16  # columns of the screen that a sheet leaves free


async def ask_for(app: "TableApp", wishes: Wishes) -> bool:
    """Asks for what nobody has said; False if the player would rather not."""
    if wishes.game is None and not await _ask_all(app, wishes):
        return False
    if wishes.asks_set_up:
        return await _ask_set_up(app, wishes)
    return True


async def _ask_all(app: "TableApp", wishes: Wishes) -> bool:
    names = [name for name in game_names() if trouble(name) is None]
    wide = max(map(len, names)) + 2
    room = max(20, app.size.width - MARGINS - wide)
    games = [(name, _beside(name, wide, _(game_class(name).summary), room)) for name in names]
    chosen = await app.push_screen_wait(Choose(_("Which game?"), games))
    if chosen is None:
        return False
    if wishes.names is None and wishes.vs is None:
        wishes.vs = await _ask_opponent(app)
        if wishes.vs is None:
            return False
    if wishes.names is None and wishes.start is None:
        wishes.start = await _ask_start(app)
        if wishes.start is None:
            return False
    wishes.game = find_game(chosen)
    return True


def _beside(name: str, wide: int, told: str, room: int) -> str:
    """What goes on in the next line stands under its own column."""
    lines = textwrap.wrap(told, room) or [""]
    return f"\n{'':{wide}}".join([f"{name:{wide}}{lines[0]}", *lines[1:]])


async def _ask_opponent(app: "TableApp") -> str | None:
    levels = [f"level{number}" for number in range(1, 11)]
    names = [*levels, HUMAN, "random", "greedy", "minimax"]
    told = {HUMAN: _("another person at this keyboard")}
    options = [(name, told.get(name, player_name(name))) for name in names]
    return await app.push_screen_wait(Choose(_("Against whom?"), options, DEFAULT_OPPONENT))


async def _ask_start(app: "TableApp") -> str | None:
    options = [("me", _("Yes")), ("other", _("No")), ("lot", _("By lot"))]
    return await app.push_screen_wait(Choose(_("Would you like to begin?"), options))


async def _ask_set_up(app: "TableApp", wishes: Wishes) -> bool:
    """How each human lays his pieces; computers lay them as usual."""
    game = wishes.game
    assert isinstance(game, SetUpGame)
    wishes.names = tuple_of(wishes)
    laid = []
    for player in (0, 1):
        setup = game.setup()
        if wishes.names[player] == HUMAN:
            how = "lay" if wishes.lay[player] else await _ask_how(app, game.side(player))
            if how is None:
                return False
            if how == "random":
                setup = game.random_setup(random.Random(wishes.seed))  # noqa: S311 (a game)
            elif how == "lay":
                found = await app.push_screen_wait(SetUp(game, player, app.look, app.state.plain))
                if found is None:
                    return False
                setup = found
        laid.append(setup)
    wishes.position = game.start(*laid)
    return True


async def _ask_how(app: "TableApp", side: str) -> str | None:
    options = [
        ("usual", _("As usual")),
        ("random", _("By lot")),
        ("lay", _("I lay them myself")),
    ]
    question = _("{side}: how do your pieces lie?").format(side=side)
    return await app.push_screen_wait(Choose(question, options))


def tuple_of(wishes: Wishes) -> tuple[str, str]:
    """Who plays which side, once and for all: a lot is drawn once."""
    first, second = (seat.name for seat in wishes.seats())
    return first, second

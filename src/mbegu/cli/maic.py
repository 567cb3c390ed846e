"""`mbegu maic`: the command line of the MAIC 2022 contest, and its old records."""

import dataclasses
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from mbegu.arena.referee import Conditions, Played, Spectator, play_game
from mbegu.arena.roster import CONTEST_GAME, BotSpec, find_bot, with_own_names
from mbegu.arena.runner import BotProcess
from mbegu.arena.seeds import draw_seed
from mbegu.cli.match import tell_fault
from mbegu.cli.options import out_option
from mbegu.compat.maic_trace import OldGame, TraceError, read_trace
from mbegu.core.errors import MbeguError
from mbegu.core.files import save_text
from mbegu.core.game import Game, Move
from mbegu.core.i18n import _
from mbegu.core.match import Match
from mbegu.core.outcome import Reason
from mbegu.core.reader import parse_record
from mbegu.core.record import Record
from mbegu.core.registry import game as find_game
from mbegu.core.story import tell, tell_outcome
from mbegu.terminal.screen import has_colour

if TYPE_CHECKING:
    from mbegu.server.window import Window

__all__ = ["maic"]

SIDES = (-1, 1)  # the contest's numbers of the players
SEEN = 0.7  # seconds for each action in a window, if nobody says otherwise
LAST_LOOK = 3.0  # seconds, where nobody can say Ctrl-C
EYES = 15.0  # seconds to wait for somebody who looks at it


@click.group(
    invoke_without_command=True,
    help=_(
        "Let two AIs of the MAIC 2022 contest play Morabaraba, as its own program did: "
        "mbegu maic -ai0 A.py -ai1 B.py -t 5 -s 0.5"
    ),
)
@click.option("-ai0", "first", metavar="FILE", help=_("The AI that begins (-1, dark)."))
@click.option("-ai1", "second", metavar="FILE", help=_("The other one (1, light)."))
@click.option(
    "-t",
    "seconds",
    type=click.FloatRange(0.001, 1e6),
    default=5.0,
    show_default=True,
    help=_("Seconds that each has for the whole game."),
)
@click.option(
    "-s",
    "pause",
    type=click.FloatRange(0, 60),
    default=0.0,
    show_default=True,
    help=_("Seconds to look at each action."),
)
@click.option(
    "--seed", type=int, help=_("Chooses what is by lot; else it is drawn, and told at the end.")
)
@out_option("--save", name="save", help=_("Write the record of the game."))
@click.option(
    "--window",
    is_flag=True,
    help=_("Show the match on the board of the web app, too, move by move, in the browser."),
)
@click.option("--trust", is_flag=True, help=_("Run the AIs without a cage."))
@click.pass_context
def maic(
    ctx: click.Context,
    *,
    first: str | None,
    second: str | None,
    seconds: float,
    pause: float,
    seed: int | None,
    save: str | None,
    window: bool,
    trust: bool,
) -> None:
    """Play as the contest did."""
    if ctx.invoked_subcommand is not None:
        return
    if first is None or second is None:
        raise MbeguError(
            _(
                "give both AIs: mbegu maic -ai0 A.py -ai1 B.py (people play with mbegu play morabaraba)"
            )
        )
    seed = draw_seed() if seed is None else seed
    game = find_game(CONTEST_GAME)
    specs = with_own_names([_found(first), _found(second)])
    conditions = Conditions(f"{seconds:.3f}+0", policy="maic", trust=trust)
    if window and ctx.get_parameter_source("pause") is ParameterSource.DEFAULT:
        pause = SEEN
    with (
        BotProcess(specs[0], trust=trust) as one,
        BotProcess(specs[1], trust=trust) as other,
        _window(game, (specs[0].name, specs[1].name)) if window else nullcontext() as shown,
    ):
        board = Board((one, other), pause, shown)
        played = play_game(game, (one, other), conditions, seed=seed, spectator=board)
        _tell_end(played, board, seed)
        if save is not None:
            save_text(save, played.record)
        if shown is not None:
            _stay_open(shown, played)


def _tell_end(played: Played, board: "Board", seed: int) -> None:
    if played.verdict.player is not None:
        click.echo(tell_fault(0, played))
    if played.winner is None:
        click.echo(_("No winners."))
    else:
        click.echo(_("{name} wins.").format(name=board.called(played.winner)))
    click.echo(_("seed: {seed}").format(seed=seed))


@contextmanager
def _window(game: Game, names: tuple[str, str]) -> Iterator["Window"]:
    """The board in the browser; the match begins when somebody looks at it, or after a while."""
    from mbegu.server.run import open_browser  # noqa: PLC0415 - heavy, and seldom wanted
    from mbegu.server.window import Window  # noqa: PLC0415

    with Window(game, names) as window:
        click.echo(_("The match is shown at {url}").format(url=window.url))
        open_browser(window.url)
        window.wait_for_eyes(EYES)
        yield window


def _stay_open(window: "Window", played: Played) -> None:
    """Shows the end, and on a terminal stays until Ctrl-C; elsewhere for a last look."""
    outcome = parse_record(played.record).outcome
    if outcome is not None:
        window.end(outcome)
    if sys.stdin.isatty():
        click.echo(_("The window stays open until Ctrl-C."))
        with suppress(KeyboardInterrupt):
            while True:
                time.sleep(1)
    elif window.wait_for_eyes(0):
        time.sleep(LAST_LOOK)


def _found(path: str) -> BotSpec:
    """The contest's command left out .py if it liked."""
    return find_bot(f"{path}.py" if os.path.isfile(f"{path}.py") else path)


class Board(Spectator):
    """Shows each action on the terminal."""

    def __init__(
        self, bots: tuple[BotProcess, BotProcess], pause: float, window: "Window | None" = None
    ) -> None:
        self.bots, self.pause, self.window = bots, pause, window

    def called(self, player: int) -> str:
        """The name that an AI gives itself, and the one of its file if that is another."""
        bot = self.bots[player]
        if bot.name == bot.spec.name:
            return bot.name
        return f"{bot.name} ({bot.spec.name})"

    def before(self, match: Match) -> None:
        """Time to look at the board."""
        if not match.moves:
            for player, side in enumerate(match.game.sides):
                click.echo(f"{SIDES[player]:2} {side}: {self.called(player)}")
        time.sleep(self.pause)

    def noted(self, note: str) -> None:
        """What the referee has to say."""
        click.echo(note)

    def after(self, match: Match, move: Move, seconds: float, left: float | None) -> None:
        """What was done, how long it took, and the board."""
        position = match.positions[-2]
        assert position.turn is not None
        if self.window is not None:
            self.window.show(position.turn, move)
        click.echo(
            _(
                "Action performed successfully by {player}  in {seconds:.5f}  rest  {left:.5f}"
            ).format(player=SIDES[position.turn], seconds=seconds, left=max(0.0, left or 0.0))
        )
        click.echo(f"{move}: {tell(position, move)}")
        click.echo(match.position.diagram(colour=has_colour()) + "\n")
        if match.outcome is not None and match.position.outcome() is None:
            click.echo(tell_outcome(match.game, match.outcome))  # not told with the action


@maic.command(help=_("Convert an old FILE.trace to a record, without running anything in it."))
@click.argument("file")
@out_option(
    "-o", "--output", name="output", metavar="OUT", help=_("Write to this file; else print it.")
)
@click.option("--overwrite", is_flag=True, help=_("Replace OUT if it exists."))
def convert(file: str, output: str | None, overwrite: bool) -> None:
    """Convert an old record."""
    try:
        old = read_trace(file)
    except (TraceError, OSError) as error:
        raise MbeguError(str(error)) from None
    text = str(_record(old))
    if output is None:
        click.echo(text, nl=False)
    else:
        save_text(output, text, overwrite)


def _record(old: OldGame) -> Record:
    """An old game by our rules, as far as they go along with it."""
    game = find_game(CONTEST_GAME)
    position, moves, said = game.start(), list[Move](), ""
    for action in old.actions:
        if position.turn is None:
            left = len(old.actions) - len(moves)
            said = _("by our rules the game ends here; the contest's program played on: {n}")
            said = said.format(n=left)
            break
        rule = position.forbids(action)
        if rule is not None:
            said = _("the record goes on with {action}, which the rules forbid: {rule}")
            said = said.format(action=action, rule=rule)
            break
        moves.append(action)
        position = position.play(action)
    record = Record.of(game.start(), moves, players=old.names)
    outcome = position.outcome()
    if outcome is not None:
        record = record.ended(outcome)
    elif old.done and not said:
        # The contest's program counts quiet moves in another way, and stopped the game itself.
        said = _("the contest's program ended the game here")
        record = dataclasses.replace(
            record, result=old.result, score=old.score, termination=Reason.ABANDONED
        )
    if old.later_states:
        more = _("a second game in the same file was left out")
        said = f"{said}; {more}" if said else more
    return dataclasses.replace(record, comment=said)

"""`mbegu ladder`."""

import json
import sys

import click

from mbegu.arena.ladder import Ladder, default_ladder
from mbegu.arena.pool import Job
from mbegu.arena.referee import Played
from mbegu.cli.match import conditions_of, tell_fault
from mbegu.cli.parameters import GAME
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.core.registry import game as find_game
from mbegu.core.typography import numeral

__all__ = ["ladder"]


@click.group(help=_("A leaderboard that stays: add bots, let them play, see who leads."))
@click.option(
    "--file", "path", metavar="FILE", help=_("Where the ladder is kept (also MBEGU_LADDER).")
)
@click.pass_context
def ladder(ctx: click.Context, path: str | None) -> None:
    """A persistent leaderboard."""
    ctx.obj = path or default_ladder()


@ladder.command(help=_("Put BOT on the ladder of GAME."))
@click.argument("game", type=GAME)
@click.argument("bot")
@click.option("--name", help=_("What it is called there."))
@click.pass_obj
def add(path: str, game: Game, bot: str, name: str | None) -> None:
    """Put a bot on the ladder."""
    with Ladder(path) as kept:
        rung = kept.add(game, bot, name)
    click.echo(_("{bot} is on the ladder of {game}.").format(bot=rung.name, game=game))


@ladder.command(help=_("Take the bot called NAME off the ladder of GAME."))
@click.argument("game", type=GAME)
@click.argument("name")
@click.pass_obj
def remove(path: str, game: Game, name: str) -> None:
    """Take a bot off the ladder."""
    with Ladder(path) as kept:
        kept.remove(game, name)


@ladder.command(help=_("Let the bots of GAME play; whoever is known least plays first."))
@click.argument("game", type=GAME)
@click.option(
    "--games",
    type=click.IntRange(1, 1_000_000),
    default=20,
    show_default=True,
    help=_("How many games."),
)
@click.option("--time", "bank", metavar="CONTROL", help=_("60+1: seconds, and seconds a move."))
@click.option("--movetime", type=click.FloatRange(0.001, 3600), help=_("Seconds for each move."))
@click.option(
    "--openings",
    "opening",
    default="start",
    show_default=True,
    metavar="WHAT",
    help=_("start, random:4 (moves by lot), a file; for Urubugu also setups or bots."),
)
@click.option(
    "--workers", type=click.IntRange(1, 256), default=1, show_default=True, help=_("Games at once.")
)
@click.option("--trust", is_flag=True, help=_("Run the bots without a cage."))
@click.pass_obj
def run(
    path: str,
    *,
    game: Game,
    games: int,
    bank: str | None,
    movetime: float | None,
    opening: str,
    workers: int,
    trust: bool,
) -> int:
    """Let the bots play."""
    each = None if movetime is None else (movetime,)
    conditions = conditions_of(
        bank, each, None, policy="strict", memory=None, fresh=False, trust=trust
    )
    told: set[tuple[str, str]] = set()
    done, screen = 0, sys.stderr.isatty()

    def tell(job: Job, played: Played) -> None:
        nonlocal done
        done += 1
        if screen:
            end = done == games
            click.echo(f"\r\x1b[K{done}/{games}", nl=end, err=True)
        guilty = played.verdict.player
        if (
            guilty is not None
            and (what := (played.players[guilty], played.verdict.word)) not in told
        ):
            told.add(what)
            click.echo("\r\x1b[K" if screen else "", nl=False, err=True)
            click.echo(tell_fault(int(job.key) - 1, played), err=True)

    with Ladder(path) as kept:
        try:
            kept.run(
                game,
                games,
                conditions,
                opening=opening,
                workers=workers,
                tell=tell,
                warn=lambda line: click.echo(line, err=True),
            )
        except KeyboardInterrupt:
            click.echo(nl=screen, err=True)  # the count stands on a line of its own
            _show(kept, game)
            return 130
        _show(kept, game)
    return 0


@ladder.command(help=_("Show the ladder of GAME, or of all games."))
@click.argument("game", type=GAME, required=False)
@click.option("--json", "as_json", is_flag=True, help=_("Print it as JSON."))
@click.pass_obj
def show(path: str, game: Game | None, as_json: bool) -> None:
    """Show the ladder."""
    with Ladder(path) as kept:
        games = [game] if game is not None else [find_game(name) for name in kept.games()]
        if as_json:
            told = {str(one): [rung.to_json() for rung in kept.rungs(one)] for one in games}
            click.echo(json.dumps(told, ensure_ascii=False))
            return
        for one in games:
            _show(kept, one)
        if not games:
            click.echo(_("The ladder is empty: mbegu ladder add GAME BOT"))


def _show(kept: Ladder, game: Game) -> None:
    click.echo(click.style(str(game), bold=True))
    rungs = kept.rungs(game)
    wide = max([len(rung.name) for rung in rungs] + [3])
    for place, rung in enumerate(rungs, 1):
        lost = rung.played - rung.won - rung.drawn
        skill = f"({numeral(rung.mu, '.2f')} ± {numeral(3 * rung.sigma, '.2f')})"
        click.echo(
            f"{place:3}  {rung.name.ljust(wide)}  {numeral(rung.place, '6.2f')}  {skill}  "
            f"+{rung.won} ={rung.drawn} -{lost}"
            + (_("  faults: {n}").format(n=rung.faults) if rung.faults else "")
        )
    if not rungs:
        click.echo(_("  nobody yet"))

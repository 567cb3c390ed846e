"""`mbegu match`."""

import json
import sys
import time
from typing import Any

import click

from mbegu.arena.rating import LEAST_RATED, Sprt, Tally
from mbegu.arena.referee import POLICIES, Conditions, Played, verdict_name
from mbegu.arena.roster import find_bot, with_own_names
from mbegu.arena.seeds import draw_seed
from mbegu.arena.series import SeriesResult, play_series
from mbegu.cli.options import json_option, out_option
from mbegu.cli.parameters import BOT, GAME, SECONDS_EACH
from mbegu.core.errors import MbeguError
from mbegu.core.files import saving
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.core.printable import printable
from mbegu.core.typography import Number, numeral

__all__ = ["conditions_of", "match", "tell_fault"]

MIB = 1 << 20
DETAIL_LINES = 14
LONG, BAR = 20, 20  # games from which on there is a bar, and its signs


@click.command(
    help=_(
        "Let two bots play many games of GAME. A and B are names (mbegu bot list) or files. "
        "Each opening is played twice, with the sides changed."
    ),
    epilog=_(
        "Examples: mbegu match oware greedy random — mbegu match kalah my_bot.py level3 --games 200 "
        "--movetime 0.1 --openings random:4 --workers 2 --out games.txt"
    ),
)
@click.argument("game", type=GAME)
@click.argument("a", type=BOT)
@click.argument("b", type=BOT)
@click.option(
    "--games",
    type=click.IntRange(1, 1_000_000),
    default=10,
    show_default=True,
    help=_("How many games."),
)
@click.option(
    "--time",
    "bank",
    metavar="CONTROL",
    help=_("60+1: seconds, and seconds a move; 5+0,60+1: of A and of B."),
)
@click.option(
    "--movetime",
    type=SECONDS_EACH,
    help=_("Seconds for each move; 0.5,5: of A and of B."),
)
@click.option(
    "--nodes",
    type=click.IntRange(min=1),
    help=_("Positions that a bot may search for each move, if it can count them."),
)
@click.option(
    "--openings",
    "opening",
    default="start",
    show_default=True,
    metavar="WHAT",
    help=_("start, random:4 (moves by lot), a file; for Urubugu also setups or bots."),
)
@click.option(
    "--seed", type=int, help=_("Chooses what is by lot; else it is drawn, and told at the end.")
)
@click.option(
    "--workers", type=click.IntRange(1, 256), default=1, show_default=True, help=_("Games at once.")
)
@click.option(
    "--sprt",
    type=(float, float),
    metavar="ELO0 ELO1",
    help=_("Stop as soon as these two differences can be told apart."),
)
@click.option(
    "--policy",
    type=click.Choice(POLICIES),
    default="strict",
    show_default=True,
    help=_("strict: illegal or late is lost; maic: as in the contest of 2022."),
)
@click.option("--memory", type=click.IntRange(64), metavar="MB", help=_("Memory of each bot."))
@click.option("--fresh", is_flag=True, help=_("Start each bot again for every game."))
@click.option(
    "--start",
    type=click.FloatRange(0.1, 3600),
    metavar="SECONDS",
    help=_("What a bot has to be imported, and to begin each game (20)."),
)
@click.option(
    "--engine/--no-engine",
    default=True,
    help=_("Whether a bot may use Mbegu's own engine (it may)."),
)
@click.option("--trust", is_flag=True, help=_("Run the bots without a cage."))
@out_option("--save", name="save", help=_("Write the records of all games."))
@click.option("--overwrite", is_flag=True, help=_("Replace FILE if it exists."))
@json_option()
def match(
    *,
    game: Game,
    a: str,
    b: str,
    games: int,
    bank: str | None,
    movetime: tuple[float, ...] | None,
    nodes: int | None,
    opening: str,
    seed: int | None,
    workers: int,
    sprt: tuple[float, float] | None,
    policy: str,
    memory: int | None,
    fresh: bool,
    start: float | None,
    engine: bool,
    trust: bool,
    save: str | None,
    overwrite: bool,
    as_json: bool,
) -> int:
    """Let two bots play."""
    seed = draw_seed() if seed is None else seed
    conditions = conditions_of(
        bank,
        movetime,
        nodes,
        policy=policy,
        memory=memory,
        fresh=fresh,
        trust=trust,
        start=start,
        engine=engine,
    )
    first, second = with_own_names([find_bot(a), find_bot(b)])
    test = None
    if sprt is not None:
        if not sprt[0] < sprt[1]:
            raise MbeguError(_("--sprt needs two differences, the lower one first, like 0 10"))
        test = Sprt(*sprt)
    progress = SeriesProgress(games, test)
    result = SeriesResult((first, second))
    interrupted = False

    def tell(so_far: SeriesResult, number: int, played: Played) -> None:
        nonlocal result
        result = so_far
        progress.tell(so_far, number, played)

    def run() -> None:
        nonlocal interrupted
        try:
            play_series(
                game,
                (first, second),
                games,
                conditions,
                opening=opening,
                seed=seed,
                workers=workers,
                sprt=test,
                tell=tell,
            )
        except KeyboardInterrupt:
            interrupted = True

    if save is None:
        run()
    else:
        with saving(save, overwrite) as file:  # a file that cannot be written is told of now
            run()
            texts = [played.record for _n, played in sorted(result.played.items())]
            file.write("\n".join(texts).encode())
    progress.end()
    if as_json:
        click.echo(
            json.dumps({**_told(result), "game": str(game), "seed": seed}, ensure_ascii=False)
        )
    else:
        _summary(result, test)
        click.echo(_("seed: {seed}").format(seed=seed))
    if interrupted:
        click.echo(_("Stopped: these are the games that were finished."), err=True)
    return 130 if interrupted else 0


def conditions_of(
    bank: str | None,
    movetime: tuple[float, ...] | None,
    nodes: int | None,
    *,
    policy: str,
    memory: int | None,
    fresh: bool,
    trust: bool,
    start: float | None = None,
    engine: bool = True,
) -> Conditions:
    """The conditions of a match, from what the user wrote."""
    if bank is not None and movetime is not None:
        raise MbeguError(_("give --time or --movetime, not both"))
    control = "-" if nodes is not None else "10+0.1"
    if movetime is not None:
        control = ",".join(f"{seconds:g}/move" for seconds in movetime)
    elif bank is not None:
        control = bank
    room = None if memory is None else memory * MIB
    return Conditions(control, nodes, policy, trust, room, fresh, start, engine)


class SeriesProgress:
    """Tells how a match stands: on a terminal on one line, else now and then."""

    def __init__(self, games: int, sprt: Sprt | None) -> None:
        self.games, self.sprt = games, sprt
        self.screen = sys.stderr.isatty()
        self.shown_at = 0.0
        self.began = time.monotonic()
        self.told = 0

    def tell(self, result: SeriesResult, number: int, played: Played) -> None:
        """After each game."""
        fault = played.verdict.player
        if fault is not None and len(result.faults()) <= 3:
            self.end()
            click.echo(tell_fault(number, played), err=True)
        done, now = result.tally.games, time.monotonic()
        if self.screen:
            if now - self.shown_at > 0.1 or done == self.games:
                self.shown_at = now
                click.echo(f"\r\x1b[K{self._line(result)}", nl=False, err=True)
        elif done * 10 // self.games > self.told:
            self.told = done * 10 // self.games
            click.echo(self._line(result), err=True)

    def _line(self, result: SeriesResult) -> str:
        tally = result.tally
        line = (
            f"{self._bar(tally.games)}{tally.games}/{self.games}  +{tally.wins} ={tally.draws} -{tally.losses}  "
            f"{tell_elo(tally)}{_tell_los(tally, '  ')}"
        )
        if self.sprt is not None:
            low, high = self.sprt.bounds
            bounds = f"{numeral(low, '.2f')} … {numeral(high, '.2f')}"
            line += f"  LLR {numeral(self.sprt.ratio(tally), '+.2f')} ({bounds})"
        return line

    def _bar(self, done: int) -> str:
        """How far it is, and how long it will still take; only on a screen."""
        if not self.screen or self.games < LONG:
            return ""
        full = BAR * done // self.games
        spent = time.monotonic() - self.began
        left = int(spent / max(1, done) * (self.games - done))
        return f"[{'#' * full}{'.' * (BAR - full)}] {left // 60}:{left % 60:02}  "

    def end(self) -> None:
        """Leaves the line as it is."""
        if self.screen and self.shown_at:
            click.echo("", err=True)
            self.shown_at = 0.0


def tell_elo(tally: Tally) -> str:
    """The difference in strength, as far as so many games can tell it."""
    if not tally.rated:
        return _("Elo difference: too few games to tell (fewer than {least})").format(
            least=LEAST_RATED
        )
    if not tally.draws and 0 in (tally.wins, tally.losses):  # no finite number explains it best
        sign, limit = ("<", -tally.least) if tally.losses else (">", tally.least)
        return _("Elo difference {sign} {limit:+.0f} (95%)").format(sign=sign, limit=limit)
    return _("Elo difference {elo:+.0f} ± {error:.0f} (95%)").format(
        elo=tally.elo, error=tally.error
    )


def _tell_los(tally: Tally, gap: str) -> str:
    """How likely the first one is the stronger; of too few games nobody can say."""
    return f"{gap}LOS {numeral(tally.los, '.1%')}" if tally.rated else ""


def tell_fault(number: int, played: Played) -> str:
    """What went wrong in a game, in a few lines."""
    verdict = played.verdict
    assert verdict.player is not None
    lines = [
        _("Game {number}: {bot}: {verdict}. {sentence}").format(
            number=number + 1,
            bot=played.players[verdict.player],
            verdict=verdict.name,
            sentence=verdict.sentence,
        )
    ]
    if verdict.detail:
        lines += [f"    {line}" for line in verdict.detail.strip().splitlines()[-DETAIL_LINES:]]
    lines.append(
        _("    at move {ply}, in the position {position}").format(
            ply=played.plies + 1, position=verdict.position
        )
    )
    if verdict.stderr:
        lines.append(_("    what it wrote to stderr:"))
        lines += [f"      {line}" for line in verdict.stderr.splitlines()]
    return "\n".join(map(printable, lines))


def _told(result: SeriesResult) -> dict[str, Any]:
    """The result as plain data; the numbers are those of the first bot."""
    tally = result.tally
    rated = tally.rated and bool(tally.games)
    return {
        "bots": [bot.name for bot in result.bots],
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "elo": tally.elo if rated else None,
        "error": tally.error if rated else None,
        "los": tally.los if rated else None,
        "seconds": result.seconds,
        "sprt": result.decided,
        "faults": [
            {
                "game": number + 1,
                "bot": played.players[played.verdict.player],
                "fault": played.verdict.word,
            }
            for number, played in result.faults()
            if played.verdict.player is not None
        ],
    }


def _summary(result: SeriesResult, sprt: Sprt | None) -> None:
    tally, (first, second) = result.tally, result.bots
    if not tally.games:
        click.echo(_("No game was finished."))
        return
    wide = max(len(first.name), len(second.name))
    for bot, won, lost, seconds in (
        (first, tally.wins, tally.losses, result.seconds[0]),
        (second, tally.losses, tally.wins, result.seconds[1]),
    ):
        points = won + tally.draws / 2
        click.echo(
            _("{bot}  {points:g} of {games}  +{won} ={drawn} -{lost}  {seconds:.1f} s").format(
                bot=bot.name.ljust(wide),
                points=Number(points),
                games=tally.games,
                won=won,
                drawn=tally.draws,
                lost=lost,
                seconds=Number(seconds),
            )
        )
    click.echo(f"{tell_elo(tally)}{_tell_los(tally, ', ')}")
    if sprt is not None:
        _tell_sprt(result, sprt)
    _tell_faults(result)


def _tell_sprt(result: SeriesResult, sprt: Sprt) -> None:
    ratio = sprt.ratio(result.tally)
    if result.decided is None:
        click.echo(_("SPRT: not decided yet (LLR {ratio:+.2f})").format(ratio=Number(ratio)))
    else:
        elo = sprt.elo1 if result.decided == "elo1" else sprt.elo0
        click.echo(
            _("SPRT: a difference of {elo:g} is accepted (LLR {ratio:+.2f})").format(
                elo=Number(elo), ratio=Number(ratio)
            )
        )


def _tell_faults(result: SeriesResult) -> None:
    counts: dict[tuple[str, str], int] = {}
    for _number, played in result.faults():
        assert played.verdict.player is not None
        key = (played.players[played.verdict.player], played.verdict.word)
        counts[key] = counts.get(key, 0) + 1
    for (bot, word), count in sorted(counts.items()):
        click.echo(
            _("Faults of {bot}: {verdict} × {count}").format(
                bot=bot, verdict=verdict_name(word), count=count
            )
        )

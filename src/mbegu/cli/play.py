"""`mbegu play`."""

import random
import shutil
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import click
from click.core import ParameterSource

from mbegu.cli.parameters import GAME, PLAYER
from mbegu.core.clock import Clock, TimeControl
from mbegu.core.errors import MbeguError
from mbegu.core.files import open_records
from mbegu.core.game import Game, Position
from mbegu.core.i18n import _
from mbegu.core.match import Match
from mbegu.core.registry import game as find_game
from mbegu.core.registry import game_class, game_names, trouble
from mbegu.core.setups import SetUpGame, no_set_ups
from mbegu.core.typography import labelled
from mbegu.engine.compiling import announce_compiling, compile_behind
from mbegu.terminal.keeping import latest, tidy
from mbegu.terminal.line import LineGame
from mbegu.terminal.screen import ask, has_colour, wrapped
from mbegu.terminal.seats import Seat, close_seats
from mbegu.terminal.tui.run import can_open, open_table
from mbegu.terminal.tui.wishes import Wishes
from mbegu.terminal.words import plain as plain_word

__all__ = ["play", "tui"]

DEFAULT_LEVEL = "3"


def _options(*, full_screen: bool) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """What may be said of a game, in lines of text or on the whole screen."""
    options = [
        click.argument("game", type=GAME, required=False),
        click.option(
            "--vs",
            type=PLAYER,
            default=DEFAULT_LEVEL,
            show_default=True,
            help=_(
                "Who plays against you: a level from 1 to 10, a simple bot, a file with a bot of "
                "your own, or a human."
            ),
        ),
        click.option(
            "--start",
            type=click.Choice(["me", "other", "lot", "ask"]),
            default="me",
            show_default=True,
            help=_("Who has the first move."),
        ),
        click.option("--first", type=PLAYER, help=_("Who plays the first side.")),
        click.option("--second", type=PLAYER, help=_("Who plays the second side.")),
        click.option("--position", "text", metavar="TEXT", help=_("Start from this position.")),
        click.option("--load", metavar="FILE", help=_("Go on with the game of this file.")),
        click.option("--resume", is_flag=True, help=_("Go on with the game that you left last.")),
        click.option(
            "--setup0", metavar="BEADS", help=_("Urubugu: default, random, ask, or 2,2,…")
        ),
        click.option("--setup1", metavar="BEADS", help=_("The same for the second player.")),
        click.option(
            "--time",
            "control",
            metavar="CONTROL",
            default="-",
            help=_("60+1 (bank and increment), 5/move, or - for no limit."),
        ),
        click.option("--seed", type=int, help=_("Makes everything that is by lot repeatable.")),
        click.option(
            "--speed",
            type=click.IntRange(1, 5),
            default=3,
            show_default=True,
            help=_("Full screen: how quickly moves are shown; 5 shows them at once."),
        ),
        click.option(
            "--theme",
            "look",
            type=click.Choice(["dusk", "wood", "contrast", "terminal"]),
            help=_("Full screen: the colours; terminal has only the sixteen of your terminal."),
        ),
        click.option("--ascii", "ascii_", is_flag=True, help=_("Full screen: no signs but ASCII.")),
    ]
    if not full_screen:
        options += [
            click.option("--plain", is_flag=True, help=_("In lines of text, not full screen.")),
            click.option(
                "--pause",
                type=click.FloatRange(0, 60),
                help=_("In lines of text: seconds between the moves of two computers."),
            ),
        ]

    def with_options(command: Callable[..., int]) -> Callable[..., int]:
        for option in reversed(options):
            command = option(command)
        return command

    return with_options


@click.command(
    help=_(
        "Play a game in this terminal: full screen where that is possible, in lines of text through "
        "a pipe or with --plain. Without GAME you are asked which."
    ),
    epilog=_(
        "Examples: mbegu play oware — mbegu play 'kalah(seeds=6)' --vs 5 --start lot — "
        "mbegu play urubugu --setup0 random --first greedy --second 2"
    ),
)
@_options(full_screen=False)
def play(*, plain: bool, pause: float | None, **wanted: Any) -> int:
    """Play a game."""
    wishes = _wishes(**wanted)
    if not plain and can_open():
        return _open(wishes, **wanted)
    try:
        return _play_lines(wishes, pause, **wanted)
    except EOFError:
        click.echo(_("\nThe input has ended, and so the game stops here."))
        return 0
    finally:
        _say_that_it_is_kept(wishes)


@click.command(
    help=_("Play a game on the whole screen of this terminal. Without GAME you are asked which."),
    epilog=_("Examples: mbegu tui — mbegu tui oware --vs my_bot.py — mbegu tui --resume"),
)
@_options(full_screen=True)
def tui(**wanted: Any) -> int:
    """Play on the whole screen."""
    return _open(_wishes(**wanted), **wanted)


def _open(wishes: Wishes, *, look: str | None, ascii_: bool, speed: int, **wanted: Any) -> int:
    if "ask" in (wanted["setup0"], wanted["setup1"]):
        wishes.lay = (wanted["setup0"] == "ask", wanted["setup1"] == "ask")
    tidy()
    return open_table(wishes, look=look, plain=ascii_ or None, speed=speed)


def _wishes(
    *,
    game: Game | None,
    vs: str,
    start: str,
    first: str | None,
    second: str | None,
    text: str | None,
    load: str | None,
    resume: bool,
    setup0: str | None,
    setup1: str | None,
    control: str,
    seed: int | None,
    **_looks: Any,
) -> Wishes:
    """What was said on the command line."""
    if resume:
        if game is not None or load is not None or text is not None:
            raise MbeguError(_("--resume goes on with the game that you left: name no other"))
        return Wishes.of_kept(latest())
    wishes = Wishes(game, control=TimeControl.parse(control), seed=seed)
    wishes.names = _names(first, second, vs)
    wishes.vs = vs if game is not None or _was_given("vs") else None
    if wishes.names is None and start != "ask" and (game is not None or _was_given("start")):
        wishes.start = start
    if load is not None:
        wishes.match = _loaded(load, game, Clock(wishes.control))
        wishes.game = wishes.match.game
        wishes.vs, wishes.start = wishes.vs or vs, wishes.start or "me"
    elif "ask" not in (setup0, setup1) and game is not None:
        wishes.position = _start(game, text, setup0, setup1, random.Random(seed))  # noqa: S311
    return wishes


def _play_lines(
    wishes: Wishes,
    pause: float | None,
    *,
    text: str | None,
    setup0: str | None,
    setup1: str | None,
    seed: int | None,
    **_rest: Any,
) -> int:
    """The same in lines of text."""
    if wishes.game is None:
        wishes.game = _ask_game()
    if wishes.names is None and wishes.start is None:
        wishes.start = _ask_start() if sys.stdin.isatty() or _was_given("start") else "me"
    if wishes.match is None and wishes.position is None:
        lot = random.Random(seed)  # noqa: S311 (a game, not a secret)
        wishes.position = _start(wishes.game, text, setup0, setup1, lot)
    session = wishes.session()
    seats, match = session.seats, session.match
    watching = all(seat.bot for seat in seats)
    wait = pause if pause is not None else (0.5 if watching and sys.stdout.isatty() else 0)
    _welcome(match.game, seats)
    _get_ready(match.game, seats)
    wishes.keeper, wishes.match = session.keeper, match
    line_game = LineGame(
        match,
        seats,
        ask=ask,
        say=lambda text: click.echo(wrapped(text, sys.stdout)),
        colour=has_colour(),
        pause=lambda: time.sleep(wait),
        keeper=session.keeper if sys.stdin.isatty() else None,
        rows=shutil.get_terminal_size().lines if sys.stdin.isatty() else None,
    )
    try:
        line_game.run()
    finally:
        wishes.match = line_game.match
        close_seats(seats)
    return 0


def _say_that_it_is_kept(wishes: Wishes) -> None:
    """Where a game was left in the middle at a terminal: how to go on with it."""
    match = wishes.match
    if match is not None and sys.stdin.isatty() and match.moves and match.outcome is None:
        click.echo("\n" + _("The game is kept. Go on with it: mbegu play --resume"))


def _ask_start() -> str:
    """Who begins, where two may: "Voulez-vous commencer ? (o/n)"."""
    yes, no = _("yes"), _("no")
    while True:
        answer = plain_word(
            ask(_("Would you like to begin? ({yes}/{no})> ").format(yes=yes[0], no=no[0]))
        )
        if answer and plain_word(yes).startswith(answer):
            return "me"
        if answer and plain_word(no).startswith(answer):
            return "other"


def _welcome(game: Game, seats: tuple[Seat, Seat]) -> None:
    players = ", ".join(labelled(game.side(player), seats[player].shown) for player in (0, 1))
    click.echo(f"{_(game.title)} — {game} — {players}")
    if any(seat.bot is None for seat in seats):
        click.echo(_("Type a move, ? for help, q to leave."))


def _get_ready(game: Game, seats: tuple[Seat, ...]) -> None:
    """Lets the engine compile, if it must, while a human looks at the board."""
    engines = [seat.bot for seat in seats if hasattr(seat.bot, "warm_up")]
    if not engines:
        return
    announce_compiling(lambda text: click.echo(text, err=True), game)
    if sys.stdin.isatty() and len(engines) == 1:
        compile_behind(lambda: _warm_up(engines[0], game))


def _warm_up(engine: Any, game: Game) -> None:
    from mbegu.engine.tables.ready import prepare  # noqa: PLC0415 - Numba takes its time

    with suppress(MbeguError):  # told when it is the engine's turn
        engine.warm_up(game)
        prepare(game)


def _names(first: str | None, second: str | None, vs: str) -> tuple[str, str] | None:
    """Who plays each side, if that was said outright; else you play, and your opponent.

    A seat that nobody was named for is taken by `--vs`, if it was given, else by a human.
    """
    if first is None and second is None:
        return None
    if _was_given("start"):
        raise MbeguError(_("give --start, or --first and --second, not both"))
    if first is not None and second is not None and _was_given("vs"):
        raise MbeguError(_("--first and --second take both seats: there is none left for --vs"))
    other = vs if _was_given("vs") else "human"
    return first or other, second or other


def _was_given(option: str) -> bool:
    """Whether somebody wrote this option, and it is not there by default."""
    context = click.get_current_context()
    return context.get_parameter_source(option) is not ParameterSource.DEFAULT


def _start(
    game: Game, text: str | None, setup0: str | None, setup1: str | None, lot: random.Random
) -> Position:
    """The first position: given as text, from set-ups, or the game's own."""
    if setup0 is None and setup1 is None:
        return game.start() if text is None else game.position(text)
    if not isinstance(game, SetUpGame):
        raise MbeguError(no_set_ups(game))
    if text is not None:
        raise MbeguError(_("give a position or set-ups, not both"))
    setups = (_setup(game, choice, player, lot) for player, choice in enumerate((setup0, setup1)))
    return game.start(*setups)


def _setup(game: SetUpGame, choice: str | None, player: int, lot: random.Random) -> tuple[int, ...]:
    if choice in (None, "default"):
        return game.setup()
    if choice == "random":
        return game.random_setup(lot)
    if choice != "ask":
        return game.setup(choice)
    while True:
        try:
            prompt = _("{side}, lay 32 beads on your cells 1 to 16, like {example}> ")
            example = ",".join(["2"] * 16)
            return game.setup(ask(prompt.format(side=game.side(player), example=example)))
        except MbeguError as error:
            click.echo(f"  {error}")


def _loaded(path: str, game: Game | None, clock: Clock) -> Match:
    for record in open_records(path):
        if game is not None and record.game != game:
            raise MbeguError(
                _("{path} holds a game of {found}, not of {game}").format(
                    path=path, found=record.game, game=game
                )
            )
        match = Match.from_record(record)
        match.clock = clock
        return match
    raise MbeguError(_("{path} holds no game").format(path=path))


def _ask_game() -> Game:
    names = [name for name in game_names() if trouble(name) is None]
    for number, name in enumerate(names, 1):
        told = f"  {number}  {name:12} {_(game_class(name).summary)}"
        click.echo(wrapped(told, sys.stdout))
    while True:
        answer = ask(_("Which game? Its number or name> ")).strip()
        if answer in ("q", "quit"):
            raise KeyboardInterrupt
        try:
            if answer.isdecimal() and 1 <= int(answer) <= len(names):
                answer = names[int(answer) - 1]
            return find_game(answer)
        except MbeguError as error:
            click.echo(f"  {error}")

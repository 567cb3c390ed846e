"""`mbegu play`."""

import random
import sys
import time
from contextlib import suppress
from typing import Any

import click
from click.core import ParameterSource

from mbegu.arena.bots import make_bot
from mbegu.cli.parameters import GAME, PLAYER
from mbegu.core.clock import Clock, TimeControl
from mbegu.core.errors import MbeguError
from mbegu.core.files import open_records
from mbegu.core.game import Game, Position
from mbegu.core.i18n import _
from mbegu.core.match import Match
from mbegu.core.players import player_name
from mbegu.core.registry import game as find_game
from mbegu.core.registry import game_class, game_names, trouble
from mbegu.core.setups import SetUpGame, no_set_ups
from mbegu.core.typography import labelled
from mbegu.engine.compiling import announce_compiling, compile_behind
from mbegu.terminal.line import LineGame, Seat
from mbegu.terminal.screen import ask, has_colour

__all__ = ["play"]

DEFAULT_LEVEL = "3"


@click.command(
    help=_("Play a game in this terminal; without GAME you are asked which."),
    epilog=_(
        "Examples: mbegu play oware — mbegu play 'kalah(seeds=6)' --vs 5 --start lot — "
        "mbegu play urubugu --setup0 random --first greedy --second 2"
    ),
)
@click.argument("game", type=GAME, required=False)
@click.option(
    "--vs",
    type=PLAYER,
    default=DEFAULT_LEVEL,
    show_default=True,
    help=_("Who plays against you: a level from 1 to 10, a simple bot, or a human."),
)
@click.option(
    "--start",
    type=click.Choice(["me", "other", "lot"]),
    default="me",
    show_default=True,
    help=_("Who has the first move."),
)
@click.option("--first", type=PLAYER, help=_("Who plays the first side."))
@click.option("--second", type=PLAYER, help=_("Who plays the second side."))
@click.option("--position", "text", metavar="TEXT", help=_("Start from this position."))
@click.option("--load", metavar="FILE", help=_("Go on with the game of this file."))
@click.option("--setup0", metavar="BEADS", help=_("Urubugu: default, random, ask, or 2,2,…"))
@click.option("--setup1", metavar="BEADS", help=_("The same for the second player."))
@click.option(
    "--time",
    "control",
    metavar="CONTROL",
    default="-",
    help=_("60+1 (bank and increment), 5/move, or - for no limit."),
)
@click.option("--seed", type=int, help=_("Makes everything that is by lot repeatable."))
@click.option(
    "--pause",
    type=click.FloatRange(0, 60),
    help=_("Seconds between the moves of two computers."),
)
def play(
    *,
    game: Game | None,
    vs: str,
    start: str,
    first: str | None,
    second: str | None,
    text: str | None,
    load: str | None,
    setup0: str | None,
    setup1: str | None,
    control: str,
    seed: int | None,
    pause: float | None,
) -> None:
    """Play a game."""
    lot = random.Random(seed)  # noqa: S311 (a game, not a secret)
    clock = Clock(TimeControl.parse(control))
    try:
        if load is not None:
            match = _loaded(load, game, clock)
        else:
            game = game or _ask_game()
            position = _start(game, text, setup0, setup1, lot)
            match = Match(game, position, clock=clock)
        names = _names(first, second, vs, start, lot)
        seats = tuple(
            Seat(name, None if name == "human" else make_bot(name, _seed_for(seed, player)))
            for player, name in enumerate(names)
        )
        match.players = names
        watching = "human" not in names
        wait = pause if pause is not None else (0.5 if watching and sys.stdout.isatty() else 0)
        _welcome(match.game, names)
        _get_ready(match.game, seats)
        LineGame(
            match,
            (seats[0], seats[1]),
            ask=ask,
            say=click.echo,
            colour=has_colour(),
            pause=lambda: time.sleep(wait),
        ).run()
    except EOFError:
        click.echo(_("\nThe input has ended, and so the game stops here."))


def _welcome(game: Game, names: tuple[str, str]) -> None:
    players = ", ".join(
        labelled(game.side(player), player_name(names[player])) for player in (0, 1)
    )
    click.echo(f"{_(game.title)} — {game} — {players}")
    if "human" in names:
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


def _names(
    first: str | None, second: str | None, vs: str, start: str, lot: random.Random
) -> tuple[str, str]:
    """Who plays each side: named outright, or you and your opponent.

    A seat that nobody was named for is taken by `--vs`, if it was given, else by a human.
    """
    if first is not None or second is not None:
        if _was_given("start"):
            raise MbeguError(_("give --start, or --first and --second, not both"))
        if first is not None and second is not None and _was_given("vs"):
            raise MbeguError(_("--first and --second take both seats: there is none left for --vs"))
        other = vs if _was_given("vs") else "human"
        return first or other, second or other
    starts = lot.choice(["me", "other"]) if start == "lot" else start
    return ("human", vs) if starts == "me" else (vs, "human")


def _was_given(option: str) -> bool:
    """Whether somebody wrote this option, and it is not there by default."""
    context = click.get_current_context()
    return context.get_parameter_source(option) is not ParameterSource.DEFAULT


def _seed_for(seed: int | None, player: int) -> int | None:
    return None if seed is None else 2 * seed + player


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
        click.echo(f"  {number}  {name:12} {_(game_class(name).summary)}")
    while True:
        answer = ask(_("Which game? Its number or name> ")).strip()
        if answer in ("q", "quit"):
            raise KeyboardInterrupt
        try:
            if answer.isdigit() and 1 <= int(answer) <= len(names):
                answer = names[int(answer) - 1]
            return find_game(answer)
        except MbeguError as error:
            click.echo(f"  {error}")

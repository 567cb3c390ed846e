"""The command `mbegu`. Each command lives in a module of its own, imported only when it is called.

Exit codes: 0, 1 for a failed check, 2 for bad usage or bad input, 130 after Ctrl-C.
"""

import atexit
import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from mbegu import __version__
from mbegu.cli.click_words import teach_click
from mbegu.cli.streams import finish, say_what_can_be_said
from mbegu.core.errors import MbeguError, shorten
from mbegu.core.extras import MissingExtra, MissingPackage, extra_of
from mbegu.core.i18n import LANGUAGES, N_, _, set_language
from mbegu.core.nearest import did_you_mean
from mbegu.core.printable import one_line
from mbegu.terminal.screen import wrapped

__all__ = ["LazyGroup", "main"]

# Everything ends with the process: to look through it all once more would take some 50 ms.
atexit.register(gc.freeze)

# command: (module, one line of help)
COMMANDS = {
    "play": ("mbegu.cli.play", N_("Play a game in this terminal.")),
    "tui": ("mbegu.cli.play", N_("Play a game on the whole screen of this terminal.")),
    "serve": ("mbegu.cli.serve", N_("Serve the web app, and open it in the browser.")),
    "backup": ("mbegu.cli.backup", N_("Copy everything that a server keeps into a file.")),
    "restore": ("mbegu.cli.backup", N_("Put such a copy into a database.")),
    "site": ("mbegu.cli.site", N_("Build the games as a folder for any web host.")),
    "games": ("mbegu.cli.games", N_("List the games.")),
    "rules": ("mbegu.cli.games", N_("Tell the rules of a game.")),
    "game": ("mbegu.cli.game", N_("Write a game of your own, and check it.")),
    "show": ("mbegu.cli.records", N_("Show the games of a file.")),
    "replay": ("mbegu.cli.records", N_("Play the games of a file again, move by move.")),
    "analyse": ("mbegu.cli.analyse", N_("Analyse a position, or the games of a file.")),
    "annotate": ("mbegu.cli.annotate", N_("Mark the mistakes in the games of a file.")),
    "tables": ("mbegu.cli.tables", N_("Build tables of perfect play in endings.")),
    "solve": ("mbegu.cli.solve", N_("Find the exact margin of a position.")),
    "book": ("mbegu.cli.book", N_("Build opening books by long searches.")),
    "engine": ("mbegu.cli.engine", N_("Play for another program, by an engine protocol.")),
    "bot": ("mbegu.cli.bot", N_("Write a bot, check it, list the bots.")),
    "arena": ("mbegu.cli.bot", N_("See how safely bots are locked up here.")),
    "match": ("mbegu.cli.match", N_("Let two bots play many games.")),
    "tournament": ("mbegu.cli.tournament", N_("Play a tournament of bots.")),
    "ladder": ("mbegu.cli.ladder", N_("Keep a leaderboard of bots.")),
    "kgp": ("mbegu.cli.kgp", N_("Let a Kalah bot play on a KGP server.")),
    "online": ("mbegu.cli.online", N_("Let a bot play people on a Mbegu server.")),
    "maic": ("mbegu.cli.maic", N_("Play as the MAIC 2022 contest did; convert its records.")),
    "lab": ("mbegu.cli.lab", N_("Study the games: experiments, counter-settings, statistics.")),
    "admin": ("mbegu.cli.admin", N_("Look after the people and games of a server.")),
    "perft": ("mbegu.cli.perft", N_("Count the sequences of moves of a given length.")),
    "completion": ("mbegu.cli.completion", N_("Print the completion script for a shell.")),
}


class LazyGroup(click.Group):
    """A group that knows its commands — where they are, one line of help — without importing them."""

    def __init__(self, *, lazy: dict[str, tuple[str, str]], **settings: Any) -> None:
        super().__init__(**settings)
        self.lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands, in the order in which a newcomer needs them."""
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Imports a command when it is called."""
        if cmd_name not in self.lazy:
            return None
        command: click.Command = getattr(import_module(self.lazy[cmd_name][0]), cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """A command that nobody knows may be a mistyped one."""
        name = args[0]
        if name not in self.lazy and not name.startswith("-"):
            maybe = did_you_mean(name, self.lazy)
            told = _("No such command {name!r}.").format(name=name)
            raise click.UsageError(told.rstrip(".") + maybe + ".", ctx)
        return super().resolve_command(ctx, args)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """In the language of the moment: --lang comes after this module is imported."""
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(_(self.help or ""))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options too in the language of the moment, and the commands."""
        for option in self.get_params(ctx):
            if isinstance(option, click.Option) and option.help:
                option.help = _(option.help)
        super().format_options(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """How to begin."""
        if self.epilog:
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(_(self.epilog))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Lists the commands without importing them."""
        with formatter.section(_("Commands")):
            formatter.write_dl([(name, _(line)) for name, (_module, line) in self.lazy.items()])


def _speak(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    if value is not None:
        set_language(value)


@click.group(
    cls=LazyGroup,
    lazy=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help=N_("African board games: play, teach, compete and study."),
    epilog=N_("Start with: mbegu play oware"),
)
@click.option(
    "--lang",
    type=click.Choice(list(LANGUAGES)),
    is_eager=True,
    expose_value=False,
    callback=_speak,
    help=N_("The language to speak (also MBEGU_LANG)."),
)
@click.version_option(__version__, "--version", message="%(prog)s %(version)s", prog_name="mbegu")
def mbegu() -> None:
    """The group of all commands."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command; returns its exit code, and says every error in one line."""
    teach_click()
    say_what_can_be_said()
    _check_language()
    try:
        code = _run(arguments)
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "mbegu"
        return _fail(f"{path}: {error.format_message()}", _("try: {path} --help").format(path=path))
    except (MbeguError, click.ClickException) as error:
        return _fail(f"mbegu: {error}")
    except ModuleNotFoundError as error:
        package = str(error.name).partition(".")[0]
        if package == "mbegu":
            raise  # our own mistake
        missing = MissingExtra if extra_of(package) else MissingPackage
        return _fail(f"mbegu: {missing(package)}")
    except MemoryError:
        return _fail("mbegu: " + _("there is too little memory for this"))
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    except click.Abort:  # an interruption too, and the line is ended
        return 130
    except Exception as error:  # a stranger's game, where it is not guarded, or our own mistake
        from mbegu.core.registry import at_fault  # noqa: PLC0415 - games are looked for only now

        why = at_fault(error)
        if why is None:
            raise
        return _fail(f"mbegu: {why}")
    return code if isinstance(code, int) else 0


def _language_first(words: Sequence[str]) -> list[str]:
    """`--lang fr` may stand anywhere, also where the options of a command stand.

    >>> _language_first(["play", "oware", "--lang", "fr", "--plain"])
    ['--lang', 'fr', 'play', 'oware', '--plain']
    """
    ours = list(words[: words.index("--")] if "--" in words else words)
    for at, word in enumerate(ours):
        if word == "--lang" or word.startswith("--lang="):
            end = at + (2 if word == "--lang" else 1)
            return [*words[at:end], *words[:at], *words[end:]]
    return list(words)


def _check_language() -> None:
    """A language that nobody here speaks is told, and English goes on."""
    wished = os.environ.get("MBEGU_LANG", "")
    if wished and wished.split("_")[0].split(".")[0].lower() not in (*LANGUAGES, "c", "posix"):
        told = _("MBEGU_LANG={wished}: Mbegu does not speak that; there are: {languages}").format(
            wished=shorten(wished), languages=", ".join(LANGUAGES)
        )
        print(wrapped(f"mbegu: {one_line(told)}", sys.stderr), file=sys.stderr)


def _run(arguments: Sequence[str] | None) -> object:
    ours = sys.stdout
    try:
        words = _language_first(sys.argv[1:] if arguments is None else arguments)
        code = mbegu.main(words, prog_name="mbegu", standalone_mode=False)
        sys.stdout.flush()
    except OSError as error:
        finish(error)
        return 0
    except click.exceptions.NoArgsIsHelpError as error:  # a group by itself shows what it can do
        print(error.format_message())
        return 2
    except SystemExit:
        if sys.stdout is ours:
            raise
        return 0  # Click has hushed the stream: the reader of our pipe has seen enough
    return code


def _fail(message: str, advice: str = "") -> int:
    line = one_line(message)
    told = f"{line} ({advice})" if advice else line
    print(wrapped(told, sys.stderr), file=sys.stderr)
    return 2

"""`mbegu serve`."""

import click

from mbegu.core.i18n import _
from mbegu.server.app import Settings
from mbegu.server.run import serve as run
from mbegu.server.store import default_url
from mbegu.server.thinking import default_workers

__all__ = ["serve"]


@click.command(
    help=_("Serve the web app on this computer, and open it in the browser."),
    epilog=_("Examples: mbegu serve — mbegu serve --lan --port 8080 --no-browser"),
)
@click.option("--host", default="127.0.0.1", show_default=True, help=_("The address to listen on."))
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8765,
    show_default=True,
    help=_("The port to listen on; 0 takes any that is free."),
)
@click.option(
    "--lan", is_flag=True, help=_("Let others on this network play too, and print the address.")
)
@click.option(
    "--database",
    metavar="URL",
    envvar="MBEGU_DATABASE",
    help=_("Where the games are kept: a file, or a database URL."),
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    help=_("Processes that think; one for each core unless you say otherwise."),
)
@click.option("--no-browser", is_flag=True, help=_("Do not open the browser."))
def serve(
    *, host: str, port: int, lan: bool, database: str | None, workers: int | None, no_browser: bool
) -> None:
    """Serve the web app."""
    settings = Settings(database or default_url(), workers or default_workers())
    address = "0.0.0.0" if lan and host == "127.0.0.1" else host  # noqa: S104 (asked for)
    run(settings, address, port, say=click.echo, browser=not no_browser, lan=lan)

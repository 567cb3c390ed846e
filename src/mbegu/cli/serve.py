"""`mbegu serve`."""

import socket

import click

from mbegu.core.i18n import _
from mbegu.server.app import Settings
from mbegu.server.keep.store import default_url
from mbegu.server.peers.leases import LEASE
from mbegu.server.run import serve as run
from mbegu.server.think.engines import default_workers

__all__ = ["serve"]


def _address(_ctx: click.Context, _option: click.Parameter, value: str) -> str:
    host, colon, port = value.rpartition(":")
    if not (colon and host and port.isdecimal() and int(port) < 65536):
        raise click.BadParameter(_("write it as HOST:PORT, for example 10.0.0.5:8901"))
    return value


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
    "--lan",
    is_flag=True,
    help=_("Let others on this network play too; prints the address, also as a QR code."),
)
@click.option(
    "--database",
    metavar="URL",
    envvar="MBEGU_DATABASE",
    help=_("Where the games are kept: a file, or a database URL."),
)
@click.option(
    "--migrate",
    is_flag=True,
    envvar="MBEGU_MIGRATE",
    help=_(
        "Bring a PostgreSQL database of an earlier version up to date: make a copy with pg_dump "
        "first. A file of SQLite is copied by itself."
    ),
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    help=_("Processes that think; one for each core unless you say otherwise."),
)
@click.option(
    "--warm/--no-warm",
    default=True,
    help=_("Compile every game at the start, in the background, before anybody waits for it."),
)
@click.option(
    "--share-port",
    is_flag=True,
    help=_("Let another server with this option listen on the same port, to take over from it."),
)
@click.option(
    "--relay",
    metavar="HOST:PORT",
    default="127.0.0.1:0",
    callback=_address,
    help=_("Where other server processes on the same database reach this one."),
)
@click.option(
    "--lease",
    type=click.FloatRange(1, 600),
    default=LEASE,
    show_default=True,
    help=_("Seconds of silence after which others take over the games of this process."),
)
@click.option(
    "--tab-thinks/--no-tab-thinks",
    default=True,
    envvar="MBEGU_TAB_THINKS",
    help=_(
        "Let the browser of whoever plays against the computer think, where it can; the server "
        "thinks where it cannot, and in games with a clock or between people."
    ),
)
@click.option("--no-browser", is_flag=True, help=_("Do not open the browser."))
@click.option(
    "--proxy",
    metavar="ADDRESSES",
    default="127.0.0.1",
    show_default=True,
    help=_("Proxies whose X-Forwarded headers are believed, with commas between; or none."),
)
@click.option(
    "--log",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help=_("What is logged: what goes wrong, or as JSON lines also every request."),
)
@click.option(
    "--metrics-token",
    metavar="TOKEN",
    envvar="MBEGU_METRICS_TOKEN",
    help=_("Who may read /metrics; without it only this computer (also MBEGU_METRICS_TOKEN)."),
)
@click.option(
    "--host-name",
    "names",
    metavar="NAME",
    multiple=True,
    envvar="MBEGU_HOST_NAME",
    help=_(
        "A name that this server answers to on the internet, such as play.example.org; may be "
        "repeated (also MBEGU_HOST_NAME). Addresses and names of a local network need none."
    ),
)
def serve(
    *,
    host: str,
    port: int,
    lan: bool,
    database: str | None,
    migrate: bool,
    workers: int | None,
    warm: bool,
    share_port: bool,
    relay: str,
    lease: float,
    tab_thinks: bool,
    no_browser: bool,
    proxy: str,
    log: str,
    metrics_token: str | None,
    names: tuple[str, ...],
) -> None:
    """Serve the web app."""
    settings = Settings(
        database or default_url(),
        workers or default_workers(),
        warm=warm,
        migrate=migrate,
        relay=relay,
        lease=lease,
        proxy=proxy,
        log=log,
        tab_thinks=tab_thinks,
        metrics_token=metrics_token,
        names=names,
    )
    address = "0.0.0.0" if lan and host == "127.0.0.1" else host  # noqa: S104 (asked for)
    if share_port and not hasattr(socket, "SO_REUSEPORT"):
        raise click.UsageError(_("this system cannot share a port between processes"))
    run(
        settings,
        address,
        port,
        say=click.echo,
        browser=not no_browser,
        lan=lan,
        shared=share_port,
    )

"""Runs the server until it is told to stop."""

import asyncio
import errno
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import replace
from types import FrameType
from typing import Any

import uvicorn
from starlette.applications import Starlette

from mbegu.core.i18n import _
from mbegu.core.listening import CannotServe, cannot_listen
from mbegu.server.api.qr import terminal
from mbegu.server.api.sockets import MOST_BYTES
from mbegu.server.app import Settings, make_app
from mbegu.server.keep.store import StoreError
from mbegu.server.net import logs
from mbegu.server.net.garbage import Sweeper
from mbegu.server.net.request_bounds import MOST_HEAD
from mbegu.server.net.slices import SHORT, take_slices
from mbegu.server.net.timeouts import Requests
from mbegu.server.net.websocket_protocol import Protocol

__all__ = ["CannotServe", "Server", "lan_addresses", "serve"]

GRACE = 1  # seconds for open requests when the server stops
BACK_SOON = 3.0
BACK_AT_ONCE = 0.2
ACCEPTED_AT_ONCE = 8  # new lines, before others are served
BACKLOG = 2048
A_THREADS_TURN = (
    0.0002  # seconds: a move goes through several threads, and would wait 5 ms for each
)
NOTHING_LEFT = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
log = logging.getLogger(__name__)


class Server(uvicorn.Server):
    """uvicorn, which says good-bye first and then ends as a command should."""

    def __init__(self, app: Starlette, started: Callable[[], None] = lambda: None) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=Requests,
                ws=Protocol,
                ws_max_size=MOST_BYTES,
                h11_max_incomplete_event_size=MOST_HEAD,
                backlog=ACCEPTED_AT_ONCE,
                ws_ping_interval=20,
                ws_ping_timeout=20,
                timeout_graceful_shutdown=GRACE,
                proxy_headers=app.state.settings.proxy != "none",
                forwarded_allow_ips=app.state.settings.proxy,
                log_config=None,
                access_log=False,
                server_header=False,
                lifespan="on",
                loop="mbegu.server.net.arrivals:new_loop",
            )
        )
        self._app, self._started = app, started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begins to listen, to visitors and to other processes, and says so."""
        state = self._app.state
        host, _colon, port = state.settings.relay.rpartition(":")
        self._relay = listen(host, int(port))
        state.cluster.address = f"{host}:{self._relay.getsockname()[1]}"
        asyncio.get_running_loop().set_exception_handler(_in_few_words)
        await super().startup([*(sockets or []), self._relay])
        for listening in [*(sockets or []), self._relay]:
            listening.listen(BACKLOG)  # more may wait than are let in at once
        if self.started:
            self._started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Tells everybody before the lines are cut: when to come back, here or to another process."""
        seconds = BACK_SOON
        with suppress(StoreError, TimeoutError):
            async with asyncio.timeout(0.3):
                seconds = BACK_AT_ONCE if await self._app.state.cluster.others() else BACK_SOON
        self._app.state.hall.farewell(seconds)
        await asyncio.sleep(0.05)
        await super().shutdown([*(sockets or []), self._relay])

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Like uvicorn's, without raising the signal once more at the end."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {
            number: signal.signal(number, self.handle_exit)
            for number in (signal.SIGINT, signal.SIGTERM)
        }
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """The first signal stops; a second one does not wait."""
        if self.should_exit:
            self.force_exit = True
            logging.getLogger("uvicorn.error").disabled = True  # what is torn off is no error
        self.should_exit = True


def _in_few_words(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What no task waits for: one line where the system has no more to give, else all of it."""
    error = context.get("exception")
    if isinstance(error, OSError) and error.errno in NOTHING_LEFT:
        log.error("the system has nothing more to give: %s", error.strerror)
    else:
        loop.default_exception_handler(context)


def serve(
    settings: Settings,
    host: str,
    port: int,
    *,
    say: Callable[[str], None] = print,
    browser: bool = True,
    lan: bool = False,
    shared: bool = False,
) -> None:
    """Serves until SIGTERM or Ctrl-C; a `shared` port may be that of another such server."""
    logs.set_up(settings.log)
    sys.setswitchinterval(A_THREADS_TURN)
    take_slices(SHORT)
    listening, sweeper = listen(host, port, shared), Sweeper()
    try:
        bound = listening.getsockname()[1]
        others = [f"http://{address}:{bound}" for address in lan_addresses()] if lan else []
        app = make_app(replace(settings, public=others[0]) if others else settings)
        local = f"http://{'localhost' if host in ('127.0.0.1', '0.0.0.0', '::', '::1', 'localhost') else _shown(host)}:{bound}/"  # noqa: S104

        def started() -> None:
            sweeper.start()
            say(_("Mbegu is served at {url}").format(url=local))
            for url in others:
                say(_("On this network: {url}").format(url=f"{url}/"))
            if others:
                with suppress(UnicodeEncodeError):  # a terminal that cannot draw it
                    code = terminal(f"{others[0]}/")
                    code.encode(sys.stdout.encoding or "ascii")
                    say(_("A phone on this network opens it by its camera:"))
                    say(code)
            say(_("Ctrl-C stops it."))
            if browser:
                open_browser(local)

        Server(app, started).run(sockets=[listening])
    finally:
        sweeper.stop()
        listening.close()


def listen(host: str, port: int, shared: bool = False) -> socket.socket:
    """A socket that listens, or one clear line why not."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        found = socket.socket(family, socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise CannotServe(
            _("{host} is not an address of this computer: {why}").format(host=host, why=error)
        ) from None
    try:
        if os.name == "posix":
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        found.bind((host, port))
        found.listen(2048)
    except OSError as error:
        found.close()
        raise cannot_listen(host, port, error) from None
    return found


def lan_addresses() -> list[str]:
    """The addresses of this computer in its networks, as far as they can be known; the likeliest first."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # an address for examples: nothing is sent
        found.append(str(probe.getsockname()[0]))
    with suppress(OSError):
        named = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
        found += [str(line[4][0]) for line in named if not str(line[4][0]).startswith("127.")]
    return list(dict.fromkeys(found)) or [socket.gethostname()]


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def open_browser(url: str) -> None:
    """Opens the page where there is a screen; a browser made of text would take the terminal."""
    screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if sys.platform in ("win32", "darwin") or screen:
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()

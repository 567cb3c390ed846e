"""The application: addresses, and what every answer has in common."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mbegu.core.i18n import _, speaking
from mbegu.server.api import positions, routes
from mbegu.server.api.clerk import Clerk
from mbegu.server.api.offline import TAB
from mbegu.server.api.pages import STATIC, Pages
from mbegu.server.api.sockets import analysis_socket, lobby_socket, room_socket
from mbegu.server.keep.revocation import LOGIN
from mbegu.server.keep.store import Store, StoreError
from mbegu.server.net.addresses import network
from mbegu.server.net.connection_limit import ConnectionLimit, raise_limit
from mbegu.server.net.front import MOST_SHOWN, Front, our_fault
from mbegu.server.net.languages import language_of
from mbegu.server.net.metrics import Metrics, RequestMetrics, health, ready
from mbegu.server.net.metrics import metrics as show_metrics
from mbegu.server.net.rate_limits import RateLimits, is_this_computer
from mbegu.server.net.replies import reply, too_often
from mbegu.server.net.request_bounds import Bounds
from mbegu.server.net.scheduling import TakeTurns, Turns
from mbegu.server.peers.follow import follow
from mbegu.server.peers.leases import LEASE, PeerGroup
from mbegu.server.peers.reverse_proxy import ReverseProxy
from mbegu.server.people.accounts import People, hash_of
from mbegu.server.people.connections import OpenSockets, shut_out
from mbegu.server.people.members import Members
from mbegu.server.people.passwords import Hasher
from mbegu.server.people.sessions import Sessions, Who
from mbegu.server.people.tokens import Tokens, bearer
from mbegu.server.play.hall import Hall
from mbegu.server.think.engines import EnginePool, default_workers
from mbegu.server.think.ladder_bots import LadderBots

__all__ = ["Settings", "make_app"]


@dataclass(frozen=True)
class Settings:
    """How a server is set up."""

    database: str
    workers: int = field(default_factory=default_workers)
    engine: bool = True
    static: Path = STATIC
    tab: Path = TAB  # Python for browsers, where it was built
    hasher: Callable[[], Hasher] = Hasher  # cheaper in tests
    relay: str = "127.0.0.1:0"  # where other processes on the same database reach this one
    lease: float = LEASE
    proxy: str = "127.0.0.1"  # whose X-Forwarded headers are believed; "none" for nobody's
    log: str = "text"
    warm: bool = False  # whether every game is compiled before anybody asks
    metrics_token: str | None = None  # who may read /metrics; None: only this computer
    migrate: bool = (
        False  # whether a PostgreSQL database of an earlier version is brought up to date
    )
    tab_thinks: bool = True  # whether players' own tabs may think for the computer
    names: tuple[str, ...] = ()  # that this server answers to, besides those of a local network
    public: str | None = None  # where others reach a server that its owner calls localhost


def make_app(settings: Settings) -> Starlette:
    """The application for these settings; opens its database at once, so that errors come early."""
    store = Store(settings.database, settings.migrate)
    sessions = Sessions(store.secret)
    people = People(store, settings.hasher())
    tokens = Tokens(people)
    thinkers, clerk = EnginePool(settings.workers, settings.engine), Clerk()
    cluster = PeerGroup(store, settings.lease)
    metrics, lines, turns = Metrics(), OpenSockets(), Turns()

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        thinkers.start()
        asyncio.get_running_loop().run_in_executor(None, positions.prepare)
        app.state.hall = hall = Hall(store, thinkers, Members(store), LadderBots())
        hall.timed, hall.public = metrics.timed, settings.public
        if (settings.tab / "tab.json").is_file():
            hall.tab = "thinks" if settings.tab_thinks else "keeps"
        await cluster.start()
        metrics.start()
        if settings.warm:
            clerk.start()
        tasks = [
            *([asyncio.create_task(thinkers.prepare())] if settings.warm else []),
            asyncio.create_task(shut_out(people, lines)),
            asyncio.create_task(follow(store, cluster, hall.lobby)),
        ]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            metrics.close()
            app.state.hall.close()
            thinkers.close()
            clerk.close()
            await cluster.close()
            people.hasher.close()
            store.close()

    app = Starlette(
        routes=[
            Mount("/api/v1", routes=routes.routes()),
            WebSocketRoute("/ws/rooms/{room}", room_socket),
            WebSocketRoute("/ws/lobby", lobby_socket),
            WebSocketRoute("/ws/analysis", analysis_socket),
            Route("/health", health),
            Route("/ready", ready),
            Route("/metrics", show_metrics),
            Route(
                "/{path:path}", Pages(settings.static, settings.tab).answer, methods=["GET", "HEAD"]
            ),
        ],
        middleware=[
            Middleware(TakeTurns, turns=turns),
            Middleware(Front, names=settings.names),
            Middleware(Bounds),
            Middleware(RequestMetrics, metrics=metrics),
            Middleware(ReverseProxy, cluster=cluster),
            Middleware(Visitors, sessions=sessions, people=people, tokens=tokens),
            Middleware(GZipMiddleware, minimum_size=1024, compresslevel=6),
        ],
        exception_handlers={HTTPException: say_no, Exception: our_fault},
        lifespan=life,
    )
    app.state.limits, app.state.analysts, app.state.sockets = RateLimits(), {}, Counter()
    app.state.cluster, app.state.settings, app.state.thinkers = cluster, settings, thinkers
    app.state.people, app.state.tokens, app.state.sessions = people, tokens, sessions
    app.state.metrics, app.state.lines, app.state.clerk = metrics, lines, clerk
    app.state.reading = Turns()
    app.state.doors = doors = ConnectionLimit(raise_limit(), settings.proxy)
    metrics.follow(
        rooms=lambda: len(app.state.hall),
        sockets=lambda: len(lines),
        lines=lambda: len(doors),
        writes_waiting=lambda: store.waiting,
        thoughts_waiting=lambda: thinkers.waiting,
        chores_waiting=lambda: clerk.waiting,
        requests_waiting=lambda: turns.waiting,
    )
    return app


async def say_no(request: Request, error: Exception) -> Response:
    """An address that is not there, or not for this method."""
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        sentence = _("this address does not take {method}").format(
            method=request.method[:MOST_SHOWN]
        )
    else:
        sentence = _("there is nothing at this address")
    answer = reply({"error": sentence}, error.status_code)
    answer.headers.update(error.headers or {})  # with 405: what the address takes
    return answer


class Visitors:
    """Knows who asks and in which language; gives guests their cookie."""

    def __init__(self, app: ASGIApp, sessions: Sessions, people: People, tokens: Tokens) -> None:
        self.app, self.sessions, self.people, self.tokens = app, sessions, people, tokens

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Around every request and every socket."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        with speaking(language_of(connection)):
            if not self._may_show_token(connection):
                await too_often()(scope, receive, send)
                return
            try:
                who, new = await self._who(connection)
            except StoreError as error:
                if scope["path"].startswith(("/api/", "/ws/")):
                    await reply({"error": str(error)}, 503)(scope, receive, send)
                    return
                who, new = Who(self.sessions.new()), False  # a page comes all the same
            if who is None:
                refusal = reply({"error": _("this token is not valid (any more)")}, 401)
                refusal.headers["www-authenticate"] = "Bearer"
                await refusal(scope, receive, send)
                return
            address = network(connection.client.host) if connection.client else ""
            # Whoever has no cookie yet is counted by address: new guests cost nothing to make.
            scope.setdefault("state", {}).update(
                who=who,
                session=who.session,
                visitor=address if new else who.session,
                address=address,
            )
            await self.app(scope, receive, self._answering(connection, who if new else None, send))

    def _may_show_token(self, connection: HTTPConnection) -> bool:
        """Whether the database may be asked whose token this is: guesses are counted by address."""
        token = bearer(connection)
        address = network(connection.client.host) if connection.client else ""
        if token is None or is_this_computer(address) or self.tokens.is_known(token):
            return True
        limits: RateLimits = connection.app.state.limits
        return limits.lookups.take(address)

    async def _who(self, connection: HTTPConnection) -> tuple[Who | None, bool]:
        """Who asks, and whether he is a guest who has just come; None for a token of nobody."""
        token = bearer(connection)
        if token is not None and connection.scope["path"] != "/metrics":
            who = await self.tokens.who(token)
            if who and connection.scope["type"] == "websocket" and not who.may("play"):
                who = Who(self.sessions.new(), scopes=who.scopes)  # may watch
            return who, False
        cookie = self.sessions.read(self.sessions.asked(connection))
        if cookie is not None:
            bits, member = cookie
            if not member:
                return Who(bits), False
            account = await self.people.signed_in(bits)
            if account is not None:
                credential = LOGIN + hash_of(bits)
                return (
                    Who(account.session, account.id, account.name, account.bot, None, credential),
                    False,
                )
        return Who(self.sessions.new()), True

    def _cookies(self, connection: HTTPConnection, guest: Who | None) -> list[str]:
        if guest is None:
            return self.sessions.renewed(connection)
        return [self.sessions.header(guest.session, connection.url.scheme == "https")]

    def _answering(self, connection: HTTPConnection, guest: Who | None, send: Send) -> Send:
        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if "set-cookie" not in headers:
                    for cookie in self._cookies(connection, guest):
                        headers.append("set-cookie", cookie)
            await send(message)

        return answer

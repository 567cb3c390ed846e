"""Numbers about the server for Prometheus, and the addresses that tell how it is.

`/health`: the process answers. `/ready`: the database does too. `/metrics` is for those who run the
server: from this computer, or with the token that `mbegu serve` was given.
"""

import asyncio
import hashlib
import ipaddress
import logging
import secrets
import time
from bisect import bisect_left
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from itertools import accumulate
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mbegu.server.net.replies import reply

__all__ = ["Metrics", "RequestMetrics", "health", "metrics", "ready"]

log = logging.getLogger("mbegu.access")
PATIENCE = 2.0  # seconds for the database
QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
KINDS = ("move", "undo", "resign", "offer_draw", "decline_draw", "setup", "hint", "ping", "sit")
Job = Callable[[], Coroutine[Any, Any, None]]


class Metrics:
    """The numbers of one server."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.requests = Counter(
            "mbegu_requests", "HTTP requests", ["endpoint", "status"], registry=registry
        )
        self.answering = Histogram(
            "mbegu_request_seconds", "Seconds until an answer", buckets=QUICK, registry=registry
        )
        self.commands = Commands()
        registry.register(self.commands)
        self.errors = Counter("mbegu_errors", "Errors in the log", ["logger"], registry=registry)
        self._counting = _Errors(self.errors)

    def follow(self, **sources: Callable[[], float]) -> None:
        """Gauges that are read when somebody asks."""
        for name, source in sources.items():
            words = name.replace("_", " ")
            Gauge(f"mbegu_{name}", f"Now: {words}", registry=self.registry).set_function(source)

    def start(self) -> None:
        """Counts errors from now on."""
        logging.getLogger().addHandler(self._counting)

    def close(self) -> None:
        """Counts no more."""
        logging.getLogger().removeHandler(self._counting)

    def timed(self, kind: object, job: Job) -> Job:
        """A room's job whose duration is counted, its wait in the inbox included."""
        return partial(self.commands.run, kind, job, time.perf_counter())


class Commands(Collector):
    """Counts what is asked of rooms, a thousand times a second: plain numbers, added up when asked for."""

    def __init__(self) -> None:
        self._kinds = dict.fromkeys((*KINDS, "other"), 0)
        self._within = [0] * (len(QUICK) + 1)
        self._seconds = 0.0

    async def run(self, kind: object, job: Job, began: float) -> None:
        """Runs a job, and counts it."""
        await job()
        took = time.perf_counter() - began
        self._seconds += took
        self._within[bisect_left(QUICK, took)] += 1
        self._kinds[kind if isinstance(kind, str) and kind in self._kinds else "other"] += 1

    def collect(self) -> Iterator[Metric]:
        """As Prometheus wants it."""
        commands = CounterMetricFamily("mbegu_commands", "Commands in rooms", labels=["kind"])
        for kind, count in self._kinds.items():
            commands.add_metric([kind], count)
        yield commands
        bounds = [*map(str, QUICK), "+Inf"]
        buckets = list(zip(bounds, map(float, accumulate(self._within)), strict=True))
        yield HistogramMetricFamily(
            "mbegu_command_seconds",
            "Seconds from a command to its acknowledgement",
            buckets=buckets,
            sum_value=self._seconds,
        )


class _Errors(logging.Handler):
    """Counts what is logged as an error."""

    def __init__(self, counter: Counter) -> None:
        super().__init__(logging.ERROR)
        self._counter = counter

    def emit(self, record: logging.LogRecord) -> None:
        """One more."""
        self._counter.labels(record.name).inc()


class RequestMetrics:
    """Around everything: counts and logs each request and each socket."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or socket."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), 500 if scope["type"] == "http" else 101

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            elif message["type"] == "websocket.close":
                status = message.get("code", 1000)
            await send(message)

        try:
            await self.app(scope, receive, answer)
        finally:
            self._note(scope, status, time.perf_counter() - began)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        if scope["type"] == "http":
            endpoint = getattr(scope.get("endpoint"), "__name__", "none")
            self.metrics.requests.labels(endpoint, status).inc()
            self.metrics.answering.observe(seconds)
        if log.isEnabledFor(logging.INFO):
            session = scope.get("state", {}).get("session", "")
            log.info(
                "%s %s",
                scope.get("method", "SOCKET"),
                scope["path"],
                extra={
                    "status": status,
                    "ms": round(1000 * seconds, 1),
                    # The same visitor has the same mark; nobody becomes him by it.
                    "visitor": hashlib.sha256(session.encode()).hexdigest()[:8],
                },
            )


# ---- addresses


async def health(request: Request) -> Response:
    """The process answers."""
    return reply({"status": "ok"})


async def ready(request: Request) -> Response:
    """The database answers too, and takes what it is given."""
    try:
        async with asyncio.timeout(PATIENCE):
            trouble = await request.app.state.people.store.probe()
    except TimeoutError:
        trouble = "no answer within two seconds"
    if trouble is not None:
        return reply({"status": "the database does not work", "reason": trouble}, 503)
    return reply({"status": "ok"})


async def metrics(request: Request) -> Response:
    """The numbers, for those who run the server."""
    if not _may_read(request):
        return reply({"error": "metrics are for this computer, or with the metrics token"}, 403)
    return PlainTextResponse(
        generate_latest(request.app.state.metrics.registry),
        media_type="text/plain; version=0.0.4; charset=utf-8",
        headers={"cache-control": "no-store"},
    )


def _may_read(request: Request) -> bool:
    wanted = request.app.state.settings.metrics_token
    shown = request.headers.get("authorization", "").removeprefix("Bearer ")
    if wanted is not None:
        return secrets.compare_digest(shown.encode(), wanted.encode())
    # Behind a proxy everybody seems to come from here, but asks for another host.
    host = request.headers.get("host", "").rpartition(":")[0] or request.headers.get("host", "")
    forwarded = "x-forwarded-for" in request.headers or "forwarded" in request.headers
    return not forwarded and _is_here(request.state.address) and _is_here(host.strip("[]"))


def _is_here(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False

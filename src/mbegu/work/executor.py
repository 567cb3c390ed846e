"""Where many pieces of work are done at once: processes of this computer, or a Dask cluster.

    with executor(workers=2) as pool:                      # two processes
    with executor(cluster="tcp://10.0.0.5:8786") as pool:  # whoever works there
        futures = [pool.submit(function, piece) for piece in pieces]

Both are `concurrent.futures.Executor`s that also say how many pieces they do at once (`pool.workers`).
A piece is a function that can be imported and plain data; it must give the same answer wherever and
however often it is done. `Lost` is raised by `future.result()` when nobody could finish a piece because
the processes that tried were ended from outside: a cluster gives the piece to others first.

    with local_cluster(workers=2) as cluster:              # a scheduler and two workers, here
        cluster.address                                    # tcp://127.0.0.1:8786
"""

import atexit
import contextlib
import logging
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    CancelledError,
    Executor,
    Future,
    InvalidStateError,
    ProcessPoolExecutor,
)
from concurrent.futures import wait as wait_for
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from importlib import import_module
from typing import Any, Protocol
from urllib.parse import urlsplit

from mbegu import __version__
from mbegu.core.errors import MbeguError, system_words
from mbegu.core.extras import need
from mbegu.core.i18n import _, current_language, set_language
from mbegu.work.processes import die_with_parent, no_interrupt

__all__ = ["LocalCluster", "Lost", "Pool", "executor", "local_cluster"]

CONNECT_SECONDS = 5.0
GREET_SECONDS = 20.0  # to get to know a cluster that is there
ALONE_SECONDS = 60.0  # a cluster without any worker gets new ones within this time, or never


class Lost(MbeguError):
    """A piece of work that was begun and never finished."""


class Pool(Executor):
    """An executor that knows how many pieces it does at once."""

    @property
    def workers(self) -> int:
        """How many pieces are done at once."""
        raise NotImplementedError

    def everywhere(self, function: Callable[[], Any]) -> None:
        """Runs a function once in each worker of a cluster; the processes of a pool end anyway."""

    def retire(self) -> None:
        """No more work will come: processes may end, while their owner has still something to do."""


@contextlib.contextmanager
def executor(
    workers: int = 1, cluster: str | None = None, *, prepare: Sequence[str] = ()
) -> Iterator[Pool]:
    """A pool of so many processes, or the cluster at this address; closed at the end of the block.

    Processes start with their first piece of work; or at once, if there are modules to `prepare`
    that they import meanwhile. Left by an exception (Ctrl-C too), it does not wait for the pieces
    that are under way.
    """
    pool = _Processes(workers, prepare) if cluster is None else _Cluster(cluster)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


# ---- processes of this computer -------------------------------------------------------------------


class _Processes(Pool):
    def __init__(self, workers: int, prepare: Sequence[str]) -> None:
        self._workers = workers
        context = multiprocessing.get_context("spawn")
        self._inner = ProcessPoolExecutor(
            workers, context, initializer=_begin, initargs=(current_language(), prepare)
        )
        if prepare:
            with no_interrupt():
                for _worker in range(workers):
                    self._inner.submit(_nothing)

    @property
    def workers(self) -> int:
        return self._workers

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Gives a piece of work to whoever is free."""
        outer: Future[Any] = Future()
        try:
            with no_interrupt():
                inner = self._inner.submit(fn, *args, **kwargs)
        except BrokenProcessPool:
            outer.set_exception(_ended_from_outside())
            return outer
        outer.add_done_callback(lambda done: inner.cancel() if done.cancelled() else None)
        inner.add_done_callback(partial(self._pass_on, outer))
        return outer

    def _pass_on(self, outer: Future[Any], inner: Future[Any]) -> None:
        if not outer.set_running_or_notify_cancel():
            return  # nobody waits for it any more
        try:
            outer.set_result(inner.result())
        except BrokenProcessPool:
            outer.set_exception(_ended_from_outside())
        except BaseException as error:  # whatever the piece raised, its owner gets it
            outer.set_exception(error)

    def retire(self) -> None:
        """Lets the processes end as soon as they have nothing to do."""
        self._inner.shutdown(wait=False)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """No more work; without waiting, the processes are ended in the middle of theirs."""
        working = list((getattr(self._inner, "_processes", None) or {}).values())
        self._inner.shutdown(wait, cancel_futures=cancel_futures)
        if not wait:
            for process in working:
                process.kill()
                process.join()


def _ended_from_outside() -> Lost:
    return Lost(_("a process that worked was ended from outside, perhaps for want of memory"))


def _begin(language: str, prepare: Sequence[str]) -> None:
    """In each process, before its first piece."""
    die_with_parent()
    # To take apart all that was compiled would keep a process for 0.2 s after its last piece.
    atexit.register(os._exit, 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who started us
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    set_language(language)
    for module in prepare:
        import_module(module)


def _nothing() -> None:
    """A piece of work that makes a process start."""


# ---- a Dask cluster ---------------------------------------------------------------------------------


def _dask() -> Any:
    need("distributed")
    return import_module("distributed")


class _Cluster(Pool):
    def __init__(self, address: str) -> None:
        distributed = _dask()
        _knock(address)
        try:
            self._client: Any = distributed.Client(
                address, timeout=GREET_SECONDS, set_as_default=False
            )
        except (OSError, ValueError, MemoryError) as error:  # what answers speaks another language
            why = str(error) or type(error).__name__
            raise _nobody(address, why) from None
        self._where = address
        self._killed = distributed.scheduler.KilledWorker
        self._gone = (CancelledError, distributed.CancelledError)
        self._tasks: dict[Future[Any], Any] = {}  # what Dask calls its own kind of future
        self._left = threading.Event()
        self._counted = 0  # to ask takes time, so it is done beside the work
        try:
            self._check()
            self._here()
        except OSError as error:  # it was there a moment ago
            self._client.close()
            raise _nobody(address, str(error)) from None
        except BaseException:
            self._client.close()
            raise
        threading.Thread(target=self._watch, name="cluster", daemon=True).start()

    def _check(self) -> None:
        """Somebody works there, with the same Mbegu as here."""
        try:
            self._client.wait_for_workers(1, timeout=GREET_SECONDS)
        except TimeoutError:
            raise MbeguError(
                _("the cluster at {address} has no worker").format(address=self._where)
            ) from None
        try:
            found = self._client.run(_version)
        except ImportError:
            found = {"?": _("none")}
        others = {worker: version for worker, version in found.items() if version != __version__}
        if others:
            worker, version = next(iter(others.items()))
            raise MbeguError(
                _(
                    "the worker {worker} of the cluster at {address} has Mbegu {theirs}, "
                    "and here is {ours}: install the same one"
                ).format(worker=worker, address=self._where, theirs=version, ours=__version__)
            )

    @property
    def workers(self) -> int:
        """As many as there were a moment ago: workers may come and go."""
        return max(1, self._counted)

    def _here(self) -> int:
        threads: dict[str, int] = self._client.nthreads()
        self._counted = sum(threads.values())
        return self._counted

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Gives a piece of work to whoever is free.

        Without Dask's `retries`: those are for pieces that raise, and ours would raise again. A piece
        whose worker is lost is given to another one anyway, as often as the scheduler allows.
        """
        future: Future[Any] = Future()
        try:
            task = self._tasks[future] = self._client.submit(fn, *args, pure=False, **kwargs)
        except Exception:
            if self._client.status == "running":
                raise
            future.set_exception(self._worded(CancelledError()))  # the scheduler is gone
            return future
        future.add_done_callback(self._forget)
        task.add_done_callback(partial(self._done, future))
        return future

    def _done(self, future: Future[Any], task: Any) -> None:
        error: BaseException | None = None
        try:
            result = task.result()
        except BaseException as raised:  # whatever the piece raised, its owner gets it
            error = self._worded(raised)
        with contextlib.suppress(InvalidStateError):  # nobody waits for it any more
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)

    def _forget(self, future: Future[Any]) -> None:
        """Lets go of what a worker keeps, which would be made again if that worker were lost."""
        task = self._tasks.pop(future, None)
        if future.cancelled():
            future.set_running_or_notify_cancel()
            if task is not None:
                task.cancel()
        elif task is not None:
            task.release()

    def _watch(self) -> None:
        """Dask would wait for ever for a worker to come."""
        seen = time.monotonic()
        while not self._left.wait(2):
            with contextlib.suppress(Exception):  # the connection may break at any moment
                if self._here():
                    seen = time.monotonic()
            if time.monotonic() - seen > ALONE_SECONDS:
                told = _("the cluster at {address} has no worker any more")
                for future in list(self._tasks):
                    with contextlib.suppress(InvalidStateError):  # it came in this very moment
                        future.set_exception(Lost(told.format(address=self._where)))

    def _worded(self, error: BaseException) -> BaseException:
        if isinstance(error, self._killed):
            told = _(
                "the cluster at {address} gave up a piece of work: every worker that tried it was "
                "lost, {count} of them"
            )
            count = getattr(error, "allowed_failures", 0) + 1
            return Lost(told.format(address=self._where, count=count))
        if isinstance(error, self._gone):
            return Lost(_("the cluster at {address} is gone").format(address=self._where))
        return error

    def everywhere(self, function: Callable[[], Any]) -> None:
        """Runs a function once in each worker; one that does not answer soon has gone."""

        def run() -> None:
            with contextlib.suppress(Exception):
                self._client.run(function, on_error="ignore")

        running = threading.Thread(target=run, name="everywhere", daemon=True)
        running.start()
        running.join(CONNECT_SECONDS)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leaves the cluster, which goes on without us."""
        if wait and not cancel_futures:
            wait_for(list(self._tasks))
        self._left.set()
        for future in list(self._tasks):
            future.cancel()
        self._client.close(timeout=CONNECT_SECONDS)


def _knock(address: str) -> None:
    """Sees whether anything listens there: Dask would try for long, and say less."""
    url = urlsplit(address)
    try:
        port = url.port
    except ValueError:  # it is no number
        port = None
    if url.scheme not in ("tcp", "tls") or not url.hostname or not port:
        raise MbeguError(
            _("{address} is not a cluster: write its address like tcp://host:8786").format(
                address=address
            )
        )
    _wait_for(address, url.hostname, port)


def _wait_for(address: str, host: str, port: int) -> None:
    until = time.monotonic() + CONNECT_SECONDS
    while True:
        try:
            with socket.create_connection((host, port), timeout=CONNECT_SECONDS) as line:
                if address.startswith("tcp:") and not _greets(line):
                    raise _nobody(address, _("what listens there is no Dask scheduler"))
                return
        except OSError as error:
            if time.monotonic() > until or isinstance(error, socket.gaierror):
                raise _nobody(address, system_words(error)) from None
            time.sleep(0.2)  # it may be starting


def _greets(line: socket.socket) -> bool:
    """Whether somebody speaks first, as a scheduler does: the length of its greeting, 8 bytes."""
    try:
        return len(line.recv(8)) == 8
    except TimeoutError:
        return False


def _nobody(address: str, why: str) -> MbeguError:
    return MbeguError(_("no cluster answers at {address}: {why}").format(address=address, why=why))


def _version() -> str:
    return __version__


# ---- a cluster of one's own ---------------------------------------------------------------------------


class LocalCluster(Protocol):
    """A cluster on this computer."""

    @property
    def address(self) -> str:
        """Where it listens, for `executor(cluster=…)`."""


@contextlib.contextmanager
def local_cluster(workers: int = 2, port: int = 0) -> Iterator[LocalCluster]:
    """A scheduler and so many workers, processes of this computer, until the end of the block.

    Only this computer can reach it: who can reach a Dask scheduler can run anything. Port 0 takes any
    free one.
    """
    distributed = _dask()
    try:
        with _deaf():  # its workers are for us to end, and do not hear Ctrl-C
            cluster: Any = distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                scheduler_port=port,
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.ERROR,
            )
    except (OSError, RuntimeError) as error:
        raise MbeguError(
            _("a cluster could not be started on port {port}: {why}").format(
                port=port, why=_first_cause(error)
            )
        ) from None
    found: LocalCluster = _Local(cluster.scheduler_address)
    try:
        yield found
    finally:
        cluster.close()


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """Ctrl-C means nothing here, nor to the processes that start here, whatever thread starts them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _first_cause(error: BaseException) -> str:
    """What was wrong at the bottom of it: a port that is taken, most often."""
    while error.__cause__ is not None:
        error = error.__cause__
    return system_words(error)


class _Local:
    def __init__(self, address: str) -> None:
        self.address = address

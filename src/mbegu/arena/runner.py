"""Runs a bot in a process of its own, and tells in which way it failed if it does.

    with BotProcess(find_bot("random"), trust=True) as bot:
        bot.new_game(game, game.start(), player=0, seed=1)
        move = bot.choose(position, moves=[], clock=clock)

The referee keeps the time: a bot that answers too late is killed, with everything it started. While it
is not its turn a bot is frozen, so that it cannot think at the other's expense.
"""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from typing import Any, Self

from mbegu.arena.bundle import ARCHIVE, lay_out
from mbegu.arena.cage import Cage, bubblewrap, freeze, offered
from mbegu.arena.channels import LINE_MOST, Channels
from mbegu.arena.faults import BotFault, Fault
from mbegu.arena.roster import IN_FILES, BotSpec
from mbegu.arena.surroundings import cage_of, environment
from mbegu.arena.waiting import (
    FORGIVEN_MOST,
    Look,
    descendants,
    idle,
    look,
    time_back,
    waits_now,
    we_waited,
)
from mbegu.core.clock import Clock
from mbegu.core.errors import MbeguError, shorten
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import _, current_language
from mbegu.core.printable import printable

__all__ = ["BotFault", "BotProcess", "Fault", "missing_layers"]

START_SECONDS = 20.0  # to import what a bot imports, if the host says nothing else
PROGRAM_TASKS = 256  # threads of a program: some languages have many of their own
# For an engine that compiles itself before its first game: ours may be one of many that do so at once, on a
# computer that has other things to do, and is no stranger whom one would have to stop.
COMPILE_SECONDS = {"builtin": 900.0, "program": 120.0}
NO_LIMIT_SECONDS = 600.0  # nobody thinks for ever
SIGNALLED = 128
COUNTED_EVERY = 0.02  # seconds between two looks at how many threads there are
FORGIVEN_LEAST = 0.001  # seconds without a processor that are worth a look


@cache
def missing_layers() -> dict[str, str]:
    """The walls of a cage that this host cannot build, with the reason."""
    return {layer: reason for layer, reason in offered().items() if reason is not None}


class BotProcess:
    """A bot in its own process, for as many games as one likes; started again after a fault."""

    def __init__(
        self,
        spec: BotSpec,
        *,
        trust: bool = False,
        memory: int = Cage.memory,
        core: int | None = None,
        scratch_in: str | None = None,
        start_seconds: float | None = None,
        engine: bool = True,
    ) -> None:
        self.spec = spec
        self.caged = not (trust or spec.trusted)
        if self.caged and missing_layers():
            walls = "; ".join(f"{layer}: {reason}" for layer, reason in missing_layers().items())
            raise MbeguError(
                _(
                    "{bot} would not be safely locked up on this host ({walls}); "
                    "run it with --trust if you trust it"
                ).format(bot=spec.name, walls=walls)
            )
        self.memory, self.core, self.scratch_in = spec.memory or memory, core, scratch_in
        self.start_seconds = START_SECONDS if start_seconds is None else start_seconds
        self.engine = engine
        self.name = spec.name
        self.started = 0  # how often a process had to be started
        self.games = 0  # of the process that runs now
        self.thought = 0.0  # seconds from the last question to its answer
        self.forgiven = 0.0  # of these: what this host took, not the bot
        self._process: subprocess.Popen[bytes] | None = None
        self._channels: Channels | None = None
        self._folder: str | None = None  # with the bot's files, and the scratch folder
        self._files = self._scratch = ""
        self._counter = 0
        self._inside: int | None = None

    def __enter__(self) -> Self:
        """For use in a with block."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Leaves nothing behind."""
        self.close()

    # ---- what a referee asks for

    def start(self) -> None:
        """Starts the process, unless it runs already."""
        if self._process is None:
            self._start()

    def new_game(
        self,
        game: Game,
        position: Position,
        player: int,
        seed: int,
        nodes: int | None = None,
        movetime: float | None = None,
    ) -> None:
        """A game begins, in which the bot plays this side; `nodes` limits what it searches.

        If it will have so many seconds for each move, a program rehearses an answer first.

        An AI of the contest knows of one game only: it was never told that another one begins.
        """
        if self.games and self.spec.kind == "contest":
            self.close()
        self.start()
        self.games += 1
        self._channel.new_game()
        order: dict[str, Any] = {"game": str(game), "position": str(position), "player": player}
        seconds = COMPILE_SECONDS.get(self.spec.kind, self.start_seconds)
        order |= {"seed": seed, "nodes": nodes, "movetime": movetime}
        self._ask({"do": "game", **order}, seconds)

    def setup(self) -> Any:
        """The set-up that the bot chooses; None if it leaves that to others."""
        return self._ask({"do": "setup"}, self.start_seconds)

    def choose(
        self, position: Position, moves: Sequence[Move], clock: Clock, patience: float = 0.0
    ) -> Move:
        """The bot's move; `moves` are those since it was last asked. BotFault if it fails.

        It has `patience` seconds more than its clock says; then it is killed.
        """
        player = position.turn
        assert player is not None
        left = clock.remaining(player)
        order = {
            "do": "choose",
            "position": str(position),
            "player": player,
            "moves": list(moves),
            "left": [clock.remaining(0), clock.remaining(1)],
            "control": str(clock.controls[player]),
        }
        answer = self._ask(order, NO_LIMIT_SECONDS if left is None else left + patience)
        if not isinstance(answer, int | str) or isinstance(answer, bool):
            match answer:
                case [str(told)]:  # what the worker could not send, in words
                    pass
                case _:
                    told = repr(answer)
            raise BotFault(
                Fault.PROTOCOL,
                _("it answered {answer}, where a move was asked for").format(answer=shorten(told)),
                self.stderr(),
            )
        return answer

    # ---- the process

    def _start(self) -> None:
        self._folder = tempfile.mkdtemp(prefix="bot-", dir=self.scratch_in)
        self._files, self._scratch = (
            os.path.join(self._folder, name) for name in ("bot", "scratch")
        )
        os.mkdir(self._files)
        os.mkdir(self._scratch)
        bot = self._laid_out()
        orders_in, orders_out = os.pipe()
        answers_in, answers_out = os.pipe()
        pipes = (str(orders_in), str(answers_out))
        command = [sys.executable, "-P", "-m", "mbegu.arena.bot_main", *pipes]
        cage = None
        if self.caged:
            cage = cage_of(
                memory=self.memory,
                tasks=self._most_tasks,
                read=(self._files, *self.spec.read),
                scratch=self._scratch,
                engine=self.engine,
            )
        if cage is not None and self.spec.kind != "program":  # a program is wrapped by its worker
            command = [*cage.wrapper, *command]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(orders_in, answers_out),
            cwd=self._scratch,
            env=environment(self._scratch, caged=self.caged),
            start_new_session=True,
        )
        os.close(orders_in)
        os.close(answers_out)
        self.started += 1
        self.games = 0
        if self.core is not None:
            os.sched_setaffinity(self._process.pid, {self.core})
        self._inside = None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        output = (self._process.stdout.fileno(), self._process.stderr.fileno())
        self._channels = Channels(orders_out, answers_in, *output)
        told = None if cage is None else asdict(cage)
        bot["until"] = time.monotonic() + 0.9 * self.start_seconds  # it can still tell why
        name = self._ask({"do": "start", "cage": told, "bot": bot}, self.start_seconds)
        self._inside = None  # it stood outside the cage a moment ago
        self.name = printable(str(name)[:60].replace("\n", " ")).strip() or self.spec.name

    def _laid_out(self) -> dict[str, Any]:
        """The bot's own files in a folder of their own, and its order with the place of its file.

        Whoever is trusted runs where he lies, unless he lies in an archive.
        """
        order, spec = {**self.spec.order(), "tongue": current_language()}, self.spec
        if spec.kind in IN_FILES:
            if self.caged or spec.path.endswith(ARCHIVE):
                lay_out(spec.contents(), self._files)
                order["path"] = os.path.join(self._files, spec.main or os.path.basename(spec.path))
            else:
                order["path"] = os.path.join(spec.path, spec.main) if spec.main else spec.path
        return order

    def close(self) -> None:
        """Ends the process and everything it has started, and removes its scratch folder."""
        process, self._process = self._process, None
        if process is not None:
            self._kill(process)
            self._channel.close()
            for stream in (process.stdout, process.stderr):
                assert stream is not None
                stream.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def _kill(self, process: subprocess.Popen[bytes]) -> None:
        """The bot first, so that the process that stands by buries it; then whoever is left."""
        with contextlib.suppress(ProcessLookupError):
            if self._inside is not None and self._inside != process.pid:
                os.kill(self._inside, signal.SIGKILL)
                os.killpg(process.pid, signal.SIGCONT)  # it may have been stopped with the bot
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(0.05)
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def freeze(self) -> None:
        """Stops the bot's clock in earnest: it cannot run until it is asked again."""
        self._signal(signal.SIGSTOP)

    def _signal(self, number: signal.Signals) -> None:
        """To the bot alone where it is one process; our own bots keep still by themselves."""
        if self._process is None or self.spec.trusted:
            return
        with contextlib.suppress(ProcessLookupError, FileNotFoundError):
            if self._inside is not None and self._inside != self._process.pid:
                if number == signal.SIGSTOP:
                    freeze(self._inside)
                else:
                    os.kill(self._inside, number)
            else:
                os.killpg(self._process.pid, number)

    # ---- asking

    def _ask(self, order: dict[str, Any], seconds: float) -> Any:
        """Sends an order and waits for its answer; any fault ends the process."""
        self._counter += 1
        try:
            self._signal(signal.SIGCONT)
            before, ours = look(self._thinkers()), we_waited()
            asked = time.monotonic()
            deadline = asked + seconds
            self._send(json.dumps({"id": self._counter, **order}).encode() + b"\n", deadline)
            line = self._read_line(deadline, before, ours)
            heard = look(self._thinkers())
            self.thought = heard.at - asked  # what comes now is our own time
            self.forgiven = self._time_back(before, ours, heard)
            value = self._understand(line)
        except BotFault as fault:
            if fault.fault is Fault.TIMEOUT and order["do"] != "choose":
                late = _("it was not ready after {n} seconds").format(n=f"{seconds:g}")
                fault.detail = late + fault.detail  # what it said instead
            self.close()
            raise
        self.freeze()
        return value

    def _thinker(self) -> int:
        """The process in which the bot thinks: in a cage, the child of the one that stands by."""
        assert self._process is not None
        if self._inside is None:
            self._inside = self._process.pid
            if self.caged and self.spec.kind != "program" and self._counter > 1:
                try:
                    with open(f"/proc/{self._inside}/task/{self._inside}/children", "rb") as told:
                        self._inside = int(told.read().split()[0])
                except (OSError, ValueError, IndexError):
                    pass
        return self._inside

    def _send(self, data: bytes, deadline: float) -> None:
        while data:
            try:
                data = self._channel.write(data)
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise self._fault(Fault.TIMEOUT, "") from None
                self._drain(0.01)
            except BrokenPipeError:
                raise self._ended() from None

    def _thinkers(self) -> list[int]:
        """All processes in which the bot thinks: a program may have several."""
        one = self._thinker()
        return descendants(one) if self.spec.kind == "program" else [one]

    def _time_back(self, before: Look, ours: float, now: Look | None = None) -> float:
        """Seconds that this host took so far: the bot had no processor, or we had none to hear it.

        Never so much that it would have computed for nothing, whatever it does to be waited for.
        """
        now = now or look(self._thinkers())
        waited = time_back(before, now, busy=self.spec.trusted) + we_waited() - ours
        return min(FORGIVEN_MOST, waited, idle(before, now))

    def _read_line(self, deadline: float, before: Look, ours: float) -> bytes:
        """The next answer. What came while we ourselves were not awake is in time.

        A bot that had to wait for a processor, because this host is busy, gets that time back.
        """
        forgiven, last = 0.0, deadline + FORGIVEN_MOST
        while b"\n" not in self._channel.answers.text:
            left = deadline + forgiven - time.monotonic()
            if left <= 0:
                more = self._time_back(before, ours) - forgiven
                forgiven += max(0.0, more)
                self._drain(0)
                if b"\n" in self._channel.answers.text or more >= FORGIVEN_LEAST:
                    continue
                if time.monotonic() < last:
                    if waits_now(self._thinkers()):
                        continue
                    if self._time_back(before, ours) - forgiven >= FORGIVEN_LEAST:
                        continue  # it got a processor at this very moment
                self._drain(0)
                if b"\n" not in self._channel.answers.text:
                    raise self._fault(Fault.TIMEOUT, "")
                continue
            self._drain(min(left, COUNTED_EVERY) if self._counts else left)
            self._count_tasks()
            if not self._channel.answers.open:
                raise self._ended()
            if len(self._channel.answers.text) > LINE_MOST:
                raise self._fault(Fault.PROTOCOL, _("an answer without end"))
        line, _newline, self._channel.answers.text = self._channel.answers.text.partition(b"\n")
        if self._channel.answers.text:
            raise self._fault(Fault.PROTOCOL, _("two answers to one question"))
        return line

    def _count_tasks(self) -> None:
        """Ends a bot with too many threads, where no limit of the system holds it.

        Under bubblewrap all programs of this user would count together.
        """
        if not self._counts:
            return
        many = 0
        for process in self._thinkers():
            with contextlib.suppress(OSError):
                many += len(os.listdir(f"/proc/{process}/task"))
        if many > self._most_tasks:
            why = _("more than {most} threads").format(most=self._most_tasks)
            raise self._fault(Fault.CAGE, why)

    @property
    def _most_tasks(self) -> int:
        return PROGRAM_TASKS if self.spec.kind == "program" else Cage.tasks

    @property
    def _counts(self) -> bool:
        """Whether we count the threads ourselves."""
        return self.caged and bool(bubblewrap())

    @property
    def _channel(self) -> Channels:
        """The channels of a process that was started."""
        assert self._channels is not None
        return self._channels

    def _drain(self, seconds: float) -> None:
        """Reads what has come on any channel, and refuses a bot that writes without end."""
        if self._channel.read(seconds):
            raise self._fault(Fault.OUTPUT, "")

    def _understand(self, line: bytes) -> Any:
        try:
            answer = json.loads(line)
            if answer["id"] != self._counter:
                raise ValueError(_("an answer to another question"))
            if "fault" not in answer:
                return answer["value"]
            fault, detail = (
                Fault.of(answer["fault"]),
                printable(str(answer["error"])[-4000:], lines=True),
            )
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise self._fault(Fault.PROTOCOL, f"{line[:200]!r}: {error}") from None
        raise self._fault(fault, detail)

    def _fault(self, fault: Fault, detail: str) -> BotFault:
        return BotFault(fault, self._without_places(detail), self.stderr())

    def _without_places(self, text: str) -> str:
        """Without the folders of this host: what a bot says may be shown to everybody."""
        beside = os.path.dirname(os.path.abspath(self.spec.path)) if self.spec.path else ""
        places = [self._files, self._scratch, beside, os.path.expanduser("~"), *sys.path]
        for place in sorted(filter(os.path.isabs, places), key=len, reverse=True):
            text = text.replace(os.path.join(place, ""), "")
        return text

    def _ended(self) -> BotFault:
        """The process is gone without an answer: why?"""
        assert self._process is not None
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        code = self._process.poll()
        if code is None:
            return self._fault(Fault.PROTOCOL, _("it closed the channel for its answers"))
        if code > SIGNALLED and bubblewrap():
            code = SIGNALLED - code  # as a shell would, bubblewrap tells of a signal so
        if -code == signal.SIGSYS:
            return self._fault(Fault.CAGE, _("a forbidden system call"))
        told = self.stderr()
        if "MemoryError" in told or "Cannot allocate memory" in told:
            return self._fault(Fault.MEMORY, "")
        if code < 0:
            name = signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)
            detail = _("the process was ended by the signal {name}").format(name=name)
            return self._fault(Fault.CRASH, detail)
        return self._fault(Fault.CRASH, _("the process ended with code {code}").format(code=code))

    def stderr(self) -> str:
        """The last lines that the bot wrote to stderr."""
        if self._channels is None:
            return ""
        said = self._channels.complaints(more=self._process is not None)
        return self._without_places(printable(said, lines=True))

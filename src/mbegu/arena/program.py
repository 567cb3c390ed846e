"""A program that speaks UGI or UCI, as the bot's own process sees it.

Only the standard library is imported before the program is started: what a worker has loaded costs time.
"""

import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from typing import Any

__all__ = ["Deaf", "Ended", "Flood", "Program", "TwoAnswers"]

MOST_TALK = 16 * 1024 * 1024  # bytes that a program may say before it moves
LAST_WORDS = 12  # lines of its output that are told when it ends
TO_ANSWER = 0.06  # seconds that an answer may need on its way, before we know better
REHEARSED = 0.1  # seconds of a rehearsal, at most
AT_ONCE = 0.5  # seconds
MOST_ASKED = 3  # times that a program is asked whether it is ready
PATIENCE = 2.0  # seconds that a rehearsal may take at least, or ten times the time of a move
POLITE = {
    "id",
    "option",
    "uciok",
    "ugiok",
    "readyok",
    "bestmove",
    "info",
}  # how every program talks


class Flood(Exception):
    """A program that talks and talks."""


class Deaf(Exception):
    """A program that does not answer; with what it said instead."""


class Ended(Exception):
    """A program that is no more; with how it ended and what it said."""


class TwoAnswers(Exception):
    """A program that answers before it is asked."""


class Program:
    """Any program that speaks UGI or UCI on its standard input and output."""

    def __init__(self, bot: dict[str, Any]) -> None:
        import subprocess

        command, cage = bot["command"], bot["cage"]
        if cage is not None:
            told = json.dumps({**cage, "may_exec": True, "beside": bot["beside"]})
            inside = [sys.executable, "-P", "-m", "mbegu.arena.cage", told, *command]
            command = [*cage["wrapper"], *inside]
        else:
            from mbegu.arena.cage import lay_beside

            lay_beside(bot["beside"])
        self.process = subprocess.Popen(  # noqa: S603 (this is what it is for)
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **bot["env"]},
        )
        self.name, self.protocol, self.tongue = bot["name"], bot["protocol"], bot["tongue"]
        self.greeted = False
        self.said = 0
        self.words = list[str]()  # the first lines, and the last ones
        self.overrun = 0.0  # seconds, the longest by which an answer came after its movetime
        self.rehearsed = False
        with self._patience(bot["until"] - time.monotonic()):
            self._greet(bot["options"])

    def _greet(self, options: dict[str, Any]) -> None:
        self._say(self.protocol)
        self._hear(f"{self.protocol}ok")
        self.greeted = True
        for name, value in options.items():
            told = str(value).lower() if isinstance(value, bool) else str(value)
            self._say(f"setoption name {name} value {told}")
        self._say("isready")
        self._hear("readyok")

    @contextlib.contextmanager
    def _patience(self, seconds: float) -> Iterator[None]:
        """Gives a program so long, and then tells what it said instead of an answer."""

        def ring(*_signal: object) -> None:
            raise Deaf(self._mute() or self._quoted())

        before = signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001))
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    @staticmethod
    def prepare() -> None:
        """Imports what reading its moves needs."""
        import mbegu.core.registry

    def _say(self, line: str) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            self._gone()

    def _gone(self) -> None:
        from mbegu.core.i18n import _, speaking

        code = self.process.wait()
        with speaking(self.tongue):
            if code < 0:
                told = _("the program ended by the signal {name}")
                told = told.format(name=signal.Signals(-code).name)
            else:
                told = _("the program ended with code {code}").format(code=code)
        raise Ended(told + self._quoted())

    def _quoted(self) -> str:
        """What it said, beside what the protocol makes everybody say."""
        from mbegu.core.i18n import _, speaking

        said = "".join(f"\n  {line}" for line in self.words)
        with speaking(self.tongue):
            return _("; it said:") + said if said else ""

    def _mute(self) -> str:
        """A program that says nothing at all when it is greeted may wait for the other protocol."""
        from mbegu.core.i18n import _, speaking

        if self.greeted or self.words:
            return ""
        other = "uci" if self.protocol == "ugi" else "ugi"
        with speaking(self.tongue):
            told = _(
                '; it did not answer to {asked}: does it speak the other protocol, protocol = "{other}"?'
            )
        return told.format(asked=self.protocol, other=other)

    def _hear(self, word: str) -> list[str]:
        """Listens until a line begins with the word; the line as words."""
        assert self.process.stdout is not None
        while True:
            line = self.process.stdout.readline(65536)
            if not line:
                self._gone()
            self.said += len(line)
            if self.said > MOST_TALK:
                raise Flood
            words = line.decode(errors="replace").split()
            self._remember(" ".join(words))
            if words[:1] == [word]:
                self.said = 0
                return words
            if words[:3] == ["info", "string", "error"]:
                print(" ".join(words[2:]), file=sys.stderr, flush=True)

    def _remember(self, line: str) -> None:
        """Why a program cannot start is what it says first; why it breaks down, what it says last."""
        if line and line.split(maxsplit=1)[0] not in POLITE:
            self.words.append(line[:200])
            del self.words[LAST_WORDS // 2 : -LAST_WORDS // 2]

    def _nothing_ahead(self) -> None:
        """Whoever has answered already would answer this question with the one before."""
        assert self.process.stdout is not None
        os.set_blocking(self.process.stdout.fileno(), False)
        ahead = self.process.stdout.peek().splitlines()  # type: ignore[attr-defined]
        os.set_blocking(self.process.stdout.fileno(), True)
        if any(line.split()[:1] == [b"bestmove"] for line in ahead):
            raise TwoAnswers

    def game(self, order: dict[str, Any]) -> None:
        """A new game begins."""
        from mbegu.core.registry import game

        self.rules = game(order["game"])
        self.start, self.nodes = order["position"], order.get("nodes")
        self.moves: list[Any] = []  # since the start
        self.rest: list[Any] = []  # of a word that tells several moves
        self._say(f"{self.protocol}newgame")
        # A program that has something to compile may say that it is ready before it is: the answer
        # that comes at once is the true one. Some never answer at once, and none does on a busy host.
        for _time in range(MOST_ASKED):
            asked = time.monotonic()
            self._say("isready")
            self._hear("readyok")
            if time.monotonic() - asked <= AT_ONCE:
                break
        if order.get("movetime") and self.nodes is None and not self.rehearsed:
            self._rehearse(order["movetime"])

    def _rehearse(self, movetime: float) -> None:
        """Two searches that do not count: the first loads and compiles, the second is timed.

        A program in Java, say, needs longer for its very first answer than for all that follow.
        """
        self.rehearsed = True
        seconds = min(REHEARSED, movetime / 2)
        try:
            with self._patience(max(PATIENCE, 10 * movetime)):
                for _time in range(2):
                    self._say(self._where())
                    asked = time.monotonic()
                    self._say(f"go movetime {max(1, int(seconds * 1000))}")
                    self._hear("bestmove")
                    self.overrun = max(0.0, time.monotonic() - asked - seconds)
        except Deaf:  # the game will show what that means
            self._say("stop")
        self._say(f"{self.protocol}newgame")
        self._say("isready")
        self._hear("readyok")

    def setup(self, order: dict[str, Any]) -> None:
        """The protocol knows no set-ups."""

    def choose(self, order: dict[str, Any]) -> Any:
        """Tells the program the whole game so far, then asks it."""
        self.moves += order["moves"]
        if self.rest:
            return self.rest.pop(0)  # the shot that it told with its move
        self._nothing_ahead()
        self._say(self._where())
        asked, movetime = time.monotonic(), self._movetime(order)
        self._say(self._go(order, movetime))
        answer = self._hear("bestmove")
        if movetime is not None:
            self.overrun = max(self.overrun, time.monotonic() - asked - movetime)
        if len(answer) < 2:
            return [" ".join(answer)]
        position = self.rules.position(order["position"])
        try:
            first, *self.rest = self.rules.parse_turn(answer[1], position)
        except ValueError:
            return answer[1]  # the referee says what is wrong with it
        return first

    def _where(self) -> str:
        """`position … moves …`, the moves in words."""
        position, words = self.rules.position(self.start), list[str]()
        at = 0
        while at < len(self.moves):
            word, count = self.rules.format_turn(self.moves[at : at + 8], position)
            words.append(word)
            for move in self.moves[at : at + count]:
                position = position.play(move)
            at += count
        at_start = self.start == str(self.rules.start())
        told = "position " + ("startpos" if at_start else f"fen {self.start}")
        # Programs written for Aualé read the moves of Oware without spaces between them.
        gap = self.rules.uci_gap if self.protocol == "uci" else " "
        return told + (f" moves {gap.join(words)}" if words else "")

    def _movetime(self, order: dict[str, Any]) -> float | None:
        """Seconds that it may think: some are kept back for its answer, more if it has been late."""
        from mbegu.core.clock import TimeControl

        own = order["left"][order["player"]]
        if own is None or TimeControl.parse(order["control"]).per_move is None:
            return None
        spare = max(own / 8, TO_ANSWER, 1.5 * self.overrun)
        return float(max(0.001, own - min(spare, own / 2)))

    def _go(self, order: dict[str, Any], movetime: float | None) -> str:
        """`go …` with the clock, or with the nodes."""
        from mbegu.core.clock import TimeControl

        if self.nodes is not None:
            return f"go nodes {self.nodes}"
        control, left = TimeControl.parse(order["control"]), order["left"]
        own = left[order["player"]]
        if own is None:
            return "go movetime 1000"
        if movetime is not None:
            return f"go movetime {max(1, int(movetime * 1000))}"
        names = ("w", "b") if self.protocol == "uci" else ("p1", "p2")
        clock = [f"{name}time {int(left[k] * 1000)}" for k, name in enumerate(names)]
        clock += [f"{name}inc {int(control.increment * 1000)}" for name in names]
        return "go " + " ".join(clock)

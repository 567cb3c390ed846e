"""The engine's protocol: UGI, and UCI as Aualé's programs speak it for Oware.

A `Session` obeys one line at a time and writes its answers through a function; thinking goes on in a
thread of its own, so that `stop`, `isready` and `quit` are obeyed at once. A line that cannot be
obeyed is answered by `info string error …` and changes nothing. docs/engine.md describes the words.
"""

from __future__ import annotations

import contextvars
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from mbegu.core.errors import InvalidMove, MbeguError, shorten
from mbegu.core.game import Game, Move, Position, over_message
from mbegu.core.i18n import _
from mbegu.core.outcome import Outcome
from mbegu.core.printable import one_line
from mbegu.engine.analysis import words_of
from mbegu.engine.engine import MOST_DEPTH, Engine, Info, Limits
from mbegu.engine.protocol_words import (
    GO_WORDS,
    NUMBERS,
    OPTIONS,
    ProtocolError,
    limits_given,
    read_whole,
    score_words,
)

__all__ = ["Session", "score_words"]

MOST_LINE = 1 << 20  # characters
SPARE = (16, 1)  # hash and threads that any machine has
PATIENCE = 5.0  # seconds that `isready` waits for a compiler: Aualé gives up after eight


@dataclass
class Request:
    """One `go`: what was asked, and what has come of it so far."""

    position: Position
    history: Sequence[Position]
    limits: Limits
    waits: bool  # says its move only when told to stop
    after_hit: Limits | None = None  # what `ponderhit` turns the thought into
    stopped: threading.Event = field(default_factory=threading.Event)
    hit: threading.Event = field(default_factory=threading.Event)
    thread: threading.Thread | None = None
    best: Info | None = None
    answered: bool = False


class Session:
    """A conversation with one program about one game."""

    def __init__(
        self,
        game: Game,
        write: Callable[[str], None],
        *,
        hash_mb: int = 64,
        threads: int = 1,
        make_engine: Callable[..., Any] = Engine,
    ) -> None:
        self.game = game
        self._write_line = write
        self._make_engine = make_engine
        self._writing = threading.RLock()
        self._loading = threading.Lock()
        self._engine: Any = None
        self._engine_for: tuple[int, int] | None = None
        self._loader: threading.Thread | None = None
        self._task: Request | None = None
        self.positions = [game.start()]
        self.options = {name: option.default for name, option in OPTIONS.items()}
        self.options |= {"Hash": hash_mb, "Threads": threads}
        self.speaks_uci = False
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "ugi": self._ugi,
            "uci": self._uci,
            "isready": self._isready,
            "uginewgame": self._newgame,
            "ucinewgame": self._newgame,
            "setoption": self._setoption,
            "position": self._position,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._ponderhit,
            "query": self._query,
            "debug": lambda words: None,
        }

    # ---- lines

    def obey(self, line: str) -> bool:
        """Obeys a line; False when it was `quit`."""
        try:
            if len(line) > MOST_LINE:
                raise ProtocolError(_("this line is too long"))
            words = line.split()
            if words and words[0] == "quit":
                return False
            if words:
                command = self._commands.get(words[0])
                if command is None:
                    raise ProtocolError(
                        _("{word} is not a command; there are: {commands}").format(
                            word=shorten(words[0]), commands=", ".join([*self._commands, "quit"])
                        )
                    )
                command(words[1:])
        except MbeguError as error:
            self._error(error)
        return True

    def close(self, *, finish: bool = False, patience: float = 1.0) -> bool:
        """Ends the conversation; with `finish` a thought with a limit is thought to its end.

        False if a compiler could not be stopped and is still at work.
        """
        task = self._task
        if task is not None:
            if task.waits or not finish:
                self._stop([])
            thread = task.thread
            if thread is not None:
                thread.join(None if finish and not task.waits else patience)
        threads = [None if task is None else task.thread, self._loader]
        return not any(thread is not None and thread.is_alive() for thread in threads)

    def _say(self, line: str) -> None:
        with self._writing:
            self._write_line(line)

    def _error(self, error: object) -> None:
        self._say("info string error " + one_line(str(error)))

    # ---- who we are

    def _ugi(self, words: list[str]) -> None:
        self.speaks_uci = False
        self._introduce("ugiok")

    def _uci(self, words: list[str]) -> None:
        self.speaks_uci = True
        self._introduce("uciok")

    def _introduce(self, end: str) -> None:
        from mbegu import __version__  # noqa: PLC0415 (mbegu itself imports the analysis)

        with self._writing:
            self._say(f"id name Mbegu {__version__}")
            self._say("id author The Mbegu authors")
            for name, option in OPTIONS.items():
                self._say(option.declaration(name))
            self._say(end)

    def _isready(self, words: list[str]) -> None:
        """Answers when the engine is loaded; at once while it thinks; after PATIENCE in any case."""
        if self._thinking() or self._engine is not None:
            self._say("readyok")
            if self._engine is not None and not self._thinking():
                self._start(self._have_table)  # a go came before, and asked for none
            return
        if self._loader is None or not self._loader.is_alive():
            self._loader = self._start(self._get_ready)
        loader = self._loader

        def answer() -> None:
            loader.join(PATIENCE)
            self._say("readyok")

        self._start(answer)

    def _newgame(self, words: list[str]) -> None:
        self._must_be_idle()
        self.positions = [self.game.start()]
        if self._engine is not None:
            self._engine.new_game()

    def _setoption(self, words: list[str]) -> None:
        if not words or words[0] != "name":
            raise ProtocolError(_("write: setoption name NAME value VALUE"))
        at = words.index("value") if "value" in words else len(words)
        asked, value = " ".join(words[1:at]), " ".join(words[at + 1 :])
        name = next((name for name in OPTIONS if name.lower() == asked.lower()), None)
        if name is None:
            raise ProtocolError(
                _("{name} is not an option; there are: {options}").format(
                    name=shorten(asked), options=", ".join(OPTIONS)
                )
            )
        self.options[name] = OPTIONS[name].read(name, value)

    # ---- the position

    def _position(self, words: list[str]) -> None:
        at = words.index("moves") if "moves" in words else len(words)
        given, moves = words[:at], words[at + 1 :]
        if given == ["startpos"]:
            position = self.game.start()
        elif given[:1] == ["fen"] and len(given) > 1:
            position = self.game.position(" ".join(given[1:]))
        else:
            raise ProtocolError(_("write: position startpos or position fen TEXT, then moves …"))
        positions = [position]
        for word in moves:
            for move in self._read_word(word, positions[-1]):
                positions.append(positions[-1].play(move))
        self.positions = positions

    def _read_word(self, word: str, position: Position) -> Iterator[Move]:
        """The moves of a word: one, a move with its shot, or a whole line of letters."""
        try:
            moves: Sequence[Move] = self.game.parse_turn(word, position)
        except InvalidMove:
            if len(word) == 1 or not self.game.single_letters:
                raise
        else:
            yield from moves
            return
        for letter in word:
            move = self.game.parse_move(letter, position)
            yield move
            position = position.play(move)

    def _outcome(self) -> Outcome | None:
        """How the game has ended, by its rules and those that need its history."""
        position, game = self.positions[-1], self.game
        limit, cap = game.repetition_limit, game.ply_cap
        by_rules = position.outcome()
        if by_rules is not None:
            return by_rules
        if limit and Counter(self.positions)[position] >= limit:
            return game.repetition_outcome(position)
        if cap and len(self.positions) > cap:
            return game.ply_cap_outcome(position)
        return None

    def _query(self, words: list[str]) -> None:
        outcome = self._outcome()
        if words == ["gameover"]:
            answer = str(outcome is not None).lower()
        elif words == ["p1turn"]:
            answer = str(self.positions[-1].turn == 0).lower()
        elif words == ["result"]:
            answer = "none" if outcome is None else "draw"
            if outcome is not None and outcome.winner is not None:
                answer = ("p1win", "p2win")[outcome.winner]
        else:
            raise ProtocolError(_("write: query gameover, query p1turn or query result"))
        self._say(f"response {answer}")

    # ---- thinking

    def _go(self, words: list[str]) -> None:
        self._must_be_idle()
        *history, position = self.positions
        task = self._asked(words, position, history)
        if self._outcome() is not None:
            self._error(over_message())
            self._say("bestmove (none)")
            return
        task.limits.check()
        if task.after_hit is not None:
            task.after_hit.check()
        for move in task.limits.searchmoves:
            position.check(move)
        before = self._task
        self._task = task
        task.thread = self._start(lambda: self._think(task, before))

    def _asked(self, words: list[str], position: Position, history: list[Position]) -> Request:
        """Reads what follows `go`."""
        numbers: dict[str, int] = {}
        flags: set[str] = set()
        searchmoves: list[Move] = []
        words = list(words)
        while words:
            word = words.pop(0)
            if word in ("infinite", "ponder"):
                flags.add(word)
            elif word in NUMBERS:
                least, most = NUMBERS[word]
                if not words:
                    raise ProtocolError(_("{word} needs a number").format(word=word))
                numbers[word] = read_whole(word, words.pop(0), least, most)
            elif word == "searchmoves":
                while words and words[0] not in GO_WORDS:
                    searchmoves.append(next(self._read_word(words.pop(0), position)))
            else:
                raise ProtocolError(
                    _("{word} cannot follow go; there are: {words}").format(
                        word=shorten(word), words=", ".join(GO_WORDS)
                    )
                )
        limits = self._limits(numbers, tuple(searchmoves), position.turn or 0)
        endless = Limits(infinite=True, searchmoves=limits.searchmoves, lines=limits.lines)
        if "infinite" in flags and len(limits_given(limits)) > 0:
            raise ProtocolError(_("infinite thought takes no other limit: leave one of them out"))
        if "ponder" in flags:
            after = None if limits.infinite else limits
            return Request(position, history, endless, waits=True, after_hit=after)
        return Request(position, history, limits, waits=limits.infinite)

    def _limits(self, numbers: dict[str, int], moves: tuple[Move, ...], player: int) -> Limits:
        clocks = (("p1time", "p1inc"), ("p2time", "p2inc"))[player]
        others = (("wtime", "winc"), ("btime", "binc"))[player]
        remaining = numbers.get(clocks[0], numbers.get(others[0]))
        increment = numbers.get(clocks[1], numbers.get(others[1], 0))
        movetime = numbers.get("movetime")
        limits = Limits(
            depth=min(numbers["depth"], MOST_DEPTH) if "depth" in numbers else None,
            nodes=numbers.get("nodes"),
            movetime=None if movetime is None else movetime / 1000,
            # A move's own time is the stricter of the two.
            remaining=None
            if remaining is None or movetime is not None
            else max(remaining, 0) / 1000,
            increment=increment / 1000,
            searchmoves=moves,
            lines=int(self.options["MultiPV"]),
            practical=movetime is not None or remaining is not None,  # a game is being played
        )
        if limits_given(limits):
            return limits
        return Limits(infinite=True, searchmoves=moves, lines=limits.lines)

    def _stop(self, words: list[str]) -> None:
        task = self._task
        if task is None or task.answered:
            return  # as UCI has it: whoever says stop may be a moment late
        task.stopped.set()
        engine = self._engine
        if engine is not None:
            engine.stop()
        else:
            self._answer(task)  # the compiler cannot be interrupted, but nobody must wait for it

    def _ponderhit(self, words: list[str]) -> None:
        task = self._task
        if not self._thinking() or task is None or not task.waits:
            raise ProtocolError(_("ponderhit needs a go ponder before it"))
        task.hit.set()
        if self._engine is not None:
            self._engine.stop()

    def _thinking(self) -> bool:
        return self._task is not None and not self._task.answered

    def _must_be_idle(self) -> None:
        if self._thinking():
            raise ProtocolError(_("the engine is thinking: say stop first"))

    def _start(self, work: Callable[[], None]) -> threading.Thread:
        """A thread that speaks the same language."""
        context = contextvars.copy_context()
        thread = threading.Thread(target=lambda: context.run(work), daemon=True)
        thread.start()
        return thread

    def _load(self) -> Any:
        """The engine for the options of the moment, ready to think; None if there can be none."""
        with self._loading:
            asked = (int(self.options["Hash"]), int(self.options["Threads"]))
            if self._engine is not None and self._engine_for == asked:
                return self._engine
            try:
                engine = self._make_engine(self.game, hash_mb=asked[0], threads=asked[1])
                engine.warm_up()
            except Exception as error:
                self._error(error)
                return self._spare()
            self._engine, self._engine_for = engine, asked
            return engine

    def _get_ready(self) -> None:
        """Loads the engine; and has the usual endgame table made, in the background, if there is none."""
        if self._load() is not None:
            self._have_table()

    def _have_table(self) -> None:
        from mbegu.engine.tables.ready import prepare  # noqa: PLC0415 - needs NumPy

        prepare(self.game)

    def _spare(self) -> Any:
        """The engine to go on with when another one cannot be had: the old one, or a small one."""
        if self._engine is None:
            try:
                engine = self._make_engine(self.game, hash_mb=SPARE[0], threads=SPARE[1])
                engine.warm_up()
            except Exception:
                return None  # the first error has been told
            self._engine, self._engine_for = engine, SPARE
        assert self._engine_for is not None
        self.options["Hash"], self.options["Threads"] = self._engine_for
        return self._engine

    # ---- in the thread of a thought

    def _think(self, task: Request, before: Request | None) -> None:
        if before is not None and before.thread is not None:
            before.thread.join()  # it has answered, but may still be putting things away
        try:
            engine = self._load()
            if engine is not None and not task.stopped.is_set():
                self._follow(task, engine, task.limits, task.hit)
                while task.waits and not (task.stopped.is_set() or task.hit.is_set()):
                    task.stopped.wait(0.01)  # found everything, but may not say so yet
                if task.hit.is_set() and task.after_hit and not task.stopped.is_set():
                    self._follow(task, engine, task.after_hit)
        except Exception as error:
            self._error(error)
        self._answer(task)

    def _follow(
        self, task: Request, engine: Any, limits: Limits, hit: threading.Event | None = None
    ) -> None:
        """Thinks within the limits, and tells of every step."""
        infos = engine.think(task.position, limits, task.history)
        try:
            for info in infos:
                before, task.best = task.best, info
                if before is None or (before.depth, before.lines) != (info.depth, info.lines):
                    self._tell(task, info)
                if task.stopped.is_set() or (hit is not None and hit.is_set()):
                    break
        finally:
            infos.close()

    def _tell(self, task: Request, info: Info) -> None:
        for number, line in enumerate(info.lines, 1):
            milliseconds = int(info.seconds * 1000)
            speed = int(info.nodes / max(info.seconds, 1e-3))
            several = f" multipv {number}" if task.limits.lines > 1 else ""
            self._say(
                f"info depth {info.depth}{several} score {score_words(line.score)} "
                f"nodes {info.nodes} nps {speed} time {milliseconds} hashfull {info.hashfull} "
                f"pv {self._joined(words_of(task.position, line.moves))}"
            )

    def _joined(self, words: Sequence[str]) -> str:
        """Programs of UCI write a line as they do in this game: in Oware, without spaces."""
        return (self.game.uci_gap if self.speaks_uci else " ").join(words)

    def _answer(self, task: Request) -> None:
        """Says the best move, once."""
        with self._writing:
            if task.answered:
                return
            task.answered = True
            position = task.position
            if task.best is None:
                allowed = task.limits.searchmoves or tuple(position.legal_moves())
                self._say(f"bestmove {self.game.format_move(allowed[0], position)}")
                return
            moves = task.best.lines[0].moves
            words = words_of(position, moves)
            line = f"bestmove {words[0]}"
            for move in self.game.parse_turn(words[0], position):
                position = position.play(move)
            if len(words) > 1 and position.turn not in (None, task.position.turn):
                line += f" ponder {words[1]}"
            self._say(line)

"""The engine protocol: what a program may say, and what it is answered."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from queue import Empty, Queue
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mbegu
from mbegu.core.game import Position
from mbegu.engine.engine import Info, Limits, Line, Score
from mbegu.engine.protocol import GO_WORDS, OPTIONS, Session, score_words


class Clockwork:
    """Stands in for the engine: plays the first legal moves, and obeys limits and `stop`."""

    made: ClassVar[list["Clockwork"]] = []
    loading: ClassVar[threading.Event | None] = None  # set it to let a slow compiler end

    def __init__(self, game: mbegu.Game, *, hash_mb: int, threads: int) -> None:
        if hash_mb > 4096:
            raise mbegu.MbeguError("too much")
        self.game, self.hash_mb, self.threads = game, hash_mb, threads
        self.asked: list[tuple[Position, Limits, list[Position]]] = []
        self.halt = threading.Event()
        self.forgot = 0
        Clockwork.made.append(self)

    def warm_up(self) -> None:
        if Clockwork.loading is not None:
            Clockwork.loading.wait(10)

    def stop(self) -> None:
        self.halt.set()

    def new_game(self) -> None:
        self.forgot += 1

    def think(self, position: Position, limits: Limits, history: list[Position]) -> Iterator[Info]:
        self.asked.append((position, limits, list(history)))
        self.halt.clear()
        lines = []
        for move in (limits.searchmoves or tuple(position.legal_moves()))[: limits.lines]:
            moves, after = [move], position.play(move)
            while after.turn is not None and len(moves) < 3:
                moves.append(after.legal_moves()[0])
                after = after.play(moves[-1])
            lines.append(Line(Score(1.5), tuple(moves)))
        for depth in range(1, (limits.depth or 3) + 1):
            yield Info(depth, 100 * depth, 0.01 * depth, tuple(lines))
        if limits.infinite:
            self.halt.wait(10)
        yield Info(depth, 100 * depth, 0.01 * depth, tuple(lines), final=True)


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    Clockwork.made, Clockwork.loading = [], None
    yield
    Clockwork.loading = None


class Talk:
    """A session with the stand-in, and what it said."""

    def __init__(self, game: str = "oware") -> None:
        self.said: list[str] = []
        self.session = Session(mbegu.game(game), self.said.append, make_engine=Clockwork)

    def __call__(self, *lines: str) -> list[str]:
        """Says lines, waits for the end of a thought with a limit, and returns what is new."""
        before = len(self.said)
        for line in lines:
            assert self.session.obey(line)
        task = self.session._task
        if task is not None and task.thread is not None and not task.waits:
            task.thread.join(10)
        return self.said[before:]

    def until(self, wanted: str) -> None:
        end = time.monotonic() + 10
        while not any(line.startswith(wanted) for line in self.said):
            assert time.monotonic() < end, (wanted, self.said)
            time.sleep(0.002)

    @property
    def position(self) -> str:
        return str(self.session.positions[-1])


def test_uci_and_ugi_introduce_the_engine() -> None:
    for word in ("uci", "ugi"):
        said = Talk()(word)
        assert said[0].startswith("id name Mbegu")
        assert said[1].startswith("id author ")
        assert said[-1] == f"{word}ok"
        assert "option name Hash type spin default 64 min 1 max 1048576" in said
        assert "option name Ponder type check default false" in said
        assert len(said) == 3 + len(OPTIONS)


@pytest.mark.parametrize("before", [(), ("go depth 1",)])
def test_whoever_is_ready_has_a_table_made(
    before: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, done = list[mbegu.Game](), threading.Event()

    def prepare(game: mbegu.Game) -> None:
        asked.append(game)
        done.set()

    monkeypatch.setattr("mbegu.engine.tables.ready.prepare", prepare)
    talk = Talk("oware(min_seeds=0)")
    talk(*before, "isready")
    assert done.wait(10)
    assert asked == [mbegu.game("oware(min_seeds=0)")]


def test_isready() -> None:
    talk = Talk()
    talk("isready")
    talk.until("readyok")
    assert talk("isready") == ["readyok"]


def test_auale_plays_a_game() -> None:
    talk = Talk("oware(min_seeds=0)")
    talk("uci", "setoption name OwnBook value false", "ucinewgame", "isready")
    talk.until("readyok")
    said = talk("position startpos moves FfEd", "go depth 10 movetime 1000")
    assert talk.position == "6-6-6-5-0-1-6-6-6-0-5-1-0-0-S"
    assert said[0] == "info depth 1 score cp 150 nodes 100 nps 10000 time 10 hashfull 0 pv AaA"
    assert said[-1] == "bestmove A ponder a"
    position, limits, history = Clockwork.made[0].asked[-1]
    assert str(position) == talk.position
    assert (limits.depth, limits.movetime) == (10, 1.0)
    assert len(history) == 4
    said = talk("position fen 4-4-4-4-4-4-4-4-4-4-4-4-0-0-N moves a", "go ponder")
    talk.until("info depth 3")
    talk("stop")
    talk.until("bestmove A")


@pytest.mark.parametrize("moves", ["FfEd", "F f E d", "Ff Ed"])
def test_moves_of_oware_may_be_joined(moves: str) -> None:
    talk = Talk()
    assert talk(f"position startpos moves {moves}") == []
    assert talk.position == "6-6-6-5-0-1-6-6-6-0-5-1-0-0-S"


@pytest.mark.parametrize("name", mbegu.game_names())
def test_positions_with_spaces(name: str) -> None:
    game = mbegu.game(name)
    position, words = game.start(), list[str]()
    for _ in range(6):
        move = position.legal_moves()[-1]
        words.append(game.format_move(move, position))
        position = position.play(move)
    talk = Talk(name)
    assert talk(f"position fen {game.start()} moves {' '.join(words)}") == []
    assert talk.position == str(position)
    assert talk(f"position fen {position}", "go depth 2")[-1].startswith("bestmove ")


def test_a_word_of_morabaraba_may_tell_a_shot() -> None:
    talk = Talk("morabaraba")
    assert talk("position startpos moves a1 b2 d1 b4 g1xb2") == []
    assert talk.position == "9/10 a1,d1,g1 b4 o 1/0 - - 0 0"
    assert talk("position startpos moves a1 b2 d1 b4 g1 xb2") == []
    assert talk.position == "9/10 a1,d1,g1 b4 o 1/0 - - 0 0"
    said = talk("position startpos moves a1 b2 d1 b4", "go depth 1 searchmoves g1")
    assert said[-1] == "bestmove g1xb2 ponder a4"


def test_ponder_is_the_move_of_the_other_player() -> None:
    assert Talk("kalah")("go depth 1 searchmoves C")[-1] == "bestmove C"  # C moves again


def test_errors_change_nothing() -> None:
    talk = Talk()
    talk("position startpos moves F")
    before = talk.position
    for line in (
        "position",
        "position fen",
        "position fen 1-2-3",
        "position startpos moves Z",
        "position startpos moves F F",
        "position startpos moves FfZd",
        "position elsewhere",
        "setoption",
        "setoption name Hash value 0",
        "setoption name Hash value many",
        "setoption name Ponder value perhaps",
        "setoption name Colour value red",
        "go depth",
        "go depth -1",
        "go depth 1e3",
        "go depth 5 infinite",
        "go sideways",
        "go searchmoves Z",
        "go searchmoves F",  # it is North's turn
        "query",
        "query weather",
        "ponderhit",
        "xyzzy",
        "\x00\x1b[2J\ufffd",
    ):
        said = talk(line)
        assert len(said) == 1, (line, said)
        assert said[0].startswith("info string error "), (line, said)
        assert said[0].isprintable()
    assert talk.position == before
    assert talk("", "   ", "debug on") == []
    assert not Clockwork.made


def test_a_line_that_is_too_long() -> None:
    assert "too long" in Talk()("position startpos moves " + "F " * 600_000)[0]


def test_limits() -> None:
    talk = Talk()

    def limits(line: str) -> Limits:
        talk(line)
        if line == "go":
            talk("stop")
            talk.until("bestmove")
        return Clockwork.made[-1].asked[-1][1]

    assert limits("go movetime 250") == Limits(movetime=0.25, practical=True)
    assert limits("go nodes 5000") == Limits(nodes=5000)
    assert limits("go p1time 60000 p2time 1 p1inc 500 p2inc 7") == Limits(
        remaining=60.0, increment=0.5, practical=True
    )
    assert limits("go wtime 3000 btime 4000 winc 0 binc 0 movestogo 9") == Limits(
        remaining=3.0, practical=True
    )
    assert limits("go wtime -20 btime 4000") == Limits(remaining=0.0, practical=True)
    talk("position startpos moves F")
    assert limits("go wtime 3000 btime 4000") == Limits(remaining=4.0, practical=True)
    assert limits("go depth 2 searchmoves a b nodes 7") == Limits(
        depth=2, nodes=7, searchmoves=(6, 7)
    )
    talk("setoption name MultiPV value 3")
    assert limits("go depth 2") == Limits(depth=2, lines=3)
    assert any(" multipv 3 " in line for line in talk.said)
    assert limits("go") == Limits(infinite=True, lines=3)


def test_infinite_thought_waits_for_stop() -> None:
    talk = Talk()
    talk("go infinite")
    talk.until("info depth 3")
    assert talk("isready") == ["readyok"]
    for line in ("go depth 1", "ucinewgame"):
        assert talk(line) == ["info string error the engine is thinking: say stop first"]
    assert not any(line.startswith("bestmove") for line in talk.said)
    talk("stop")
    talk.until("bestmove")
    assert talk("stop", "stop") == []


def test_ponderhit_starts_the_clock() -> None:
    talk = Talk()
    talk("position startpos moves F f", "go ponder p1time 5000 p2time 5000")
    talk.until("info depth 3")
    assert not any(line.startswith("bestmove") for line in talk.said)
    talk("ponderhit")
    talk.until("bestmove")
    assert [asked[1] for asked in Clockwork.made[0].asked] == [
        Limits(infinite=True),
        Limits(remaining=5.0, practical=True),
    ]


def test_nobody_waits_for_the_compiler() -> None:
    Clockwork.loading = threading.Event()
    talk = Talk()
    assert talk("go infinite", "stop") == ["bestmove A"]
    talk("go infinite", "stop")
    assert talk.said == ["bestmove A", "bestmove A"]
    assert not talk.session.close(patience=0.01)
    Clockwork.loading.set()


def test_options_make_a_new_engine() -> None:
    talk = Talk()
    talk("go depth 1", "setoption name hash value 2", "setoption name Threads value 2")
    talk("go depth 1", "uginewgame", "go depth 1")
    first, second = Clockwork.made
    assert (first.hash_mb, first.threads) == (64, 1)
    assert (second.hash_mb, second.threads) == (2, 2)
    assert second.forgot == 1


def test_without_an_engine_a_legal_move_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Clockwork) -> None:
        raise ImportError("no module named numba")

    monkeypatch.setattr(Clockwork, "warm_up", broken)
    assert Talk()("go depth 3") == ["info string error no module named numba", "bestmove A"]


def test_queries() -> None:
    talk = Talk()
    assert talk("query gameover", "query p1turn", "query result") == [
        "response false",
        "response true",
        "response none",
    ]
    talk("position fen 0-0-0-1-0-0-0-0-0-2-0-0-22-23-.")
    assert talk("query gameover", "query p1turn", "query result") == [
        "response true",
        "response false",
        "response p2win",
    ]
    assert talk("go depth 3") == ["info string error the game is over", "bestmove (none)"]


def test_a_position_that_comes_back_is_the_end() -> None:
    talk = Talk("oware(min_seeds=0)")
    before = "position fen 1-0-0-0-0-0-1-0-0-0-0-0-23-23-S moves AaBbCcDdEeF"
    assert talk(before, "query gameover") == ["response false"]
    assert talk("go depth 1")[-1].startswith("bestmove f")
    talk(before + "f")
    assert talk("query gameover", "query result") == ["response true", "response draw"]
    over = ["info string error the game is over", "bestmove (none)"]
    assert talk("go depth 3") == over
    assert talk("go infinite") == over
    assert talk("go ponder") == over


def test_scores() -> None:
    assert score_words(Score(3.204)) == "cp 320"
    assert score_words(Score(-0.5)) == "cp -50"
    assert score_words(Score(7, win=1)) == "mate 1"
    assert score_words(Score(7, win=4)) == "mate 2"
    assert score_words(Score(-7, win=-4)) == "mate -2"
    assert score_words(Score(-7, win=-1)) == "mate -1"  # his own move ends the game
    assert score_words(Score(4, result=1, likely=0)) == "cp 400"
    assert score_words(Score(4, likely=1)) == "cp 400"
    assert score_words(Score(8, exact=True)) == "cp 800"


WORDS = st.sampled_from(
    [
        *("uci ugi isready ucinewgame uginewgame setoption position go stop ponderhit").split(),
        *(
            "query gameover p1turn result name value startpos fen moves FfEd F f A 12 -1 0 1"
        ).split(),
        *("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S 0-0-0-0-0-0-0-0-0-0-0-0-0-0-S true Hash Threads").split(),
        *GO_WORDS,
        *OPTIONS,
    ]
)
GARBAGE = st.one_of(
    st.lists(WORDS, max_size=8).map(" ".join),
    st.text(max_size=40),
    st.binary(max_size=40).map(lambda data: data.decode("utf-8", errors="replace")),
).filter(lambda line: line.split()[:1] != ["quit"])


@pytest.mark.parametrize("name", ["oware", "morabaraba"])
@given(lines=st.lists(GARBAGE, max_size=25))
def test_garbage_is_survived(name: str, lines: list[str]) -> None:
    Clockwork.made = []
    talk = Talk(name)
    for line in lines:
        assert talk.session.obey(line)
    talk("stop")
    if talk.session._task is not None:
        talk.until("bestmove")
    talk("setoption name MultiPV value 1", "position startpos")
    assert talk("go depth 1")[-1].startswith("bestmove ")
    assert talk.session.close()
    for line in talk.said:
        assert line.strip()
        assert "\n" not in line
        assert "\r" not in line
    thoughts = sum(line.startswith("bestmove") for line in talk.said)
    assert thoughts >= 1


# ---- the real engine, in a process of its own


class Gui:
    """A program that drives the engine through pipes, as a graphical one does."""

    def __init__(self, game: str, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "mbegu", "engine", game, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "MBEGU_LANG": "en"},
        )
        self.lines: Queue[str] = Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.decode().rstrip("\n"))

    def say(self, *lines: str | bytes) -> None:
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write((line if isinstance(line, bytes) else line.encode()) + b"\n")
        self.process.stdin.flush()

    def hear(self, wanted: str, patience: float = 20) -> list[str]:
        heard: list[str] = []
        end = time.monotonic() + patience
        while not (heard and heard[-1].startswith(wanted)):
            try:
                heard.append(self.lines.get(timeout=max(end - time.monotonic(), 0.01)))
            except Empty:
                pytest.fail(f"waited for {wanted}, heard {heard}")
        return heard

    def end(self, patience: float = 10) -> tuple[int, str]:
        _, errors = self.process.communicate(timeout=patience)
        return self.process.returncode, errors.decode()


@pytest.fixture
def gui() -> Iterator[Callable[..., Gui]]:
    opened: list[Gui] = []

    def start(*arguments: Any) -> Gui:
        opened.append(Gui(*arguments))
        return opened[-1]

    yield start
    for each in opened:
        each.process.kill()
        each.process.communicate()


def test_without_the_memory_it_was_promised_it_thinks_with_less() -> None:
    talk = Talk()
    said = talk("setoption name Hash value 5000", "position startpos moves F", "go depth 2")
    assert said[0] == "info string error too much"
    assert said[-1].startswith("bestmove a")
    assert said[-2].startswith("info depth 2 ")
    assert talk("go depth 2")[0].startswith("info depth 1 ")  # told once
    talk("setoption name Hash value 32", "go depth 1", "setoption name Hash value 5000")
    assert talk("go depth 1")[-1].startswith("bestmove a")
    assert [engine.hash_mb for engine in Clockwork.made] == [16, 32]


def test_a_depth_that_is_never_reached_is_no_error() -> None:
    talk = Talk()
    assert talk("go depth 1000")[-1].startswith("bestmove A")
    assert Clockwork.made[0].asked[0][1].depth == 100


def test_a_program_drives_the_engine(gui: Callable[..., Gui]) -> None:
    engine = gui("oware", "--hash", "8")
    engine.say("uci")
    assert "option name Hash type spin default 64 min 1 max 1048576" in engine.hear("uciok")
    engine.say("isready")
    engine.hear("readyok", patience=60)
    engine.say("setoption name Hash value 4", "ucinewgame", "position startpos moves FfEd")
    engine.say("go depth 6")  # compiles if need be
    heard = engine.hear("bestmove", patience=300)
    assert any(line.startswith("info depth 6 score cp ") for line in heard)
    engine.say(b"\xff\xfe garbage \x00", "go infinite")
    engine.hear("info depth 8")
    engine.say("isready")
    before = engine.hear("readyok")
    assert not any(line.startswith("bestmove") for line in before), "it answers while it thinks"
    engine.say("stop")
    move = engine.hear("bestmove")[-1].split()[1]
    game = mbegu.game("oware")
    position = game.position("6-6-6-5-0-1-6-6-6-0-5-1-0-0-S")
    assert game.parse_move(move, position) in position.legal_moves()
    engine.say("go infinite")
    engine.hear("info depth 4")
    engine.say("quit")
    assert engine.end() == (0, "")


def test_a_line_without_end_is_one_error(gui: Callable[..., Gui]) -> None:
    engine = gui("oware")
    engine.say("x" * (4 << 20) + "\rquit", "query p1turn")
    assert engine.hear("response") == [
        "info string error this line is too long",
        "response true",
    ]


def test_too_much_memory_is_refused_at_the_start(gui: Callable[..., Gui]) -> None:
    code, errors = gui("oware", "--hash", "999999999").end()
    assert code == 2
    assert "MB would fit" in errors


def test_the_end_of_input_lets_a_limited_thought_end(gui: Callable[..., Gui]) -> None:
    engine = gui("oware")
    engine.say("position fen 0-0-0-0-0-2-4-0-0-0-0-1-20-21-S", "go depth 5")
    assert engine.process.stdin is not None
    engine.process.stdin.close()
    engine.process.stdin = None
    engine.hear("bestmove F", patience=300)
    assert engine.end()[0] == 0


def test_the_end_of_input_stops_an_endless_thought(gui: Callable[..., Gui]) -> None:
    engine = gui("oware")
    engine.say("go infinite")
    engine.hear("info depth 5", patience=300)
    assert engine.end()[0] == 0

"""The arena: games a minute, how soon an overrun is noticed, false timeouts, a spinning opponent.

python -m benchmarks.arena            a minute or two
python -m benchmarks.arena --long     with 5,000 games at 50 ms a move, and a contest of 30 AIs
python -m benchmarks.arena --busy 500 level 10 at 0.5 s a move while two programs spin beside it
"""

import argparse
import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import mbegu
from mbegu.arena.archive import GameArchive
from mbegu.arena.plan import read_plan
from mbegu.arena.pool import Arena, Job
from mbegu.arena.referee import Conditions
from mbegu.arena.roster import find_bot
from mbegu.arena.runner import BotFault, BotProcess
from mbegu.arena.tournament import Tournament
from mbegu.arena.waiting import look, we_waited
from mbegu.core.clock import Clock, TimeControl

OWARE = mbegu.game("oware")
AIS = Path(__file__).parent.parent / "tests" / "compat" / "maic" / "inside" / "ais"
RANDOM = """
import random


class Bot:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def choose(self, position, clock):
        return self.random.choice(position.legal_moves())
"""
SPINNING = """
import threading


class Bot:
    def __init__(self):
        threading.Thread(target=self.spin, daemon=True).start()

    def spin(self):
        while True:
            pass

    def choose(self, position, clock):
        return position.legal_moves()[0]
"""
COUNTING = """
import sys
import time


class Bot:
    def choose(self, position, clock):
        count, began = 0, time.process_time()
        while time.process_time() < began + 0.02:
            count += 1
        print(count / (time.process_time() - began), file=sys.stderr, flush=True)
        return position.legal_moves()[0]
"""
SLEEPING = (
    "class Bot:\n    def choose(self, position, clock):\n        while True:\n            pass\n"
)


def bot(folder: Path, name: str, text: str) -> str:
    """Writes a bot; the name of its file."""
    (folder / f"{name}.py").write_text(text)
    return str(folder / f"{name}.py")


def say(what: str, found: float, unit: str, goal: float, more_is_better: bool) -> None:
    """One line, with whether the goal is met."""
    met = found >= goal if more_is_better else found <= goal
    print(f"  {what:44} {found:10,.1f} {unit:12} (goal {goal:g}: {'met' if met else 'NOT MET'})")


def throughput(folder: Path, games: int, control: str) -> None:
    """Caged random against random."""
    spec = find_bot(bot(folder, "random_bot", RANDOM))
    jobs = [
        Job(str(n), "oware", (spec, spec), n, conditions=Conditions(control)) for n in range(games)
    ]
    workers = len(os.sched_getaffinity(0))
    late = wrong = 0
    with Arena(workers) as arena:
        for _warm in arena.play(jobs[: 2 * workers]):
            pass
        began = time.perf_counter()
        records = []
        for _job, played in arena.play(jobs):
            late += played.verdict.word == "timeout"
            records.append(played.record)
        spent = time.perf_counter() - began
    for text in records:
        record = mbegu.parse_record(text)
        record.check()
        wrong += str(record) != text
    say(f"caged random Oware games, {workers} workers", 60 * games / spent, "games/min", 2000, True)
    say(f"false timeouts in {games} games at {control}", late, "", 0, False)
    say("records that replay differently", wrong, "", 0, False)


def overrun(folder: Path, times: int = 20) -> None:
    """From the end of the time to the verdict, and until the process group is gone.

    What the bot and we had to wait for a processor is not counted, nor what the host of a virtual
    computer took from it: that is not the bot's time.
    """
    path = bot(folder, "sleeping", SLEEPING)
    noticed, gone = [], []
    for _again in range(times):
        process = BotProcess(find_bot(path))
        process.new_game(OWARE, OWARE.start(), 0, 1)
        group, inside = process._process.pid, process._thinker()
        clock = Clock(TimeControl.parse("0.1/move"))
        clock.start(0)
        kills: list[float] = []
        close = process.close

        def clear(inside=inside) -> float:
            return time.perf_counter() - waited(inside) - we_waited() - stolen()

        def closing(close=close, kills=kills, clear=clear) -> None:
            kills.extend((clear(), time.perf_counter(), we_waited() + stolen()))
            close()

        process.close = closing  # type: ignore[method-assign]
        began = clear()
        with contextlib.suppress(BotFault):
            process.choose(OWARE.start(), [], clock)
        noticed.append((kills[0] - began - 0.1) * 1000)
        _seen, killed, ours = kills[:3]
        while True:
            try:
                os.killpg(group, 0)
            except ProcessLookupError:
                break
            time.sleep(0.001)
        gone.append((time.perf_counter() - killed - (we_waited() + stolen() - ours)) * 1000)
    say("overrun noticed after (worst)", max(noticed), "ms", 20, False)
    say("process group gone after (worst)", max(gone), "ms", 100, False)
    print(
        f"  {'both, in the middle':44} {statistics.median(noticed):10.1f} ms, {statistics.median(gone):.1f} ms"
    )


def waited(pid: int) -> float:
    """Seconds that the threads of a process have waited for a processor so far."""
    return sum(times[1] for times in look([pid]).threads.values())


def stolen() -> float:
    """Seconds that other virtual computers have taken from this one, as far as its kernel is told."""
    return int(Path("/proc/stat").read_text().split()[8]) / os.sysconf("SC_CLK_TCK")


def spinning(folder: Path, moves: int = 300) -> None:
    """What a spinning opponent takes away: nodes, and the processor's time while it is not its turn.

    All share one core, and the one that counts moves in turn after a quiet and after a spinning opponent.
    Nodes are counted by second of processor time: other programs on this computer do not matter then.
    """
    texts = {"counting": COUNTING, "random_bot": RANDOM, "spinning": SPINNING}
    one, quiet, spinner = (
        BotProcess(find_bot(bot(folder, name, text))) for name, text in texts.items()
    )
    position, clock = OWARE.start(), Clock(TimeControl.parse("5/move"))
    nodes: dict[BotProcess, list[float]] = {quiet: [], spinner: []}
    thought = stolen = 0.0
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    with one, quiet, spinner:
        for process in (one, quiet, spinner):
            process.new_game(OWARE, position, 0, 1)
        for _move in range(moves):
            for other in (quiet, spinner):
                clock.start(0)
                other.choose(position, [], clock)
                clock.start(0)
                ran_before, began = ran(other), time.perf_counter()
                one.choose(position, [], clock)
                if other is spinner:
                    thought += time.perf_counter() - began
                    stolen += ran(other) - ran_before
                nodes[other].append(float(one.stderr().split()[-1]))
    os.sched_setaffinity(0, before)
    lost = 100 * (1 - statistics.median(nodes[spinner]) / statistics.median(nodes[quiet]))
    say("a spinning opponent costs, in nodes", lost, "%", 2, False)
    say("and takes of the other's time", 100 * stolen / thought, "%", 2, False)


def ran(process: BotProcess) -> float:
    """Seconds that a bot has run so far, all its threads."""
    folder = Path(f"/proc/{process._thinker()}/task")
    return sum(int((task / "schedstat").read_text().split()[0]) for task in folder.iterdir()) / 1e9


def contest(folder: Path, many: int = 30) -> None:
    """A round robin of contest AIs at 2 s a game, unattended; who did not finish is a fault."""
    styles = sorted(AIS.glob("*.py"))
    lines = [
        'game = "morabaraba"',
        'policy = "maic"',
        'time = "2+0"',
        "games = 1",
        "sanity = false",
    ]
    for number in range(many):
        style = styles[number % len(styles)]
        name = f"{style.stem}-{number // len(styles) + 1}"
        lines += ["[[bot]]", f'bot = "{style}"', f'name = "{name}"']
    (folder / "contest.toml").write_text("\n".join(lines))
    plan = read_plan(str(folder / "contest.toml"))
    began = time.perf_counter()
    with GameArchive(str(folder / "contest.db")) as archive:
        playing = Tournament(plan, archive)
        playing.run(len(os.sched_getaffinity(0)))
        faults = Counter(played.verdict.word for played in archive.games.values())
        missing = many * (many - 1) // 2 - len(archive.games)
    say(f"games missing of a contest of {many} AIs", missing, "games", 0, False)
    told = ", ".join(f"{word} × {count}" for word, count in sorted(faults.items()))
    print(f"  {'its verdicts':44} {told} ({time.perf_counter() - began:.0f} s)")


BUSY_GAMES = ("oware", "kalah", "awale2", "urubugu", "morabaraba")


def busy(
    games: int, workers: int, spinners: int, start: int = 0, control: str = "0.5/move"
) -> None:
    """False timeouts of level 10 while other programs spin beside it: it must never be late."""
    conditions, sides = Conditions(control), (find_bot("level10"), find_bot("random"))
    jobs = [
        Job(
            str(number),
            BUSY_GAMES[number // 2 % len(BUSY_GAMES)],
            sides if number % 2 == 0 else sides[::-1],
            number,
            conditions=conditions,
        )
        for number in range(start, start + games)
    ]
    late, moves, slowest, done, began = 0, 0, 0.0, 0, time.perf_counter()
    spin = [sys.executable, "-c", "while True: pass"]
    spinning = [subprocess.Popen(spin) for _spinner in range(spinners)]
    try:
        with Arena(workers) as arena:
            for job, played in arena.play(jobs):
                side = int(job.key) % 2
                done, moves = done + 1, moves + (played.plies + 1 - side) // 2
                slowest = max(slowest, played.slowest[side])
                if played.verdict.word == "timeout" and played.verdict.player == side:
                    late += 1
                    print(
                        f"  late in {job.game}, game {job.key}, ply {played.plies + 1}", flush=True
                    )
                if done % 50 == 0:
                    load = os.getloadavg()[0]
                    spent = time.perf_counter() - began
                    print(
                        f"  {done} games, {late} late, {spent:.0f} s, load {load:.1f}", flush=True
                    )
    finally:
        for process in spinning:
            process.kill()
            process.wait()
    what = f"level 10 late in {games} games at {control}, {spinners} spinning"
    say(what, late, "games", 0, False)
    print(f"  {'its moves; the slowest by the wall':44} {moves:10,} {slowest:.3f} s")


def starts(folder: Path, times: int = 10) -> None:
    """From nothing to a bot in its cage."""
    path, took = bot(folder, "random_bot", RANDOM), []
    for _again in range(times):
        began = time.perf_counter()
        with BotProcess(find_bot(path)) as process:
            process.start()
            took.append((time.perf_counter() - began) * 1000)
    print(f"  {'a bot starts in its cage (in the middle)':44} {statistics.median(took):10.1f} ms")


def main() -> None:
    """Everything, one line a figure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=400, help="caged, at 50 ms a move (400)")
    parser.add_argument("--long", action="store_true", help="5,000 games, and a contest of 30 AIs")
    parser.add_argument("--busy", type=int, default=0, help="only so many games of level 10, busy")
    parser.add_argument("--first", type=int, default=0, help="the first of those games: in parts")
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--spinners", type=int, default=2, help="programs that spin beside it (2)")
    arguments = parser.parse_args()
    load = os.getloadavg()[0]
    if load > 0.5:
        print(f"  (something else runs on this computer: load {load:.1f}; the figures suffer)")
    if arguments.busy:
        busy(arguments.busy, arguments.workers, arguments.spinners, arguments.first)
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        starts(folder)
        throughput(folder, 5000 if arguments.long else arguments.games, "0.05/move")
        overrun(folder)
        spinning(folder)
        if arguments.long:
            contest(folder)


if __name__ == "__main__":
    main()

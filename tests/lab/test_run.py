"""Runs of experiments: the same table however they go, and nothing lost on the way."""

import json
import multiprocessing
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mbegu.core.errors import MbeguError
from mbegu.lab.experiment import Experiment, Field, check
from mbegu.lab.manifest import RunFolder
from mbegu.lab.pieces import KINDS, Kind, Piece
from mbegu.lab.run import TRIES, Failure, RunProgress, read_table, run
from mbegu.work.executor import local_cluster

KILLS = 3
MANY = {"kind": "random", "game": "kalah", "seed": 3, "budget": {"games": 20_000, "piece": 250}}
FEW = {"kind": "random", "game": "kalah", "seed": 3, "budget": {"games": 300, "piece": 100}}


def pieces_in(folder: Path) -> int:
    return len(list((folder / "pieces").glob("*.parquet")))


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The table of MANY, made in one go by one process."""
    return run(check(MANY), tmp_path_factory.mktemp("plain") / "run").read_bytes()


# ---- what a run leaves


def test_a_run_leaves_a_table_and_says_how_it_was_made(tmp_path: Path) -> None:
    told: list[RunProgress] = []
    experiment = check(FEW | {"title": "Few"})
    path = run(experiment, tmp_path / "run", tell=told.append)
    table = read_table(tmp_path / "run")
    assert path == tmp_path / "run" / "table.parquet"
    assert table.schema.equals(KINDS["random"].schema)
    assert table["game"].to_pylist() == list(range(300))
    assert [(one.done, one.total) for one in told] == [(0, 3), (1, 3), (2, 3), (3, 3)]
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert (manifest["rules"], manifest["seed"], manifest["pieces"]) == ("kalah@1", 3, 3)
    assert manifest["sittings"][0]["host"]
    assert manifest["table"]["rows"] == 300
    assert RunFolder(tmp_path / "run").experiment() == experiment
    assert [note["piece"] for note in RunFolder(tmp_path / "run").log()] == [0, 1, 2]


def test_a_finished_run_is_not_run_again(tmp_path: Path) -> None:
    run(check(FEW), tmp_path / "run")
    before = (tmp_path / "run" / "manifest.json").read_bytes()
    run(check(FEW), tmp_path / "run")
    assert (tmp_path / "run" / "manifest.json").read_bytes() == before


@pytest.mark.parametrize(
    "told",
    [
        {
            "kind": "levels",
            "game": "kalah",
            "population": {"levels": [1, 2]},
            "budget": {"games": 2},
        },
        {"kind": "openings", "game": "oware", "budget": {"nodes": 1000, "hash": 1}},
        {"kind": "openings", "game": "kalah", "budget": {"nodes": 1000, "hash": 1}},
    ],
    ids=lambda told: f"{told['kind']}-{told['game']}",
)
def test_pieces_always_give_the_same_rows(told: dict[str, Any]) -> None:
    experiment = check(told)
    kind = KINDS[experiment.kind]
    piece = kind.pieces(experiment)[0]
    table = kind.run_piece(experiment, piece)
    assert table.schema.equals(kind.schema)
    assert len(table)
    assert kind.run_piece(experiment, piece).equals(table)


def test_levels_play_each_opening_with_both_sides() -> None:
    told = {"kind": "levels", "game": "oware", "population": {"levels": [1, 4]}}
    experiment = check(told | {"budget": {"games": 4, "piece": 4}})
    (piece,) = KINDS["levels"].pieces(experiment)
    rows = KINDS["levels"].run_piece(experiment, piece).to_pylist()
    assert [(row["first"], row["second"], row["opening"]) for row in rows] == [
        (1, 4, 0), (4, 1, 0), (1, 4, 1), (4, 1, 1),
    ]  # fmt: skip


# ---- however it goes


def test_killed_again_and_again(tmp_path: Path, plain: bytes) -> None:
    (tmp_path / "many.toml").write_text(check(MANY).to_toml())
    command = [sys.executable, "-m", "mbegu", "lab", "run", "many.toml"]
    folder, seen = tmp_path / "many-run", 0
    for _kill in range(KILLS):
        process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE)
        while pieces_in(folder) < seen + 3:
            assert process.poll() is None, process.communicate()
            time.sleep(0.002)
        process.kill()
        process.communicate()
        seen = pieces_in(folder)
        assert not (folder / "table.parquet").exists(), "killed too late"
    command += ["--workers", "2"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert f"{seen} of 80 pieces" in done.stderr
    assert (folder / "table.parquet").read_bytes() == plain
    assert len(json.loads((folder / "manifest.json").read_text())["sittings"]) == KILLS + 1


def test_a_process_that_is_killed_is_replaced(tmp_path: Path, plain: bytes) -> None:
    killed = []

    def kill_one(progress: RunProgress) -> None:
        if progress.done == 5 and not killed:
            killed.append(multiprocessing.active_children()[0].pid)
            os.kill(killed[0], signal.SIGKILL)

    path = run(check(MANY), tmp_path / "run", workers=2, tell=kill_one)
    assert killed
    assert path.read_bytes() == plain
    assert any(note["try"] == 2 for note in RunFolder(tmp_path / "run").log())


@pytest.mark.filterwarnings("default")  # what Dask says of itself
def test_what_listens_but_is_no_scheduler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mbegu.work.executor.CONNECT_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(MbeguError, match=f"{address}: what listens there is no Dask scheduler"):
            run(check(FEW), tmp_path / "run", cluster=address)


def test_a_port_that_is_taken_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "mbegu", "lab", "cluster", "--port", port]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert f"on port {port}: Address already in use" in done.stderr


def test_ctrl_c_ends_a_cluster_in_peace() -> None:
    command = [sys.executable, "-m", "mbegu", "lab", "cluster", "--workers", "1", "--port", "0"]
    pipes: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(command, start_new_session=True, **pipes)
    assert process.stdout is not None
    assert process.stdout.readline().startswith("tcp://127.0.0.1:")
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: its workers hear of it, too
    assert process.communicate()[1] == ""
    assert process.returncode == 0


def test_on_a_cluster_that_loses_a_worker(tmp_path: Path, plain: bytes) -> None:
    from distributed import Client

    def kill_one(progress: RunProgress) -> None:
        if progress.done == 5:
            with Client(cluster.address, set_as_default=False) as client:
                os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)

    with local_cluster(2) as cluster:
        path = run(check(MANY), tmp_path / "run", cluster=cluster.address, tell=kill_one)
    assert path.read_bytes() == plain
    (sitting,) = json.loads((tmp_path / "run" / "manifest.json").read_text())["sittings"]
    assert sitting["workers"] == 2
    with pytest.raises(MbeguError, match=re.escape(cluster.address)):
        run(check(FEW), tmp_path / "few", cluster=cluster.address)


def test_a_damaged_piece_is_done_again(tmp_path: Path) -> None:
    path = run(check(FEW), tmp_path / "run")
    before = path.read_bytes()
    piece = tmp_path / "run" / "pieces" / "000001.parquet"
    piece.write_bytes(piece.read_bytes()[:-20])
    path.unlink()
    assert run(check(FEW), tmp_path / "run").read_bytes() == before


# ---- when it cannot go on


class Failing(Kind):
    """Pieces that fail so and so often."""

    name, title = "failing", "Failing"
    budget: ClassVar = {
        "pieces": Field(3, "how many", 1, 9),
        "bad": Field(0, "failures of piece 1", 0, 9),
    }
    schema = pa.schema([("number", pa.int64())])
    failures = 0

    def parts(self, experiment: Experiment) -> Iterator[dict[str, Any]]:
        yield from ({"part": number} for number in range(experiment.budget["pieces"]))

    def run_piece(self, experiment: Experiment, piece: Piece) -> pa.Table:
        if piece.number == 1 and self.failures < experiment.budget["bad"]:
            self.failures += 1
            raise ZeroDivisionError("no luck")
        return self.table([{"number": piece.number}])


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "failing", Failing())


@pytest.mark.usefixtures("failing")
def test_a_piece_that_fails_is_tried_again(tmp_path: Path) -> None:
    run(check({"kind": "failing", "game": "oware", "budget": {"bad": TRIES - 1}}), tmp_path / "run")
    assert read_table(tmp_path / "run")["number"].to_pylist() == [0, 1, 2]
    assert [note["try"] for note in RunFolder(tmp_path / "run").log()] == [1, TRIES, 1]


@pytest.mark.usefixtures("failing")
def test_a_piece_that_always_fails_is_reported_and_the_others_kept(tmp_path: Path) -> None:
    experiment = check({"kind": "failing", "game": "oware", "budget": {"bad": TRIES}})
    with pytest.raises(Failure, match=r"1 of 3 pieces failed 3 times.*1 \(part 1\): ZeroDivision"):
        run(experiment, tmp_path / "run")
    assert pieces_in(tmp_path / "run") == 2
    with pytest.raises(MbeguError, match="this run is not finished"):
        read_table(tmp_path / "run")
    (failed,) = RunFolder(tmp_path / "run").read()["sittings"][0]["failed"]
    assert failed == {"piece": 1, "why": "ZeroDivisionError: no luck"}
    run(experiment, tmp_path / "run")  # it has failed often enough: now it works
    assert read_table(tmp_path / "run")["number"].to_pylist() == [0, 1, 2]


def test_another_experiment_is_refused(tmp_path: Path) -> None:
    run(check(FEW), tmp_path / "run")
    with pytest.raises(MbeguError, match=r"holds a run with budget\.piece = 100, and now it is 50"):
        run(check(FEW | {"budget": {"games": 300, "piece": 50}}), tmp_path / "run")
    run(check(FEW | {"title": "only another title"}), tmp_path / "run")
    run(check(FEW | {"seed": 9}), tmp_path / "run", restart=True)
    assert RunFolder(tmp_path / "run").read()["seed"] == 9


def test_two_processes_do_not_share_a_folder(tmp_path: Path) -> None:
    with RunFolder(tmp_path / "run"), pytest.raises(MbeguError, match="another process"):
        run(check(FEW), tmp_path / "run")


def test_a_full_disk_is_told_and_the_pieces_are_kept(tmp_path: Path) -> None:
    """Files that may not grow stand in for a disk that is full."""
    told = {"kind": "random", "game": "kalah", "budget": {"games": 20_000, "piece": 400}}
    (tmp_path / "big.toml").write_text(check(told).to_toml())
    code = "import sys; from mbegu.cli import main; sys.exit(main(['lab', 'run', 'big.toml']))"

    def small_files() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))

    command = [sys.executable, "-c", code]
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env=environment,
        preexec_fn=small_files,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    last = done.stderr.splitlines()[-1]
    assert "table.parquet: cannot be saved: File too large. What is finished is kept" in last
    assert pieces_in(tmp_path / "big-run") == 50
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    assert pq.read_metadata(tmp_path / "big-run" / "table.parquet").num_rows == 20_000

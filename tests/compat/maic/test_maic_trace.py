"""Old `.trace` files: converted when they are games, refused with a reason when they are not."""

import pickle
import shutil
import struct
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from mbegu.compat.maic import FOLDER
from mbegu.compat.maic.utils import restricted
from mbegu.compat.maic_trace import TraceError, read_trace

INSIDE = Path(__file__).parent / "inside"


@pytest.fixture(scope="module")
def traces(tmp_path_factory):
    folder = tmp_path_factory.mktemp("traces")
    subprocess.run([sys.executable, INSIDE / "write_traces.py", FOLDER, folder], check=True)
    return folder


@pytest.fixture
def refusal(tmp_path):
    def refuse(data: bytes) -> str:
        path = tmp_path / "bad.trace"
        path.write_bytes(data)
        with pytest.raises(TraceError) as caught:
            read_trace(path)
        assert str(caught.value).startswith(str(path))
        return str(caught.value).removeprefix(f"{path}: ")

    return refuse


def test_a_game(traces):
    game = read_trace(traces / "game.trace")
    assert game.names == ("Lord of War", "Haricrim")
    assert game.done
    assert game.actions[0].startswith("ADD ")
    assert {text.split()[0] for text in game.actions} >= {"ADD", "MOVE", "STEAL"}
    assert len(game.actions) == len(game.players) == len(game.boards) - 1
    assert game.players[:2] == (0, 1)
    assert game.boards[0] == "." * 24
    assert game.boards[1].count("x") == 1
    assert game.score == tuple(
        sum(
            1
            for text, who in zip(game.actions, game.players, strict=True)
            if who == seat and text[0] == "S"
        )
        for seat in (0, 1)
    )
    assert game.result in {"1-0", "0-1"}
    assert game.winner == (0 if game.score[0] > game.score[1] else 1)
    assert game.later_states == 0


@pytest.mark.parametrize("other", ["numpy", "protocol3", "protocol5", "refused", "fortran"])
def test_other_ways_to_write_the_same_game(traces, other):
    assert read_trace(traces / f"{other}.trace") == read_trace(traces / "game.trace")


def test_unfinished(traces):
    game = read_trace(traces / "unfinished.trace")
    assert (len(game.actions), game.done, game.winner, game.result) == (30, False, None, "*")


def test_a_second_game_in_the_same_file(traces):
    game = read_trace(traces / "two_games.trace")
    assert game.actions == read_trace(traces / "game.trace").actions
    assert game.later_states > 20


def test_names_are_made_printable(traces):
    game = read_trace(traces / "rude.trace")
    assert game.names == ("a?[2J??", "x" * 100)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("gap", "state 6: "),
        ("nameless", "does not name its two players"),
        ("protocol2", "forbidden name _codecs.encode"),
        ("missing", "there is no such file"),
    ],
)
def test_what_is_wrong_is_said(traces, name, reason):
    with pytest.raises(TraceError, match=reason):
        read_trace(traces / f"{name}.trace")


class Call:
    def __init__(self, function, *args):
        self.call = (function, args)

    def __reduce__(self):
        return self.call


@pytest.mark.parametrize("protocol", range(6))
@pytest.mark.parametrize("function", [eval, exec, getattr, __import__, sys.exit, shutil.rmtree])
def test_hostile_calls(refusal, protocol, function):
    module = function.__module__
    if module == "builtins" and protocol < 3:
        module = "__builtin__"  # as Python 2 called it
    assert refusal(pickle.dumps([Call(function, "x")], protocol)) == (
        f"forbidden name {module}.{function.__name__}: no trace of the contest needs it"
    )


@pytest.mark.parametrize(
    "text",
    [
        b"cos\nsystem\n(S'true'\ntR.",
        b"cposix\nsystem\n.",
        b"cnumpy\nload\n.",
        b"cnumpy.core.multiarray\nfromfile\n.",
        b"cnumpyXcore.multiarray\nscalar\n.",
        b"ccore\nColor.__class__\n.",
        b"ccore\nnp\n.",
        b"ccore.utils.generator\nColor\n.",
        b"cutils.trace\npickle\n.",
        b"cmorabaraba.morabaraba_rules\nrandom\n.",
    ],
)
def test_names_near_the_allowed_ones(refusal, text):
    assert refusal(text).startswith("forbidden name ")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "the file is empty"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "not a trace of the contest"),
        (b"Morabaraba\n", "damaged pickle"),
        (b"N" * 200_000, "far more in it"),
        (b"NN.", "left over"),
        (b".", "a value is missing"),
        (b"t.", "a mark is missing"),
        (b"h\x00.", "a reference to nothing"),
        (b"q\x00.", "nothing to remember"),
        (b"N", "cut short"),
        (b"(i__main__\nX\n.", "opcode INST"),
        (b"Ppersistent\n.", "opcode PERSID"),
        (b"\x82\x01.", "opcode EXT1"),
        (b"K\x01K\x01R.", "something that is no class"),
        (b"K\x01b.", "a value is missing|was expected"),
        (b"}K\x01s.", "a value is missing|was expected"),
        (b"}(K\x01u.", "a key without a value"),
        (b"}K\x01\x85K\x02s.", "neither text nor a number"),
        (b"K\x01K\x02a.", "a list was expected"),
        (b"ccore\nColor\nK\x02\x85R.", "a colour other than"),
        (b"ccore\nColor\n)R.", "a colour other than"),
        (b"ccore\nColor\n)\x81.", "no class of a trace"),
        (b"cutils.trace\nTrace\n)R.", "not made in this way"),
        (b"ccore\nColor\nK\x01\x85RNb.", "has no state"),
        (b"cnumpy.core.multiarray\nscalar\nNN\x86R.", "no integer"),
        (b"K\x01.", "a trace was expected"),
        (b"}.", "a trace was expected"),
        (b"cutils.trace\nTrace\n)\x81.", "has no attributes"),
        (b"cutils.trace\nTrace\n)\x81}b.", "name its two players"),
        (b"\x80\x04\x8e" + struct.pack("<Q", 2**62) + b"x.", "cut short"),
        (b"\x80\x05\x96" + struct.pack("<Q", 2**40) + b"x.", "cut short"),
        (b"\x80\x04\x95" + struct.pack("<Q", 2**62) + b"N.", "a trace was expected"),
        (b"Nr\xff\xff\xff\x7f.", "a trace was expected"),
        (b"I" + b"9" * 10_000 + b"\n.", "not a pickle"),
    ],
)
def test_damaged_and_hostile_bytes(refusal, data, reason):
    tracemalloc.start()
    try:
        message = refusal(data)
        _now, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert any(part in message for part in reason.split("|")), message
    assert most < 2 * restricted.MAX_BYTES, "what a file says of its size is not believed"


def test_every_way_to_cut_a_file_short(traces, refusal):
    data = (traces / "unfinished.trace").read_bytes()
    for length in range(1, len(data), len(data) // 40):
        assert refusal(data[:length])


def test_every_byte_that_can_go_wrong_is_an_error_or_a_game(traces, tmp_path):
    data = bytearray((traces / "unfinished.trace").read_bytes())
    path = tmp_path / "flipped.trace"
    for position in range(0, len(data), len(data) // 60):
        flipped = data.copy()
        flipped[position] ^= 0x15
        path.write_bytes(flipped)
        try:
            read_trace(path)
        except TraceError as fault:
            assert str(fault)  # noqa: PT017


def test_a_hash_that_would_take_for_ever(refusal):
    nested = b")" + b"2\x86" * 64  # a tuple of twice itself, 64 times
    assert "opcode DUP" in refusal(b"}" + nested + b"Ns.")
    nested = b")\x94" + b"".join(b"h" + bytes([i]) + b"\x86\x94" for i in range(64))
    assert "neither text nor a number" in refusal(b"\x80\x04}" + nested + b"Ns.")


def test_too_large(tmp_path, monkeypatch):
    path = tmp_path / "large.trace"
    path.write_bytes(b"N" * 1001)
    monkeypatch.setattr(restricted, "MAX_BYTES", 1000)
    with pytest.raises(TraceError, match="1,001 bytes; a trace has at most 1,000"):
        read_trace(path)


def test_a_folder(tmp_path):
    with pytest.raises(TraceError, match="there is no such file"):
        read_trace(tmp_path)


def test_colours_by_name():
    """Python 3.11.0 to 3.11.3 write a member of an enum as getattr(Color, name)."""
    color = restricted.loads(
        b"\x80\x04cbuiltins\ngetattr\nccore\nColor\nX\x05\x00\x00\x00green\x86R."
    )
    assert (color.kind, color.args) == ("color", (1,))
    for hostile in (
        b"\x80\x04cbuiltins\ngetattr\nccore\nColor\nX\x09\x00\x00\x00__class__\x86R.",
        b"\x80\x04cbuiltins\ngetattr\ncbuiltins\ngetattr\nX\x05\x00\x00\x00green\x86R.",
    ):
        with pytest.raises(TraceError, match=r"forbidden name builtins\.getattr"):
            restricted.loads(hostile)

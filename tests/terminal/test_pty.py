"""A real terminal: colours, Ctrl-C, Ctrl-D, and a game typed by hand."""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pexpect
import pytest

MBEGU = [sys.executable, "-m", "mbegu"]


@contextmanager
def terminal(*arguments: str, **env: str) -> Iterator["pexpect.spawn[str]"]:
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    child: pexpect.spawn[str] = pexpect.spawn(
        MBEGU[0],
        [*MBEGU[1:], *arguments],
        env={**environment, "MBEGU_LANG": "en", "TERM": "xterm", **env},
        encoding="utf-8",
        timeout=20,
        dimensions=(40, 120),
    )
    try:
        yield child
    finally:
        child.close(force=True)


def interrupt(child: "pexpect.spawn[str]") -> None:
    """Ctrl-C until the program ends, as a person would press it.

    A key that arrives between readline's prompt and its wait for input only counts with the
    next key: the pause is CPython's, and a busy machine can make it long.
    """
    for _ in range(5):
        child.sendintr()
        if child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=4) == 0:
            return
    pytest.fail("Ctrl-C does not end the program")


def test_a_whole_game_at_the_keyboard() -> None:
    with terminal(
        "play", "--plain", "oware", "--vs", "random", "--seed", "3", "--start", "me"
    ) as child:
        for _ in range(400):
            at = child.expect(["South> ", "The game is over"])
            if at == 1:
                break
            child.sendline("hint")
            child.expect(r"Try ([A-F])\.")
            assert child.match is not None
            child.expect("South> ")
            child.sendline(child.match.group(1) if child.match.lastindex else "moves")
            if not child.match.lastindex:
                child.expect(r"  ([A-F])[ A-F]*\r\n")
                house = child.match.group(1)
                child.expect("South> ")
                child.sendline(house)
        else:
            pytest.fail("the game did not end")
        child.sendline("q")
        child.expect(pexpect.EOF)
    assert child.exitstatus == 0


def test_ctrl_c_leaves_cleanly() -> None:
    with terminal("play", "--plain", "oware") as child:
        child.expect("South> ")
        interrupt(child)
        assert "Traceback" not in (child.before or "")
    assert child.exitstatus == 130


def test_ctrl_c_while_computers_play() -> None:
    with terminal(
        "play", "--plain", "kalah", "--first", "random", "--second", "random", "--pause", "5"
    ) as child:
        child.expect("Kalah")
        interrupt(child)
        assert "Traceback" not in (child.before or "")
    assert child.exitstatus == 130


def test_ctrl_d_ends_the_input() -> None:
    with terminal("play", "--plain", "oware") as child:
        child.expect("South> ")
        child.sendeof()
        child.expect("The input has ended")
        child.expect(pexpect.EOF)
    assert child.exitstatus == 0


def test_seeds_are_coloured_unless_no_color_is_set() -> None:
    with terminal("play", "--plain", "awale2", "--vs", "human") as child:
        child.expect("Odd> ")
        assert "\x1b[91m" in (child.before or "")
    with terminal("play", "--plain", "awale2", "--vs", "human", NO_COLOR="1") as child:
        child.expect("Odd> ")
        assert "\x1b[91m" not in (child.before or "")


def test_replay_goes_forward_and_back(tmp_path: object) -> None:
    file = f"{tmp_path}/game.txt"
    with terminal("play", "--plain", "oware", "--vs", "human") as child:
        for line in ("C", "f", f"save {file}", "q"):
            child.expect("(South|North)> ")
            child.sendline(line)
        child.expect(pexpect.EOF)
    with terminal("replay", file) as child:
        child.expect(r"\[0/2\] ")
        child.sendline("")
        child.expect(r"\[1/2\] ")
        child.sendline("b")
        child.expect(r"\[0/2\] ")
        child.sendline("q")
        child.expect(pexpect.EOF)
    assert child.exitstatus == 0


@pytest.mark.parametrize("kind", ["xterm", "xterm-256color"])
def test_no_colour_is_no_colour_and_no_grey(kind: str) -> None:
    """On a dark ground a black that should have been no colour cannot be read."""
    with terminal("tui", "oware", "--vs", "random", TERM=kind, NO_COLOR="1") as child:
        child.expect("South to move")
        child.send("t")
        child.expect("NO_COLOR is set: there are no colours to choose")
        seen = (child.before or "") + (child.after or "")
        interrupt(child)
    codes = {code for told in re.findall(r"\x1b\[([\d;]+)m", seen) for code in told.split(";")}
    assert codes, "it stands out by what is bold, underlined or turned round"
    assert codes <= {"0", "1", "4", "7", "39", "49"}

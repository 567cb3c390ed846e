"""A plugin that lies or breaks is named with the reason, everywhere, and the others go on."""

import json
from pathlib import Path

import pytest
from plugins import install, run

HERE = Path(__file__).parent.parent
NIM = (HERE / "nim.py").read_text("utf-8")
BOARD = """
    @property
    def board(self):
        from mbegu.core.board import Board, Place
        return Board("grid", (Place("heap"),))
"""
LIES: dict[str, tuple[str, str]] = {
    "it crashes on import": (
        "1 / 0\n" + NIM,
        "nim cannot be used: ZeroDivisionError: division by zero",
    ),
    "it is not there": ("", "nim cannot be used: AttributeError"),
    "it is no game": ("Nim = 3\n", "the entry point nim = lying_nim:Nim is not a Game"),
    "it has two names": (
        NIM.replace('name = "nim"', 'name = "heaps"'),
        "nim cannot be used: its card calls it heaps, its entry point nim",
    ),
    "it has no first position": (
        NIM.replace("return NimPosition(self, self.stones, 0)", "raise KeyError('stones')"),
        "nim cannot be used: KeyError: 'stones'",
    ),
    "what lies where is not told": (
        NIM.replace("    stones: int = option(", BOARD + "\n    stones: int = option("),
        "nim cannot be used: places() does not tell what lies in “heap”",
    ),
    "a place does not exist": (
        NIM.replace("    stones: int = option(", BOARD + "\n    stones: int = option(").replace(
            "    def scores(self)",
            "    def places(self):\n"
            "        from mbegu.core.board import Lying\n"
            '        return {"heap": Lying((self.heap,)), "moon": Lying((1,))}\n\n'
            "    def scores(self)",
        ),
        "nim cannot be used: something lies in “moon”, which is no place of the board",
    ),
    "a count is wrong": (
        NIM.replace("    stones: int = option(", BOARD + "\n    stones: int = option(").replace(
            "    def scores(self)",
            "    def places(self):\n"
            "        from mbegu.core.board import Lying\n"
            '        return {"heap": Lying((-1,))}\n\n'
            "    def scores(self)",
        ),
        "nim cannot be used: “(-1,)” cannot lie in heap",
    ),
    "it ends the program": ("import sys\nsys.exit(3)\n", "nim cannot be used: SystemExit: 3"),
    "a story has no end": (
        NIM.replace("        yield Capture(", "        while True:\n            yield Capture("),
        "nim cannot be used: the story of “1” has no end: more than 200000 events",
    ),
    "a move is no plain data": (
        NIM.replace("[take for take in", "[(take,) for take in"),
        "nim cannot be used: a move is a number or a text, not “(1,)”",
    ),
    "there are moves without end": (
        NIM.replace(
            "return [take for take in (1, 2, 3)", "return (take for take in iter(int, 1)"
        ).replace("<= self.heap]", "<= self.heap)"),
        "nim cannot be used: legal_moves() gives generator, not a list",
    ),
    "a board is too large": (
        NIM.replace("    stones: int = option(", BOARD + "\n    stones: int = option(").replace(
            '(Place("heap"),)', "tuple(Place(str(k)) for k in range(100_000))"
        ),
        "nim cannot be used: its board has 100000 places; 1000 can be shown",
    ),
    "a sentence has a blank that nobody fills": (
        NIM.replace("yield Capture(", "yield Heap(").replace(
            "@dataclass(frozen=True)\nclass Nim(",
            "@dataclass(frozen=True)\nclass Heap(Capture):\n    sentence = '{moon}'\n\n\n"
            "@dataclass(frozen=True)\nclass Nim(",
        ),
        "nim cannot be used: KeyError: 'moon'",
    ),
}
API = """
import asyncio, json
from mbegu.server.play.catalogue import cards
from mbegu.core.registry import game_names, trouble
print(json.dumps([[card["name"] for card in cards("en")], {n: trouble(n) for n in game_names()}]))
"""


@pytest.mark.parametrize("lie", LIES)
def test_a_game_that_cannot_be_used_is_named(lie: str, tmp_path: Path) -> None:
    source, why = LIES[lie]
    points = {"mbegu.games": {"nim": "lying_nim:Nim"}}
    install(tmp_path, "lying-nim", {"lying_nim.py": source}, points)
    listed = run(tmp_path, "-m", "mbegu", "games")
    assert listed.returncode == 0, listed.stderr
    assert why in listed.stdout
    assert "morabaraba" in listed.stdout
    asked = run(tmp_path, "-m", "mbegu", "rules", "nim")
    assert asked.returncode != 0
    assert why in asked.stderr
    assert "Traceback" not in asked.stderr


def test_the_server_goes_on_without_it(tmp_path: Path) -> None:
    points = {"mbegu.games": {"nim": "lying_nim:Nim"}}
    install(tmp_path, "lying-nim", {"lying_nim.py": "1 / 0\n"}, points)
    said = run(tmp_path, "-c", API)
    assert said.returncode == 0, said.stderr
    names, troubles = json.loads(said.stdout)
    assert names == ["oware", "kalah", "awale2", "urubugu", "morabaraba"]
    assert troubles["nim"].startswith("nim cannot be used: ZeroDivisionError: division by zero (")
    assert set(troubles) - {"nim"} == set(names)


def test_a_kernel_that_disagrees_is_not_trusted(tmp_path: Path) -> None:
    kernel = (HERE / "nim_kernel.py").read_text("utf-8").replace("MOST = U(3)", "MOST = U(2)")
    points = {"mbegu.games": {"nim": "lying_nim:Nim"}, "mbegu.kernels": {"nim": "lying_kernel"}}
    install(tmp_path, "lying-nim", {"lying_nim.py": NIM, "lying_kernel.py": kernel}, points)
    said = run(tmp_path, "-m", "mbegu", "analyse", "nim", "--depth", "3")
    assert said.returncode != 0
    why = "legal moves: the kernel says [1, 2], the rules say [1, 2, 3]"
    assert f"the kernel of nim (lying_kernel) cannot be used: at 12 0: {why}" in said.stderr
    assert "Traceback" not in said.stderr


def test_a_kernel_that_promises_too_much_is_not_trusted(tmp_path: Path) -> None:
    """What the engine calls proved rests on the bounds that the kernel gives."""
    kernel = (HERE / "nim_kernel.py").read_text("utf-8")
    kernel = kernel.replace(
        "@implement(the.margin, NimState)",
        "@implement(knowledge.bounds, NimState)\ndef _bounds(state):\n    return 0, 0\n\n\n"
        "@implement(the.margin, NimState)",
    )
    kernel = kernel.replace(
        "from mbegu.engine.kernels import interface",
        "from mbegu.engine import knowledge\nfrom mbegu.engine.kernels import interface",
    )
    points = {"mbegu.games": {"nim": "lying_nim:Nim"}, "mbegu.kernels": {"nim": "lying_kernel"}}
    install(tmp_path, "lying-nim", {"lying_nim.py": NIM, "lying_kernel.py": kernel}, points)
    said = run(tmp_path, "-m", "mbegu", "analyse", "nim", "--depth", "3")
    assert said.returncode != 0
    assert "at 12 0: `bounds` says 0 to 0, and the game ends with " in said.stderr
    assert "Traceback" not in said.stderr


def test_a_name_that_is_taken(tmp_path: Path) -> None:
    """Nobody takes the place of a game of ours, and of two strangers neither is guessed at."""
    files = {"lying_nim.py": NIM}
    install(tmp_path, "one-nim", files, {"mbegu.games": {"nim": "lying_nim:Nim"}})
    other = {"other_nim.py": NIM}
    points = {"mbegu.games": {"nim": "other_nim:Nim", "oware": "other_nim:Nim"}}
    install(tmp_path, "other-nim", other, points)
    listed = run(tmp_path, "-m", "mbegu", "games").stdout
    assert "oware (abapa, awale, wari): Sow around twelve houses" in listed
    taken = "another game has this name already; packages that bring one:"
    assert f"oware (other_nim:Nim) cannot be used: {taken} other-nim" in listed
    assert f"nim cannot be used: {taken} one-nim, other-nim" in listed


def test_where_a_game_breaks_is_told(tmp_path: Path) -> None:
    source = NIM.replace(
        "        yield Capture(", "        1 / (12 - self.heap)\n        yield Capture("
    )
    line = 1 + source.splitlines().index("        1 / (12 - self.heap)")
    install(tmp_path, "nim", {"lying_nim.py": source}, {"mbegu.games": {"nim": "lying_nim:Nim"}})
    listed = run(tmp_path, "-m", "mbegu", "games").stdout
    why = f"ZeroDivisionError: division by zero ({tmp_path.name}/lying_nim.py, line {line})"
    assert f"nim cannot be used: its rules fail at “12 0”: {why}" in listed


@pytest.mark.parametrize(
    "command",
    [
        ("play", "nim", "--vs", "random", "--seed", "1"),
        ("analyse", "nim", "--nodes", "200"),
        ("perft", "nim", "5"),
        ("match", "nim", "random", "greedy", "--games", "1"),
        ("lab", "stats", "nim", "--games", "3", "--levels", "none", "--nodes", "100"),
    ],
)
def test_rules_that_fail_in_the_middle(command: tuple[str, ...], tmp_path: Path) -> None:
    failing = "        if self.heap <= 9:\n            raise RuntimeError('the sky falls')\n"
    asked = "    def legal_moves(self) -> list[Move]:\n"
    assert asked in NIM
    source = NIM.replace(asked, asked + failing)
    install(tmp_path, "nim", {"lying_nim.py": source}, {"mbegu.games": {"nim": "lying_nim:Nim"}})
    said = run(tmp_path, "-m", "mbegu", *command, typed="3\n3\n3\n")
    assert "Traceback" not in said.stderr + said.stdout
    assert "nim cannot be used: its rules fail at “" in said.stderr + said.stdout

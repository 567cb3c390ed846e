"""Hypothesis strategies for positions of our games, and the symmetries of each game."""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

import mbegu
from mbegu.core.game import Game, Move, Position
from mbegu.games.morabaraba import MILLS, POINTS

VARIANTS = [
    "oware",
    "oware(grand_slam=illegal)",
    "oware(grand_slam=take)",
    "oware(min_seeds=0)",
    "kalah",
    "kalah(empty_capture=True)",
    "kalah(pits=3,seeds=5)",
    "kalah(pits=10,seeds=2)",
    "kalah(pits=1,seeds=3)",
    "awale2",
    "awale2(red_everywhere=False)",
    "awale2(chain=sown)",
    "awale2(starve_first=False)",
    "urubugu",
    "urubugu(start_min=2)",
    "urubugu(capture=both)",
    "urubugu(landing=occupied)",
    "urubugu(restart=turn)",
    "urubugu(traditional)",
    "morabaraba",
    "morabaraba(rules=classic)",
]


# ---- positions --------------------------------------------------------------------------------------


def positions(text: str) -> st.SearchStrategy[Position]:
    """Positions that play reaches, and positions that somebody laid out."""
    game = mbegu.game(text)
    arranged = ARRANGED.get(game.name)
    return played(game) if arranged is None else st.one_of(played(game), arranged(game))


@st.composite
def played(draw: st.DrawFn, game: Game) -> Position:
    """A position some way into a game, or at its end."""
    chance = random.Random(draw(st.integers(0, 2**16 - 1)))  # quicker than drawing every move
    position = game.start()
    for _move in range(draw(st.integers(0, LONGEST[game.name]))):
        moves = position.legal_moves()
        if not moves:
            break
        position = position.play(chance.choice(moves))
    return position


LONGEST = {"oware": 80, "kalah": 50, "awale2": 60, "urubugu": 60, "morabaraba": 130}


@st.composite
def oware_arranged(draw: st.DrawFn, game: Game) -> Position:
    board = []
    for _row in range(2):  # against a poor opponent there are grand slams, and hunger
        counts = draw(st.sampled_from((COUNTS, (0, 0, 0, 1, 1, 2))))
        board += draw(st.lists(st.sampled_from(counts), min_size=6, max_size=6))
    score = draw(st.lists(st.integers(0, 25), min_size=2, max_size=2))
    return game.from_json({"board": board, "score": score, "to_move": draw(PLAYERS)})


@st.composite
def kalah_arranged(draw: st.DrawFn, game: Any) -> Position:
    size = 2 * game.pits + 2
    counts = [count for count in COUNTS if count * size <= 255]
    pits = draw(st.lists(st.sampled_from(counts), min_size=size, max_size=size))
    return game.from_json({"pits": pits, "to_move": draw(PLAYERS)})  # type: ignore[no-any-return]


@st.composite
def awale2_arranged(draw: st.DrawFn, game: Game) -> Position:
    piles = heaped(draw(st.lists(st.integers(0, 33), max_size=32)), 34)
    state = {"red": piles[:16], "blue": piles[16:32], "score": piles[32:]}
    return game.from_json({**state, "to_move": draw(PLAYERS)})


@st.composite
def urubugu_arranged(draw: st.DrawFn, game: Game) -> Position:
    piles = heaped(draw(st.lists(st.integers(0, 31), min_size=1, max_size=32)), 32)
    return game.from_json({"p0": piles[:16], "p1": piles[16:], "to_move": draw(PLAYERS)})


# Houses are often empty or nearly so; 12, 13 and 23 are where laps become interesting.
COUNTS = (0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 5, 6, 8, 11, 12, 13, 15)
PLAYERS = st.integers(0, 1)
ARRANGED: dict[str, Callable[[Any], st.SearchStrategy[Position]]] = {
    "oware": oware_arranged,
    "kalah": kalah_arranged,
    "awale2": awale2_arranged,
    "urubugu": urubugu_arranged,
}


def heaped(falls: Iterable[int], size: int) -> list[int]:
    """Seeds that fall two by two into holes."""
    piles = [0] * size
    for hole in falls:
        piles[hole] += 2 - piles[hole] % 2
    return piles


def thinkable_moves(game: Any) -> list[Move]:
    """Every move that can be read, wherever it might be legal."""
    match game.name:
        case "oware":
            return list(range(12))
        case "kalah":
            return list(range(game.pits))
        case "awale2":
            return [f"{hole}{colour}" for hole in range(1, 17) for colour in "RB"]
        case "urubugu":
            return list(range(1, 17))
        case _:
            ones = [f"{kind} {point}" for kind in ("ADD", "STEAL") for point in POINTS]
            return ones + [
                f"{kind} {a} {b}" for kind in ("MOVE", "FLY") for a in POINTS for b in POINTS
            ]


# ---- symmetries -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Symmetry:
    """A change of the board under which the rules stay the same."""

    name: str
    swaps: bool  # the players change places
    state: Callable[[Any], Any]
    move: Callable[[Any], Move]


def other(player: int | None) -> int | None:
    return None if player is None else 1 - player


def oware_turned(state: Any) -> Any:
    """By six houses."""
    board = state["board"]
    return {
        "board": board[6:] + board[:6],
        "score": state["score"][::-1],
        "to_move": other(state["to_move"]),
    }


def kalah_turned(state: Any) -> Any:
    half = len(state["pits"]) // 2
    pits = state["pits"][half:] + state["pits"][:half]
    return {"pits": pits, "to_move": other(state["to_move"])}


def awale2_turned(state: Any) -> Any:
    """By one hole."""
    return {
        "red": state["red"][-1:] + state["red"][:-1],
        "blue": state["blue"][-1:] + state["blue"][:-1],
        "score": state["score"][::-1],
        "to_move": other(state["to_move"]),
    }


def urubugu_turned(state: Any) -> Any:
    return {"p0": state["p1"], "p1": state["p0"], "to_move": other(state["to_move"])}


def same(thing: Any) -> Any:
    return thing


def board_maps() -> list[dict[str, str]]:
    """The sixteen symmetries of the Morabaraba board: turned, mirrored, inside out."""

    def name(column: int, row: int) -> str:
        return "abcdefg"[column + 3] + str(row + 4)

    maps = []
    for inside_out in (False, True):
        for mirrored in (1, -1):
            for quarter_turns in range(4):
                images = {}
                for point in POINTS:
                    x, y = "abcdefg".index(point[0]) - 3, int(point[1]) - 4
                    x *= mirrored
                    for _turn in range(quarter_turns):
                        x, y = -y, x
                    ring = max(abs(x), abs(y))
                    size = 4 - ring if inside_out else ring
                    images[point] = name(x // ring * size, y // ring * size)
                maps.append(images)
    return maps


MILL_NAMES = {frozenset(mill): "-".join(mill) for mill in MILLS}
MILL_ORDER = ["-".join(mill) for mill in MILLS]


def morabaraba_symmetry(images: dict[str, str], number: int, swaps: bool) -> Symmetry:
    back = {image: point for point, image in images.items()}
    cow = {"x": "o", "o": "x", ".": "."} if swaps else {mark: mark for mark in "xo."}
    order = slice(None, None, -1 if swaps else 1)
    sign = -1 if swaps else 1

    def ban(name: str) -> str:
        """A banned mill, or (classic) a banned step, which has a direction."""
        points = [images[point] for point in name.split("-")]
        return "-".join(points) if len(points) == 2 else MILL_NAMES[frozenset(points)]

    def bans(names: list[str]) -> list[str]:
        found = [ban(name) for name in names]
        return sorted(found, key=lambda name: MILL_ORDER.index(name) if name in MILL_ORDER else -1)

    def state(old: Any) -> Any:
        marks = dict(zip(POINTS, old["board"], strict=True))
        over = old["over"]
        return {
            **old,
            "board": "".join(cow[marks[back[point]]] for point in POINTS),
            "turn": sign * old["turn"],
            "in_hand": old["in_hand"][order],
            "score": old["score"][order],
            "ban": [bans(names) for names in old["ban"][order]],
            "over": over and {**over, "winner": sign * over["winner"]},
        }

    def move(text: Any) -> Move:
        kind, *points = text.split()
        return " ".join([kind, *(images[point] for point in points)])

    return Symmetry(f"{number}{'-swapped' if swaps else ''}", swaps, state, move)


SYMMETRIES: dict[str, list[Symmetry]] = {
    "oware": [Symmetry("half a turn", True, oware_turned, lambda house: (house + 6) % 12)],
    "kalah": [Symmetry("half a turn", True, kalah_turned, same)],
    "awale2": [
        Symmetry(
            "one hole",
            True,
            awale2_turned,
            lambda move: f"{int(move[:-1]) % 16 + 1}{move[-1]}",
        )
    ],
    "urubugu": [Symmetry("half a turn", True, urubugu_turned, same)],
    "morabaraba": [
        morabaraba_symmetry(images, number, swaps)
        for number, images in enumerate(board_maps())
        for swaps in (False, True)
    ],
}

"""Evaluations: the same for mirror images, bounded by what can still happen, and of some use."""

import random
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

import mbegu
from mbegu.engine.kernels import driver

np = pytest.importorskip("numpy")
SEED = 256
GAMES = ("awale2", "kalah", "morabaraba", "oware", "urubugu")
MOST = {"oware": 48, "kalah": 48, "awale2": 64, "urubugu": 64, "morabaraba": 10}


def states(name: str, count: int = 30) -> Iterator[Any]:
    """Positions of random games, as the kernel holds them."""
    kernel, lot = driver.kernel_of(name), random.Random(7)
    for _game in range(count):
        state = kernel.pack(mbegu.game(name).start().to_json(), {})
        for _ply in range(200):
            moves = driver.legal_moves(state)
            if not moves:
                break
            yield state
            state, _again = driver.play(state, lot.choice(moves))


def counted(state: Any) -> tuple[Any, int, Any]:
    """Features, phase, and the bytes that the tables of the evaluation are asked with."""
    from mbegu.lab.tune import _count_all, evaluation_of

    name = type(state).__module__.split(".")[2]
    counts = np.zeros((1, len(evaluation_of(mbegu.game(name)).FEATURES)), np.int64)
    facts, row = np.zeros((1, 3), np.int64), np.zeros((1, 256), np.uint8)
    words, places = np.array([state], np.uint64), np.arange(256)
    scratch = np.zeros(256, np.uint8)
    _count_all(state, words.ctypes.data, words.shape[1], scratch, places, counts, facts, row)
    return tuple(map(int, counts[0])), int(facts[0, 0]), row[0]


@pytest.mark.parametrize("name", GAMES)
def test_estimates_are_within_reason(name: str) -> None:
    estimates = [driver.evaluate(state) / SEED for state in states(name)]
    assert max(map(abs, estimates)) < 4 * MOST[name]
    assert len(set(estimates)) > 50, "it tells positions apart"


def mirrored(name: str, state: Any) -> Any:
    """The same position with the other player to move."""
    words = list(state)
    swapped = {
        "oware": lambda w: [w[1], w[0]],
        "kalah": lambda w: [w[1], w[0], w[2]],
        "awale2": lambda w: [w[2], w[3], w[0], w[1], w[5], w[4], 1 - w[6]],
        "urubugu": lambda w: [w[2], w[3], w[0], w[1]],
        "morabaraba": lambda w: [w[1], w[0], w[3], w[2], w[4]],
    }[name](words)
    return type(state)(*(np.uint64(int(word)) for word in swapped))


@pytest.mark.parametrize("name", GAMES)
def test_what_one_wins_the_other_loses(name: str) -> None:
    """But for what it is worth to be to move: of both estimates together only that is left."""
    shot = 1 << 40
    left = []
    for state in states(name, 10):
        if name == "morabaraba" and int(state.clock) & shot:
            continue
        left.append((driver.evaluate(state) + driver.evaluate(mirrored(name, state))) / SEED)
    assert float(np.mean(np.abs(left))) < MOST[name] / 2


@pytest.mark.parametrize("name", ["awale2", "morabaraba", "oware", "urubugu"])
def test_it_is_worth_something_to_be_ahead(name: str) -> None:
    score = {"oware": "captured", "awale2": "captured", "urubugu": "beads", "morabaraba": "shot"}
    weights = import_module(f"mbegu.games.{name}.weights").WEIGHTS
    assert min(weights[score[name]]) > 0


def test_kalah_counts_the_stores_in_full() -> None:
    """The search leaves the stores out of its table, so the rest must not depend on them."""
    kernel = driver.kernel_of("kalah")
    pits = [1, 0, 4, 5, 2, 0, 0, 3, 3, 0, 1, 6, 2, 0]
    plain = driver.evaluate(kernel.pack({"pits": pits, "to_move": 0}, {}))
    pits[6], pits[13] = 9, 2
    assert driver.evaluate(kernel.pack({"pits": pits, "to_move": 0}, {})) == plain + 7 * SEED


def test_kalah_of_any_width_counts_alike() -> None:
    """Six pits in the narrow and in the wide form."""
    from mbegu.games.kalah.kernel import KalahWide, U, lanes

    kernel, lot = driver.kernel_of("kalah"), random.Random(3)
    for _ in range(20):
        pits = [lot.randrange(5) for _ in range(14)]
        if not any(pits[:6]) or not any(pits[7:13]):
            continue
        narrow = kernel.pack({"pits": pits, "to_move": 0}, {})
        mine, his = pits[:7], pits[7:]
        wide = KalahWide(
            U(lanes(mine[:6])),
            U(mine[6] << 56),
            U(lanes(his[:6])),
            U(his[6] << 56),
            *(U(0), U(6), U(0)),
        )
        assert counted(wide)[:2] == counted(narrow)[:2]


def test_the_ring_of_two_colour_awale_has_no_beginning() -> None:
    for state in list(states("awale2", 5))[::5]:
        words = list(map(int, state))
        moved = [(word << 8 | word >> 56) % 2**64 for word in words[:4]] + words[4:]
        again = type(state)(*map(np.uint64, moved))
        assert driver.evaluate(again) == driver.evaluate(state)


def test_holes_of_two_colour_awale_are_told_apart_up_to_seven() -> None:
    from mbegu.games.awale2.kernel import Awale2, U, lanes

    a, b = [0, 1, 7, 8, 15, 33, 2, 0], [64, 0, 7, 2, 9, 1, 3, 0]
    words = (lanes(a), lanes(b), lanes(b), lanes(a), 0, 0, 0)
    row = counted(Awale2(*map(U, words)))[2]
    assert [*row[:8]] == [min(x, 7) + 8 * min(y, 7) for x, y in zip(a, b, strict=True)]
    assert [*row[8:16]] == [min(y, 7) + 8 * min(x, 7) for x, y in zip(a, b, strict=True)]


def test_morabaraba_counts_lines_as_a_person_does() -> None:
    from mbegu.games.morabaraba.evaluation import FEATURES
    from mbegu.games.morabaraba.state import MILL_POINTS

    for state in list(states("morabaraba", 5))[::3]:
        told = dict(zip(FEATURES, counted(state)[0], strict=True))
        found = {"mills": 0, "open": 0, "chances": 0}
        for mill in map(int, MILL_POINTS):
            held = tuple((int(cows) & mill).bit_count() for cows in (state.me, state.op))
            name = {(3, 0): "mills", (2, 0): "open", (1, 0): "chances"}
            if held in name:
                found[name[held]] += 1
            if held[::-1] in name:
                found[name[held[::-1]]] -= 1
        assert {name: told[name] for name in found} == found


def turned(board: str, order: list[str], angle: int) -> str:
    """A Morabaraba board turned by quarters: a point (column, row) goes to (row, 8 - column)."""
    held = dict(zip(order, board, strict=True))
    for _ in range(angle):
        new = {}
        for name, cow in held.items():
            column, row = "abcdefg".index(name[0]), int(name[1]) - 1
            new["abcdefg"[row] + str(7 - column)] = cow
        held = new
    return "".join(held[name] for name in order)


def test_morabaraba_looks_the_same_from_every_side() -> None:
    from mbegu.games.morabaraba.kernel import pack, unpack
    from mbegu.games.morabaraba.state import JSON_ORDER

    for state in list(states("morabaraba", 5))[::3]:
        json_state = unpack(state, 0, False, {}) | {"ban": [[], []]}
        plain = driver.evaluate(pack(json_state, {}))
        for angle in (1, 2, 3):
            board = turned(json_state["board"], JSON_ORDER, angle)
            assert driver.evaluate(pack(json_state | {"board": board}, {})) == plain


def test_awale2_is_the_same_all_round_the_ring() -> None:
    kernel, lot = driver.kernel_of("awale2"), random.Random(5)
    for _ in range(10):
        red, blue = ([lot.randrange(3) for _ in range(16)] for _ in "rb")
        estimates = {
            driver.evaluate(
                kernel.pack(
                    {
                        "red": red[by:] + red[:by],
                        "blue": blue[by:] + blue[:by],
                        "score": [3, 1],
                        "to_move": 0,
                    },
                    {},
                )
            )
            for by in range(0, 16, 2)
        }
        assert len(estimates) == 1


def test_every_variant_has_an_estimate() -> None:
    for text in (
        "kalah(pits=3,seeds=2)",
        "kalah(empty_capture=True)",
        "oware(grand_slam=take)",
        "awale2(chain=sown)",
        "urubugu(traditional)",
        "morabaraba(rules=classic)",
    ):
        game = mbegu.game(text)
        options = {name: getattr(game, name) for name in game.options()}
        state = driver.kernel_of(game.name).pack(game.start().to_json(), options)
        assert abs(driver.evaluate(state)) < 64 * SEED

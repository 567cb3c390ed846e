"""Counter-settings: what is found wins by the readable rules, and what is counted is counted right."""

import json
import random
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from impaga import RULES, wins

from mbegu.cli import main
from mbegu.core.errors import InvalidSetUp, MbeguError
from mbegu.games.urubugu import Urubugu
from mbegu.lab.urubugu import turns
from mbegu.lab.urubugu.book import book_of, opposed, words_of
from mbegu.lab.urubugu.columns import (
    ALL_CLASSES,
    ALL_SETTINGS,
    class_size,
    columns_of,
    hardest,
    open_settings,
    why_safe,
)
from mbegu.lab.urubugu.counter import METHODS, Counter, count_counters, find_counters
from mbegu.lab.urubugu.families import BY_LOT, FAMILIES, FIXED, member, setting_of
from mbegu.lab.urubugu.patterns import patterns
from mbegu.lab.urubugu.pictures import turn_picture

DEFAULT = (2,) * 16
numbers = some.integers(0, 2**32)


# ---- settings by name


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_has_32_beads(name: str) -> None:
    assert len(setting_of(name)) == 16
    assert sum(setting_of(name)) == 32
    assert (name in FIXED) != (name in BY_LOT)


def test_a_family_by_lot_is_the_same_by_its_number() -> None:
    assert setting_of("uniform:7") == member("uniform", 7) != member("uniform", 8)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("2,2,2", "setting: a set-up has 16 cells, not 3"),
        (",".join(["2"] * 15 + ["3"]), "setting: a set-up has exactly 32 beads, not 33"),
        (",".join(["2"] * 15 + ["x"]), "setting: “x” is not a number of beads"),
        ("defualt", "setting: “defualt” is neither 16 counts"),
        ("uniform:x", "setting: “uniform:x” is neither"),
    ],
)
def test_a_wrong_setting_is_named(text: str, why: str) -> None:
    with pytest.raises(InvalidSetUp, match=why):
        setting_of(text)


# ---- columns: what a first turn sees


@given(number=numbers, game=some.sampled_from(RULES))
def test_a_turn_sees_only_the_columns(number: int, game: Urubugu) -> None:
    lot = random.Random(number)
    attack, theirs = member("beads", number), member("uniform", number + 1)
    others = list(theirs)
    for k in range(8):  # the same columns, laid in another way
        total = others[k] + others[15 - k]
        others[k] = lot.randint(0, total)
        others[15 - k] = total - others[k]
    if why_safe(theirs, game) or why_safe(others, game):
        return
    easiest, other = wins(game, attack, theirs), wins(game, attack, tuple(others))
    least = wins(game, attack, hardest(columns_of(theirs), game))
    assert set(least) <= set(easiest)
    assert set(least) <= set(other)
    if game.start_min == 1:  # else lone beads of one and the same column may matter
        assert easiest == other == least


@given(number=numbers, game=some.sampled_from([game for game in RULES if game.capture == "both"]))
def test_a_safe_setting_cannot_be_beaten(number: int, game: Urubugu) -> None:
    theirs = member("beads", number)
    if why_safe(theirs, game):
        assert not wins(game, member("uniform", number), theirs)


def test_all_settings_are_in_some_class() -> None:
    assert (ALL_SETTINGS, ALL_CLASSES) == (751_616_304_549, 15_380_937)
    assert open_settings(Urubugu()) == ALL_SETTINGS
    assert columns_of(tuple(range(16))) == (15,) * 8
    # Two columns by hand: 3 and 29 beads, in all ways in which both cells hold some.
    assert class_size((3, 29, 0, 0, 0, 0, 0, 0), Urubugu()) == 4 * 30
    assert class_size((3, 29, 0, 0, 0, 0, 0, 0), Urubugu(capture="both")) == 2 * 28
    assert class_size((1, 31, 0, 0, 0, 0, 0, 0), Urubugu(capture="both")) == 0
    assert class_size((1, 31, 0, 0, 0, 0, 0, 0), Urubugu(capture="both", start_min=2)) == 2 * 30


def test_classes_are_listed_whole_and_once() -> None:
    part = np.zeros(turns.classes(3, 20, np.zeros(0, np.uint64)), np.uint64)
    turns.classes(3, 20, part)
    sums = part.view(np.uint8).reshape(-1, 8)
    assert len(np.unique(part)) == len(part) == 2_002  # 9 beads on 6 columns
    assert (sums.sum(axis=1) == 32).all()
    assert (sums[:, :2] == [3, 20]).all()


# ---- the compiled half


@given(number=numbers, game=some.sampled_from(RULES))
def test_winning_moves_are_those_of_the_readable_rules(number: int, game: Urubugu) -> None:
    page = book_of(Urubugu())[number % 10]
    theirs = hardest(columns_of(member("uniform", number)), game)
    for setting in (page, member("sparse", number)):
        found = np.zeros(1, np.uint64)
        turns.strike(opposed(theirs, game), words_of([setting]), found)
        assert [k + 1 for k in range(16) if int(found[0]) >> k & 1] == wins(game, setting, theirs)


def test_uniform_means_uniform() -> None:
    """The first cell of a setting by lot is empty as often as stars and bars say."""
    attacks = np.zeros((40_000, 2), np.uint64)
    turns.draw_attacks(np.uint64(1), 0, turns.KINDS["uniform"], attacks)
    cells = attacks.view(np.uint8)
    assert (cells.sum(axis=1) == 32).all()
    assert abs((cells == 0).mean(axis=0) - 15 / 47).max() < 0.015
    assert abs(cells.mean(axis=0) - 2).max() < 0.06


# ---- searching


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["default", "head", "uniform:3"])
def test_every_method_finds_counters(method: str, name: str) -> None:
    theirs = setting_of(name)
    search = find_counters(theirs, method=method, limit=3, seed=5)
    assert len(search.found) == 3
    for counter in search.found:
        assert sum(counter.setting) == 32
        won = wins(search.game, counter.setting, theirs)
        assert list(counter.moves) == won or (method == "exact" and counter.moves[0] in won)
    again = find_counters(theirs, method=method, limit=3, seed=5, threads=2)
    assert again.found == search.found


@pytest.mark.parametrize("game", RULES, ids=str)
def test_every_rule_set_has_counters(game: Urubugu) -> None:
    theirs = hardest((9, 0, 2, 3, 0, 10, 0, 8), game)
    for counter in find_counters(theirs, game, method="random", limit=5).found:
        for move in counter.moves:
            outcome = game.start(counter.setting, theirs).play(move).outcome()
            assert outcome is not None
            assert outcome.winner == 0


def test_what_cannot_be_beaten_is_said_to_be_so() -> None:
    search = find_counters(FIXED["back"], Urubugu(capture="both"))
    assert not search.found
    assert "cell 1 holds 4 and cell 16" in search.why_none


def test_a_wrong_method_is_named() -> None:
    with pytest.raises(MbeguError, match="method: guess is none of auto"):
        find_counters(DEFAULT, method="guess")


def test_the_frequency_is_that_of_the_readable_rules() -> None:
    frequency = count_counters(FIXED["pile"], samples=60_000, seed=2)
    by_hand = sum(bool(wins(Urubugu(), member("uniform", k), FIXED["pile"])) for k in range(400))
    low, high = frequency.interval
    assert frequency.drawn == 60_000
    assert low < frequency.share < high < low + 0.01
    assert abs(by_hand / 400 - frequency.share) < 0.1
    again = count_counters(FIXED["pile"], samples=60_000, seed=2, threads=2)
    assert again.counters == frequency.counters


# ---- exact


@pytest.mark.parametrize("game", RULES[::3], ids=str)
def test_patterns_win_whatever_lies_in_the_open_cells(game: Urubugu) -> None:
    theirs = hardest((20, 0, 0, 4, 0, 0, 8, 0), game)
    lot = random.Random(1)
    _number, _total, found = patterns(theirs, game, 3)
    assert found
    for pattern in lot.sample(found, min(len(found), 10)):
        free = [k for k, beads in enumerate(pattern.cells) if beads is None]
        cells = [beads or 0 for beads in pattern.cells]
        while sum(cells) < 32:
            cells[lot.choice(free)] += 1
        assert pattern.move in wins(game, tuple(cells), theirs)


def test_patterns_are_complete() -> None:
    """Among settings by lot, those that win by looking at three cells are those that fit."""
    game, theirs = Urubugu(), (32,) + (0,) * 15
    found = {cells: patterns(theirs, game, cells) for cells in (1, 2, 3)}
    assert [number for number, _total, _patterns in found.values()] == [33, 540, 5463]
    known = [pattern for _n, _t, part in found.values() for pattern in part]
    assert sum(pattern.settings for pattern in known) == found[3][1]
    for number in range(60):
        setting = member("uniform", number)
        position = game.start(setting, theirs)
        for move in position.legal_moves():
            story = [event for event in position.events(move) if type(event).__name__ == "Relay"]
            looked_at = {f"S{move}", *(event.to_json()["hole"] for event in story)}
            after = position.play(move).outcome()
            fits = any(
                pattern.move == move
                and all(a is None or a == b for a, b in zip(pattern.cells, setting, strict=True))
                for pattern in known
            )
            assert fits == (after is not None and len(looked_at) <= 3)


# ---- told


def test_a_turn_is_drawn(tmp_path: Path) -> None:
    counter = find_counters(DEFAULT).found[0]
    root = ElementTree.fromstring(turn_picture(counter, counter.moves[0]))
    assert "<svg" in (counter.position._repr_svg_() or "")  # for notebooks
    names = [part.get("id") for part in root.iter() if part.get("id") in ("title", "desc")]
    assert names == ["title", "desc"]
    text = " ".join(part.text or "" for part in root.iter("{http://www.w3.org/2000/svg}text"))
    assert f"{counter.laps(counter.moves[0])}. " in text
    assert f"{counter.laps(counter.moves[0]) + 1}. " not in text


def test_laps_are_counted() -> None:
    counter = Counter(Urubugu(), DEFAULT, book_of(Urubugu())[0], (11,))
    words = counter.words(11)
    assert (
        counter.laps(11)
        == 1
        + sum("Relay" in word for word in words)
        + len([word for word in words if "captured" in word]) // 2
    )  # both cells of every column hold beads


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["lab", *words])
    told = capsys.readouterr()
    return code, told.out, told.err


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    picture = tmp_path / "turn.svg"
    words = ["counter", "default", "--json", "--count", "--samples", "2000", "--svg", str(picture)]
    code, out, _err = run(capsys, *words, "--all-moves", "--limit", "2")
    told: dict[str, Any] = json.loads(out)
    assert code == 0
    assert len(told["counters"]) == 2
    for found in told["counters"]:
        moves = [turn["move"] for turn in found["turns"]]
        assert moves == wins(Urubugu(), tuple(found["setting"]), DEFAULT)
        assert found["turns"][0]["events"][-1]["event"] == "end"
    assert told["frequency"]["drawn"] == 2000
    assert picture.read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["1,2,3"], "setting: a set-up has 16 cells"),
        (["default", "--capture", "neither"], "option capture: “neither”"),
        (["default", "--start-min", "3"], "option start_min"),
        (["default", "--method", "guess"], "--method"),
        (["default", "--time", "-1"], "--time"),
        (["default", "--svg", "/nowhere/at/all.svg"], "--svg /nowhere/at/all.svg: No such file"),
    ],
)
def test_bad_input_is_named(capsys: pytest.CaptureFixture[str], words: list[str], why: str) -> None:
    code, out, err = run(capsys, "counter", *words)
    assert (code, out) == (2, "")
    assert why in err
    assert err.count("\n") == 1 or "Compiling" in err


def test_no_counter_is_a_failed_check(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _err = run(capsys, "counter", "alternating", "--traditional")
    assert code == 1
    assert "No counter: cell 1 holds 4" in out


def test_a_search_ends_after_its_turns_on_any_machine() -> None:
    game = Urubugu(restart="turn")
    searches = [
        find_counters((2,) * 16, game, method="climb", turns=1000, seconds=1e9, seed=5)
        for _ in range(2)
    ]
    assert not searches[0].found
    assert 1000 <= searches[0].turns == searches[1].turns
    assert searches[0].why_none == f"{searches[0].turns:,} turns were tried, and none wins"

"""Settings that resist, and the proof that none does for good."""

import json

import numpy as np
import pytest
from impaga import RULES, wins

from mbegu.cli import main
from mbegu.games.urubugu import Urubugu
from mbegu.lab.intervals import clopper_pearson
from mbegu.lab.urubugu import book, columns, resist, turns
from mbegu.lab.urubugu.book import book_of, opposed, prove, words_of, write_book
from mbegu.lab.urubugu.columns import columns_of, defences, hardest
from mbegu.lab.urubugu.counter import count_counters
from mbegu.lab.urubugu.families import member
from mbegu.lab.urubugu.resist import find_resistant


@pytest.mark.parametrize("game", RULES, ids=str)
def test_the_book_answers_settings_by_lot(game: Urubugu) -> None:
    """Every rule set has its book. The whole proof is `python -m benchmarks lab_counter --prove`."""
    pages, state = book_of(game), opposed((2,) * 16, game)
    assert 20 < len(pages) < 300
    assert {sum(page) for page in pages} == {32}
    lot = np.random.default_rng(1)
    part = next(part for part in defences(game) if len(part) > 5_000)
    some = lot.choice(part, 400, replace=False)
    answers = np.zeros(len(some), np.int32)
    turns.cover(state, words_of(pages), some, answers)
    assert (answers >= 0).all()
    for word, page in list(zip(some, answers, strict=True))[:3]:  # and by the readable rules
        sums = tuple(int(word) >> 8 * k & 0xFF for k in range(8))
        assert wins(game, pages[page], hardest(sums, game))


def few(monkeypatch: pytest.MonkeyPatch, count: int = 3) -> list[int]:
    """Lets the proof look at some parts only."""
    sizes: list[int] = []

    def some(game: Urubugu):  # type: ignore[no-untyped-def]
        for number, part in enumerate(defences(game)):
            if number % 200 == 100:
                sizes.append(len(part))
                yield part

    monkeypatch.setattr(book, "defences", some)
    return sizes


def test_a_proof_counts_what_it_has_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = few(monkeypatch)
    game = Urubugu()
    proof = prove(game, threads=2)
    assert proof.classes == proof.answered == sum(sizes) == sum(proof.by_page)
    assert not proof.complete  # the other parts were not looked at
    assert proof.unanswered == ()
    one = prove(game, book=book_of(game)[:1])
    assert 0 < one.answered < one.classes
    assert len(one.unanswered) == 100
    assert not wins(game, book_of(game)[0], hardest(one.unanswered[0], game))
    assert one.countered < proof.countered


def test_a_book_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch)
    monkeypatch.setattr(book, "DRAWN", 60)
    monkeypatch.setattr(book, "SAMPLE", 100)
    monkeypatch.setattr(book, "CHANGED", 20)
    heard: list[tuple[int, int]] = []
    pages, lost = write_book(Urubugu(), seed=3, tell=lambda *told: heard.append(told))
    assert lost == []
    assert heard[-1] == (len(pages), 0)
    assert prove(Urubugu(), book=pages).unanswered == ()


def test_open_settings_are_the_sizes_of_the_classes() -> None:
    """On a smaller board, where all can be counted: 6 beads in 8 columns."""
    for game in (Urubugu(capture="both"), Urubugu(capture="both", start_min=2)):
        counted = sum(
            columns.class_size(sums, game) for sums in np.ndindex(*(7,) * 4) if sum(sums) == 6
        )
        ways = columns._ways(game)
        total = [1] + [0] * 6
        for _column in range(4):
            total = [sum(total[a] * ways[b - a] for a in range(b + 1)) for b in range(7)]
        assert counted == total[6]


def test_climbing_finds_what_resists(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resist, "SAMPLE", 300)
    monkeypatch.setattr(resist, "CHOOSING", 10_000)
    found = find_resistant(seconds=0.1, limit=3, seed=1, samples=20_000)
    shares = [frequency.share for frequency in found.found]
    assert shares == sorted(shares)
    usual = count_counters(member("uniform", 1), samples=20_000).share
    assert shares[0] < usual / 2
    assert all(hardest(columns_of(f.opponent), found.game) == f.opponent for f in found.found)
    table = found.table().to_pandas()
    assert list(table["share"]) == shares
    assert (table["low"] < table["share"]).all()


def test_the_race(monkeypatch: pytest.MonkeyPatch) -> None:
    def one(game: Urubugu):  # type: ignore[no-untyped-def]
        return [part[:3_000] for part in defences(game) if len(part) > 10_000][:1]

    monkeypatch.setattr(resist, "defences", one)
    monkeypatch.setattr(resist, "HEATS", ((30, 300), (300, 20)))
    monkeypatch.setattr(resist, "CHOOSING", 5_000)
    heard: list[tuple[int, int]] = []
    few = find_resistant(method="race", limit=1, seed=1, classes=500, samples=2_000)
    assert few.looked_at == 500
    found = find_resistant(
        method="race", limit=2, seed=1, samples=5_000, tell=lambda *told: heard.append(told)
    )
    assert found.looked_at == 3_000
    assert len(found.found) == 2
    assert heard[-1][0] == heard[-1][1]
    assert find_resistant(method="race", limit=2, seed=1, samples=5_000, threads=2).found[
        0
    ].counters == (found.found[0].counters)


def test_the_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch)
    monkeypatch.setattr(resist, "SAMPLE", 300)
    monkeypatch.setattr(resist, "CHOOSING", 10_000)
    assert main(["lab", "resist", "--prove", "--json"]) == 1  # not all parts: no proof
    told = json.loads(capsys.readouterr().out)
    assert told["answered"] == told["classes"]
    assert main(["lab", "resist", "--time", "0.1", "--limit", "1", "--samples", "5000"]) == 0
    said = capsys.readouterr().out
    assert "win against it (" in said
    assert "a fresh sample of 5,000 settings" in said
    assert main(["lab", "resist", "--method", "guess"]) == 2
    assert "--method" in capsys.readouterr().err


def test_what_was_chosen_by_a_sample_is_told_by_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """The smallest of many samples is small by luck, so it says nothing about the one who won."""
    monkeypatch.setattr(resist, "SAMPLE", 300)
    monkeypatch.setattr(resist, "CHOOSING", 3_000)
    asked: list[tuple[tuple[int, ...], int, int]] = []

    def counting(setting, game, *, samples, seed, **how):  # type: ignore[no-untyped-def]
        asked.append((tuple(setting), samples, seed))
        return count_counters(setting, game, samples=samples, seed=seed, **how)

    monkeypatch.setattr(resist, "count_counters", counting)
    found = find_resistant(seconds=0.1, limit=3, seed=1, samples=4_000)
    choosing = [one for one in asked if one[1] == 3_000]
    telling = [one for one in asked if one[1] == 4_000]
    assert len(choosing) == 6
    assert len(telling) == 3
    assert not {seed for *_rest, seed in choosing} & {seed for *_rest, seed in telling}
    for frequency in found.found:
        assert frequency.drawn == 4_000
        alone = clopper_pearson(frequency.counters, 4_000)
        assert frequency.interval[0] < alone[0] < alone[1] < frequency.interval[1]


@pytest.mark.parametrize(
    ("game", "blocked"),
    [(Urubugu(), False), (Urubugu(start_min=2), True), (Urubugu(capture="both"), False)],
    ids=str,
)
def test_wins_by_immobility_are_told_apart(
    game: Urubugu, blocked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    few(monkeypatch)
    proof = prove(game, threads=2)
    assert 0 < proof.taken <= proof.countered
    assert bool(proof.blocked) is blocked


def test_a_counter_says_how_it_wins(capsys: pytest.CaptureFixture[str]) -> None:
    """Lone beads in two columns that cannot be taken, as both cells must hold beads."""
    setting = "15,1,1,0,0,0,0,0,0,0,0,0,0,0,0,15"
    assert main(["lab", "counter", setting, "--capture", "both", "--start-min", "2"]) == 0
    assert "It wins by immobility" in capsys.readouterr().out
    assert main(["lab", "counter", "default"]) == 0
    assert "It takes all beads." in capsys.readouterr().out

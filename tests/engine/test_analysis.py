"""Analysis, its words and its marks: what the engine thinks, as people read it."""

import json
import math
import time
from dataclasses import replace
from itertools import pairwise

import pytest

import mbegu
from mbegu.core.record import Record, Step
from mbegu.engine.analysis import AnalysisLine, analyse, tell_chance, tell_score, words_of
from mbegu.engine.annotate import BLUNDER, INACCURACY, MISTAKE, Judgement, annotate
from mbegu.engine.chance import OTHER_SCALE, scale_of, winning_chance
from mbegu.engine.engine import Engine, Limits
from mbegu.engine.explain import explain, hint

OWARE = mbegu.game("oware")
# South captures five by D and can hardly lose.
GOOD_D = OWARE.position("0-3-0-6-1-2-0-0-2-1-0-3-0-0-S")


# ---- chances


def test_chances_are_symmetric_and_rise_with_the_margin() -> None:
    assert all(scale_of(name) != OTHER_SCALE for name in mbegu.game_names())
    for name in [*mbegu.game_names(), "nim"]:
        assert winning_chance(name, 0) == 0.5
        margins = [-300, -20, -3, -0.5, 0, 0.5, 3, 20, 300]
        chances = [winning_chance(name, margin) for margin in margins]
        assert all(0 <= chance <= 1 for chance in chances)
        assert all(low <= high for low, high in pairwise(chances))
        for margin in margins:
            both = winning_chance(name, margin) + winning_chance(name, -margin)
            assert math.isclose(both, 1)


def test_what_is_proved_needs_no_curve() -> None:
    assert winning_chance("kalah", 2.0, result=1) == 1
    assert winning_chance("kalah", 0.0, result=0) == 0.5
    assert winning_chance("kalah", -2.0, result=-1) == 0


def test_nothing_else_is_told_as_certain() -> None:
    for margin in (4.0, 300.0):
        assert tell_chance(winning_chance("oware", margin, likely=1)) == "99%"
        assert tell_chance(winning_chance("morabaraba", -margin, likely=-1)) == "1%"
        assert tell_chance(winning_chance("morabaraba", margin)) == "99%"


# ---- analyse


@pytest.mark.parametrize("name", mbegu.game_names())
def test_updates_deepen_and_end(name: str) -> None:
    position = mbegu.game(name).start()
    updates = list(mbegu.analyse(position, depth=4, lines=3, hash_mb=4))
    assert [update.final for update in updates] == [False] * (len(updates) - 1) + [True]
    assert [update.depth for update in updates] == sorted(update.depth for update in updates)
    last = updates[-1]
    assert last.player == 0
    assert len(last.lines) == 3
    assert len({line.move for line in last.lines}) == 3
    assert last.best == last.lines[0]
    for line in last.lines:
        assert 0 <= line.chance <= 1
        told = position
        for move in line.moves:
            told = told.play(move)  # every line is legal
        assert words_of(position, line.moves) == line.words
    assert json.loads(json.dumps(last.to_json()))["lines"][0]["words"] == list(last.best.words)


def test_a_forced_win_is_seen() -> None:
    best = mbegu.analyse(GOOD_D, depth=8).result().best
    assert best.move == 3
    ends = mbegu.analyse(OWARE.position("0-0-0-0-0-1-1-0-0-3-0-1-24-18-S"), depth=6).result()
    assert ends.best.win == 1
    assert ends.best.chance == 1
    assert tell_score(ends.best).endswith("(wins in 1)")


def test_scores_in_words() -> None:
    line = AnalysisLine(3.21, 0.7, None, False, (0,), ("A",))
    assert tell_score(line) == "+3.2"
    assert tell_score(replace(line, result=1, win=4)) == "+3.2 (wins in 4)"
    lost = replace(line, margin=-7, result=-1, exact=True)
    assert tell_score(replace(lost, win=-9)) == "-7 (proved)"
    assert tell_score(replace(lost, win=-9, settled=-23)) == "-7 (loses in 23)"
    assert tell_score(lost) == "-7 (proved)"
    assert tell_score(replace(line, margin=8, exact=True, result=1)) == "+8 (proved)"
    assert tell_score(replace(line, result=1)) == "+3.2 (wins for certain)"
    assert tell_score(replace(line, margin=-2, result=-1)) == "-2.0 (loses for certain)"
    assert tell_score(replace(line, likely=1)) == "+3.2 (probably wins)"
    assert tell_score(replace(line, margin=-2, likely=-1)) == "-2.0 (probably loses)"
    assert tell_score(replace(line, margin=-0.04)) == "+0.0"


def test_lines_of_several_moves_in_a_word() -> None:
    game = mbegu.game("morabaraba")
    position = game.start()
    for word in "a1 b2 d1 b4".split():
        position = position.play(game.parse_move(word, position))
    assert words_of(position, ["ADD g1", "STEAL b2", "ADD a7"]) == ("g1xb2", "a7")
    assert words_of(position, ["ADD g1", "STEAL g1"]) == ()  # as far as the rules allow


def test_an_endless_analysis_can_be_left_and_stopped() -> None:
    for update in mbegu.analyse(OWARE.start(), time=math.inf):
        if update.depth >= 5:
            break
    thinking = mbegu.analyse(OWARE.start(), time=math.inf)
    next(thinking)
    thinking.stop()
    assert thinking.result().final
    thinking = mbegu.analyse(OWARE.start(), time=math.inf)
    next(thinking)
    thinking.close()
    assert list(thinking) == []


def test_stop_is_heard_before_the_beginning_and_not_after_the_end() -> None:
    engine = Engine(OWARE, hash_mb=4)
    thinking = mbegu.analyse(OWARE.start(), time=math.inf, engine=engine)
    thinking.stop()
    assert thinking.result().final
    other = mbegu.analyse(OWARE.start(), depth=9, engine=engine)
    next(other)
    thinking.stop()
    assert other.result().depth == 9


def test_the_result_can_be_asked_for_again() -> None:
    thinking = mbegu.analyse(OWARE.start(), depth=3)
    *_before, last = thinking
    assert thinking.result() is last
    closed = mbegu.analyse(OWARE.start(), depth=3)
    closed.close()
    with pytest.raises(mbegu.MbeguError, match="closed"):
        closed.result()
    assert "result()" in repr(closed)


def test_the_time_runs_while_somebody_listens() -> None:
    thinking = mbegu.analyse(OWARE.start(), time=0.3, hash_mb=4)
    time.sleep(0.4)
    assert thinking.result().nodes > 1000  # as many as in 0.3 seconds, not what is left of them


def test_a_pulse_counts_the_nodes_between_two_depths() -> None:
    last = None
    for update in mbegu.analyse(OWARE.start(), time=math.inf, hash_mb=4, pulse=0.02):
        if last is not None and update.depth == last.depth and update.nodes > last.nodes:
            break
        last = update
    assert last is not None
    assert update.lines == last.lines
    assert update.seconds > last.seconds


def test_whoever_is_refused_disturbs_nobody() -> None:
    engine = Engine(OWARE, hash_mb=4)
    alone = mbegu.analyse(OWARE.start(), depth=15, hash_mb=4).result()
    thinking = mbegu.analyse(OWARE.start(), depth=15, engine=engine)
    next(thinking)
    with pytest.raises(mbegu.MbeguError, match="already"):
        mbegu.analyse(GOOD_D, depth=2, engine=engine).result()
    assert (thinking.result().lines, thinking.result().nodes) == (alone.lines, alone.nodes)
    assert mbegu.analyse(GOOD_D, depth=2, engine=engine).result().depth == 2


def test_a_history_of_another_game_is_refused() -> None:
    other = mbegu.game("kalah").start().play(0)
    with pytest.raises(mbegu.MbeguError, match="plays oware, not kalah"):
        mbegu.analyse(OWARE.start(), depth=2, history=[other])


def test_the_same_nodes_give_the_same_analysis() -> None:
    first, second = (mbegu.analyse(OWARE.start(), nodes=20_000).result() for _ in range(2))
    assert first.lines == second.lines


@pytest.mark.parametrize(
    "arguments",
    [
        {"time": -1},
        {"time": math.nan},
        {"depth": 0},
        {"nodes": 0},
        {"lines": 0},
        {"depth": 2.5},
        {"nodes": 10**400},
        {"lines": 1.5},
        {"depth": 1, "threads": 0},
        {"depth": 1, "hash_mb": 0},
        {"depth": 1, "hash_mb": 10**9},
    ],
)
def test_bad_limits_are_refused_at_once(arguments: dict[str, float]) -> None:
    with pytest.raises(mbegu.MbeguError) as error:
        analyse(OWARE.start(), **arguments)  # type: ignore[arg-type]
    assert "\n" not in str(error.value)


def test_a_finished_game_is_refused() -> None:
    over = OWARE.position("0-0-0-1-0-0-0-0-0-2-0-0-22-23-.")
    with pytest.raises(mbegu.MbeguError, match="the game is over"):
        mbegu.analyse(over, depth=3)


# ---- explain


def reasons(game: str, text: str, move: str) -> str:
    rules = mbegu.game(game)
    position = rules.position(text)
    return explain(position, rules.parse_move(move, position))


def test_captures_and_safety() -> None:
    assert explain(GOOD_D, 3).startswith("captures 5")
    # North's b would capture two in C; sowing C brings them away.
    text = "4-4-1-4-4-4-0-8-4-4-4-4-0-3-S"
    assert "leaves C safe" in reasons("oware", text, "C")
    assert "safe" not in reasons("oware", text, "F")


def test_what_a_move_costs_is_told_beside_a_reason_only() -> None:
    # After a South can capture two; that is no reason for a.
    assert reasons("oware", "0-1-6-6-6-6-4-4-0-5-5-5-0-0-N", "a") == ""
    told = reasons("oware", "12-2-1-2-3-5-11-1-0-2-2-2-2-3-S", "A")
    assert told == "leaves B safe; North can then capture 3"


def test_a_proved_win_is_told() -> None:
    proved = AnalysisLine(4.0, 1.0, None, True, (3,), ("D",), 1)
    assert explain(GOOD_D, 3, (proved,)).startswith("is proved to win by 4; captures 5")


def test_moving_again() -> None:
    assert "moves again" in reasons("kalah", str(mbegu.game("kalah").start()), "d")


def test_mills() -> None:
    position = "10/10 a1,d1 b2,b4 x 0/0 - - 0 0"
    assert reasons("morabaraba", position, "g1").startswith("makes the mill a1-d1-g1")
    assert "stops the mill b2-b4-b6" in reasons("morabaraba", position, "b6")
    assert "threatens the mill" in reasons("morabaraba", position, "d2")
    shot = "9/10 a1,d1,g1 b2,b4 x! 0/0 - - 5 0"
    assert reasons("morabaraba", shot, "xb2").startswith("shoots b2; stops the mill b2-b4-b6")


def test_only_cows_are_shot(monkeypatch: pytest.MonkeyPatch) -> None:
    game = mbegu.game("morabaraba")
    board = replace(game.board, piece="token", pieces="tokens")
    monkeypatch.setattr(type(game), "board", board)
    shot = "9/10 a1,d1,g1 b2,b4 x! 0/0 - - 5 0"
    assert reasons("morabaraba", shot, "xb2").startswith("takes b2; stops the mill")


def test_the_end() -> None:
    wins = reasons("oware", "0-0-0-0-0-1-1-0-0-3-0-1-24-18-S", "F")
    assert wins.startswith("wins the game")


def test_a_game_from_elsewhere_is_explained_as_far_as_it_goes() -> None:
    from nim import Nim  # a stranger's game, in tests/

    game = Nim()
    position = game.start()
    assert isinstance(explain(position, position.legal_moves()[0]), str)


@pytest.mark.parametrize("name", mbegu.game_names())
def test_hints_in_every_game(name: str) -> None:
    position = mbegu.game(name).start()
    engine = Engine(mbegu.game(name), hash_mb=4)
    history: list[mbegu.Position] = []
    for _ in range(6):
        if position.turn is None:
            break
        found = hint(position, history, engine)
        assert position.forbids(found.move) is None
        assert found.why  # a quiet move too is told as one
        assert "{" not in found.why
        history.append(position)
        position = position.play(found.move)


# ---- annotate


def test_thresholds() -> None:
    def glyph(before: float, after: float, *, missed: bool = False) -> int | None:
        best = AnalysisLine(0, before, None, False, (1,), ("B",))
        played = AnalysisLine(0, after, None, False, (0,), ("A",))
        return Judgement(0, 0, 0, best, played, missed_win=missed).glyph

    assert glyph(0.9, 0.85) is None
    assert glyph(0.9, 0.9 - INACCURACY - 0.01) == 6
    assert glyph(0.9, 0.9 - MISTAKE - 0.01) == 2
    assert glyph(0.9, 0.9 - BLUNDER - 0.01) == 4
    assert glyph(1.0, 0.95, missed=True) == 6
    assert glyph(0.4, 0.5) is None


def test_a_blunder_is_marked_with_the_better_line() -> None:
    moves = [OWARE.parse_move("B", GOOD_D)]  # instead of D, which captures five
    record = Record.of(GOOD_D, moves, players=("Ama", "Kofi"))
    record = replace(record, steps=(Step(moves[0], "Hm.", (), ()),))
    found = annotate(record, Limits(nodes=20_000))
    (judgement,) = found.judgements
    step = found.record.steps[0]
    assert judgement.glyph is not None
    assert step.glyphs == (judgement.glyph,)
    assert step.comment.startswith("Hm. ")
    assert "Better is D: " in step.comment
    assert "captures 5" in step.comment
    assert step.variations[0][0].move == 3
    assert mbegu.parse_record(str(found.record)) == found.record
    assert len(found.chances) == len(found.margins) == 2
    again = annotate(found.record, Limits(nodes=20_000))
    assert again.record == found.record  # annotating twice adds nothing


@pytest.mark.parametrize("name", mbegu.game_names())
def test_annotated_games_are_records(name: str) -> None:
    game = mbegu.game(name)
    position, moves = game.start(), list[mbegu.Move]()
    while position.turn is not None and len(moves) < 24:
        legal = position.legal_moves()
        moves.append(legal[len(moves) * 7 % len(legal)])
        position = position.play(moves[-1])
    record = Record.of(game.start(), moves)
    outcome = position.outcome()
    if outcome is not None:
        record = record.ended(outcome)
    seen: list[int] = []
    found = annotate(record, Limits(nodes=2_000), progress=lambda done, _all: seen.append(done))
    assert seen == list(range(1, len(moves) + 2))
    assert found.record.moves == moves
    assert mbegu.parse_record(str(found.record)) == found.record
    assert len(found.chances) == len(moves) + 1
    assert any(judgement.glyph for judgement in found.judgements)  # nobody plays that well by lot

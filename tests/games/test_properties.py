"""What holds in every position of every game, however its options are set."""

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import SYMMETRIES, VARIANTS, board_maps, positions, thinkable_moves
from replay import replay

import mbegu
from mbegu.core.game import Move, Position
from mbegu.core.outcome import Outcome, Reason
from mbegu.games.morabaraba import MILLS

every_game = pytest.mark.parametrize("text", VARIANTS)


def test_every_option_is_tried() -> None:
    """A game or an option that is added must be added to these tests."""
    tried = {name: set[str]() for name in mbegu.game_names()}
    for text in VARIANTS:
        game = mbegu.game(text)
        for name, option in game.options().items():
            if getattr(game, name) != option.default:
                tried[game.name].add(name)
    assert tried == {name: set(mbegu.game(name).options()) for name in mbegu.game_names()}


@every_game
@given(data=st.data())
def test_texts_and_json_round_trip(text: str, data: st.DataObject) -> None:
    position = data.draw(positions(text))
    game = position.game
    for again in (
        game.position(str(position)),
        game.from_json(json.loads(json.dumps(position.to_json()))),
    ):
        assert again == position
        assert hash(again) == hash(position)
        assert str(again) == str(position)
        assert again.outcome() == position.outcome()
        assert again.diagram() == position.diagram()
    texts = [game.format_move(move, position) for move in position.legal_moves()]
    assert len(set(texts)) == len(texts)
    assert [game.parse_move(name, position) for name in texts] == position.legal_moves()


@pytest.mark.parametrize(
    ("name", "one", "other", "moved"),
    [
        ("oware", "4-0-0-5-6-0-0-1-1-2-3-6-10-10-S", "4-0-0-5-6-0-0-1-1-2-3-6-9-11-S", 0),
        ("kalah", "<6,1,1,4,4,4,4,4,4,4,4,4,4,4,2> S", "<6,2,0,4,4,4,4,4,4,4,4,4,4,4,2> S", 0),
        (
            "awale2",
            "2R2B-" * 12 + "0R0B-" * 4 + "9-7-O",
            "2R2B-" * 12 + "0R0B-" * 4 + "8-8-O",
            "1R",
        ),
        ("morabaraba", "12/12 - - x 0/0 - - 0 0", "12/12 - - x 0/0 - - 7 0", "ADD a1"),
    ],
)
def test_a_layout_is_without_scores_and_counters(
    name: str, one: str, other: str, moved: Move
) -> None:
    position, altered = (mbegu.game(name).position(text) for text in (one, other))
    assert position != altered
    assert position.layout() == altered.layout()
    assert hash(position.layout()) == hash(altered.layout())
    assert position.play(moved).layout() != position.layout()


@every_game
@given(data=st.data())
def test_legal_moves_play_and_their_stories_add_up(text: str, data: st.DataObject) -> None:
    """Seeds are conserved and each event's count is right: `replay` follows with seeds of its own."""
    position = data.draw(positions(text))
    for move in position.legal_moves():
        assert replay(position, move).outcome == position.play(move).outcome()


@every_game
@given(data=st.data())
def test_playing_leaves_the_old_position_alone(text: str, data: st.DataObject) -> None:
    position = data.draw(positions(text))
    before = str(position), position.to_json(), hash(position), position.legal_moves()
    for move in position.legal_moves():
        after = position.play(move)
        assert after != position
        assert position.play(move) == after
    position.to_json().clear()
    position.legal_moves().clear()
    assert (str(position), position.to_json(), hash(position), position.legal_moves()) == before
    assert dataclasses.is_dataclass(position)
    for field in dataclasses.fields(position):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(position, field.name, None)


@every_game
@given(data=st.data())
def test_illegal_moves_never_play(text: str, data: st.DataObject) -> None:
    position = data.draw(positions(text))
    legal = set(position.legal_moves())
    thinkable = thinkable_moves(position.game)
    assert legal <= set(thinkable)
    illegal = [move for move in thinkable if move not in legal]
    for move in illegal:
        assert position.forbids(move), f"{move} is not legal, but no rule forbids it"
    for move in illegal[:: max(1, len(illegal) // 8)]:
        for attempt in (position.play, lambda move: list(position.events(move))):
            with pytest.raises(mbegu.IllegalMove) as caught:
                attempt(move)
            assert caught.value.rule == position.forbids(move)
    for move in legal:
        assert position.forbids(move) is None


@every_game
@given(data=st.data(), nonsense=st.one_of(st.none(), st.text(), st.integers(), st.floats()))
def test_nonsense_never_plays(text: str, data: st.DataObject, nonsense: object) -> None:
    position = data.draw(positions(text))
    if nonsense not in position.legal_moves():
        with pytest.raises((mbegu.IllegalMove, mbegu.InvalidMove)):
            position.play(nonsense)  # type: ignore[arg-type]
    try:
        move = position.game.parse_move(nonsense, position)  # type: ignore[arg-type]
    except (mbegu.IllegalMove, mbegu.InvalidMove) as error:
        assert len(str(error).splitlines()) == 1  # noqa: PT017
    else:
        assert move in position.legal_moves()


@every_game
@given(nonsense=st.one_of(st.text(), st.text("0123456789-,/<> RBSNOE.x!", max_size=60)))
def test_nonsense_is_no_position(text: str, nonsense: str) -> None:
    game = mbegu.game(text)
    try:
        position = game.position(nonsense)
    except mbegu.InvalidPosition as error:
        assert len(str(error).splitlines()) == 1  # noqa: PT017
    else:
        assert game.position(str(position)) == position


@every_game
@given(data=st.data())
def test_a_spoilt_state_is_no_position(text: str, data: st.DataObject) -> None:
    """One value of a state is replaced by anything: it is refused, or read as what it says."""
    position = data.draw(positions(text))
    state = position.to_json()
    key = data.draw(st.sampled_from(sorted(state)))
    anything = st.one_of(
        st.none(), st.booleans(), st.integers(-3, 300), st.text(max_size=30), st.floats()
    )
    spoilt = data.draw(st.one_of(anything, st.lists(anything, max_size=24), st.just({})))
    if isinstance(state[key], list) and data.draw(st.booleans()):
        state[key][data.draw(st.integers(0, len(state[key]) - 1))] = spoilt
    else:
        state[key] = spoilt
    try:
        again = position.game.from_json(state)
    except mbegu.InvalidPosition as error:
        assert len(str(error).splitlines()) == 1  # noqa: PT017
    else:
        assert position.game.from_json(again.to_json()) == again


@pytest.mark.parametrize("nonsense", [None, 3, "x", [], {}, [1, 2], {"board": 1}, True])
@every_game
def test_what_is_no_state_at_all(text: str, nonsense: object) -> None:
    with pytest.raises(mbegu.InvalidPosition):
        mbegu.game(text).from_json(nonsense)


# ---- symmetry


@every_game
@given(data=st.data())
def test_mirrored_play_is_the_mirror_of_play(text: str, data: st.DataObject) -> None:
    position = data.draw(positions(text))
    game = position.game
    symmetry = data.draw(st.sampled_from(SYMMETRIES[game.name]))

    def mirror(position: Position) -> Position:
        return game.from_json(symmetry.state(position.to_json()))

    mirrored = mirror(position)
    moves = position.legal_moves()
    assert set(mirrored.legal_moves()) == {symmetry.move(move) for move in moves}
    check_outcomes(position.outcome(), mirrored.outcome(), symmetry.swaps)
    for move in moves:
        after, mirrored_after = position.play(move), mirrored.play(symmetry.move(move))
        assert mirrored_after == mirror(after)
        check_outcomes(after.outcome(), mirrored_after.outcome(), symmetry.swaps)


def check_outcomes(outcome: Outcome | None, mirrored: Outcome | None, swaps: bool) -> None:
    if outcome is None or not swaps:
        assert mirrored == outcome
    else:
        winner = None if outcome.winner is None else 1 - outcome.winner
        assert mirrored == Outcome(winner, outcome.scores[::-1], outcome.reason)


def test_the_sixteen_symmetries_of_the_morabaraba_board() -> None:
    maps = board_maps()
    assert len({tuple(images.items()) for images in maps}) == 16
    mills = {frozenset(mill) for mill in MILLS}
    for images in maps:
        assert {frozenset(images[point] for point in mill) for mill in MILLS} == mills


# ---- options change what they say, and nothing else


@given(data=st.data())
def test_grand_slam(data: st.DataObject) -> None:
    position = data.draw(positions("oware"))
    barred, taking = (
        mbegu.game("oware", grand_slam=rule).from_json(position.to_json())
        for rule in ("illegal", "take")
    )
    moves = position.legal_moves()
    stories = {move: replay(position, move) for move in moves}
    gentle = [move for move in moves if not stories[move].forfeited]
    assert barred.legal_moves() == (gentle or moves)
    assert taking.legal_moves() == moves
    for move in moves:
        slam, taken = stories[move].forfeited, replay(taking, move)
        assert [hole for hole, _seeds in taken.captures] == (
            list(slam) or [hole for hole, _seeds in stories[move].captures]
        )
        if move in barred.legal_moves():
            assert barred.play(move).to_json() == position.play(move).to_json()


@given(data=st.data())
def test_min_seeds(data: st.DataObject) -> None:
    position = data.draw(positions("oware(min_seeds=0)"))
    usual = mbegu.game("oware").from_json(position.to_json())
    few = sum(position.to_json()["board"]) < 6
    assert usual.legal_moves() == ([] if few else position.legal_moves())


@given(data=st.data())
def test_empty_capture(data: st.DataObject) -> None:
    position = data.draw(positions("kalah(empty_capture=True)"))
    usual = mbegu.game("kalah").from_json(position.to_json())
    for move in position.legal_moves():
        told, usually = replay(position, move), replay(usual, move)
        if len(told.captures) == 1:  # a lone stone, with nothing across
            assert told.captures == [(told.sown[-1], 1)]
            assert not usually.captures
        else:
            assert told == usually


@given(data=st.data())
def test_red_everywhere(data: st.DataObject) -> None:
    """To swap the roles of the colours is to swap the colours."""
    position = data.draw(positions("awale2(red_everywhere=False)"))
    usual = mbegu.game("awale2")

    def swapped(position: Position) -> Position:
        state = position.to_json()
        return usual.from_json({**state, "red": state["blue"], "blue": state["red"]})

    for move in position.legal_moves():
        other = str(move).translate(str.maketrans("RB", "BR"))
        assert swapped(position).play(other) == swapped(position.play(move))


@given(data=st.data())
def test_starve_first(data: st.DataObject) -> None:
    position = data.draw(positions("awale2(starve_first=False)"))
    usual = mbegu.game("awale2").from_json(position.to_json())
    for move in position.legal_moves():
        told, usually = replay(position, move), replay(usual, move)
        if told != usually:
            assert told.outcome is not None
            assert usually.outcome is not None
            assert (told.outcome.reason, usually.outcome.reason) == (
                Reason.FEW_SEEDS,
                Reason.STARVED,
            )


@given(data=st.data())
def test_chain(data: st.DataObject) -> None:
    """Over the holes just sown, last to first, while each holds two or three."""
    position = data.draw(positions("awale2(chain=sown)"))
    for move in position.legal_moves():
        told = replay(position, move)
        taken = [hole for hole, _seeds in told.captures]
        assert taken == told.sown[::-1][: len(taken)]
        assert all(seeds in (2, 3) for _hole, seeds in told.captures)

"""The pictures of boards: up to date, well formed, self-contained, and true."""

import dataclasses
import math
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from plugins import install_nim, run
from rows_of_three import NAMES, Rows

import mbegu
from mbegu.core.board import Board, Lying, Place
from mbegu.core.drawing import number, spots, tag
from mbegu.core.i18n import speaking
from mbegu.games.pictures import picture
from mbegu.games.pictures.mill import HORNS

ROOT = Path(__file__).resolve().parent.parent
SVG = "{http://www.w3.org/2000/svg}"
GAMES = ["oware", "kalah", "awale2", "urubugu", "morabaraba"]


def walk(name: str, seed: int) -> Iterator[mbegu.Position]:
    """The positions of a random game."""
    luck = random.Random(seed)
    position = mbegu.game(name).start()
    yield position
    for _ply in range(60):
        moves = position.legal_moves()
        if not moves:
            break
        position = position.play(luck.choice(moves))
        yield position


def words(text: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(text).iter(f"{SVG}text")]


def places(text: str) -> set[str]:
    """The places at which one can point."""
    found = (element.get("data-place") for element in ElementTree.fromstring(text).iter())
    return {place for place in found if place}


def words_of(text: str, names: set[str]) -> list[str]:
    """The count that is written in each of these places: the first number there."""
    groups = [
        element
        for element in ElementTree.fromstring(text).iter(f"{SVG}g")
        if element.get("data-place") in names
    ]
    return [next(group.iter(f"{SVG}text")).text or "" for group in groups]


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))


@pytest.mark.usefixtures("tools")
def test_the_pictures_of_the_documentation_are_up_to_date() -> None:
    import pictures as tool

    drawn = dict(tool.pictures())
    folder = ROOT / "docs" / "pictures"
    shots = {"terminal.svg"}  # a screenshot, made by tools/screenshots.py
    assert {path.name for path in folder.glob("*.svg")} - shots == set(drawn)
    for name, text in drawn.items():
        assert (folder / name).read_text(encoding="utf-8") == text, f"{name}: run `make pictures`"


@pytest.mark.usefixtures("tools")
@pytest.mark.parametrize(
    ("name", "position", "move", "panels", "marks"),
    [
        ("oware", "0-3-0-6-1-2-0-0-2-1-0-3-14-16-S", 3, 3, {"+1": 6, "cross": 2}),
        ("oware", "4-1-2-3-0-2-1-1-0-0-0-0-17-17-S", 5, 2, {"+1": 2, "dashed": 2}),
        ("kalah", "<6,25,18,0,0,0,0,0,1,0,2,0,1,0,1> S", 5, 3, {"+1": 1, "square": 3}),
        ("morabaraba", "0/0 d1,a4,b4,c4,f6 b2,e5,g7 x! 9/7 - - 3 0", "STEAL b2", 2, {"cross": 1}),
    ],
)
def test_a_diagram_shows_what_the_events_tell(
    name: str, position: str, move: Any, panels: int, marks: dict[str, int]
) -> None:
    from diagrams import diagram

    text = diagram(mbegu.game(name).position(position), move, "a < b")
    assert ElementTree.fromstring(text).find(f"{SVG}title") is not None
    assert text.count('rx="10"') == panels
    found = {
        "+1": words(text).count("+1"),
        "cross": text.count('stroke="#b91c1c" stroke-width="3"'),
        "dashed": text.count("stroke-dasharray"),
        "square": text.count('rx="3"'),
    }
    assert {mark: count for mark, count in found.items() if count} == marks


@pytest.mark.parametrize("name", GAMES)
def test_every_position_has_a_sound_picture(name: str) -> None:
    for position in list(walk(name, 1))[::5]:
        text = picture(position)
        assert text == picture(position)
        root = ElementTree.fromstring(text)
        assert root.tag == f"{SVG}svg"
        assert root.get("role") == "img"
        title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
        assert title is not None
        assert desc is not None
        assert title.text
        assert desc.text == f"{position.game} {position}"
        ids = [element.get("id") for element in root.iter() if element.get("id")]
        assert len(ids) == len(set(ids))
        # Nothing comes from elsewhere, and everything referred to is there.
        links = set(re.findall(r'(?:href="|url\()#([^")]+)', text))
        assert links <= set(ids)
        assert text.count("href=") == text.count('href="#')
        assert text.count("url(") == text.count("url(#")
        assert text.count("http") == 1  # the name of the SVG language itself


def test_the_numbers_are_the_counts() -> None:
    board = [0, 24, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    position = mbegu.game("oware").from_json({"board": board, "score": [12, 22], "to_move": 1})
    found = [int(word) for word in words(picture(position)) if word.isdigit()]
    assert sorted(found) == sorted([*board, 12, 22])


@pytest.mark.parametrize("pits", [1, 3, 10])
def test_kalah_of_any_length(pits: int) -> None:
    found = words(picture(mbegu.game("kalah", pits=pits, seeds=7).start()))
    assert found.count("7") == 2 * pits
    assert found.count("abcdefghij"[pits - 1]) == found.count("ABCDEFGHIJ"[pits - 1]) == 1


def test_two_colours_are_told_apart_by_shape() -> None:
    state = {"red": [0] * 16, "blue": [0] * 16, "score": [10, 10], "to_move": 0}
    state |= {"red": [30] + [0] * 15, "blue": [1] + [2] * 5 + [3] + [0] * 9}
    text = picture(mbegu.game("awale2").from_json(state))
    assert text.count('href="#blue"') == 1 + 5 * 2 + 3  # the one blue of the heap is seen
    assert text.count('href="#red"') > 10


@pytest.mark.parametrize("name", GAMES)
def test_the_title_says_who_is_to_move_or_has_won(name: str) -> None:
    with speaking("en"):
        positions = list(walk(name, 3))
        start = positions[0]
        assert f"{start.game.side(0)} to move" in picture(start).split("</title>")[0]
        for last in positions[-1:]:
            outcome = last.outcome()
            title = picture(last).split("</title>")[0]
            if outcome is not None and outcome.winner is not None:
                assert f"{last.game.side(outcome.winner)} has won" in title


def test_a_board_of_no_known_family_is_shown_as_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    position: Any = mbegu.game("oware").start()
    monkeypatch.setattr(type(position.game), "board", Board())
    found = words(picture(position))
    lines = [line.rstrip() for line in position.diagram().split("\n")]
    assert [line.rstrip() for line in found] == [*lines, *"ABCDEF"]
    assert places(picture(position)) == set("ABCDEF")  # every move can be pointed at


@pytest.mark.parametrize("name", GAMES)
def test_every_place_can_be_pointed_at(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    position = list(walk(name, 2))[9]
    board = position.game.board
    names = {place.name for place in board.places}
    assert names <= places(picture(position))
    grid = dataclasses.replace(board, family="grid")
    monkeypatch.setattr(type(position.game), "board", grid)
    drawn = picture(position)
    assert names | {store.name for store in board.stores} == places(drawn)
    if len(board.kinds) == 1:
        counts = [str(lying.counts[0]) for lying in position.places().values()]
        assert sorted(counts) == sorted(words_of(drawn, names | {s.name for s in board.stores}))


def test_a_store_covers_no_place_of_a_grid(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that does not say where it lies would lie upon the first place."""
    position = Rows().start()
    stores = (Place("Dark", owner=0, role="score"), Place("Light", row=3, owner=1, role="score"))
    board = dataclasses.replace(position.game.board, stores=stores)
    monkeypatch.setattr(Rows, "board", board)
    assert places(picture(position)) == {*(place.name for place in board.places), "Light"}


def test_a_board_that_lies_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    position = mbegu.game("oware").start()
    lies = {"A": Lying((4,)), "Z": Lying((1,))}
    monkeypatch.setattr(type(position), "places", lambda self: lies)
    with pytest.raises(mbegu.MbeguError, match="something lies in “Z”, which is no place"):
        picture(position)


def test_text_is_escaped() -> None:
    assert tag("text", "<&>", id='"') == '<text id="&quot;">&lt;&amp;&gt;</text>'


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0"), (-0.001, "0"), (-0.5, "-0.5"), (100, "100"), (1 / 3, "0.33")]
)
def test_numbers_print_the_same_everywhere(value: float, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize("count", range(11))
def test_up_to_ten_seeds_lie_one_by_one_inside_their_hole(count: int) -> None:
    for turn in range(5):
        places = list(spots(count, turn))
        assert len(places) == count
        assert all(x * x + y * y < 0.7**2 for x, y, _angle in places)


# ---- boards of points that are not ours -----------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Wheel(Rows):
    """Nine points: eight on a circle, one in the middle; nothing lies beside them."""

    name = "wheel"
    sides = ("Those of the northern lake shore", "Those of the southern lake shore")

    @property
    def board(self) -> Board:
        turns = [k * math.pi / 4 for k in range(8)]
        rim = [(20 + 30 * math.cos(turn), -5 + 30 * math.sin(turn)) for turn in turns]
        places = tuple(
            Place(name, row=row, column=column, label=f"<{k}>")
            for k, (name, (column, row)) in enumerate(zip(NAMES, [*rim, (20, -5)], strict=True))
        )
        around = (*NAMES[:8], NAMES[0])
        return Board(family="mill", places=places, kinds=("reed", "pebble"), lines=(around,))


def test_points_lie_within_the_picture_wherever_a_game_lays_them() -> None:
    drawn = ElementTree.fromstring(picture(Wheel().start()))
    _left, _top, width, height = map(float, drawn.attrib["viewBox"].split())
    spots = {}
    for part in drawn.iter(f"{SVG}g"):
        if "data-place" in part.attrib:
            found = re.fullmatch(r"translate\(([-\d.]+) ([-\d.]+)\)", part.attrib["transform"])
            assert found
            spots[part.attrib["data-place"]] = (float(found[1]), float(found[2]))
    assert set(spots) == set(NAMES)
    assert all(100 < x < width - 100 and 60 < y < height - 60 for x, y in spots.values())
    assert spots[NAMES[8]][0] == pytest.approx(width / 2, abs=1)


def test_points_without_coordinates_are_labelled_and_only_cows_have_horns() -> None:
    position = Wheel().start().play("a3").play("b3")
    told = words(picture(position))
    assert {f"<{k}>" for k in range(9)} <= set(told)
    assert not {"a", "g", "7"} & set(told)
    assert max(map(len, told)) <= 15
    assert HORNS not in picture(position)
    assert HORNS in picture(mbegu.game("morabaraba").start())


PAINTED = """
import mbegu
from strangers_nim.rules import Nim

assert Nim().start()._repr_svg_().startswith("<svg")
"""


def test_a_strangers_position_draws_itself_before_any_other_game_was_used(tmp_path: Path) -> None:
    install_nim(tmp_path)
    found = run(tmp_path, "-c", PAINTED)
    assert found.returncode == 0, found.stderr

"""The conformance suite passes our games and a stranger's, and catches each kind of broken promise."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from nim import Nim, NimPosition

import mbegu
from mbegu.core.errors import InvalidMove
from mbegu.core.events import Capture, End, Event
from mbegu.core.game import Game, Move, Position
from mbegu.core.outcome import Outcome, Reason
from mbegu.testing import check_game

VARIANTS = [
    "oware",
    "oware(grand_slam=illegal)",
    "oware(grand_slam=take)",
    "oware(min_seeds=0)",
    "kalah",
    "kalah(pits=10,seeds=6)",
    "kalah(pits=1,seeds=1)",
    "kalah(pits=3,seeds=2,empty_capture=True)",
    "awale2",
    "awale2(red_everywhere=False)",
    "awale2(chain=sown,starve_first=False)",
    "urubugu",
    "urubugu(traditional)",
    "urubugu(restart=turn)",
    "morabaraba",
    "morabaraba(rules=classic)",
]


@pytest.mark.parametrize("text", VARIANTS)
def test_our_own_games_pass(text: str) -> None:
    check_game(mbegu.game(text), games=2)


def test_every_installed_game_is_among_them() -> None:
    assert set(mbegu.game_names()) == {text for text in VARIANTS if "(" not in text}


def test_a_toy_game_passes() -> None:
    check_game(Nim())
    check_game(Nim(stones=1))
    check_game(Nim(stones=99), games=1)


# ---- broken games, each with the complaint it must earn ---------------------------------------------

# Each is a function that returns the broken game; its position class is made from Nim's.
Broken = Callable[[], Game]
BROKEN: list[tuple[str, Broken]] = []


def complaint(message: str) -> Callable[[Broken], Broken]:
    """Registers a broken game with what the suite must say about it."""

    def register(make: Broken) -> Broken:
        BROKEN.append((message, make))
        return make

    return register


def on_card(**card: Any) -> Game:
    return type("Changed", (Nim,), card)()


def with_position(**methods: Any) -> Game:
    """Nim, in which every position has these methods instead of its own."""
    changed = type("ChangedPosition", (NimPosition,), {"__slots__": (), **methods})

    def remade(position: Position) -> Position:
        assert isinstance(position, NimPosition)
        return changed(position.game, position.heap, position.side)

    class ChangedNim(Nim):
        def start(self) -> Position:
            return remade(super().start())

        def position(self, text: str) -> Position:
            return remade(super().position(text))

        def from_json(self, obj: Any) -> Position:
            return remade(super().from_json(obj))

    return ChangedNim()


@complaint("people must be a text")
def no_people() -> Game:
    return on_card(people="")


@complaint("rulebook must be a text")
def no_rules() -> Game:
    return on_card(rulebook=None)


@complaint("id must be the rule set and its version, like nim@1, not 'nim'")
def no_version() -> Game:
    return on_card(id="nim")


@complaint("name must be one lower-case word, not 'Nim !'")
def loud_name() -> Game:
    return on_card(name="Nim !")


@complaint("sides must be two different names")
def one_side() -> Game:
    return on_card(sides=("Me", "Me"))


@complaint("summary must be one line")
def long_summary() -> Game:
    return on_card(summary="One.\nTwo.")


@complaint("repetition_limit must be None or a number from 2, not 1")
def repeated_at_once() -> Game:
    return on_card(repetition_limit=1)


@complaint("with the preset tiny raised InvalidOption")
def bad_preset() -> Game:
    class Changed(Nim):
        presets = {"tiny": {"stones": 1}}  # noqa: RUF012

        @classmethod
        def with_options(cls, pairs: Any) -> Any:
            return super().with_options([("heaps", 2), *pairs])

    return Changed()


@complaint("str(game) is 'nim', which is read as another game")
def string_without_options() -> Game:
    class Changed(Nim):
        def __str__(self) -> str:
            return "nim"

    return Changed(stones=3)


@complaint("the start position is already over")
def nothing_to_take() -> Game:
    class Changed(Nim):
        def start(self) -> Position:
            return NimPosition(self, 0, 0)

    return Changed()


@complaint("nobody is to move, but outcome() is None")
def no_outcome() -> Game:
    return with_position(outcome=lambda self: None)


@complaint("player 0 is to move, but there is Outcome")
def early_outcome() -> Game:
    return with_position(outcome=lambda self: Outcome(0, (0, 0), Reason.NO_MOVES))


@complaint("nobody is to move, but there are legal moves: [1, 2, 3]")
def moves_for_ever() -> Game:
    return with_position(
        legal_moves=lambda self: NimPosition.legal_moves(self) if self.heap else [1, 2, 3]
    )


@complaint("player 0 is to move, but has no legal move")
def stuck() -> Game:
    return with_position(legal_moves=lambda self: [])


@complaint("legal_moves() repeats a move: [1, 1]")
def twice() -> Game:
    return with_position(legal_moves=lambda self: [1, 1])


@complaint("a move must be a number or a text, not (1, 2)")
def pairs() -> Game:
    return with_position(legal_moves=lambda self: [(1, 2)])


@complaint("turn must be 0, 1 or None, not 2")
def three_players() -> Game:
    return with_position(turn=property(lambda self: 2))


@complaint("is read as a position with other legal moves, or in another order")
def any_order() -> Game:
    orders: list[list[Move]] = [[1, 2], [2, 1]]

    def legal_moves(self: Position) -> list[Move]:
        orders.reverse()
        return orders[0]

    # The order changes whenever it is asked for.
    return with_position(legal_moves=legal_moves)


@complaint("str(position) is '?', which is read as another position")
def forgetful_text() -> Game:
    class Changed(Nim):
        def position(self, text: str) -> Position:
            return NimPosition(self, 1, 1)

    return replacing_text(Changed(), "?")


def replacing_text(game: Nim, text: str) -> Game:
    changed = type("Q", (NimPosition,), {"__slots__": (), "__str__": lambda self: text})

    class Changed(type(game)):  # type: ignore[misc]
        def start(self) -> Position:
            return changed(self, 3, 0)

    return Changed()


@complaint("str(position) must be one line, not '3\\n0'")
def two_lines() -> Game:
    return replacing_text(Nim(), "3\n0")


@complaint("game.position('three stones') raised InvalidPosition")
def unreadable_text() -> Game:
    return replacing_text(Nim(), "three stones")


@complaint("to_json() is not plain JSON")
def tuple_in_json() -> Game:
    return with_position(to_json=lambda self: {"nim": (self.heap, self.side)})


@complaint("position.to_json() through json raised TypeError")
def set_in_json() -> Game:
    return with_position(to_json=lambda self: {"nim": {self.heap}})


@complaint("to_json() is {'nim': [12, 1]}, which is read as another position")
def json_of_another() -> Game:
    return with_position(to_json=lambda self: {"nim": [self.heap, 1]})


@complaint("diagram() must be a text")
def no_diagram() -> Game:
    return with_position(diagram=lambda self, *, colour=False: "")


@complaint("diagram() has terminal colours that nobody asked for")
def always_coloured() -> Game:
    return with_position(diagram=lambda self, *, colour=False: "\x1b[91mo\x1b[0m")


@complaint("scores() must be two numbers in a tuple, not [0, 0]")
def list_of_scores() -> Game:
    return with_position(scores=lambda self: [0, 0])


@complaint("raised InvalidGame: a winner is 0, 1 or None, not “First”")
def named_winner() -> Game:
    def outcome(self: Any) -> Any:
        return None if self.heap else Outcome("First", (0, 0), Reason.NO_MOVES)  # type: ignore[arg-type]

    return with_position(outcome=outcome)


@complaint("the winner is 0, but the result is 0-1")
def wrong_result() -> Game:
    class Upside(Outcome):
        result = "0-1"  # type: ignore[assignment]

    def outcome(self: Any) -> Any:
        return None if self.heap else Upside(0, (0, 0), Reason.NO_MOVES)

    return with_position(outcome=outcome)


@complaint("reason='tired')” is no Outcome")
def odd_reason() -> Game:
    def outcome(self: Any) -> Any:
        return None if self.heap else Outcome(0, (0, 0), "tired")  # type: ignore[arg-type]

    return with_position(outcome=outcome)


@complaint("is the text of 1 and 2")
def same_text() -> Game:
    class Changed(Nim):
        def format_move(self, move: Move, position: Position) -> str:
            return "1"

    return Changed()


@complaint("'1' is written for 1, but read as 2")
def misread() -> Game:
    class Changed(Nim):
        def read_move(self, text: str, position: Position) -> Move:
            return 2 if text == "1" else super().read_move(text, position)

    return Changed()


@complaint("format_turn() must give one word, not 'take 1'")
def two_words() -> Game:
    class Changed(Nim):
        def format_turn(self, moves: Any, position: Position) -> tuple[str, int]:
            return f"take {moves[0]}", 1

    return Changed()


@complaint("'1' is written for the moves (1,), but read as (1, 1)")
def turn_of_two() -> Game:
    class Changed(Nim):
        def parse_turn(self, text: str, position: Position) -> tuple[Move, ...]:
            return (*super().parse_turn(text, position),) * 2

    return Changed()


@complaint("parse_move('?') gave 7, which is not legal")
def reads_anything() -> Game:
    class Changed(Nim):
        def parse_move(self, text: str, position: Position) -> Move:
            return 7 if text == "?" else super().parse_move(text, position)

    return Changed()


@complaint("parse_move('') raised IndexError")
def careless_reader() -> Game:
    class Changed(Nim):
        def read_move(self, text: str, position: Position) -> Move:
            return int(text) if text[0] in "123" else super().read_move(text, position)

    return Changed()


@complaint("play(None) was allowed, though it is not a legal move")
def plays_anything() -> Game:
    def play(self: Any, move: Any) -> Position:
        return NimPosition.play(self, move if move in (1, 2, 3) else 1)

    return with_position(play=play)


@complaint("events(None), which is not a legal move, raised TypeError")
def tells_anything() -> Game:
    def events(self: Any, move: Any) -> Iterator[Event]:
        return iter(()) if self.heap < move else NimPosition.events(self, move)

    return with_position(events=events)


@complaint("play must raise IllegalMove with the rule that forbids it")
def refuses_without_a_rule() -> Game:
    def forbids(self: Any, move: Any) -> str | None:
        if move not in self.legal_moves():
            raise InvalidMove("no")
        return None

    return with_position(forbids=forbids)


@complaint("1 is legal, but forbids() says: not today")
def forbids_all() -> Game:
    changed = with_position(forbids=lambda self, move: "not today")
    return replace_parsing(changed)


def replace_parsing(game: Game) -> Game:
    """Without the check that parse_move makes, so that the suite comes as far as playing."""

    class Changed(type(game)):  # type: ignore[misc]
        def parse_move(self, text: str, position: Position) -> Move:
            return self.read_move(text.strip(), position)

    return Changed()


@complaint("must give a new position")
def plays_nothing() -> Game:
    return with_position(play=lambda self, move: self)


@complaint("events(1) tells nothing")
def silent() -> Game:
    return with_position(events=lambda self, move: iter(()))


@complaint("must close with End(")
def no_end() -> Game:
    def events(self: Any, move: Any) -> Iterator[Event]:
        return (event for event in NimPosition.events(self, move) if not isinstance(event, End))

    return with_position(events=events)


@complaint("tells an end, but the game goes on")
def early_end() -> Game:
    def events(self: Any, move: Any) -> Iterator[Event]:
        yield from NimPosition.events(self, move)
        yield End(Outcome(None, (0, 0), Reason.NO_MOVES))

    return with_position(events=events)


@complaint("to_json() through json raised TypeError")
def event_without_json() -> Game:
    def events(self: Any, move: Any) -> Iterator[Event]:
        for event in NimPosition.events(self, move):
            yield replace(event, hole=object()) if isinstance(event, Capture) else event

    return with_position(events=events)


@complaint("the story of 1 ends in <nim 12 1>, but play gives <nim 11 1>")
def other_story() -> Game:
    def story(self: Any, move: Any) -> Any:
        yield Capture("heap", 1)
        return type(self)(self.game, self.heap, 1 - self.side)

    def play(self: Any, move: Any) -> Position:
        self.check(move)
        return type(self)(self.game, self.heap - move, 1 - self.side)

    return with_position(_story=story, play=play)


@complaint("hash(position) raised TypeError")
def unhashable() -> Game:
    return with_position(__hash__=None)


@complaint("position.turn can be assigned to: a position must be immutable")
def mutable() -> Game:
    turn = property(NimPosition.turn.fget, lambda self, value: None)
    return with_position(turn=turn, __setattr__=object.__setattr__)


@complaint("changed the position that it was played in")
def played_in_place() -> Game:
    @dataclass(frozen=True, repr=False)
    class Heap(NimPosition):
        stones: list[int] = field(default_factory=list, compare=False)

        def __str__(self) -> str:
            return f"{self.heap - len(self.stones)} {self.side}"

        def play(self, move: Move) -> Position:
            after = super().play(move)
            self.stones.append(1)
            return after

    class Changed(Nim):
        def start(self) -> Position:
            return Heap(self, self.stones, 0)

        def position(self, text: str) -> Position:
            heap, side = text.split()
            return Heap(self, int(heap), int(side))

        def from_json(self, obj: Any) -> Position:
            return Heap(self, *obj["nim"])

    return Changed()


@complaint("the position belongs to nim(stones=5), not to nim")
def of_another_game() -> Game:
    class Changed(Nim):
        def start(self) -> Position:
            return NimPosition(Nim(stones=5), 12, 0)

    return Changed()


@complaint("start() raised RuntimeError: no stones today")
def no_start() -> Game:
    class Changed(Nim):
        def start(self) -> Position:
            raise RuntimeError("no stones today")

    return Changed()


@complaint("random games of nim(stones=9) ended within 2000 moves")
def endless() -> Game:
    class Passing(NimPosition):
        __slots__ = ()

        def _story(self, move: Move) -> Any:
            yield Capture("heap", 0)
            return type(self)(self.game, self.heap, 1 - self.side)

    class Changed(Nim):
        def start(self) -> Position:
            return Passing(self, self.stones, 0)

        def position(self, text: str) -> Position:
            heap, side = text.split()
            return Passing(self, int(heap), int(side))

        def from_json(self, obj: Any) -> Position:
            return Passing(self, *obj["nim"])

    return Changed(stones=9)


@pytest.mark.parametrize(
    ("message", "make"), BROKEN, ids=[make.__name__ for _message, make in BROKEN]
)
def test_a_broken_game_is_caught(message: str, make: Broken) -> None:
    games = 1 if make is endless else 20
    with pytest.raises(AssertionError) as caught:
        check_game(make(), games=games)
    assert message in str(caught.value)


def test_the_complaint_shows_the_position() -> None:
    with pytest.raises(AssertionError) as caught:
        check_game(stuck())
    assert str(caught.value).endswith("\nposition: 12 0\ndiagram: oooooooooooo")


def test_what_is_not_a_game_is_told() -> None:
    with pytest.raises(AssertionError, match="'nim' is not a Game"):
        check_game("nim")  # type: ignore[arg-type]


def test_an_endless_game_may_rely_on_the_match() -> None:
    game = endless()
    type(game).ply_cap = 100
    check_game(game, games=1)


# ---- a stranger's package ---------------------------------------------------------------------------

SCRIPT = """
import mbegu
from mbegu.testing import check_game

assert "nim" in mbegu.game_names() and "oware" in mbegu.game_names()
game = mbegu.game("nim(stones=7)")
check_game(game, games=3)
print(game, game.start(), mbegu.game("heap") == mbegu.game("nim"))
"""


def test_a_strangers_package_adds_a_game_by_entry_point(tmp_path: Path) -> None:
    source = Path(__file__).with_name("nim.py").read_text("utf-8")
    source = source.replace('id = "nim@1"', 'id = "nim@1"\n    aliases = ("heap",)')
    (tmp_path / "strangers_nim.py").write_text(source, "utf-8")
    card = tmp_path / "strangers_nim-1.0.dist-info"
    card.mkdir()
    (card / "METADATA").write_text("Metadata-Version: 2.1\nName: strangers-nim\nVersion: 1.0\n")
    (card / "entry_points.txt").write_text("[mbegu.games]\nnim = strangers_nim:Nim\n")
    said = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{SCRIPT}"],
        capture_output=True,
        text=True,
    )
    assert (said.stdout, said.stderr) == ("nim(stones=7) 7 0 True\n", "")

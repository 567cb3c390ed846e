"""Is a whole game in order: rules, board, texts, pictures, views, lesson, page, perft suite, kernel, levels?

Each part is tried by itself, so that one who writes a game hears of all that is wrong at once
(`mbegu game check`); `check_plugin` stops at the first thing, as a test should.
"""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from mbegu.core.board import Board, check_places
from mbegu.core.clock import Clock
from mbegu.core.errors import where_raised
from mbegu.core.events import EFFECTS, Capture, Event, Lift, Relay, Sow, Sweep
from mbegu.core.game import Game, Move, Position
from mbegu.core.i18n import LANGUAGES, _, speaking
from mbegu.core.options import Option, OptionValue
from mbegu.core.story import tell, tell_outcome
from mbegu.testing.rules import LONGEST, check_game

__all__ = ["Part", "check_plugin", "examine_plugin"]

PLACES = ("hole", "point", "start", "end", "to")  # fields of events that name a place
MOST_SHOWN = 200  # positions of a game that are looked at
MOST_NODES = 20_000  # of a line of a perft suite
LEVELS = (1, 3)


class Part(NamedTuple):
    """A part of a game, and what is wrong with it; nothing, if `trouble` is empty."""

    what: str
    trouble: str = ""
    missing: bool = False  # a game may do without it


class _Missing(Exception):
    """There is nothing to check: the game does without this part."""


def check_plugin(game: Game, *, games: int = 20, seed: int = 0) -> None:
    """Tries every part of a game; AssertionError with the first thing that is wrong."""
    for part in examine_plugin(game, games=games, seed=seed):
        if part.trouble:
            raise AssertionError(f"{part.what} No: {part.trouble}")


def examine_plugin(game: Game, *, games: int = 20, seed: int = 0) -> Iterator[Part]:
    """Tries every part of a game, and tells of each."""
    walk = list[Position]()

    def wander() -> None:
        walk.extend(_walk(game, seed))

    parts: list[tuple[str, Callable[[], None]]] = [
        (_("The rules keep their promises."), lambda: check_game(game, games=games, seed=seed)),
        (_("A game can be played to its end."), wander),
        (_("The board says what lies where."), lambda: _each(walk, _check_board)),
        (_("Every move is told, in every language."), lambda: _each(walk[:40], _check_texts)),
        (_("There is a picture of every position."), lambda: _each(walk[:40], _check_picture)),
        (_("The web app can show it."), lambda: _each(walk[:20], _check_view)),
        (_("The lesson follows the rules."), lambda: _check_lesson(game)),
        (_("Its page says what its card says."), lambda: _check_page(game)),
        (_("The numbers of perft.txt are right."), lambda: _check_perft(game)),
        (_("The kernel plays by the same rules."), lambda: _check_kernel(game, games, seed)),
        (_("The computer plays it."), lambda: _check_levels(game)),
    ]
    for what, attempt in parts:
        yield _tried(what, attempt)


def _tried(what: str, attempt: Callable[[], None]) -> Part:
    try:
        attempt()
    except _Missing:
        return Part(what, missing=True)
    except AssertionError as error:
        return Part(what, str(error) or _("an assertion of the game's own failed"))
    except (Exception, SystemExit) as error:  # a stranger's code may fail in any way
        return Part(what, f"{type(error).__name__}: {error}{where_raised(error)}")
    return Part(what)


def _demand(promise: object, complaint: str) -> None:
    if not promise:
        raise AssertionError(complaint)


def _walk(game: Game, seed: int) -> Iterator[Position]:
    lot, position = random.Random(seed), game.start()  # noqa: S311 (not a secret)
    for ply in range(LONGEST):
        if ply < MOST_SHOWN:
            yield position
        if position.turn is None:
            return
        position = position.play(lot.choice(position.legal_moves()))
    _demand(
        game.ply_cap or game.repetition_limit,
        f"it goes on after {LONGEST} moves, and neither ply_cap nor repetition_limit would end it",
    )


def _each(walk: list[Position], check: Callable[[Position], None]) -> None:
    for position in walk:
        check(position)


# ---- the parts


def _check_board(position: Position) -> None:
    """What lies where, and whether the moves tell the same."""
    board, lying = position.game.board, position.places()
    check_places(board, lying)
    if not board.places:
        return
    _check_spots(board)
    hash(position.layout())
    for move in position.legal_moves():
        events = list(position.events(move))
        _check_counts(position, move, events)
        for event in events:
            for field in PLACES:
                name = getattr(event, field, "")
                _demand(
                    not isinstance(name, str) or not name or board.place(name),
                    f"{event!r} names {name!r}, which is no place of the board",
                )
            if isinstance(event, Lift):
                held = sum(lying[event.hole].counts)
                _demand(event.seeds <= held, f"{event!r}, but only {held} lie there: {position}")


def _check_spots(board: Board) -> None:
    """On a board that is drawn by rows and columns no place lies upon another."""
    found = dict[tuple[float, float], str]()
    for place in board.places if board.family != "ring" else ():
        other = found.setdefault((place.row, place.column), place.name)
        _demand(
            other == place.name,
            f"{other} and {place.name} lie both in row {place.row}, column {place.column}",
        )


def _check_counts(position: Position, move: Move, events: list[Event]) -> None:
    """Where the story last told how many lie in a hole, so many lie there after the move."""
    told: dict[str, int] = {}
    for event in events:
        match event:
            case Sow(hole, now, ""):
                told[hole] = now
            case Sweep(holes=swept):
                told = {hole: now for hole, now in told.items() if hole not in swept}
            case Sow(hole=hole) | Lift(hole=hole) | Capture(hole=hole) | Relay(hole=hole):
                told.pop(hole, None)
            case Event():  # a game's own may change anything that it names
                for field in PLACES:
                    told.pop(getattr(event, field, ""), None)
    after = position.play(move).places()
    holes = {place.name for place in position.game.board.places}  # what a store has grows untold
    for hole, now in told.items():
        if hole not in holes:
            continue
        lying = sum(after[hole].counts)
        _demand(
            lying == now,
            f"{move!r} in {position}: the move tells that {now} lie in {hole} in the end,"
            f" places() tells {lying}",
        )


def _check_texts(position: Position) -> None:
    outcome = position.outcome()
    for language in LANGUAGES:
        with speaking(language):
            for move in position.legal_moves():
                _demand(tell(position, move).strip(), f"{move!r} is not told in {language}")
            if outcome is not None:
                _demand(tell_outcome(position.game, outcome), f"the end is not told in {language}")
    for move in position.legal_moves():
        for event in position.events(move):
            _demand(
                event.effect in ("", *EFFECTS),
                f"{event!r} has the effect {event.effect!r}: effects are {', '.join(EFFECTS)}",
            )


def _check_picture(position: Position) -> None:
    from mbegu.games.pictures import picture  # noqa: PLC0415 - only here

    root = ElementTree.fromstring(picture(position))  # noqa: S314 - our own text
    shown = {element.get("data-place") for element in root.iter()}
    missing = [place.name for place in position.game.board.places if place.name not in shown]
    _demand(not missing, f"the picture does not show {missing}")


def _check_view(position: Position) -> None:
    from mbegu.server.play.views import card, view  # noqa: PLC0415 - heavy

    json.dumps(card(type(position.game)))
    told = view(position)
    names = {place["name"] for place in told["board"]["places"]}
    for choice in told["legal"]:
        for end in ("from", "to"):
            _demand(
                not names or choice[end] in (None, *names),
                f"{choice['word']} is played {end} {choice[end]}, which is no place of the board",
            )
    for name in told["barred"]:
        _demand(isinstance(told["barred"][name], str), f"why not {name}? {told['barred'][name]!r}")


def _check_lesson(game: Game) -> None:
    steps = type(game).lesson()
    if not steps:
        raise _Missing
    for number, step in enumerate(steps, 1):
        position = step.start()
        for move in step.accept:
            rule = position.forbids(move)
            _demand(rule is None, f"step {number} wants {move!r}, but {rule}")
        _demand(step.title and step.text, f"step {number} has no title or no text")


def _check_page(game: Game) -> None:
    page = _flat(type(game).page())
    if not page:
        raise _Missing
    told = {
        "its rule set": f"`{game.id}`",
        "whose game it is": game.people,
        "the rules": game.rulebook,
        **{f"the alias {alias}": f"`{alias}`" for alias in game.aliases},
        **{f"the preset {preset}": f"`{game.name}({preset})`" for preset in game.presets},
        **{f"the option {option.name}": _row(option) for option in game.options().values()},
    }
    for what, text in told.items():
        _demand(_flat(text) in page, f"page.md does not tell {what}: {_flat(text)}")


def _flat(text: str) -> str:
    return " ".join(text.split())


def _row(option: Option) -> str:
    """How the table of options begins."""
    values = option.values.replace(" | ", ", ")
    return f"| `{option.name}` | `{option.default}` | {values} |"


def _check_perft(game: Game) -> None:
    from mbegu.core.registry import game as find_game  # noqa: PLC0415
    from mbegu.engine.perft import by_rules  # noqa: PLC0415 - heavy

    origin = import_module(type(game).__module__).__file__
    suite = Path(origin or "").with_name("perft.txt")
    if not suite.exists():
        raise _Missing
    for line in suite.read_text("utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        where, *figures = (part.strip() for part in line.split(";"))
        text, _space, at = where.partition(" ")
        found = find_game(text)
        position = found.position(at) if at else found.start()
        for figure in figures:
            depth, nodes = map(int, figure.split())
            if nodes <= MOST_NODES:
                counted = by_rules(position, depth).nodes
                _demand(counted == nodes, f"{where} to depth {depth}: {counted}, not {nodes}")


def _check_kernel(game: Game, games: int, seed: int) -> None:
    from mbegu.engine.kernels.door import has_kernel  # noqa: PLC0415

    if not has_kernel(game.name):
        raise _Missing
    from mbegu.engine.kernels.agreement import disagreement  # noqa: PLC0415 - Numba is heavy
    from mbegu.engine.kernels.driver import kernel_of  # noqa: PLC0415

    kernel = kernel_of(game.name)
    taken = (variant for variant in _variants(game) if _takes(kernel, variant))
    for variant in (game, *taken):
        found = disagreement(kernel, variant, games=games, seed=seed)
        _demand(found is None, f"{variant}: {found}")


def _takes(kernel: Any, game: Game) -> bool:
    """Whether a kernel has room for these options; a ValueError at the start says that it has not."""
    options = {name: getattr(game, name) for name in game.options()}
    try:
        kernel.pack(game.start().to_json(), options)
    except ValueError:
        return False
    return True


def _variants(game: Game) -> Iterator[Game]:
    """The game with each of its options changed, one at a time: choices all, numbers to their bounds."""
    for option in game.options().values():
        if isinstance(option.default, bool):
            values: tuple[OptionValue, ...] = (not getattr(game, option.name),)
        else:
            values = option.choices or (option.low, option.high)
        for value in values:
            if value != getattr(game, option.name):
                try:
                    yield replace(game, **{option.name: value})
                except ValueError:  # not together with the game's other options
                    continue


def _check_levels(game: Game) -> None:
    from mbegu.engine.levels import LevelBot  # noqa: PLC0415 - heavy

    for level in LEVELS:
        position = game.start()
        move = LevelBot(level, seed=1).choose(position, Clock())
        _demand(move in position.legal_moves(), f"level {level} plays {move!r}, which is not legal")

"""What the rules of a game promise, tried in random games; and what a bot promises."""

import json
import random
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

from mbegu.core.errors import BrokenGame, IllegalMove, InvalidMove, MbeguError
from mbegu.core.events import End, Event
from mbegu.core.game import Game, Move, Position
from mbegu.core.options import split_game_text
from mbegu.core.outcome import Outcome, OwnReason, Reason

__all__ = ["check_bot", "check_game"]

LONGEST = 2_000  # moves of a random game before it is left unfinished
SAMPLE = 4  # moves of one position that are played as a trial
RARELY = 10  # nonsense is tried in the first of so many positions, and at the end

# Nobody means a move by any of these. (A game in which one of them is legal may of course play it.)
NO_TEXTS = ("", " ", "?", "no such move", "-1", "9" * 40, "\0", "\N{SEEDLING}", "a\nb", "None")
NO_MOVES: tuple[Any, ...] = (None, -1, 10**9, 0.5, "", "no such move", "\0", [], {}, ("a", 1))


def check_game(game: Game, *, games: int = 20, seed: int = 0) -> None:
    """Plays random games and checks every promise on the way; AssertionError if one is broken.

    `games` is how many, `seed` chooses which: the same seed plays the same games again.
    """
    _demand(isinstance(game, Game), f"{game!r} is not a Game")
    _check_card(game)
    chance = random.Random(seed)  # noqa: S311 (not a secret)
    finished = 0
    for _number in range(games):
        finished += _check_random_game(game, chance)
    may_go_on = game.ply_cap is not None or game.repetition_limit is not None
    _demand(
        finished or may_go_on or not games,
        f"none of {games} random games of {game} ended within {LONGEST} moves, and neither ply_cap "
        "nor repetition_limit would end it",
    )


def check_bot(
    bot: str,
    game: Game,
    *,
    games: int = 4,
    control: str = "1/move",
    seed: int = 0,
    trust: bool = False,
) -> None:
    """Plays with a bot and checks that it is fit for a match; AssertionError if it is not.

    `bot` is what `mbegu match` takes: a name, or a file like my_bot.py. It runs in a cage unless
    `trust` says that it need not.
    """
    from mbegu.arena.check import examine  # noqa: PLC0415 (a game's tests need no processes)

    _demand(isinstance(game, Game), f"{game!r} is not a Game")
    for found in examine(bot, game, games=games, control=control, seed=seed, trust=trust):
        _demand(not found.trouble, f"{bot}: {found.what} No: {found.trouble}")


# ---- saying what is wrong ---------------------------------------------------------------------------


def _demand(promise: object, complaint: str, position: Position | None = None) -> None:
    """Fails with the complaint, and shows the position, unless the promise is kept."""
    if not promise:
        raise AssertionError(complaint + ("" if position is None else _shown(position)))


@contextmanager
def _expecting(what: str, position: Position | None = None) -> Iterator[None]:
    """Turns an exception from the game's own code into a complaint that tells what was tried."""
    try:
        yield
    except AssertionError as error:
        if error.args and "\nposition: " in str(error):
            raise  # one of our own
        raise _failure(what, error, position) from error
    except Exception as error:
        raise _failure(what, error, position) from error


def _failure(what: str, error: BaseException, position: Position | None) -> AssertionError:
    shown = "" if position is None else _shown(position)
    if isinstance(error, BrokenGame) and error.__cause__ is not None:
        error = error.__cause__  # what the game's code has raised itself
    return AssertionError(f"{what} raised {type(error).__name__}: {error}{shown}")


def _shown(position: Position) -> str:
    """The position as well as it can be shown when it may itself be what is broken."""
    lines = []
    for what, show in (("position", position.__str__), ("diagram", position.diagram)):
        try:
            text = show()
        except Exception as error:
            text = f"({type(error).__name__}: {error})"
        lines.append(f"\n{what}: " + ("\n" if "\n" in str(text) else "") + str(text))
    return "".join(lines)


# ---- the card ---------------------------------------------------------------------------------------


def _check_card(game: Game) -> None:
    kind = type(game).__name__
    for field in ("name", "id", "title", "summary", "people", "rulebook"):
        text = getattr(game, field, None)
        _demand(isinstance(text, str) and text.strip(), f"{kind}.{field} must be a text")
    _demand(
        re.fullmatch(r"[a-z][a-z0-9_-]*", game.name),
        f"{kind}.name must be one lower-case word, not {game.name!r}",
    )
    _demand(
        re.fullmatch(r"\S+@[0-9]+", game.id),
        f"{kind}.id must be the rule set and its version, like {game.name}@1, not {game.id!r}",
    )
    _demand("\n" not in game.summary, f"{kind}.summary must be one line")
    sides = getattr(game, "sides", None)
    _demand(
        isinstance(sides, tuple)
        and len(sides) == 2
        and all(isinstance(side, str) and side.strip() for side in sides)
        and sides[0] != sides[1],
        f"{kind}.sides must be two different names, not {sides!r}",
    )
    _demand(
        isinstance(game.aliases, tuple) and all(isinstance(name, str) for name in game.aliases),
        f"{kind}.aliases must be a tuple of names, not {game.aliases!r}",
    )
    for field, least in (("repetition_limit", 2), ("ply_cap", 1)):
        limit = getattr(game, field)
        _demand(
            limit is None or (type(limit) is int and limit >= least),
            f"{kind}.{field} must be None or a number from {least}, not {limit!r}",
        )
    for name, option in game.options().items():
        with _expecting(f"option {name}: reading its own default {option.default!r}"):
            option.read(option.default)
    for name, preset in game.presets.items():
        with _expecting(f"{kind} with the preset {name}"):
            chosen = type(game).with_options([(name, True)])
        for key, value in preset.items():
            _demand(
                getattr(chosen, key, None) == value, f"the preset {name} does not set {key}={value}"
            )
    _check_game_string(game)


def _check_game_string(game: Game) -> None:
    text = str(game)
    with _expecting(f"reading the game string {text!r}"):
        name, pairs = split_game_text(text)
        again = type(game).with_options(pairs)
    _demand(name == game.name, f"str(game) is {text!r} and does not begin with {game.name!r}")
    _demand(
        again == game and hash(again) == hash(game) and str(again) == text,
        f"str(game) is {text!r}, which is read as another game: {again!r}, not {game!r}",
    )


# ---- a random game ----------------------------------------------------------------------------------


def _check_random_game(game: Game, chance: random.Random) -> bool:
    """Plays one game; True if it came to its end."""
    with _expecting(f"{game}.start()"):
        start = game.start()
    _check_position(game, start)
    _demand(start == game.start(), "start() gives another position each time", start)
    _demand(start.turn is not None, "the start position is already over", start)
    position, played, seen = start, list[Move](), dict[Move, None]()
    while position.turn is not None and len(played) < LONGEST:
        moves = position.legal_moves()
        _check_texts(position, moves)
        trials = moves if len(moves) <= SAMPLE else chance.sample(moves, SAMPLE)
        for move in trials:
            _check_move(position, move)
        _check_illegal(position, moves, seen, chance)
        if len(played) % RARELY == 0:
            _check_nonsense(position, moves)
        seen.update(dict.fromkeys(moves))
        played.append(chance.choice(moves))
        position = position.play(played[-1])
        _check_position(game, position)
    if position.turn is None:
        _check_illegal(position, [], seen, chance)
        _check_nonsense(position, [])
    _check_record(start, played)
    return position.turn is None


def _check_position(game: Game, position: Position) -> None:
    """Everything that a position promises by itself."""
    _demand(isinstance(position, Position), f"{position!r} is not a Position")
    _demand(
        position.game == game, f"the position belongs to {position.game}, not to {game}", position
    )
    with _expecting("hash(position)", position):
        hash(position)
    _check_immutable(position)
    _check_text_and_json(game, position)
    _check_end(position)
    with _expecting("diagram()", position):
        plain, coloured = position.diagram(), position.diagram(colour=True)
    for diagram in (plain, coloured):
        _demand(isinstance(diagram, str) and diagram.strip(), "diagram() must be a text", position)
    _demand("\x1b" not in plain, "diagram() has terminal colours that nobody asked for", position)


def _check_immutable(position: Position) -> None:
    turn = position.turn
    try:
        position.turn = turn  # type: ignore[misc]
    except (AttributeError, TypeError):
        return
    _demand(False, "position.turn can be assigned to: a position must be immutable", position)


def _check_text_and_json(game: Game, position: Position) -> None:
    with _expecting("str(position)", position):
        text = str(position)
    _demand(
        text and text.isprintable() and text == text.strip(),
        f"str(position) must be one line, not {text!r}",
        position,
    )
    with _expecting(f"game.position({text!r})", position):
        again = game.position(text)
    _demand_same(position, again, f"str(position) is {text!r}, which is read as")

    with _expecting("position.to_json() through json", position):
        data = position.to_json()
        through = json.loads(json.dumps(data))
    _demand(
        through == data,
        f"to_json() is not plain JSON: {data!r} comes back as {through!r}",
        position,
    )
    with _expecting(f"game.from_json({data!r})", position):
        again = game.from_json(through)
    _demand_same(position, again, f"to_json() is {data!r}, which is read as")


def _demand_same(position: Position, again: Position, what: str) -> None:
    _demand(again == position, f"{what} another position: {again!r}", position)
    _demand(hash(again) == hash(position), "equal positions have different hashes", position)
    _demand(str(again) == str(position), "equal positions have different texts", position)
    _demand(
        again.legal_moves() == position.legal_moves(),
        f"{what} a position with other legal moves, or in another order: {again.legal_moves()!r}, "
        f"not {position.legal_moves()!r}",
        position,
    )


def _check_end(position: Position) -> None:
    """Nobody to move, an outcome, and no legal moves: all three or none."""
    with _expecting("legal_moves(), outcome() and scores()", position):
        moves, outcome, scores = position.legal_moves(), position.outcome(), position.scores()
    turn = position.turn
    _demand(
        turn is None or (type(turn) is int and turn in (0, 1)),
        f"turn must be 0, 1 or None, not {turn!r}",
        position,
    )
    _demand(isinstance(moves, list), f"legal_moves() must be a list, not {moves!r}", position)
    for move in moves:
        _demand(
            type(move) in (int, str), f"a move must be a number or a text, not {move!r}", position
        )
    _demand(len(set(moves)) == len(moves), f"legal_moves() repeats a move: {moves!r}", position)
    _demand(
        moves == position.legal_moves(), "legal_moves() is not the same when asked again", position
    )
    if turn is None:
        _demand(outcome is not None, "nobody is to move, but outcome() is None", position)
        _demand(not moves, f"nobody is to move, but there are legal moves: {moves!r}", position)
    else:
        _demand(outcome is None, f"player {turn} is to move, but there is {outcome!r}", position)
        _demand(moves, f"player {turn} is to move, but has no legal move", position)
    _check_scores(scores, "scores()", position)
    if outcome is not None:
        _check_outcome(outcome, position)


def _check_outcome(outcome: Outcome, position: Position) -> None:
    _demand(isinstance(outcome, Outcome), f"outcome() is not an Outcome: {outcome!r}", position)
    winner = outcome.winner
    _demand(
        winner is None or (type(winner) is int and winner in (0, 1)),
        f"the winner must be 0, 1 or None, not {winner!r}",
        position,
    )
    _demand(
        outcome.result == {0: "1-0", 1: "0-1", None: "1/2-1/2"}[winner],
        f"the winner is {winner!r}, but the result is {outcome.result}",
        position,
    )
    _demand(
        isinstance(outcome.reason, Reason | OwnReason),
        f"the reason of an outcome must be a Reason, not {outcome.reason!r}",
        position,
    )
    _check_scores(outcome.scores, "the scores of the outcome", position)
    with _expecting("outcome().to_json() through json", position):
        json.dumps(outcome.to_json())


def _check_scores(scores: object, what: str, position: Position) -> None:
    fine = (
        isinstance(scores, tuple)
        and len(scores) == 2
        and all(type(score) is int for score in scores)
    )
    _demand(fine, f"{what} must be two numbers in a tuple, not {scores!r}", position)


# ---- moves ------------------------------------------------------------------------------------------


def _check_texts(position: Position, moves: Sequence[Move]) -> None:
    """Each legal move has a text of its own, which is read as that move."""
    game, texts = position.game, dict[str, Move]()
    for move in moves:
        with _expecting(f"format_move({move!r})", position):
            text = game.format_move(move, position)
        _demand(
            isinstance(text, str) and text and text.isprintable() and text == text.strip(),
            f"format_move({move!r}) must be a short text, not {text!r}",
            position,
        )
        _demand(
            text not in texts, f"{text!r} is the text of {texts.get(text)!r} and {move!r}", position
        )
        texts[text] = move
        for written in (text, f" {text} "):
            with _expecting(f"parse_move({written!r})", position):
                again = game.parse_move(written, position)
            _demand(
                again == move and type(again) is type(move),
                f"{written!r} is written for {move!r}, but read as {again!r}",
                position,
            )
        _check_turn([move], position)


def _check_turn(moves: Sequence[Move], position: Position) -> int:
    """The next word of a record tells the next moves; how many."""
    game = position.game
    with _expecting(f"format_turn({list(moves[:3])!r}…)", position):
        word, told = game.format_turn(moves, position)
    _demand(
        isinstance(word, str) and word and not re.search(r"\s", word),
        f"format_turn() must give one word, not {word!r}",
        position,
    )
    _demand(1 <= told <= len(moves), f"format_turn() tells {told} moves of {len(moves)}", position)
    with _expecting(f"parse_turn({word!r})", position):
        again = game.parse_turn(word, position)
    _demand(
        tuple(again) == tuple(moves[:told]),
        f"{word!r} is written for the moves {tuple(moves[:told])!r}, but read as {again!r}",
        position,
    )
    return told


def _check_move(position: Position, move: Move) -> None:
    """Playing and telling a legal move agree, and leave the old position as it was."""
    before = str(position), json.dumps(position.to_json()), hash(position)
    with _expecting(f"forbids({move!r}), a legal move,", position):
        rule = position.forbids(move)
    _demand(rule is None, f"{move!r} is legal, but forbids() says: {rule}", position)
    with _expecting(f"play({move!r}), a legal move,", position):
        after = position.play(move)
    _demand(isinstance(after, Position), f"play({move!r}) gave {after!r}", position)
    _demand(after is not position, f"play({move!r}) must give a new position", position)
    _demand(
        before == (str(position), json.dumps(position.to_json()), hash(position)),
        f"play({move!r}) changed the position that it was played in, which was {before[0]}",
        position,
    )
    _demand(position.play(move) == after, f"play({move!r}) is different each time", position)
    _check_end(after)

    with _expecting(f"events({move!r})", position):
        events = list(position.events(move))
    _demand(events, f"events({move!r}) tells nothing", position)
    for event in events:
        _demand(isinstance(event, Event), f"events({move!r}) tells {event!r}", position)
        with _expecting(f"{event!r}.to_json() through json", position):
            data = json.loads(json.dumps(event.to_json()))
        _demand(
            isinstance(data.get("event"), str), f"to_json() of {event!r} has no “event”", position
        )
    with _expecting(f"the story of {move!r}", position):
        told = _end_of_story(position, move)
    _demand(
        told == after, f"the story of {move!r} ends in {told!r}, but play gives {after!r}", position
    )
    ends = [event for event in events if isinstance(event, End)]
    outcome = after.outcome()
    if outcome is None:
        _demand(not ends, f"events({move!r}) tells an end, but the game goes on", position)
    else:
        _demand(
            len(ends) == 1 and events[-1] is ends[0] and ends[0].outcome == outcome,
            f"{move!r} ends the game, so events({move!r}) must close with End({outcome!r})",
            position,
        )


def _end_of_story(position: Position, move: Move) -> Position:
    story = position._story(move)
    while True:
        try:
            next(story)
        except StopIteration as end:
            return cast(Position, end.value)


def _check_illegal(
    position: Position, moves: Sequence[Move], seen: dict[Move, None], chance: random.Random
) -> None:
    """What was a move elsewhere but is not legal here is refused, with the rule that forbids it."""
    elsewhere = [move for move in seen if move not in moves]
    for move in chance.sample(elsewhere, min(SAMPLE, len(elsewhere))):
        error = _refusal(position, move)
        _demand(
            isinstance(error, IllegalMove) and error.rule.strip(),
            f"{move!r} is a move elsewhere but not legal here: play must raise IllegalMove with "
            f"the rule that forbids it, not {error!r}",
            position,
        )


def _check_nonsense(position: Position, moves: Sequence[Move]) -> None:
    """What is no move at all is refused, and never played."""
    for text in NO_TEXTS:
        with _expecting(f"parse_move({text!r})", position):
            try:
                read = position.game.parse_move(text, position)
            except (InvalidMove, IllegalMove):
                continue
        _demand(read in moves, f"parse_move({text!r}) gave {read!r}, which is not legal", position)
    for thing in NO_MOVES:
        if thing not in moves:
            _refusal(position, thing)


def _refusal(position: Position, thing: Any) -> MbeguError:
    """The error with which both play and events refuse what is not a legal move."""
    errors = list[MbeguError]()
    for what, attempt in (
        (f"play({thing!r})", lambda: position.play(thing)),
        (f"events({thing!r})", lambda: list(position.events(thing))),
    ):
        with _expecting(f"{what}, which is not a legal move,", position):
            try:
                attempt()
            except (InvalidMove, IllegalMove) as error:
                errors.append(error)
                continue
        _demand(False, f"{what} was allowed, though it is not a legal move", position)
    _demand(
        all(len(str(error).splitlines()) == 1 for error in errors),
        f"the message about {thing!r} must be one line: {errors[0]}",
        position,
    )
    return errors[0]


def _check_record(start: Position, played: Sequence[Move]) -> None:
    """The whole game can be written as words and read again."""
    position, told = start, 0
    while told < len(played):
        count = _check_turn(played[told:], position)
        for move in played[told : told + count]:
            position = position.play(move)
        told += count

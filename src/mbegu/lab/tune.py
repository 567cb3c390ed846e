"""Fits the weights of a game's evaluation to what is known: endgame tables, searches, and how games end.

The engine plays games with itself, with its endgame table if there is one. Of every position whose best
move is quiet it notes the position, what the search thought of it, and how the game ended. The *teacher* of
a position is the winning chance that the search sees, with a share for the end of the game; what is proved
teaches alone. The weights are those under which what is taught is likeliest, by logistic regression with a
ridge: a lead counts by the chances it brings, so that positions which are decided do not outweigh the others.

Games are kept in pieces as they are finished, so that whoever is stopped goes on from there. They hold
positions, not features (see `mbegu.engine.evaluation`): whoever thinks of another feature can use the same games.
It works for every game whose kernel has an evaluation with `FEATURES`, a plugin's as well.
"""

# mypy: allow-untyped-calls
# Numba infers the types of compiled functions.

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, as_completed
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from mbegu.core.errors import MbeguError
from mbegu.core.game import Game, Position
from mbegu.core.i18n import _
from mbegu.core.match import Match
from mbegu.core.registry import game as find_game
from mbegu.core.setups import SetUpGame
from mbegu.engine.chance import scale_of
from mbegu.engine.engine import Engine, Limits, Score
from mbegu.engine.evaluation import WHOLE, features, phase, seen
from mbegu.engine.jit import compiled
from mbegu.engine.kernels.door import kernel_module
from mbegu.engine.kernels.driver import kernel_of
from mbegu.engine.kernels.interface import again, evaluate, play
from mbegu.engine.knowledge import gain, standing
from mbegu.engine.memory import peek_state
from mbegu.engine.root_search import ends_by_itself
from mbegu.engine.values import SEED
from mbegu.lab import large_tables

__all__ = ["Fit", "Rows", "Tuning", "evaluation_of", "fitted", "opening", "rendered"]

PIECE = 10  # games
MOST_PLIES = 400
SLIP = 0.03  # the chance of a move by lot, so that lesser positions occur
STRAYS, FARTHEST_STRAY = 6, 6  # positions off a game, and how many moves by lot lead there
RESULT_SHARE = 0.3  # of the end of the game in what is taught
RIDGE = 3.0
STEPS = 50  # of Newton's method
OBSERVED = 256  # bytes that a kernel may tell
LARGEST = 17  # pieces that a table tells apart, unless it says otherwise
FORM = 2  # of the files

Teller = Callable[[int], None]


def evaluation_of(game: Game) -> ModuleType:
    """The module with the features of a game's kernel."""
    kernel_of(game.name)
    for name in getattr(import_module(kernel_module(game.name)), "PARTS", ()):
        module = import_module(name)
        if hasattr(module, "FEATURES"):
            return module
    raise MbeguError(
        _("the kernel of {game} has no evaluation with FEATURES").format(game=game.name)
    )


# ---- games ------------------------------------------------------------------------------------------


@compiled
def _count_all(like, words, width, row, places, counts, facts, shown):  # type: ignore[no-untyped-def]
    """The features of states whose words lie one behind the other; phase, what is settled and the estimate; and
    the bytes that they show in some places."""
    for i in range(len(counts)):
        state = peek_state(like, words, i * width)
        counted = features(state)
        for k in range(len(counted)):
            counts[i, k] = counted[k]
        facts[i, 0], facts[i, 1], facts[i, 2] = phase(state), standing(state), evaluate(state)
        seen(state, row)
        for k in range(len(places)):
            shown[i, k] = row[places[k]]


@compiled
def _is_amid(state):  # type: ignore[no-untyped-def]
    """Whether the player to move has moved just now: a shot is due."""
    return again(state)


@compiled
def _is_loud(state, move):  # type: ignore[no-untyped-def]
    """Whether a move captures or moves again."""
    child = play(state, move)
    return gain(state, child) >= 2 or again(child)


Noted = tuple[list[int], list[float]]  # the words of a state, and what was seen of it


def play_piece(game: str, nodes: int, seed: int, piece: int) -> list[Noted]:
    """Some games, wherever they are played: the answer is always the same."""
    player = _player(game, nodes, seed)
    games = range(piece * PIECE, (piece + 1) * PIECE)
    return [noted for number in games for noted in player.played(number)]


@cache
def _player(game: str, nodes: int, seed: int) -> _Player:
    """One for all pieces that a process gets."""
    return _Player(find_game(game), nodes, seed)


class _Player:
    """Plays games with itself, and notes what it sees."""

    def __init__(self, game: Game, nodes: int, seed: int) -> None:
        self.game, self.nodes, self.seed = game, nodes, seed
        self.options = {name: getattr(game, name) for name in game.options()}
        self.engine = Engine(game, hash_mb=16)
        self.is_large = hasattr(evaluation_of(game), "LARGE_TABLES")

    def played(self, number: int) -> list[Noted]:
        """A game: each quiet position, with the number of the game, who won it (1 for the player to move), the
        margin that the search saw, the result that it saw (NaN for none), and whether that is proved."""
        lot = random.Random(f"{self.seed} {number}")  # noqa: S311 - a game, no secret
        match, noted = Match(self.game, opening(self.game, lot)), []
        strays: list[Noted] = []
        self.engine.new_game()
        while match.outcome is None and len(match.moves) < MOST_PLIES:
            position = match.position
            moves = position.legal_moves()
            if len(moves) == 1 or lot.random() < SLIP:
                match.play(lot.choice(moves))
                continue
            *_before, last = self.engine.think(position, Limits(nodes=self.nodes), match.positions)
            state = self._quiet(position, last.best)
            if state is not None:
                noted.append((state, position.turn or 0, last.lines[0].score))
            strays += self._strays(position, number, lot)
            match.play(last.best)
        winner = match.outcome.winner if match.outcome else None
        won = {player: 0 if winner is None else 1 if winner == player else -1 for player in (0, 1)}
        of_game = [(state, [number, won[who], *_told(score)]) for state, who, score in noted]
        return of_game + strays

    def _strays(self, position: Position, number: int, lot: random.Random) -> list[Noted]:
        """Positions as a search meets them and a game does not, with what a search thinks of them: tables with
        thousands of entries know of a position only what was seen before."""
        found: list[Noted] = []
        for _stray in range(STRAYS if self.is_large else 0):
            stray = position
            for _ply in range(lot.randint(1, FARTHEST_STRAY)):
                if stray.turn is not None:
                    stray = stray.play(lot.choice(stray.legal_moves()))
            if stray.turn is None or len(stray.legal_moves()) == 1:
                continue
            *_before, last = self.engine.think(stray, Limits(nodes=self.nodes))
            state = self._quiet(stray, last.best)
            if state is not None:
                found.append((state, [number, math.nan, *_told(last.lines[0].score)]))
        return found

    def _quiet(self, position: Position, best: Any) -> list[int] | None:
        """The words of a position whose best move is quiet, None of others; in a game with large tables also of
        one in the middle of a turn, which the search beyond the horizon estimates as well."""
        kernel = kernel_of(self.game.name)
        state = kernel.pack(position.to_json(), self.options)
        loud = _is_loud(state, kernel.to_move(best, position.turn or 0, self.options))
        estimated = self.is_large and _is_amid(state)
        return None if loud and not estimated else [int(word) for word in state]


class Tuning:
    """A folder with the games from which the weights of one game are found."""

    def __init__(self, game: Game, folder: Path, nodes: int, seed: int = 0) -> None:
        self.game, self.folder, self.nodes, self.seed = game, folder, nodes, seed
        self.module = evaluation_of(game)
        self.options = {name: getattr(game, name) for name in game.options()}
        self.places = tuple(getattr(self.module, "PATTERN_BYTES", ()))
        self.largest = getattr(self.module, "PATTERN_SIZE", LARGEST)
        self.is_large = hasattr(self.module, "LARGE_TABLES")
        self._claim()

    def _claim(self) -> None:
        """One folder holds games of one kind."""
        facts = {"game": str(self.game), "nodes": self.nodes, "form": FORM}
        path = self.folder / "tune.json"
        self.folder.mkdir(parents=True, exist_ok=True)
        if path.exists() and json.loads(path.read_text(encoding="utf-8")) != facts:
            raise MbeguError(
                _("{folder} holds games of another kind; take another folder").format(
                    folder=self.folder
                )
            )
        path.write_text(json.dumps(facts), encoding="utf-8")

    def collect(
        self, games: int, tell: Teller | None = None, *, pool: Executor | None = None
    ) -> None:
        """Plays so many games; those that are there already count. A pool plays many at once."""
        pieces = range(-(-games // PIECE))
        missing = [piece for piece in pieces if not self._path(piece).exists()]
        done = len(pieces) - len(missing)
        if tell is not None and done:
            tell(min(done * PIECE, games))
        for piece, noted in self._played(missing, pool):
            partial = self._path(piece).with_suffix(".partial.npz")
            states = np.array([state for state, _row in noted], np.uint64)
            np.savez_compressed(partial, states=states, rows=np.array([row for _, row in noted]))
            partial.replace(self._path(piece))
            done += 1
            if tell is not None:
                tell(min(done * PIECE, games))

    def _path(self, piece: int) -> Path:
        return self.folder / f"games-{self.seed}-{piece:05}.npz"

    def _played(
        self, pieces: Sequence[int], pool: Executor | None
    ) -> Iterator[tuple[int, list[Noted]]]:
        what = str(self.game), self.nodes, self.seed
        if pool is None:
            yield from ((piece, play_piece(*what, piece)) for piece in pieces)
            return
        under_way = {pool.submit(play_piece, *what, piece): piece for piece in pieces}
        for future in as_completed(under_way):
            yield under_way[future], future.result()

    def rows(self) -> Rows:
        """All that was noted, with the features that the evaluation has now."""
        found = [np.load(path) for path in sorted(self.folder.glob("games-*-?????.npz"))]
        found = [piece for piece in found if piece["rows"].size]
        if not found:
            raise MbeguError(_("there are no games in {folder}").format(folder=self.folder))
        return self.counted(
            *(np.vstack([piece[name] for piece in found]) for name in ("states", "rows"))
        )

    def counted(self, states: Any, rows: Any) -> Rows:
        """What the evaluation counts in these states."""
        start = self.game.start()
        kind = type(kernel_of(self.game.name).pack(start.to_json(), self.options))
        words = np.ascontiguousarray(states, np.uint64)
        places = [place for mine, his in self.places for place in (*mine, *his)]
        counts = np.zeros((len(words), len(self.module.FEATURES)), np.int64)
        facts, shown = (
            np.zeros((len(words), 3), np.int64),
            np.zeros((len(words), len(places)), np.uint8),
        )
        at, width = words.ctypes.data, words.shape[1]
        row = np.zeros(OBSERVED, np.uint8)
        _count_all(
            kind(*words[0]), at, width, row, np.array(places, np.int64), counts, facts, shown
        )
        tables, first = [], 0
        for mine, his in self.places:
            asked = shown[:, first : first + len(mine) + len(his)]
            tables.append(_pattern_columns(asked, len(mine), self.largest))
            first += len(mine) + len(his)
        columns = np.hstack([counts.astype(np.float64), *tables])
        when, settled, estimate = facts.T
        entries = large_tables.entries_of(self.module, kind, words) if self.is_large else None
        return Rows(rows, columns, when / WHOLE, settled, estimate / SEED, entries)


@dataclass(frozen=True)
class Rows:
    """What was noted of positions, and what the evaluation counts in them."""

    noted: Any  # number of the game, who won, margin and result of the search, whether it is proved
    columns: Any
    early: Any  # how much of the game is to come, from 0 to 1
    settled: Any
    estimate: Any
    entries: Any = None  # of the large tables, if there are any


def _told(score: Score) -> tuple[float, float, bool]:
    """The margin, the result that the search saw, and whether it is proved."""
    if score.result is not None:
        return score.margin, score.result, True
    return score.margin, score.likely or math.nan, False


def opening(game: Game, lot: random.Random) -> Position:
    """Some moves by lot; in a game with set-ups, a few beads moved."""
    while True:
        position = game.start(*(_moved(lot) for _side in (0, 1))) if isinstance(game, SetUpGame) else game.start()  # fmt: skip
        for _ply in range(lot.randint(0, 2) if isinstance(game, SetUpGame) else lot.randint(2, 8)):
            if position.turn is not None:
                position = position.play(lot.choice(position.legal_moves()))
        if position.turn is not None:
            return position


def _moved(lot: random.Random) -> tuple[int, ...]:
    beads = [2] * 16
    for _time in range(4):
        start, end = lot.sample(range(16), 2)
        if beads[start]:
            beads[start], beads[end] = beads[start] - 1, beads[end] + 1
    return tuple(beads)


# ---- regression -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fit:
    """Weights at the beginning and at the end, and how far estimates are off in games kept aside: the mean
    logarithm of the chance that they gave to what is taught."""

    weights: dict[str, tuple[int, int]]
    errors: dict[str, tuple[float, float]]  # standard errors, in the game's unit
    patterns: tuple[tuple[tuple[int, int], ...], ...]
    positions: int
    error: float
    error_before: float  # of the evaluation as it is
    large: Any = None  # tables, see `mbegu.lab.large_tables`


def fitted(tuning: Tuning, *, by_result: bool = False) -> Fit:
    """The weights under which what is taught is likeliest."""
    rows, names, scale = tuning.rows(), tuning.module.FEATURES, scale_of(tuning.game.name)
    taught = _taught(tuning, rows, 1.0 if by_result else RESULT_SHARE)
    early, number = rows.early[:, None], rows.noted[:, 0]
    columns = np.hstack([rows.columns * early, rows.columns * (1 - early)])
    aside = number % 5 == 0
    settled, _none = _settled(tuning, rows, columns, taught, ~aside)
    trial = _logistic(columns[~aside], taught[~aside], settled[~aside], scale)
    found = columns[aside] @ trial + settled[aside]
    settled, large = _settled(tuning, rows, columns, taught, np.full(len(aside), True))
    weights = _logistic(columns, taught, settled, scale)
    errors = _standard_errors(columns, taught, columns @ weights + settled, number, scale)
    estimates = found, rows.estimate[aside]
    off, off_before = (_surprise(each / scale, taught[aside]) for each in estimates)
    width, start, largest = rows.columns.shape[1], len(names), tuning.largest
    pairs = [(round(SEED * weights[i]), round(SEED * weights[width + i])) for i in range(width)]
    return Fit(
        dict(zip(names, pairs, strict=False)),
        {name: (errors[i], errors[width + i]) for i, name in enumerate(names)},
        tuple(
            tuple(pairs[start + place * largest : start + (place + 1) * largest])
            for place in range(len(tuning.places))
        ),
        len(columns),
        off,
        off_before,
        large,
    )


def _settled(tuning: Tuning, rows: Rows, columns: Any, taught: Any, those: Any) -> tuple[Any, Any]:
    """What is settled before the weights are asked for, with what large tables tell that were learned from
    those positions; and the tables."""
    if not tuning.is_large:
        return rows.settled, None
    scale = scale_of(tuning.game.name)
    known = (taught[those], rows.settled[those], scale)
    entries = rows.entries[0][those], rows.entries[1][those]
    large = large_tables.learned(tuning.module, entries, columns[those], *known)
    return rows.settled + large_tables.told(tuning.module, rows.entries, large), large


def _taught(tuning: Tuning, rows: Rows, share: float) -> Any:
    """The winning chance that each position teaches."""
    _number, won, margin, result, proved = rows.noted.T
    by_search = _chance(margin / scale_of(tuning.game.name))
    if not _is_for_margin(tuning):
        by_search = np.where(np.isnan(result), by_search, (1 + result) / 2)
    mixed = (1 - share) * by_search + share * (1 + won) / 2
    alone = np.isnan(won) if share == 1.0 else (proved > 0) | np.isnan(won)  # strays have no end
    return np.where(alone, by_search, mixed)


def _is_for_margin(tuning: Tuning) -> bool:
    """Whether the search wants the margin alone, so that a lead counts when the game is decided."""
    start = tuning.game.start()
    return bool(ends_by_itself(kernel_of(tuning.game.name).pack(start.to_json(), tuning.options)))


def _chance(margin: Any) -> Any:
    return 1 / (1 + np.exp(-np.clip(margin, -30, 30)))


def _surprise(margin: Any, taught: Any) -> float:
    """The mean logarithm of the chance that was given to what is taught; 0.69 is no better than a coin."""
    chance = np.clip(_chance(margin), 1e-4, 1 - 1e-4)
    return float(-np.mean(taught * np.log(chance) + (1 - taught) * np.log(1 - chance)))


def _pattern_columns(shown: Any, own: int, largest: int) -> Any:
    """A column for each number of pieces, the last for more: how many of my places have it, less of his."""
    pieces, capped = np.arange(1, largest + 1), np.minimum(shown, largest)
    found = capped[:, :, None] == pieces
    return found[:, :own].sum(1) * 1.0 - found[:, own:].sum(1)


def _logistic(x: Any, taught: Any, settled: Any, scale: float) -> Any:
    """Newton's method. In units of the margin, to which what is settled is added."""
    weights = np.zeros(x.shape[1])
    for _step in range(STEPS):
        chance = _chance((x @ weights + settled) / scale)
        bend = (x.T * (chance * (1 - chance))) @ x / scale**2 + RIDGE * np.eye(x.shape[1])
        step = np.linalg.solve(bend, x.T @ (taught - chance) / scale - RIDGE * weights)
        weights += step
        if np.abs(step).max() < 1e-5:
            break
    return weights


def _standard_errors(x: Any, taught: Any, margin: Any, number: Any, scale: float) -> Any:
    """They know that the positions of one game go together."""
    chance = _chance(margin / scale)
    bend = (x.T * (chance * (1 - chance))) @ x / scale**2 + RIDGE * np.eye(x.shape[1])
    bread = np.linalg.inv(bend)
    games = np.unique(number, return_inverse=True)[1]
    scores = np.zeros((games.max() + 1, x.shape[1]))
    np.add.at(scores, games, x * ((taught - chance) / scale)[:, None])
    return np.sqrt(np.diag(bread @ (scores.T @ scores) @ bread))


def rendered(fit: Fit) -> str:
    """The text of a `weights.py`."""
    names = '["PATTERNS", "WEIGHTS"]' if fit.patterns else '["WEIGHTS"]'
    lines = [
        '"""What each feature is worth at the beginning and at the end of a game, in 1/256 of its unit.',
        *("", "Written by `mbegu lab tune`; see docs/evaluation.md.", '"""', ""),
        *(f"__all__ = {names}", "", "WEIGHTS: dict[str, tuple[int, int]] = {"),
        *(f'    "{name}": {pair},' for name, pair in fit.weights.items()),
        "}",
    ]
    if fit.patterns:
        lines += ["", "# [place][pieces - 1]; the last of a row holds for more as well."]
        lines += ["PATTERNS: tuple[tuple[tuple[int, int], ...], ...] = ("]
        for row in fit.patterns:
            lines += ["    (", *(f"        {pair}," for pair in row), "    ),"]
        lines += [")"]
    return "\n".join([*lines, ""])

"""Fits the weights of a game's evaluation to what is known: endgame tables, searches, and how games end.

The engine plays games with itself, with its endgame table if there is one. Of every position whose best
move is quiet it notes the features (see `mbegu.engine.evaluation`), what the search thought of it, and how
the game ended. The *teacher* of a position is the search, with a share for the end of the game; what is
proved teaches alone. The weights are those that come nearest to the teacher, by least squares with a
ridge, or those under which won and lost games are likeliest, by logistic regression.

Games are kept in pieces as they are finished, so that whoever is stopped goes on from there. It works for
every game whose kernel has an evaluation with `FEATURES`, a plugin's as well.
"""

# mypy: allow-untyped-calls
# Numba infers the types of compiled functions.

from __future__ import annotations

import json
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
from mbegu.engine.engine import Engine, Limits
from mbegu.engine.evaluation import WHOLE, features, phase
from mbegu.engine.jit import compiled
from mbegu.engine.kernels.door import kernel_module
from mbegu.engine.kernels.driver import evaluate, kernel_of
from mbegu.engine.kernels.interface import again, play
from mbegu.engine.knowledge import gain, observe, standing
from mbegu.engine.values import SEED

__all__ = ["Fit", "Tuning", "evaluation_of", "fitted", "opening", "rendered"]

PIECE = 10  # games
MOST_PLIES = 400
SLIP = 0.03  # the chance of a move by lot, so that lesser positions occur
RESULT_SHARE = 0.3  # of the end of the game in what is taught
CLIP = 24.0  # margins that teach no more than this one
RIDGE = 60.0
STEPS = 50  # of Newton's method
OBSERVED = 256  # bytes that a kernel may tell

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


def pattern_bytes(module: ModuleType) -> tuple[tuple[int, int], ...]:
    """The pairs of bytes that an evaluation looks at together."""
    return tuple(getattr(module, "PATTERN_BYTES", ()))


# ---- games ------------------------------------------------------------------------------------------


@compiled
def _counted(state, row):  # type: ignore[no-untyped-def]
    """The features of a state, its phase and what is settled; writes the bytes that it shows."""
    observe(state, row)
    return features(state), phase(state), standing(state)


@compiled
def _is_loud(state, move):  # type: ignore[no-untyped-def]
    """Whether a move captures or moves again."""
    child = play(state, move)
    return gain(state, child) >= 2 or again(child)


Row = list[float]


def play_piece(game: str, nodes: int, seed: int, piece: int) -> list[Row]:
    """Some games, wherever they are played: the answer is always the same."""
    player = _player(game, nodes, seed)
    games = range(piece * PIECE, (piece + 1) * PIECE)
    return [row for number in games for row in player.played(number)]


@cache
def _player(game: str, nodes: int, seed: int) -> _Player:
    """One for all pieces that a process gets."""
    return _Player(find_game(game), nodes, seed)


class _Player:
    """Plays games with itself, and notes what it sees."""

    def __init__(self, game: Game, nodes: int, seed: int) -> None:
        self.game, self.nodes, self.seed = game, nodes, seed
        self.options = {name: getattr(game, name) for name in game.options()}
        self.places = pattern_bytes(evaluation_of(game))
        self.engine = Engine(game, hash_mb=16)

    def played(self, number: int) -> list[Row]:
        """A game: for each quiet position phase, settled, margin of the search, whether it is proved, estimate,
        features and pattern bytes; and in front the number of the game and how it ended."""
        lot = random.Random(f"{self.seed} {number}")  # noqa: S311 - a game, no secret
        match, noted = Match(self.game, opening(self.game, lot)), []
        self.engine.new_game()
        while match.outcome is None and len(match.moves) < MOST_PLIES:
            position = match.position
            moves = position.legal_moves()
            if len(moves) == 1 or lot.random() < SLIP:
                match.play(lot.choice(moves))
                continue
            *_before, last = self.engine.think(position, Limits(nodes=self.nodes), match.positions)
            score, player = last.lines[0].score, position.turn or 0
            row = self._row(position, last.best)
            if row is not None:
                proved = score.result is not None
                noted.append((player, [row[0], row[1], score.margin, proved, *row[2:]]))
            match.play(last.best)
        margin = _final_margin(match)
        return [[number, -margin if player else margin, *row] for player, row in noted]

    def _row(self, position: Position, best: Any) -> Row | None:
        kernel = kernel_of(self.game.name)
        state = kernel.pack(position.to_json(), self.options)
        if _is_loud(state, kernel.to_move(best, position.turn or 0, self.options)):
            return None
        seen = np.zeros(OBSERVED, np.uint8)
        values, when, settled = _counted(state, seen)
        pairs = [int(seen[at]) for pair in self.places for at in pair]
        return [when, settled, evaluate(state) / SEED, *values, *pairs]


class Tuning:
    """A folder with the games from which the weights of one game are found."""

    def __init__(self, game: Game, folder: Path, nodes: int, seed: int = 0) -> None:
        self.game, self.folder, self.nodes, self.seed = game, folder, nodes, seed
        self.module = evaluation_of(game)
        self.places = pattern_bytes(self.module)
        self._claim()

    def _claim(self) -> None:
        """One folder holds games of one kind."""
        facts = {"game": str(self.game), "nodes": self.nodes, "features": [*self.module.FEATURES]}
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
        for piece, rows in self._played(missing, pool):
            partial = self._path(piece).with_suffix(".partial.npz")
            np.savez_compressed(partial, rows=np.array(rows, np.float64))
            partial.replace(self._path(piece))
            done += 1
            if tell is not None:
                tell(min(done * PIECE, games))

    def _path(self, piece: int) -> Path:
        return self.folder / f"games-{self.seed}-{piece:05}.npz"

    def _played(
        self, pieces: Sequence[int], pool: Executor | None
    ) -> Iterator[tuple[int, list[Row]]]:
        what = str(self.game), self.nodes, self.seed
        if pool is None:
            yield from ((piece, play_piece(*what, piece)) for piece in pieces)
            return
        under_way = {pool.submit(play_piece, *what, piece): piece for piece in pieces}
        for future in as_completed(under_way):
            yield under_way[future], future.result()

    def rows(self) -> Any:
        """All that was noted."""
        found = [np.load(path)["rows"] for path in sorted(self.folder.glob("games-*-?????.npz"))]
        found = [rows for rows in found if rows.size]
        if not found:
            raise MbeguError(_("there are no games in {folder}").format(folder=self.folder))
        return np.vstack(found)


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


def _final_margin(match: Match) -> float:
    """What player 0 has won by."""
    outcome = match.outcome
    scores = (outcome.scores if outcome else None) or match.position.scores()
    return float(scores[0] - scores[1])


# ---- regression -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fit:
    """Weights at the beginning and at the end, and how far estimates are off in games kept aside."""

    weights: dict[str, tuple[int, int]]
    errors: dict[str, tuple[float, float]]  # standard errors, in the game's unit
    patterns: tuple[tuple[tuple[int, int], ...], ...]
    positions: int
    error: float
    error_before: float  # of the evaluation as it is


def fitted(tuning: Tuning, *, by_result: bool = False, largest: int = 17) -> Fit:
    """The weights that come nearest to what is taught."""
    rows, names = tuning.rows(), tuning.module.FEATURES
    number, final, when, settled, margin, proved, estimate = rows[:, :7].T
    counts, seen = rows[:, 7 : 7 + len(names)], rows[:, 7 + len(names) :]
    taught = np.where(proved > 0, margin, (1 - RESULT_SHARE) * margin + RESULT_SHARE * final)
    taught = np.clip(taught, -CLIP, CLIP) - settled
    early = (when / WHOLE)[:, None]
    both = np.hstack([counts, _pattern_columns(seen, len(tuning.places), largest)])
    columns = np.hstack([both * early, both * (1 - early)])
    aside, solve = number % 5 == 0, _logistic if by_result else _least_squares
    trial, weights = solve(columns[~aside], taught[~aside]), solve(columns, taught)
    off = taught[aside] - columns[aside] @ trial, taught[aside] + settled[aside] - estimate[aside]
    errors = _standard_errors(columns, taught - columns @ weights, number)
    width = both.shape[1]
    pairs = [(round(SEED * weights[i]), round(SEED * weights[width + i])) for i in range(width)]
    start = len(names)
    return Fit(
        dict(zip(names, pairs, strict=False)),
        {name: (errors[i], errors[width + i]) for i, name in enumerate(names)},
        tuple(
            tuple(pairs[start + place * largest : start + (place + 1) * largest])
            for place in range(len(tuning.places))
        ),
        len(rows),
        *(float(np.sqrt(np.mean(each**2))) for each in off),
    )


def _pattern_columns(seen: Any, places: int, largest: int) -> Any:
    """A column for each place and number of pieces, the last for more: 1 for mine, -1 for his."""
    columns = [np.zeros((len(seen), 0))]
    for place in range(places):
        mine, his = (np.minimum(seen[:, 2 * place + side], largest) for side in (0, 1))
        pieces = np.arange(1, largest + 1)
        columns.append((mine[:, None] == pieces) * 1.0 - (his[:, None] == pieces))
    return np.hstack(columns)


def _least_squares(x: Any, y: Any) -> Any:
    return np.linalg.solve(x.T @ x + RIDGE * np.eye(x.shape[1]), x.T @ y)


def _logistic(x: Any, y: Any) -> Any:
    """The weights under which who wins is likeliest, by Newton's method; a unit counts as one of margin."""
    wins, weights = (1 + np.sign(y)) / 2, np.zeros(x.shape[1])
    for _step in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        bend = (x.T * (chance * (1 - chance))) @ x + np.eye(x.shape[1])
        step = np.linalg.solve(bend, x.T @ (wins - chance) - weights)
        weights += step
        if np.abs(step).max() < 1e-6:
            break
    return weights


def _standard_errors(x: Any, off: Any, number: Any) -> Any:
    """They know that the positions of one game go together."""
    bread = np.linalg.inv(x.T @ x + np.eye(x.shape[1]))
    games = np.unique(number, return_inverse=True)[1]
    scores = np.zeros((games.max() + 1, x.shape[1]))
    np.add.at(scores, games, x * off[:, None])
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

"""What each term of an evaluation is worth in Elo: the engine against itself without the term.

Weights are compiled into the search, so the other one plays in a process of its own, with a copy of the
package in which the term counts nothing. Both think about so many nodes a move, each opening is played
twice with sides changed, and the interval is two standard errors of the pairs.
"""

from __future__ import annotations

import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Self

import numpy as np

import mbegu
from mbegu.core.errors import MbeguError
from mbegu.core.game import Game
from mbegu.core.i18n import _
from mbegu.core.match import Match
from mbegu.lab import large_tables
from mbegu.lab.tune import MOST_PLIES, Fit, evaluation_of, opening, rendered

__all__ = ["Worth", "worth_of_terms"]

ALL_PATTERNS = "patterns"
NOT_COPIED = shutil.ignore_patterns("__pycache__", "static", "locale")


@dataclass(frozen=True)
class Worth:
    """Points of the whole evaluation against the one without a term, and Elo with its interval."""

    term: str
    points: float
    games: int
    elo: float
    low: float
    high: float


def worth_of_terms(
    game: Game,
    games: int,
    nodes: int,
    *,
    seed: int = 0,
    terms: Sequence[str] = (),
    tell: Callable[[Worth], None] | None = None,
) -> list[Worth]:
    """A match for each term, or for some of them."""
    module, found = evaluation_of(game), []
    tables = any(hasattr(module, name) for name in ("PATTERN_BYTES", "LARGE_TABLES"))
    every = [*module.FEATURES, *([ALL_PATTERNS] if tables else [])]
    for term in terms:
        if term not in every:
            raise MbeguError(
                _("the evaluation of {game} has no term {term}; it has {terms}").format(
                    game=game.name, term=term, terms=", ".join(every)
                )
            )
    for term in terms or every:
        with _source_without(module, term) as source:
            points = list(_match(game, source, games // 2, nodes, seed))
        found.append(_told(term, points))
        if tell is not None:
            tell(found[-1])
    return found


def _told(term: str, points: list[float]) -> Worth:
    games, share = 2 * len(points), float(np.mean(points)) / 2
    spread = float(np.std(points, ddof=1)) / 2 if len(points) > 1 else 1.0
    error = 2 * spread / math.sqrt(max(len(points), 1))
    ends = (_elo(each, games) for each in (share, share - error, share + error))
    return Worth(term, sum(points), games, *ends)


def _elo(share: float, games: int) -> float:
    share = min(max(share, 0.5 / games), 1 - 0.5 / games)
    return 400 * math.log10(share / (1 - share))


# ---- the copy ---------------------------------------------------------------------------------------


@contextmanager
def _source_without(module: ModuleType, term: str) -> Iterator[Path]:
    """A folder with a copy of the package of an evaluation, in which a term counts nothing."""
    assert module.__file__ is not None
    names = module.__name__.split(".")
    package = Path(module.__file__).parents[len(names) - 2]
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(package, Path(folder) / names[0], ignore=NOT_COPIED)
        weights = import_module(".".join([*names[:-1], "weights"]))
        kept = {name: (0, 0) if name == term else pair for name, pair in weights.WEIGHTS.items()}
        patterns = getattr(weights, "PATTERNS", ())
        if term == ALL_PATTERNS:
            patterns = tuple(tuple((0, 0) for _pair in row) for row in patterns)
        text = rendered(replace(_NO_FIT, weights=kept, patterns=patterns))
        beside = Path(folder, *names[:-1], "weights.py")
        beside.write_text(text, encoding="utf-8")
        if term == ALL_PATTERNS and hasattr(module, "LARGE_TABLES"):
            large_tables.write(module, np.zeros(module.LARGE_TABLES[0], np.int8), beside)
        yield Path(folder)


_NO_FIT = Fit({}, {}, (), 0, 0.0, 0.0)


# ---- the match --------------------------------------------------------------------------------------


def _match(game: Game, source: Path, pairs: int, nodes: int, seed: int) -> Iterator[float]:
    """The points of each pair of games, from 0 to 2, for the engine as it is."""
    with ExitStack() as stack:
        rivals = [stack.enter_context(_Rival(game, nodes, where)) for where in (None, source)]
        for pair in range(pairs):
            start = opening(game, random.Random(f"{seed} {pair}"))  # noqa: S311 - no secret
            yield sum(_points(game, start, rivals, first) for first in (0, 1))


def _points(game: Game, start: Any, rivals: list[_Rival], first: int) -> float:
    match = Match(game, start)
    while match.outcome is None and len(match.moves) < MOST_PLIES:
        rival = rivals[(match.position.turn or 0) ^ first]
        match.play(
            game.parse_move(rival.move([str(each) for each in match.positions]), match.position)
        )
    winner = match.outcome.winner if match.outcome else None
    return 0.5 if winner is None else float(winner == first)


class _Rival:
    """An engine in a process of its own, with the sources of a folder before ours."""

    def __init__(self, game: Game, nodes: int, source: Path | None) -> None:
        here = str(Path(mbegu.__file__).parent.parent)
        path = os.pathsep.join([*([str(source)] if source else []), here])
        self.process = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", "mbegu.lab.worth", str(game), str(nodes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )

    def __enter__(self) -> Self:
        """It starts by itself."""
        return self

    def __exit__(self, *trouble: object) -> None:
        """And ends."""
        self.process.kill()
        self.process.communicate()

    def move(self, positions: list[str]) -> str:
        """Its move after these positions."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps(positions), file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            raise MbeguError(_("the engine of the other side has ended"))
        return answer.strip()


def serve(name: str, nodes: int) -> None:
    """Answers the positions of a game, a line each, with a move."""
    from mbegu.engine.engine import Engine, Limits  # noqa: PLC0415 - only the rival needs it

    game = mbegu.game(name)
    engine = Engine(game, hash_mb=8)
    for line in sys.stdin:
        *history, position = [game.position(text) for text in json.loads(line)]
        if len(history) < 2:
            engine.new_game()
        *_before, last = engine.think(position, Limits(nodes=nodes), history)
        print(game.format_move(last.best, position), flush=True)


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))

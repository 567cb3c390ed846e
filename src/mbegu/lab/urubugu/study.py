"""What the lab knows of Urubugu's counter-settings, as `mbegu.lab.counters` asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from mbegu.core.game import Move
from mbegu.core.setups import SetUpGame
from mbegu.games.urubugu import Urubugu
from mbegu.lab.counters import Counter, CounterStudy, Frequency, Setting, Tell
from mbegu.lab.urubugu import book, counter, pictures, resist
from mbegu.lab.urubugu.columns import why_safe
from mbegu.lab.urubugu.families import BY_LOT, FAMILIES, FIXED, member

__all__ = ["UrubuguStudy", "study"]


class UrubuguStudy(CounterStudy):
    """By compiled turns, classes of columns and a book that beats every setting."""

    game: Urubugu
    families: ClassVar[Mapping[str, str]] = FAMILIES
    by_lot = frozenset(BY_LOT)
    methods = counter.METHODS
    resist_methods = resist.METHODS

    def member(self, family: str, number: int, seed: int = 0) -> Setting:
        """The setting of a family with this number."""
        return member(family, number, seed)

    def find(self, opponent: Setting, **how: Any) -> counter.Search:
        """By the book, by lot, by climbing, or all that hang on few cells."""
        return counter.find_counters(opponent, self.game, **how)

    def count(self, opponent: Setting, **how: Any) -> Frequency:
        """By a sample of all settings."""
        return counter.count_counters(opponent, self.game, **how)

    def resistant(self, **how: Any) -> resist.Resistance:
        """By climbing from class to class, or by a race of all classes."""
        return resist.find_resistant(self.game, **how)

    def example_of_safe(self) -> tuple[Setting, str] | None:
        """A column with an empty cell cannot be taken, by some rules."""
        setting = FIXED["back"]
        why = why_safe(setting, self.game)
        return None if why is None else (setting, why)

    def prove(self, *, threads: int = 1, tell: Tell | None = None) -> book.Proof:
        """The book against every setting there is."""
        return book.prove(self.game, threads=threads, tell=tell)

    def picture(self, counter: Counter, move: Move) -> str:
        """The board before the turn, its laps, and the board after it."""
        return pictures.turn_picture(counter, move)


def study(game: SetUpGame) -> UrubuguStudy:
    """For these rules."""
    return UrubuguStudy(game)

"""The words of UGI and UCI: options, the numbers of `go`, and how a score is written."""

from __future__ import annotations

from dataclasses import dataclass

from mbegu.core.errors import MbeguError, shorten
from mbegu.core.i18n import _
from mbegu.engine.engine import MOST_THREADS, Limits, Score

__all__ = [
    "GO_WORDS",
    "NUMBERS",
    "OPTIONS",
    "ProtocolError",
    "limits_given",
    "read_whole",
    "score_words",
]

MOST_HASH = 1 << 20  # megabytes; what the machine has decides


class ProtocolError(MbeguError):
    """A line that cannot be obeyed."""


@dataclass(frozen=True, slots=True)
class Option:
    """What a program may set."""

    kind: str
    default: int | bool
    least: int = 0
    most: int = 0

    def declaration(self, name: str) -> str:
        """As it is told after `ugi` or `uci`."""
        if self.kind == "check":
            return f"option name {name} type check default {str(self.default).lower()}"
        return (
            f"option name {name} type spin default {self.default} min {self.least} max {self.most}"
        )

    def read(self, name: str, text: str) -> int | bool:
        """A value, checked."""
        if self.kind == "check":
            if text.lower() in ("true", "false"):
                return text.lower() == "true"
            raise ProtocolError(
                _("{name} is true or false, not {value}").format(name=name, value=shorten(text))
            )
        return read_whole(name, text, self.least, self.most)


OPTIONS = {
    "Hash": Option("spin", 64, 1, MOST_HASH),
    "Threads": Option("spin", 1, 1, MOST_THREADS),
    "MultiPV": Option("spin", 1, 1, 500),
    "Ponder": Option("check", False),
    # Known to Aualé's programs. We have no book; the others would change nothing here.
    "OwnBook": Option("check", False),
    "UseLeaves": Option("check", False),
    "DrawSearch": Option("check", False),
}

NUMBERS = {
    "depth": (1, 10**6),  # beyond MOST_DEPTH: as deep as it goes
    "nodes": (1, 10**15),
    "movetime": (0, 10**9),
    "movestogo": (0, 10**6),  # understood, but of no use
    **dict.fromkeys(("p1time", "p2time", "wtime", "btime"), (-(10**12), 10**12)),
    **dict.fromkeys(("p1inc", "p2inc", "winc", "binc"), (0, 10**9)),
}
GO_WORDS = (*NUMBERS, "infinite", "ponder", "searchmoves")


def limits_given(limits: Limits) -> list[float]:
    """The limits that would end a thought."""
    every = (limits.depth, limits.nodes, limits.movetime, limits.remaining)
    return [limit for limit in every if limit is not None]


def score_words(score: Score) -> str:
    """`cp 320` for an expected margin of 3.2; `mate 5` for a win that is forced within five of one's
    own moves, `mate -5` for a loss."""
    if score.win is None:
        return f"cp {round(score.margin * 100)}"
    if score.win > 0:
        return f"mate {(score.win + 1) // 2}"
    return f"mate -{max(-score.win // 2, 1)}"


def read_whole(name: str, text: str, least: int, most: int) -> int:
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) <= 18:
        number = int(text)
        if least <= number <= most:
            return number
    raise ProtocolError(
        _("{name} must be from {least} to {most}, not {limit}").format(
            name=name, least=least, most=most, limit=shorten(text)
        )
    )

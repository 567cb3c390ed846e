"""How a game ended: who won, with what score, and why.

>>> Outcome(winner=0, scores=(26, 22), reason=Reason.MAJORITY).result
'1-0'
"""

from dataclasses import dataclass

from mbegu.core.i18n import N_
from mbegu.core.worded import Worded

__all__ = ["AnyReason", "Outcome", "OwnReason", "Reason", "by_score", "find_reason"]


class Reason(Worded):
    """Why a game is over. The value is the word used in records and JSON."""

    # The rules of one position
    MAJORITY = "majority", N_("A player holds more than half of the seeds.")
    FEW_SEEDS = "few_seeds", N_("Too few seeds are left on the board to play on.")
    NO_MOVE = "no_move", N_("The player to move has no legal move; each side keeps its seeds.")
    STARVED = "starved", N_("The next player has no seed; the last player takes what is left.")
    SIDE_EMPTY = "side_empty", N_("A player's pits are empty; each side keeps its stones.")
    ALL_BEADS = "all_beads", N_("A player has captured every bead.")
    TWO_COWS = "two_cows", N_("A player is down to two cows.")
    NO_MOVES = "no_moves", N_("The player to act is blocked.")
    TEN_MOVES = "ten_moves", N_("Ten moves without a shot while a player has three cows.")
    FIFTY_MOVES = "fifty_moves", N_("Fifty actions without a shot.")
    # The rules of a match
    REPETITION = "repetition", N_("The position has come back.")
    PLY_CAP = "ply_cap", N_("The game has lasted as long as the rules allow.")
    RESIGNATION = "resignation", N_("A player resigned.")
    AGREEMENT = "agreement", N_("The players agreed to a draw.")
    TIMEOUT = "timeout", N_("A player ran out of time.")
    FORFEIT = "forfeit", N_("A player broke the rules of the match.")
    ABANDONED = "abandoned", N_("A player left the game.")
    ABORTED = "aborted", N_("The game was called off before both had moved.")


class OwnReason(Worded):
    """Why games of another package end. Such a package subclasses it, with words that are its own:

    class ToguzReason(OwnReason):
        HALF = "toguz_half", N_("A player has more than half of the balls.")
    """


AnyReason = Reason | OwnReason


def find_reason(word: str) -> AnyReason:
    """The reason of a word in a record; KeyError if no installed game has it."""
    own = (member for kind in OwnReason.__subclasses__() for member in kind)
    everyone: list[AnyReason] = [*Reason, *own]
    return {member.value: member for member in reversed(everyone)}[word]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game. `winner` is None in a draw, and where there is no result."""

    winner: int | None
    scores: tuple[int, int]
    reason: AnyReason

    @property
    def result(self) -> str:
        """As records write it: 1-0, 0-1 or 1/2-1/2; * if the game was called off."""
        if self.reason is Reason.ABORTED:
            return "*"
        return "1/2-1/2" if self.winner is None else ("1-0", "0-1")[self.winner]

    def to_json(self) -> dict[str, object]:
        """As plain data: winner, scores and the reason's word."""
        return {"winner": self.winner, "scores": list(self.scores), "reason": self.reason.value}


def by_score(scores: tuple[int, int], reason: AnyReason) -> Outcome:
    """The higher score wins; equal scores are a draw."""
    first, second = scores
    winner = None if first == second else int(second > first)
    return Outcome(winner, scores, reason)

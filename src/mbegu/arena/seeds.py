"""Seeds: everything that is by lot in a match follows from one number, which no bot is told.

From the seed of a match follow those of its games, from that of a game those of its two players, each by a
digest: whoever knows one of them cannot find another one. A bot that guesses the number of the match
could; so it is drawn, unless the host chooses one.
"""

import hashlib
import secrets

__all__ = ["draw_seed", "player_seed", "seed_of"]

_BITS = 62  # what fits into a signed word, and is too much to be tried out


def seed_of(*parts: object) -> int:
    """A number that depends on all parts and on nothing else."""
    told = "\x1f".join(map(str, parts)).encode()
    return int.from_bytes(hashlib.sha256(told).digest()[:8]) >> (64 - _BITS)


def player_seed(game: int, player: int) -> int:
    """The seed of one player in the game with this seed."""
    return seed_of("player", game, player)


def draw_seed() -> int:
    """A seed that nobody can guess, short enough to be typed again."""
    return secrets.randbits(50)

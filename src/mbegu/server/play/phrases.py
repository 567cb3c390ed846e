"""What players may say to one another: a few phrases, sent by their names and told in every language."""

from mbegu.core.errors import shorten
from mbegu.core.i18n import _
from mbegu.server.net.messages import Json, Refused
from mbegu.server.net.rate_limits import Bucket

__all__ = ["PHRASES", "Talk", "read_phrase"]

PHRASES = (
    "hello",
    "good_luck",
    "well_played",
    "thanks",
    "sorry",
    "one_moment",
    "good_game",
    "goodbye",
)
PHRASES_A_SECOND, BURST = 0.25, 4


def read_phrase(message: Json) -> str:
    """The phrase that somebody says."""
    phrase = message.get("phrase")
    if phrase not in PHRASES:
        raise Refused(
            _("{phrase} is not a phrase; there are: {phrases}").format(
                phrase=shorten(phrase), phrases=", ".join(PHRASES)
            )
        )
    return str(phrase)


class Talk:
    """Nobody says too much at once."""

    def __init__(self) -> None:
        self._buckets = [Bucket(PHRASES_A_SECOND, BURST), Bucket(PHRASES_A_SECOND, BURST)]

    def take(self, player: int) -> None:
        """A player says something."""
        if not self._buckets[player].take():
            raise Refused(_("that was much at once: wait a few seconds"))

"""What players may say to one another: a few phrases, sent by their names and told in every language."""

from typing import TYPE_CHECKING

from mbegu.core.errors import shorten
from mbegu.core.i18n import _
from mbegu.server.net.messages import Json, Refused
from mbegu.server.net.rate_limits import Bucket

if TYPE_CHECKING:
    from mbegu.server.play.room import Room

__all__ = ["PHRASES", "Talk"]

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


class Talk:
    """Who says what, and not too often."""

    def __init__(self, room: "Room") -> None:
        self.room = room
        self._buckets = [Bucket(PHRASES_A_SECOND, BURST), Bucket(PHRASES_A_SECOND, BURST)]

    def say(self, player: int, message: Json) -> None:
        """A player says a phrase to everybody in the room."""
        phrase = message.get("phrase")
        if phrase not in PHRASES:
            raise Refused(
                _("{phrase} is not a phrase; there are: {phrases}").format(
                    phrase=shorten(phrase), phrases=", ".join(PHRASES)
                )
            )
        if not self._buckets[player].take():
            raise Refused(_("that was much at once: wait a few seconds"))
        self.room.tell("said", {"player": player, "phrase": phrase})

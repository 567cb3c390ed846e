"""In which of his windows somebody plays; in the others he watches. And from where the players come."""

from mbegu.server.net.messages import Json
from mbegu.server.net.rate_limits import is_this_computer
from mbegu.server.play.game_state import Course
from mbegu.server.play.ports import Listener

__all__ = ["Windows"]


class Windows:
    """The window of each visitor of a room in which he plays."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._playing: dict[str, Listener] = {}
        self._networks: dict[str, str] = {}  # from where the players of a rated game come
        self._near = course.row.near

    def of(self, session: str | None) -> Listener | None:
        """The window in which somebody plays, if he is here."""
        return self._playing.get(session or "")

    def plays_here(self, client: Listener) -> bool:
        """Whether this is the window in which its visitor plays; alone one plays in all of them."""
        one = self._course.between_people and bool(self._course.seats_of(client.session))
        return not one or self._playing.get(client.session) in (None, client)

    def play_in(self, client: Listener, watch: bool = False) -> list[Listener]:
        """The newest window is the one in which somebody plays; those for which that is news.

        One in which he only wants to `watch` leaves it as it was.
        """
        if self._course.row.rated and self._course.seats_of(client.session):
            self._networks[client.session] = client.address
        before = self._playing.get(client.session)
        if before is client:
            return []
        stays = before is not None and watch
        if not stays:
            self._playing[client.session] = client
        if before is None:
            return []
        return [client] if stays else [client, before]

    def leave(self, client: Listener) -> bool:
        """A window is closed; whether somebody played in it."""
        if self._playing.get(client.session) is not client:
            return False
        del self._playing[client.session]
        return True

    def nearness(self) -> Json:
        """Whether the players of a rated game come from one address, once seen, for good."""
        if not self._course.row.rated:
            return {}
        self._near = self._near or self._come_from_one_address()
        return {"near": self._near}

    def _come_from_one_address(self) -> bool:
        found = {self._networks.get(seat.session or "") for seat in self._course.seats}
        address = found.pop()
        return address is not None and not found and not is_this_computer(address)

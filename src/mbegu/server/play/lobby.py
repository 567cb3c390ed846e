"""The lobby: who looks for an opponent, live, and the news of everybody's own games.

A seek says which game somebody wants to play. Everybody in the lobby sees it and may take it; one that
is `quick` is paired by the server with the seek that suits it best. The difference of ratings that is
suitable grows while one waits. A seek may be meant for one member: a challenge, which nobody else sees.
Seeks live in memory: they go when their owner's line has been gone for a moment, and with the server;
whoever comes back posts his again.
"""

import asyncio
import logging
import random
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from mbegu.core.errors import MbeguError, shorten
from mbegu.core.i18n import _, speaking
from mbegu.core.registry import game as find_game
from mbegu.core.setups import SetUpGame
from mbegu.server.net.messages import PROTOCOL, Json, Refused, dumps
from mbegu.server.net.rate_limits import Limit, is_this_computer
from mbegu.server.play.forms import is_standard, new_id, pair_row, read_control, read_name
from mbegu.server.play.game_state import Course
from mbegu.server.play.identity import account_of, is_bot
from mbegu.server.play.names import folded
from mbegu.server.play.ports import Listener, People
from mbegu.server.play.rows import RoomRow, SeatKind, SeatRow

__all__ = ["Lobby", "Seek"]

GRACE = 10.0  # seconds for which a seek outlives its owner's line
MOST_SEEKS = 5  # of one person at once
TOLD_AT_ONCE = 16  # of those who look, before others are served
MOST_LISTED, MOST_OF_ADDRESS = 300, 100
MOST_KNOWN = 2000  # commands whose answers are remembered
TICK = 2.0  # seconds between two looks for pairs
WINDOW, WIDENING = 100.0, 20.0  # points of rating at first, and more each second
GATHER = 0.1  # seconds: what changes meanwhile is told together
log = logging.getLogger(__name__)

Add = Callable[[list[RoomRow]], Awaitable[None]]  # keeps new rooms


@dataclass(eq=False)
class Seek:
    """A wish to play."""

    session: str
    name: str
    game: str
    control: str
    setups: bool
    side: int | None  # None: by lot
    rated: bool
    quick: bool
    rating: float | None
    since: float = field(default_factory=time.monotonic)
    id: str = field(default_factory=new_id)
    to: str | None = None  # the session for which alone it is meant
    to_name: str | None = None
    address: str = ""
    texts: dict[tuple[str, bool], str] = field(default_factory=dict, compare=False, repr=False)

    def window(self, now: float) -> float:
        """How far the other's rating may be away by now."""
        return WINDOW + WIDENING * (now - self.since)

    def suits(self, other: "Seek", now: float) -> bool:
        """Whether two wishes go together, of which one at least is in a hurry."""
        same = (self.game, self.control, self.setups, self.rated)
        if same != (other.game, other.control, other.setups, other.rated):
            return False
        if self.session == other.session or not (self.quick or other.quick):
            return False
        if self.to is not None or other.to is not None:
            return False
        if self.side is not None and self.side == other.side:
            return False
        return self.distance(other) <= min(self.window(now), other.window(now))

    def distance(self, other: "Seek") -> float:
        """The difference of ratings; who has none suits everybody."""
        if self.rating is None or other.rating is None:
            return 0.0
        return abs(self.rating - other.rating)

    def concerns(self, session: str) -> bool:
        """Whether somebody is told of it otherwise than everybody."""
        return session in (self.session, self.to)

    def seat(self) -> SeatRow:
        """Where its owner will sit."""
        return SeatRow(SeatKind.HUMAN, 0, self.name, self.session, account_of(self.session))


class Lobby:
    """Everybody who looks for a game."""

    def __init__(self, add: Add, people: People) -> None:
        self._add, self._people = add, people
        self._seeks: dict[str, Seek] = {}
        self._clients: dict[str, set[Listener]] = {}  # by session
        self._members: dict[str, str] = {}  # sessions by folded name
        self._answers: OrderedDict[tuple[str, str], Json] = OrderedDict()
        self._limit = Limit(rate=0.5, burst=20)
        self._changed: asyncio.TimerHandle | None = None
        self._telling: asyncio.Handle | None = None
        self._ticker: asyncio.Task[None] | None = None

    def close(self) -> None:
        """Forgets everything."""
        for running in (self._changed, self._telling, self._ticker):
            if running is not None:
                running.cancel()

    # ---- coming and going

    def join(self, client: Listener) -> None:
        """Somebody looks in."""
        self._clients.setdefault(client.session, set()).add(client)
        if client.name:
            self._members[folded(client.name)] = client.session
        client.send(self._listing(client))
        self._tell_soon()

    def leave(self, client: Listener) -> None:
        """Somebody has gone; perhaps he comes back at once."""
        clients = self._clients.get(client.session, set())
        clients.discard(client)
        if not clients:
            self._clients.pop(client.session, None)
            self._members.pop(folded(client.name), None)
            loop = asyncio.get_running_loop()
            loop.call_later(GRACE, self._forget, client.session)
        self._tell_soon()

    def _forget(self, session: str) -> None:
        if session not in self._clients:
            self._drop_all(session)
            for seek in [seek for seek in self._seeks.values() if seek.to == session]:
                self._decline(seek)

    # ---- commands

    async def obey(self, client: Listener, message: Json) -> None:
        """Does what a client asks for; asked again with the same id, it only answers again."""
        name = message.get("id")
        if not isinstance(name, str) or not 8 <= len(name) <= 64 or not name.isascii():
            error = _("a command needs an id of 8 to 64 letters and digits")
            client.send(dumps({"t": "refused", "id": None, "error": error}))
            return
        key = client.session, name
        answer = self._answers.get(key)
        if answer is None:
            try:
                answer = {"t": "ack", "id": name, **await self._obey(client, message)}
            except MbeguError as error:
                answer = {"t": "refused", "id": name, "error": str(error)}
            self._answers[key] = answer
            if len(self._answers) > MOST_KNOWN:
                self._answers.popitem(last=False)
        client.send(dumps(answer))

    async def _obey(self, client: Listener, message: Json) -> Json:
        match message.get("t"):
            case "ping":
                return {}
            case "seek":
                return await self._seek(client, message)
            case "cancel":
                seek = self._seeks.get(str(message.get("seek")))
                if seek is not None and seek.session == client.session:
                    self._drop(seek)
                elif seek is not None and seek.to == client.session:
                    self._decline(seek)
                return {}
            case "find":
                return {"here": self._find(message.get("name")) is not None}
            case "take":
                return await self._take(client, message)
        raise Refused(
            _("{word} is not a command of the lobby").format(word=shorten(message.get("t")))
        )

    async def _seek(self, client: Listener, message: Json) -> Json:
        if not self._limit.take(client.session):
            raise Refused(_("that was much at once: wait a few seconds"))
        seek = await self._read(client, message)
        if sum(old.session == client.session for old in self._seeks.values()) >= MOST_SEEKS:
            raise Refused(_("you look for {most} games already").format(most=MOST_SEEKS))
        full = len(self._seeks) >= MOST_LISTED and not self._make_room(client.address)
        if full or self._is_crowded(client.address):
            raise Refused(_("the list is full: take one of the games in it"))
        self._seeks[seek.id] = seek
        self._tell_soon()
        await self._pair(seek)
        if self._ticker is None and self._seeks:
            self._ticker = asyncio.create_task(self._tick())
        return {"seek": seek.id}

    def _is_crowded(self, address: str) -> bool:
        """Whether those who come from one address have filled their part of the list."""
        same = sum(old.address == address for old in self._seeks.values())
        return same >= MOST_OF_ADDRESS and not is_this_computer(address)

    def _make_room(self, address: str) -> bool:
        """Takes the oldest seek of those who fill the list, for one from where fewer have come."""
        counts = Counter(seek.address for seek in self._seeks.values())
        crowd, most = counts.most_common(1)[0]
        if most <= counts[address] + 1:
            return False
        self._drop(next(seek for seek in self._seeks.values() if seek.address == crowd))
        return True

    async def _read(self, client: Listener, message: Json) -> Seek:
        game = find_game(message.get("game", ""))
        side, setups = message.get("side"), message.get("setups")
        if side not in (None, 0, 1) or isinstance(side, bool):
            raise Refused(_("side must be 0, 1 or null"))
        if setups not in (None, "ask"):
            raise Refused(_("setups must be null or “ask” here"))
        account, rated = account_of(client.session), message.get("rated") is True
        if rated and account is None:
            raise Refused(_("a rated game needs an account: sign in, or play without rating"))
        if rated and not is_standard(game):
            raise Refused(_("a rated game is played by the usual rules, without options"))
        wanted = self._wanted(client, message.get("to"))
        name = client.name or read_name(message.get("name"))
        await self._people.check_name(client.session, name)
        return Seek(
            session=client.session,
            address=client.address,
            name=name,
            game=str(game),
            control=str(read_control(message)),
            setups=setups == "ask" and isinstance(game, SetUpGame),
            side=side,
            rated=rated,
            quick=message.get("quick") is True,
            to=None if wanted is None else wanted.session,
            to_name=None if wanted is None else wanted.name,
            rating=None if account is None else await self._people.rating_of(account, game.name),
        )

    def _find(self, name: object) -> Listener | None:
        """A member who is here."""
        if not isinstance(name, str):
            return None
        session = self._members.get(folded(name[:200]))
        return None if session is None else next(iter(self._clients[session]), None)

    def _wanted(self, client: Listener, name: object) -> Listener | None:
        """For whom a seek is meant, if for one alone."""
        if name is None:
            return None
        found = self._find(name)
        if found is None:
            raise Refused(_("{name} is not here now").format(name=shorten(name)))
        if found.session == client.session:
            raise Refused(_("you cannot challenge yourself"))
        return found

    async def _take(self, client: Listener, message: Json) -> Json:
        seek = self._seeks.get(str(message.get("seek")))
        if seek is None or seek.to not in (None, client.session):
            raise Refused(_("this offer is gone: somebody was faster, or it was withdrawn"))
        if seek.session == client.session:
            raise Refused(_("this is your own offer: wait until somebody takes it"))
        form = {
            "game": seek.game,
            "clock": seek.control,
            "rated": seek.rated,
            "setups": "ask" if seek.setups else None,
            "name": message.get("name"),
        }
        taker = await self._read(client, form)
        if taker.name and taker.name.casefold() == seek.name.casefold():
            raise Refused(
                _("the other player is called {name} too: choose another name").format(
                    name=taker.name
                )
            )
        if seek.id not in self._seeks:
            raise Refused(_("this offer is gone: somebody was faster, or it was withdrawn"))
        return {"room": await self._begin(seek, taker)}

    # ---- pairs

    async def _tick(self) -> None:
        """Looks again while anybody waits: windows grow."""
        while self._seeks:
            await asyncio.sleep(TICK)
            for seek in list(self._seeks.values()):
                if seek.quick and seek.id in self._seeks:
                    try:
                        await self._pair(seek)
                    except MbeguError as error:  # the store is away: another time
                        log.warning("no pair could be made: %s", error)
        self._ticker = None

    async def _pair(self, seek: Seek) -> None:
        now = time.monotonic()
        found = [other for other in self._seeks.values() if seek.suits(other, now)]
        if found:
            await self._begin(
                min(found, key=lambda other: (seek.distance(other), other.since)), seek
            )

    async def _begin(self, first: Seek, second: Seek) -> str:
        """Makes the room of two who have found one another, and calls them."""
        waiting = [seek for seek in (first, second) if self._seeks.pop(seek.id, None)]
        side = first.side
        if side is None:
            side = random.SystemRandom().randrange(2) if second.side is None else 1 - second.side
        seats = (first.seat(), second.seat()) if side == 0 else (second.seat(), first.seat())
        row = pair_row(first.game, first.control, first.setups, first.rated, seats)
        try:
            await self._add([row])
        except MbeguError:
            self._seeks |= {seek.id: seek for seek in waiting}
            raise
        for seek in (first, second):
            for other in [old for old in self._seeks.values() if old.session == seek.session]:
                self._drop(other)  # whoever plays looks no further
            self.tell(seek.session, {"t": "paired", "room": row.id, "seek": seek.id})
        self._tell_soon()
        return row.id

    def _drop(self, seek: Seek) -> None:
        if self._seeks.pop(seek.id, None) is not None:
            self._tell_soon()

    def _decline(self, seek: Seek) -> None:
        """The one for whom it was meant does not want to, or has gone."""
        self._drop(seek)
        self.tell(seek.session, {"t": "declined", "seek": seek.id, "name": seek.to_name})

    def _drop_all(self, session: str) -> None:
        for seek in [seek for seek in self._seeks.values() if seek.session == session]:
            self._drop(seek)

    # ---- telling

    def tell(self, session: str, message: Json) -> None:
        """Tells one person something, on all his screens."""
        for client in self._clients.get(session, ()):
            client.send(dumps(message))

    def sessions(self) -> list[str]:
        """Everybody who is here."""
        return list(self._clients)

    def notice(self, room: str, course: Course) -> None:
        """How one of their games stands now, to its players."""
        for player, seat in enumerate(course.seats):
            if seat.session is None or seat.session not in self._clients:
                continue
            message = {
                "t": "game",
                "room": room,
                "game": str(course.game),
                "status": course.status,
                "your_turn": course.turn == player,
                "opponent": course.seats[1 - player].name,
                "next": course.next_room,
            }
            self.tell(seat.session, message)

    def _tell_soon(self) -> None:
        if self._changed is None:
            self._changed = asyncio.get_running_loop().call_later(GATHER, self._tell_all)

    def _tell_all(self) -> None:
        """Whom no seek concerns is told the same, written once for each language."""
        self._changed = None
        self._tell_some([client for clients in self._clients.values() for client in clients])

    def _tell_some(self, clients: list[Listener]) -> None:
        """A few at a time: those who play do not wait until all who look have been told."""
        concerned = {who for seek in self._seeks.values() for who in (seek.session, seek.to)}
        texts: dict[str, str] = {}
        for client in clients[:TOLD_AT_ONCE]:
            if client not in self._clients.get(client.session, ()):
                continue
            if getattr(client, "behind", False):  # the list is long, and soon there is a newer one
                self._tell_soon()
                continue
            if client.session in concerned:
                client.send(self._listing(client))
                continue
            if client.language not in texts:
                texts[client.language] = self._listing(client)
            client.send(texts[client.language])
        if len(clients) > TOLD_AT_ONCE:
            loop = asyncio.get_running_loop()
            self._telling = loop.call_soon(self._tell_some, clients[TOLD_AT_ONCE:])

    def _listing(self, client: Listener) -> str:
        with speaking(client.language):
            seeks = [
                self._seek_text(seek, client)
                for seek in self._seeks.values()
                if seek.to is None or seek.concerns(client.session)
            ]
        head = f'{{"t":"lobby","v":{PROTOCOL},"people":{len(self._clients)},"seeks":['
        return f"{head}{','.join(seeks)}]}}"

    def _seek_text(self, seek: Seek, client: Listener) -> str:
        """A seek as its owner is told of it, or as all others are: written once."""
        key = client.language, seek.session == client.session
        if key not in seek.texts:
            seek.texts[key] = dumps(self._seek_json(seek, client.session))
        return seek.texts[key]

    def _seek_json(self, seek: Seek, session: str) -> dict[str, Any]:
        game = find_game(seek.game)
        return {
            "id": seek.id,
            "game": seek.game,
            "title": _(game.title),
            "clock": seek.control,
            "setups": seek.setups,
            "rated": seek.rated,
            "side": seek.side,
            "quick": seek.quick,
            "name": seek.name,
            "member": account_of(seek.session) is not None,
            "bot": is_bot(account_of(seek.session)),
            "rating": None if seek.rating is None else round(seek.rating),
            "yours": seek.session == session,
            "to": seek.to_name,
        }

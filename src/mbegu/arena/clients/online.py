"""A bot that plays people on a Mbegu server, with a token of its account.

    client = OnlineClient("https://play.example.org", token, find_bot("level5"), games=("oware",))
    asyncio.run(client.run())

It offers its games in the lobby, plays whoever takes an offer or challenges it, several at once, and
offers again. It comes back to its games when a line breaks or the server restarts. docs/api.md tells
what is said.
"""

import asyncio
import contextlib
import json
import random
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from mbegu.arena.clients.online_game import OnlineGame, new_id, send
from mbegu.arena.roster import BotSpec
from mbegu.core.clock import TimeControl
from mbegu.core.errors import MbeguError
from mbegu.core.i18n import _
from mbegu.core.registry import USUAL
from mbegu.core.registry import game as find_game

__all__ = ["DRAWS", "TAKEBACKS", "OnlineClient", "OnlineError"]

Json = dict[str, Any]
PAUSES = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0)  # seconds before the next attempt to connect
PATIENCE = 20.0
NO_ROOM = 4004  # the close code of a game that is not there
LEAST_BANK, LEAST_MOVE = 60.0, 5.0  # the shortest clocks of a challenge, in seconds
GOODBYE = 0.2  # seconds for the last words
TAKEBACKS = ("never", "unrated", "always")  # whose moves may be taken back
DRAWS = ("never", "even")  # accepted where the engine does not prefer the bot


class OnlineError(MbeguError):
    """The server refuses us, or is none."""


@dataclass
class OnlineClient:
    """Plays on a server for one bot, until it is stopped or has played so many games."""

    server: str
    token: str
    bot: BotSpec
    games: Sequence[str] = (USUAL,)
    clock: str = "300+3"
    rated: bool = False
    at_once: int = 4
    total: int | None = None
    trust: bool = False
    say: Callable[[str], None] = print
    pauses: tuple[float, ...] = PAUSES
    takebacks: str = "never"
    draws: str = "never"
    rematches: bool = True
    challenges: bool = True
    name: str = field(default="", init=False)
    played: int = field(default=0, init=False)
    stopping: bool = field(default=False, init=False)
    _tables: set[str] = field(default_factory=set, init=False)  # games that are being played
    _tasks: set["asyncio.Task[None]"] = field(default_factory=set, init=False)
    _lobby: ClientConnection | None = field(default=None, init=False)
    _seeks: list[Json] = field(default_factory=list, init=False)  # as last told
    _asked: dict[str, str] = field(default_factory=dict, init=False)  # games by unanswered wish
    _answered: set[str] = field(default_factory=set, init=False)  # challenges
    _end: "asyncio.Future[None] | None" = field(default=None, init=False)

    async def run(self) -> None:
        """Plays until it is enough."""
        self._check()
        await self._introduce()
        self._end = asyncio.get_running_loop().create_future()
        try:
            for room in await self._mine():
                self.sit(room)
            self._begin(self.lasting("/ws/lobby", self._at_lobby))
            await self._end
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def stop(self) -> int:
        """Begins no other game and ends with the last one; asked again, ends at once.

        How many games go on.
        """
        at_once, self.stopping = self.stopping, True
        if self._end is not None and not self._end.done():
            if at_once:
                self._end.set_result(None)
            else:
                self._begin(self._withdraw())
                self._end_soon()
        return 0 if at_once else len(self._tables)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Does something beside the rest; an error in it is the end of everything."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if self._end is None or self._end.done() or task.cancelled():
            return
        error = task.exception()
        if error is not None:
            self._end.set_exception(error)

    def _check(self) -> None:
        parts = urllib.parse.urlsplit(self.server)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise OnlineError(
                _("{server} is not a server: write its address, like https://example.org").format(
                    server=self.server
                )
            )
        self.games = [str(find_game(game)) for game in self.games]
        TimeControl.parse(self.clock)

    def has_room(self) -> bool:
        """Whether another game may begin."""
        if self.stopping or len(self._tables) >= self.at_once:
            return False
        return self.total is None or self.played + len(self._tables) < self.total

    # ---- HTTP

    async def _ask(self, path: str) -> Json:
        return await asyncio.to_thread(self._get, path)

    def _get(self, path: str) -> Json:
        request = urllib.request.Request(  # noqa: S310 (http or https: checked)
            self.server.rstrip("/") + path, headers={"Authorization": f"Bearer {self.token}"}
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
                found: Json = json.loads(answer.read())
                return found
        except urllib.error.HTTPError as error:
            try:
                why = json.loads(error.read())["error"]
            except (ValueError, KeyError, TypeError):
                why = f"{error.code} {error.reason}"
            raise OnlineError(f"{self.server}: {why}") from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "reason", error)
            raise OnlineError(f"{self.server}: {reason}") from None

    async def _introduce(self) -> None:
        account = (await self._ask("/api/v1/account"))["account"]
        if account is None or not account["bot"]:
            raise OnlineError(_("this token does not belong to a bot’s account"))
        self.name = account["name"]
        self.say(_("{name} is on {server}").format(name=self.name, server=self.server))

    async def _mine(self) -> list[str]:
        """Games that have begun before: they go on."""
        found: list[str] = []
        for status in ("setup", "playing"):
            told = await self._ask(f"/api/v1/rooms?limit=100&status={status}")
            found += [room["id"] for room in told["rooms"] if _is_with_others(room)]
        return found

    # ---- sockets

    def connect(self, path: str) -> connect:
        """A socket of the server."""
        address = "ws" + self.server.rstrip("/").removeprefix("http") + path
        return connect(
            address,
            additional_headers={"Authorization": f"Bearer {self.token}"},
            user_agent_header=None,
            open_timeout=PATIENCE,
            close_timeout=1.0,
        )

    async def lasting(self, path: str, talk: Callable[[ClientConnection], Any]) -> None:
        """Talks until the talk is over, on as many lines as it takes."""
        attempt = 0
        while True:
            try:
                async with self.connect(path) as line:
                    attempt = 0
                    await talk(line)
                    return
            except InvalidStatus as error:
                if error.response.status_code in (401, 403):
                    raise OnlineError(
                        _("{server} does not know this token (any more)").format(server=self.server)
                    ) from None
            except ConnectionClosed as closed:
                code = None if closed.rcvd is None else closed.rcvd.code
                if code == NO_ROOM:
                    return
            except (OSError, TimeoutError, WebSocketException):
                pass
            pause = self.pauses[min(attempt, len(self.pauses) - 1)]
            attempt += 1
            await asyncio.sleep(pause * random.uniform(0.7, 1.3))  # noqa: S311 (not all at once)

    # ---- the lobby

    async def _at_lobby(self, line: ClientConnection) -> None:
        self._lobby, self._asked = line, {}
        await send(line, t="hello", v=1)
        while True:
            message = json.loads(await line.recv())
            match message["t"]:
                case "lobby":
                    self._seeks = message["seeks"]
                    await self._seek()
                    await self._answer_challenges()
                case "paired":
                    self.sit(message["room"])
                case "game" if message.get("next"):
                    self.sit(message["next"])
                case "ack":
                    self._asked.pop(message["id"], None)
                case "refused":
                    self.say(str(message["error"]))
                    self._begin(self._seek_later(message["id"]))

    async def _seek(self) -> None:
        """Offers every game that is not on offer, while there is room for one more."""
        if self._lobby is None or not self.has_room():
            return
        offered = {seek["game"] for seek in self._seeks if seek["yours"]} | {*self._asked.values()}
        for game in self.games:
            if game not in offered:
                wish = new_id()
                self._asked[wish] = game
                with contextlib.suppress(ConnectionClosed):
                    await send(
                        self._lobby,
                        t="seek",
                        id=wish,
                        game=game,
                        clock=self.clock,
                        rated=self.rated,
                    )

    async def _seek_later(self, refused: str) -> None:
        """Tries again after a while what was refused."""
        await asyncio.sleep(self.pauses[-1])
        if self._asked.pop(refused, None):
            await self._seek()

    async def _answer_challenges(self) -> None:
        """Takes what is meant for us alone, if it is what we play, or declines it."""
        assert self._lobby is not None
        for seek in self._seeks:
            if seek["yours"] or seek["to"] is None or seek["id"] in self._answered:
                continue
            self._answered.add(seek["id"])
            answer = "take" if self._likes(seek) else "cancel"
            await send(self._lobby, t=answer, id=new_id(), seek=seek["id"])

    def _likes(self, seek: Json) -> bool:
        """Whether a challenge is one that this bot takes."""
        if not self.challenges or not self.has_room() or seek["game"] not in self.games:
            return False
        if seek["rated"] and not self.rated:
            return False
        if seek["clock"] == self.clock:
            return True
        control = TimeControl.parse(seek["clock"])
        return (control.bank or 0) >= LEAST_BANK or (control.per_move or 0) >= LEAST_MOVE

    async def _withdraw(self) -> None:
        """Takes back all offers."""
        if self._lobby is not None:
            with contextlib.suppress(ConnectionClosed):
                for seek in self._seeks:
                    if seek["yours"]:
                        await send(self._lobby, t="cancel", id=new_id(), seek=seek["id"])

    # ---- tables

    def sit(self, room: str) -> None:
        """Goes to a game and plays it."""
        if room not in self._tables:
            self._tables.add(room)
            self._begin(OnlineGame(self, room).play())

    def rise(self, room: str, played: bool) -> None:
        """A game is over, or is not there any more."""
        if room not in self._tables:
            return
        self._tables.discard(room)
        self.played += played
        if self._end is None or self._end.done():
            return
        enough = self.total is not None and self.played >= self.total
        if not self._tables and (enough or self.stopping):
            self._end_soon()
        else:
            self._begin(self._seek())

    def _end_soon(self) -> None:
        """Ends when there is no game, after a moment: one that has just begun may not be known yet."""
        asyncio.get_running_loop().call_later(GOODBYE, self._finish)

    def _finish(self) -> None:
        if self._end is not None and not self._end.done() and not self._tables:
            self._end.set_result(None)


def _is_with_others(room: Json) -> bool:
    return [seat["yours"] for seat in room["seats"]].count(True) == 1

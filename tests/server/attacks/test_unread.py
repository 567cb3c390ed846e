"""Whoever does not read costs little: neither messages nor bytes pile up for him."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from mbegu.server.net.clients import MOST_UNREAD, Client
from mbegu.server.play.lobby import Lobby


class Deaf:
    """A socket that takes nothing."""

    scope: dict[str, Any] = {}  # noqa: RUF012 (as Starlette has it)
    state = SimpleNamespace()

    async def send_text(self, _text: str) -> None:
        """Waits for ever."""
        await asyncio.Event().wait()


@pytest.mark.parametrize(
    ("sizes", "dropped"),
    [([3 * MOST_UNREAD], False), ([MOST_UNREAD // 3] * 3, False), ([MOST_UNREAD // 3] * 6, True)],
)
def test_what_waits_for_one_who_does_not_read_has_an_end(sizes: list[int], dropped: bool) -> None:
    async def main() -> tuple[bool, int]:
        client = Client(Deaf(), "me", "en")  # type: ignore[arg-type]
        client.send("first")
        await asyncio.sleep(0)
        for size in sizes:
            client.send("x" * size)
        return client._stuffed, sum(map(len, client._waiting))

    stuffed, waiting = asyncio.run(main())
    assert stuffed == dropped
    assert waiting <= max(MOST_UNREAD, *sizes)


def test_the_lobby_tells_no_more_to_one_who_is_behind() -> None:
    class Ear:
        session, name, language, address, behind = "me", "", "en", "", False

        def __init__(self) -> None:
            self.heard: list[str] = []

        def send(self, text: str) -> None:
            self.heard.append(text)

    async def main() -> list[int]:
        lobby, ear = Lobby(None, None), Ear()  # type: ignore[arg-type]
        lobby.join(ear)  # type: ignore[arg-type]
        ear.behind = True
        for _change in range(5):
            lobby._tell_all()
        before = len(ear.heard)
        ear.behind = False
        lobby._tell_all()
        lobby.close()
        return [before, len(ear.heard)]

    assert asyncio.run(main()) == [1, 2]

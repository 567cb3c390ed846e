"""Lines that are cut at every boundary of messages lead to the same games as lines that are not."""

import asyncio

import pytest
from serving import Running
from sturdy import Everywhere, kept, pairs, play_all, records

from mbegu.server.api import sockets
from mbegu.server.net.rate_limits import VisitorLimit

GAMES = ["oware", "kalah", "awale2", "urubugu", "morabaraba"]


def test_games_whose_lines_are_cut_everywhere(
    served: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "MESSAGES_A_SECOND", 1000)
    often = VisitorLimit(rate=1000, burst=10_000)  # nobody else comes back as often
    monkeypatch.setattr(served.app.state.limits, "sockets", often)
    guest = served.guest()
    whole = pairs(guest, GAMES * 2, "twins", 10, cuts=False)
    asyncio.run(play_all(whole))
    torn = pairs(guest, GAMES * 2, "twins", 10, cuts=True)
    asyncio.run(play_all(torn))
    assert records(guest, torn) == records(guest, whole)
    cuts = [player.cuts for player in torn]
    assert sum(len(cut.cuts) for cut in cuts if isinstance(cut, Everywhere)) > 300
    assert all(player.lines == 1 for player in whole)
    assert kept(served.app.state.settings.database, torn) > 50

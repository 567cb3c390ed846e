"""Links that carry a game, over HTTP and in a tab."""

from typing import Any

import pytest
from guest import Guest
from test_tab import Tab, run


def test_a_link_is_made_and_opened(guest: Guest) -> None:
    asked = {"game": "oware", "moves": [2, 8, 3], "players": ["Amina", ""]}
    link = guest.post("/api/v1/links", asked).json()["link"]
    told = guest.post("/api/v1/links/open", {"link": link}).json()
    assert told["game"] == "oware"
    assert told["moves"] == [2, 8, 3]
    assert told["players"] == ["Amina", "?"]
    assert told["outcome"] is None


def test_a_tab_opens_what_a_server_has_made(guest: Guest) -> None:
    asked = {"game": "kalah(seeds=3)", "moves": [2, 0]}
    link = guest.post("/api/v1/links", asked).json()["link"]

    async def ask() -> None:
        tab = Tab()
        status, told = await tab.ask("POST", "/links/open", {"link": link})
        assert status == 200
        assert told["moves"] == [2, 0]
        assert (await tab.ask("POST", "/links", asked))[1]["link"] == link
        assert (await tab.ask("POST", "/links/open", {"link": 7}))[0] == 400

    run(ask())


@pytest.mark.parametrize(
    ("path", "form", "status"),
    [
        ("links", {"game": "oware", "moves": [2, 2]}, 422),
        ("links", {"game": "oware", "moves": "2"}, 400),
        ("links", {"game": "chess", "moves": []}, 400),
        ("links", {"game": "oware", "moves": [], "players": ["a\nb\x07", "c"]}, 400),
        ("links", {"game": "oware", "moves": [], "players": "me"}, 400),
        ("links/open", {}, 400),
        ("links/open", {"link": "1AAAA"}, 400),
        ("links/open", {"link": "1" + "A" * 7000}, 400),
        ("links/open", {"link": "1" + "A" * 9000}, 413),
    ],
)
def test_bad_ones_get_a_sentence(guest: Guest, path: str, form: Any, status: int) -> None:
    reply = guest.post(f"/api/v1/{path}", form)
    assert reply.status == status, reply.body
    assert len(reply.json()["error"]) > 10


@pytest.mark.parametrize(
    ("path", "framed"),
    [
        ("/embed", True),
        ("/embed/", True),
        ("/", False),
        ("/embedded", False),
        ("/api/v1/games", False),
    ],
)
def test_only_a_board_may_stand_in_a_frame(guest: Guest, path: str, framed: bool) -> None:
    headers = guest.ask("GET", path).headers
    policy = headers["content-security-policy"]
    assert ("frame-ancestors *" in policy) is framed
    assert ("frame-ancestors 'none'" in policy) is not framed
    assert ("x-frame-options" in headers) is not framed

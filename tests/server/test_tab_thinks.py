"""Against the computer the player's own tab may think; the server checks, and thinks where the tab does not."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from guest import Guest, Visit
from serving import Running, plain_settings, running

from mbegu.server.play import tab_thinking

Json = dict[str, Any]


@pytest.fixture(scope="module")
def thinking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that has Python for browsers."""
    folder = tmp_path_factory.mktemp("thinking")
    (folder / "tab").mkdir()
    (folder / "tab" / "tab.json").write_text("{}")
    with running(replace(plain_settings(folder), tab=folder / "tab")) as server:
        yield server


@pytest.fixture
def guest(thinking: Running) -> Guest:
    return thinking.guest()


def asked(visit: Visit) -> Json:
    """Until the tab is asked to think."""
    found = visit.until(lambda told: told.get("kind") == "thinking" and told["data"].get("yours"))
    data: Json = found["data"]
    return data


def able(guest: Guest, **more: Any) -> Visit:
    """In a room against the computer, with a tab that can think."""
    visit = guest.enter(guest.new_room("oware", "human", 3, **more))
    assert visit.command("thinks", on=True)["t"] == "ack"
    return visit


def test_the_tab_is_asked_and_its_move_is_played(guest: Guest) -> None:
    with able(guest) as visit:
        assert visit.first["room"]["tab"] == "thinks"
        visit.move(2)
        assert asked(visit)["player"] == 1
        assert visit.command("computed", ply=2, move=11)["t"] == "ack"
        told = visit.event("moved") if visit.ply < 2 else {}
        assert visit.ply == 2
        moves = guest.get(f"/api/v1/rooms/{visit.first['room']['id']}")["moves"]
        assert [line["move"] for line in moves] == [2, 11]
        assert not told or told["tab"] is True


@pytest.mark.parametrize("move", [2, 99, "nonsense"])
def test_a_move_that_is_not_legal_is_not_played(guest: Guest, move: Any) -> None:
    with able(guest) as visit:
        visit.move(2)
        asked(visit)
        visit.say({"t": "computed", "id": "command-x", "ply": 2, "move": move})
        visit.until(lambda _told: visit.ply == 2)  # the server has thought itself
        visit.move(visit.view["legal"][0]["move"])  # type: ignore[index]
        visit.until(lambda _told: visit.ply == 4)  # and does not ask again
        assert not any(
            told.get("kind") == "thinking" and told["data"].get("yours")
            for told in visit.heard[-6:]
        )


def test_who_says_nothing_is_not_waited_for(guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tab_thinking, "PATIENCE", 0.2)
    with able(guest) as visit:
        visit.move(2)
        asked(visit)
        visit.until(lambda _told: visit.ply == 2)


def test_who_cannot_any_more_says_so(guest: Guest) -> None:
    with able(guest) as visit:
        visit.move(2)
        asked(visit)
        visit.say({"t": "thinks", "id": "command-off", "on": False})
        visit.until(lambda _told: visit.ply == 2)


def test_what_comes_unasked_is_forgotten(guest: Guest) -> None:
    with guest.enter(guest.new_room("oware", "human", 3)) as visit:
        visit.command("computed", ply=1, move=2)
        visit.command("computed", ply=2, move=8)
        assert visit.ply == 0
        assert visit.command("computed", move=8)["t"] == "refused"
        assert visit.command("computed", ply=1, move=[])["t"] == "refused"


def test_games_with_a_clock_and_between_people_stay_the_servers(guest: Guest) -> None:
    with guest.enter(guest.new_room("oware", "human", 3, clock="60+1")) as visit:
        assert visit.first["room"]["tab"] == "keeps"
        assert "server" in visit.command("thinks", on=True)["error"]
    seats = [{"kind": "human"}, {"kind": "open"}]
    room = guest.post("/api/v1/rooms", {"game": "oware", "seats": seats}).json()["room"]
    with guest.enter(room) as visit:
        assert visit.first["room"]["tab"] is None
        assert visit.command("thinks", on=True)["t"] == "refused"


def test_an_operator_may_want_the_server_to_think(tmp_path: Path) -> None:
    (tmp_path / "tab").mkdir()
    (tmp_path / "tab" / "tab.json").write_text("{}")
    settings = replace(plain_settings(tmp_path), tab=tmp_path / "tab", tab_thinks=False)
    with running(settings) as server, able(server.guest()) as visit:
        assert visit.first["room"]["tab"] == "keeps"
        visit.move(2)
        visit.until(lambda _told: visit.ply == 2)
        assert not any(told.get("data", {}).get("yours") for told in visit.heard)


def test_without_python_for_browsers_everything_is_as_before(served: Running) -> None:
    with able(served.guest()) as visit:
        assert visit.first["room"]["tab"] is None
        visit.move(2)
        visit.until(lambda _told: visit.ply == 2)

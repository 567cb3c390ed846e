"""The lobby: offers, quick pairing, challenges, and the news of one's own games."""

from contextlib import ExitStack
from typing import Any

import pytest
from guest import Guest, Visit
from members import member
from online_table import error
from serving import Running


class InLobby(Visit):
    """A browser in the lobby."""

    def __init__(self, guest: Guest, headers: dict[str, str] | None = None) -> None:
        self.guest, self.heard, self.version = guest, [], 0
        sent = {"Cookie": guest.cookie, **(headers or {})}
        self.socket = guest.socket("/ws/lobby", additional_headers=sent)
        self.say({"t": "hello", "v": 1})
        self.first = self.until(lambda message: message["t"] == "lobby")

    def __enter__(self) -> "InLobby":
        """For `with`."""
        return self

    def seek(self, game: str = "oware", **more: Any) -> Any:
        """Looks for a game."""
        return self.command("seek", game=game, **more)

    def paired(self) -> str:
        """The room to which it is called, perhaps before the answer to its wish."""
        called = [message for message in self.heard if message["t"] == "paired"]
        found = called[0] if called else self.until(lambda message: message["t"] == "paired")
        return str(found["room"])

    def sees(self, count: int) -> Any:
        """Waits until so many seeks are listed."""
        found = self.until(
            lambda message: message["t"] == "lobby" and len(message["seeks"]) == count
        )
        return found["seeks"]


def test_the_lobby_lists_offers_live_and_pairs(served: Running) -> None:
    with InLobby(served.guest()) as one, InLobby(served.guest()) as two:
        seek = one.seek("kalah(seeds=3)", clock="300+0", side=1, name="<b>Amina</b>")
        assert seek["t"] == "ack"
        (seen,) = two.sees(1)
        expected = {"clock": "300+0", "side": 1, "rated": False, "yours": False, "rating": None}
        assert seen.items() >= expected.items()
        assert seen["name"] == "<b>Amina</b>"
        assert "your own" in error(one.command("take", seek=seek["seek"]))
        taken = two.command("take", seek=seen["id"], id="take-once-1")
        assert two.command("take", seek=seen["id"], id="take-once-1") == taken
        assert one.paired() == taken["room"]
        room = one.guest.get(f"/api/v1/rooms/{taken['room']}")["room"]
        assert [seat["yours"] for seat in room["seats"]] == [False, True]
        assert room["status"] == "playing"
        assert "is gone" in error(two.command("take", seek=seen["id"]))


def test_quick_pairing_needs_the_same_wishes(served: Running) -> None:
    with (
        InLobby(served.guest()) as one,
        InLobby(served.guest()) as two,
        InLobby(served.guest()) as three,
    ):
        one.seek("oware", clock="60+1", quick=True)
        two.seek("oware", clock="60+2", quick=True)
        three.seek("oware", clock="60+1", quick=True)
        assert one.paired() == three.paired()
        seeks = two.sees(1)
        assert seeks[0]["yours"]
        two.command("cancel", seek=seeks[0]["id"])
        two.sees(0)


def test_news_of_a_game_reach_its_players_elsewhere(served: Running) -> None:
    with InLobby(served.guest()) as one, InLobby(served.guest()) as two:
        one.seek("oware", side=0)
        room = two.command("take", seek=two.sees(1)[0]["id"])["room"]
        with one.guest.enter(room) as south:
            south.move(2)
        news = two.until(lambda message: message["t"] == "game")
        assert news["room"] == room
        assert news["your_turn"] is True


def test_a_seek_goes_with_its_owner(served: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mbegu.server.play.lobby.GRACE", 0.2)
    with InLobby(served.guest()) as two:
        with InLobby(served.guest()) as one:
            one.seek("oware")
            assert two.sees(1)[0]["game"] == "oware"
        assert two.sees(0) == []


def test_one_address_does_not_fill_the_list(
    served: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mbegu.server.play.lobby.MOST_OF_ADDRESS", 2)
    with ExitStack() as stack:

        def wish(address: str) -> str:
            there = InLobby(served.guest(), {"X-Forwarded-For": address})
            return str(stack.enter_context(there).seek(clock="77+7")["t"])

        assert [wish("203.0.113.9") for _guest in range(3)] == ["ack", "ack", "refused"]
        assert wish("203.0.113.10") == "ack"


def test_a_full_list_has_room_for_who_comes_from_elsewhere(
    served: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mbegu.server.play.lobby.MOST_LISTED", 4)
    served.app.state.hall.lobby._seeks.clear()  # of those who have just gone
    with ExitStack() as stack:

        def wish(address: str) -> str:
            there = InLobby(served.guest(), {"X-Forwarded-For": address})
            return str(stack.enter_context(there).seek(clock="78+7")["t"])

        crowd = [wish(f"203.0.113.{number % 2}") for number in range(5)]
        assert crowd == [*["ack"] * 4, "refused"]
        assert [wish(f"203.0.113.{number}") for number in (10, 11)] == ["ack", "ack"]
        assert wish("203.0.113.12") == "refused", "nobody has more than one any more"


def test_a_challenge_is_for_one_alone(served: Running) -> None:
    (amina, _one), (juma, name) = member(served), member(served)
    with InLobby(amina) as one, InLobby(juma) as two, InLobby(served.guest()) as three:
        assert one.command("find", name=name.upper())["here"] is True
        assert one.command("find", name="nobody")["here"] is False
        assert "not here" in error(one.seek(to="nobody"))
        assert "yourself" in error(two.seek(to=name))
        seek = one.seek("oware", to=name, quick=True)["seek"]
        (seen,) = two.sees(1)
        assert (seen["id"], seen["to"], seen["yours"]) == (seek, name, False)
        three.seek("oware", quick=True)
        assert [other["id"] for other in three.sees(1)] != [seek], "nobody else sees it"
        assert "is gone" in error(three.command("take", seek=seek))
        assert three.command("cancel", seek=seek)["t"] == "ack"
        assert two.command("cancel", seek=seek)["t"] == "ack", "no, thank you"
        declined = one.until(lambda message: message["t"] == "declined")
        assert (declined["seek"], declined["name"]) == (seek, name)
        one.seek("oware", to=name)
        again = next(other for other in two.sees(2) if other["to"])
        room = two.command("take", seek=again["id"])["room"]
        assert one.paired() == room


def test_a_challenge_goes_with_the_one_it_is_for(
    served: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mbegu.server.play.lobby.GRACE", 0.2)
    juma, name = member(served)
    with InLobby(served.guest()) as one:
        with InLobby(juma):
            assert one.seek("oware", to=name)["t"] == "ack"
        one.until(lambda message: message["t"] == "declined")


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        ({"game": "chess"}, "chess"),
        ({"game": "oware", "clock": "soon"}, "time control"),
        ({"game": "oware", "side": 2}, "side must be"),
        ({"game": "oware", "rated": True}, "needs an account"),
        ({"game": "oware", "name": "a\u202eb"}, "can be seen"),
        ({"game": "urubugu", "setups": [1]}, "setups must be"),
    ],
)
def test_a_bad_wish_is_explained(served: Running, wish: dict[str, Any], why: str) -> None:
    with InLobby(served.guest()) as one:
        assert why in error(one.command("seek", **wish))
        assert "not a command" in error(one.command("dance"))


def test_the_window_of_ratings_grows() -> None:
    from mbegu.server.play.lobby import Seek

    def seek(rating: float | None, quick: bool = True) -> Seek:
        return Seek(
            "x" if rating else "y", "", "oware", "-", False, None, False, quick, rating, 0.0
        )

    strong, weak, guest = seek(1900), seek(1500), seek(None)
    weak.session = "w"
    assert not strong.suits(weak, now=10.0)
    assert strong.suits(weak, now=20.0)
    assert strong.suits(guest, now=0.0)
    assert not seek(1500, quick=False).suits(seek(None, quick=False), now=0.0)

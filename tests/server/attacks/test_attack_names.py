"""Nobody passes for somebody else, and nobody's password is guessed at the first try."""

import json
from typing import Any

import pytest
from guest import Guest
from members import PASSWORD, member, new_name
from online_table import invite
from serving import Running

from mbegu.server.net.rate_limits import RateLimits
from mbegu.server.people.common_passwords import common_passwords, is_common
from mbegu.server.play.names import skeleton


@pytest.fixture(autouse=True)
def fresh_limits(served: Running) -> None:
    """Many accounts in a moment."""
    served.app.state.limits = RateLimits()


# ---- names


def disguises(name: str) -> list[str]:
    """What looks like a name, at a glance."""
    cyrillic = name.translate(str.maketrans("AaOoeECc", "АаОоеЕСс"))
    figures = name.replace("i", "1").replace("o", "0")
    return [name, name.upper(), cyrillic, figures, " ".join(name), f"{name}.", name + "\u0301"]


def seek(guest: Guest, name: str) -> Any:
    """Looks for a game under a name."""
    with guest.socket("/ws/lobby") as line:
        line.send('{"t":"hello","v":1}')
        form = {"t": "seek", "id": "seek-id-1", "game": "oware", "clock": "-", "name": name}
        line.send(json.dumps(form))
        while (told := json.loads(line.recv(10))).get("id") != "seek-id-1":
            pass
        return told


def test_a_guest_does_not_seek_by_a_members_name(served: Running) -> None:
    _member, name = member(served, new_name("Noemi"))
    for disguise in disguises(name):
        told = seek(served.guest(), disguise)
        assert told["t"] == "refused", disguise
        assert "a member here" in told["error"] or "40 letters" in told["error"]
    assert seek(served.guest(), "Somebody else")["t"] == "ack"


def test_a_guest_does_not_sit_by_a_members_name(served: Running) -> None:
    _member, name = member(served, new_name("Ciara"))
    room, token = invite(served.guest(), "oware")
    with served.guest().enter(room) as visit:
        for disguise in disguises(name):
            assert visit.command("sit", token=token, name=disguise)["t"] == "refused"
        assert visit.command("sit", token=token, name="Juma the guest")["t"] == "ack"


def test_a_guest_does_not_invite_by_a_members_name(served: Running) -> None:
    _member, name = member(served, new_name("Oscar"))
    for disguise in disguises(name):
        seats = [{"kind": "human", "name": disguise}, {"kind": "open"}]
        form = {"game": "oware", "seats": seats}
        assert served.guest().post("/api/v1/rooms", form).status == 400
    alone = [{"kind": "human", "name": name}, {"kind": "human", "name": "b"}]
    assert served.guest().post("/api/v1/rooms", {"game": "oware", "seats": alone}).status == 201


def test_a_member_bears_his_own(served: Running) -> None:
    guest, name = member(served)
    assert seek(guest, name)["t"] == "ack"


def test_nobody_speaks_for_the_server(served: Running) -> None:
    assert seek(served.guest(), "Adm1n")["t"] == "refused"


def test_names_that_differ_look_different() -> None:
    names = ["Amina", "Amani", "Juma", "Jumbe", "Ali", "Aline", "Kwame", "Kofi", "Zuri", "Zoe"]
    assert len({skeleton(name) for name in names}) == len(names)


UNSEEN = ["\ufe0f", "\u034f", "\U000e0100", "\u1160", "\u3164", "\u180b"]


@pytest.mark.parametrize("sign", UNSEEN)
def test_no_name_has_letters_that_nobody_sees(served: Running, sign: str) -> None:
    form = {"name": f"Zawadi{sign}", "password": PASSWORD}
    assert served.guest().post("/api/v1/account", form).status == 400
    assert skeleton(f"Zawadi{sign}") == skeleton("Zawadi")


def test_a_new_member_looks_like_no_other(served: Running) -> None:
    def sign_up(name: str) -> int:
        return served.guest().post("/api/v1/account", {"name": name, "password": PASSWORD}).status

    assert sign_up("Imani.Moja") == 201
    assert [sign_up(name) for name in ("lmani.Moja", "1manimoja", "Imani.M0ja")] == [409] * 3
    assert sign_up("Imanì.Moja") == 201, "an accent is seen"


@pytest.mark.parametrize("name", ["Ami\u0578a", "Ami\u043da Juma"])
def test_a_guest_mixes_no_letters_either(served: Running, name: str) -> None:
    assert seek(served.guest(), name)["t"] == "refused"


WORN = [
    "Zal\u0251ko",
    "Z\u1d00lako",
    "Zalak\u0966",
    "Zalako\u2800",
    "Zalako\u2713",
    "Zalako (1600)",
]
WORN += ["Zalako!", "Z@lako", "@Zalako", "+Zalako+"]


@pytest.mark.parametrize("disguise", WORN)
def test_a_guest_wears_no_mark_to_look_like_a_member(served: Running, disguise: str) -> None:
    served.guest().post("/api/v1/account", {"name": "Zalako", "password": PASSWORD})
    assert seek(served.guest(), disguise)["t"] == "refused"
    assert seek(served.guest(), "Kato (1600)")["t"] == "ack", "nobody's"


def test_a_name_of_signs_alone_stays() -> None:
    assert skeleton("\u2713") != skeleton("\u2665")


def test_a_guest_may_have_words_of_two_scripts(served: Running) -> None:
    assert seek(served.guest(), "Zuri \u0417\u0443\u0440\u0438")["t"] != "refused"


def test_a_stretched_name_is_the_same() -> None:
    assert skeleton("\u0623\u0645\u0640\u0640\u064a\u0646\u0629") == skeleton(
        "\u0623\u0645\u064a\u0646\u0629"
    )


# ---- passwords


@pytest.mark.parametrize(
    "password",
    [
        *(
            "password1",
            "iloveyou1",
            "qwerty12",
            "mbegu123",
            "P@ssw0rd!",
            "Sunshine2024",
            "11223344",
        ),
        *(
            "1qaz2wsx",
            "abcd1234",
            "monkeymonkey",
            "drowssap",
            "19871225",
            "karibu2025",
            "azerty123",
        ),
    ],
)
def test_what_everybody_guesses_is_refused(served: Running, password: str) -> None:
    form = {"name": new_name(), "password": password}
    reply = served.guest().post("/api/v1/account", form)
    assert reply.status == 400
    assert "guessed at once" in reply.json()["error"]


def test_a_name_is_no_password(served: Running) -> None:
    name = new_name("Xantippe")
    for password in (name + "99", name.upper() + "!!", name[::-1]):
        reply = served.guest().post("/api/v1/account", {"name": name, "password": password})
        assert reply.status == 400, password


def test_the_list_is_long_and_refused_whole() -> None:
    found = [word for word in common_passwords() if len(word) >= 8]
    assert len(found) > 10_000
    assert all(is_common(word) for word in found[::7])


def test_a_good_password_is_taken(served: Running) -> None:
    good = [PASSWORD, "three blue herons", "vY7-koto-lamp", "correcthorsebattery", "mto3-jiwe-moto"]
    assert not any(is_common(word) for word in good)


def test_a_changed_password_is_looked_at_too(served: Running) -> None:
    guest, _name = member(served)
    form = {"password": PASSWORD, "new": "password1"}
    assert guest.post("/api/v1/account/password", form).status == 400

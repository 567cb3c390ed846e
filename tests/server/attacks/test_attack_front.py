"""Names, headers and cookies: what a stranger's page, proxy or network could make of them."""

import http.client
import socket
from dataclasses import replace
from pathlib import Path

import pytest
from guest import Guest
from members import PASSWORD, member, new_name
from serving import Running, plain_settings, running
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from mbegu.server.net.front import HEADERS, is_ours
from mbegu.server.net.rate_limits import RateLimits

TLS = {"X-Forwarded-Proto": "https"}
HIDDEN = ("content-security-policy", "x-content-type-options", "referrer-policy")


@pytest.fixture(autouse=True)
def fresh_limits(served: Running) -> None:
    """Guesses of one test are not those of the next."""
    served.app.state.limits = RateLimits()


# ---- names


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8765", "localhost.evil.example"])
def test_a_strangers_name_is_refused(served: Running, host: str) -> None:
    guest = served.guest()
    for method, path in (("GET", "/"), ("GET", "/api/v1/rooms"), ("POST", "/api/v1/rooms")):
        headers = {"Host": host, "Origin": f"http://{host}"}
        reply = guest.ask(method, path, {} if method == "POST" else None, headers=headers)
        assert reply.status == 421
        assert not reply.set_cookies
        assert all(name in reply.headers for name in HIDDEN)


def test_a_strangers_name_opens_no_socket(served: Running) -> None:
    with pytest.raises(InvalidStatus) as refused:
        connect(
            "ws://evil.example/ws/lobby",
            sock=socket.create_connection(("127.0.0.1", served.port)),
            origin="http://evil.example",
        ).__enter__()
    assert refused.value.response.status_code == 421


def test_the_names_of_this_network_need_nothing() -> None:
    ours = ["localhost", "127.0.0.1:1", "[fe80::1%25eth0]:80", "192.168.4.2", "shule", "pc7.local"]
    ours += ["LOCALHOST:8765", "school.lan.", "play.example.org:443"]
    assert all(is_ours(host, ["play.example.org"]) for host in ours)
    others = ["play.example.org.evil.example", "evil.example", "a b", "local.example", "x\x00y.lan"]
    assert not any(is_ours(host, ["play.example.org"]) for host in others)


def test_a_name_that_is_told_is_answered(tmp_path: Path) -> None:
    with running(replace(plain_settings(tmp_path), names=("Play.Example.org",))) as server:
        guest = Guest(server.port)
        told = {"Host": "play.example.org", **TLS}
        assert guest.ask("GET", "/api/v1/games", headers=told).status == 200
        assert guest.ask("GET", "/api/v1/games", headers={"Host": "evil.example"}).status == 421


# ---- headers


def test_refusals_carry_the_headers_of_all_answers(served: Running) -> None:
    wrong = {"Authorization": "Bearer mbegu_" + "x" * 32}
    room = served.guest().new_room("oware")
    other = {"mbegu-relay": "0" * 32}
    for path, headers, status in (
        ("/api/v1/account", wrong, 401),
        (f"/api/v1/rooms/{room}", other, 421),
        ("/nothing", {}, 404),
        ("/api/v1/rooms/none", {}, 404),
    ):
        reply = Guest(served.port).ask("GET", path, headers=headers)
        assert reply.status == status
        assert {name: reply.headers.get(name) for name in HEADERS} == HEADERS


def test_no_style_in_the_page(served: Running) -> None:
    policy = served.guest().ask("GET", "/").headers["content-security-policy"]
    assert "unsafe-inline" not in policy
    assert "'unsafe-eval'" not in policy  # compiled modules of the engine may run, texts may not
    assert "style-src 'self';" in policy


def test_tls_is_asked_for_again(served: Running) -> None:
    plain = served.guest().ask("GET", "/")
    assert "strict-transport-security" not in plain.headers
    secure = served.guest().ask("GET", "/", headers=TLS)
    assert secure.headers["strict-transport-security"] == "max-age=31536000"


# ---- cookies


@pytest.fixture
def behind_tls(served: Running) -> Guest:
    """A browser that comes by TLS."""
    guest = Guest(served.port)
    guest.ask("GET", "/api/v1/rooms", headers=TLS)
    return guest


def test_cookies_belong_to_this_host_alone(served: Running, behind_tls: Guest) -> None:
    assert list(behind_tls.cookies) == ["__Host-mbegu"]
    name = new_name()
    body = {"name": name, "password": PASSWORD}
    reply = behind_tls.ask("POST", "/api/v1/account", body, headers=TLS)
    for cookie in reply.set_cookies:
        assert cookie.startswith("__Host-")
        assert "; Secure" in cookie
        assert "Path=/;" in cookie
        assert "Domain" not in cookie
    told = behind_tls.ask("GET", "/api/v1/account", headers=TLS).json()
    assert told["account"]["name"] == name


def test_a_cookie_of_before_is_renamed(served: Running) -> None:
    guest, name = member(served)
    assert "mbegu" in guest.cookies
    reply = guest.ask("GET", "/api/v1/account", headers=TLS)
    assert reply.json()["account"]["name"] == name
    assert guest.cookies["mbegu"] == ""
    del guest.cookies["mbegu"]
    told = guest.ask("GET", "/api/v1/account", headers=TLS)
    assert told.json()["account"]["name"] == name
    assert not told.set_cookies


def test_what_a_neighbour_sets_does_not_count(served: Running, behind_tls: Guest) -> None:
    """Another host of the same domain sets its own cookie: ours goes first."""
    thief, _name = member(served)
    behind_tls.cookies["mbegu"] = thief.cookies["mbegu"]
    assert behind_tls.ask("GET", "/api/v1/account", headers=TLS).json()["account"] is None


# ---- guesses


def guess(served: Running, name: str, address: str, password: str = "wrong-wrong") -> int:
    guest = Guest(served.port, address=address)
    return guest.post("/api/v1/account/sign-in", {"name": name, "password": password}).status


def test_strangers_do_not_lock_the_owner_out(served: Running) -> None:
    owner, name = member(served)
    assert owner.post("/api/v1/account/sign-out", {}).status == 204
    for number in range(130):
        guess(served, name, f"203.0.113.{number}")
    form = {"name": name, "password": PASSWORD}
    assert guess(served, name, "198.51.100.1", PASSWORD) == 429, "a device that nobody knows waits"
    owner.address = "203.0.113.7"  # even from the address of a guesser
    assert owner.post("/api/v1/account/sign-in", form).status == 200


def test_a_known_device_guesses_no_faster(served: Running) -> None:
    owner, name = member(served)
    form = {"name": name, "password": "wrong-wrong"}
    found = [owner.post("/api/v1/account/sign-in", form).status for _guess in range(12)]
    assert 429 in found
    other, other_name = member(served)
    other.cookies["mbegu-device"] = owner.cookies["mbegu-device"]
    form = {"name": other_name, "password": PASSWORD}
    assert other.post("/api/v1/account/sign-in", form).status == 200


def test_one_household_is_one_guesser(served: Running) -> None:
    _owner, name = member(served)
    found = [guess(served, name, f"2001:db8:9:9::{number:x}") for number in range(60)]
    assert found.count(429) > 40


def test_a_request_without_a_name_is_answered(served: Running) -> None:
    line = http.client.HTTPConnection("127.0.0.1", served.port, timeout=10)
    line.putrequest("GET", "/health", skip_host=True)
    line.putheader("Host", "")
    line.endheaders()
    assert line.getresponse().status in (200, 400)
    line.close()


def test_a_refusal_tells_what_would_do(served: Running) -> None:
    ask = served.guest().ask
    assert "GET" in ask("POST", "/", {}).headers.get("allow", "")
    told = ask("GET", "/api/v1/account", headers={"Authorization": "Bearer mbegu_nonsense"})
    assert (told.status, told.headers.get("www-authenticate")) == (401, "Bearer")

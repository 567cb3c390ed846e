"""The HTTP addresses of one's own account: coming, going, and what one may change."""

from collections.abc import Callable
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from mbegu.core.i18n import _
from mbegu.server.api.endpoints import member, people_of, polite, store_of
from mbegu.server.api.openapi import Operation
from mbegu.server.api.people_schemas import (
    Confirmed,
    Export,
    Me,
    NewPassword,
    Recover,
    Recovery,
    SignedIn,
    SignedUp,
    SignIn,
    SignOut,
    SignUp,
)
from mbegu.server.api.profiles import account_json, erase, export
from mbegu.server.api.validation import read_form
from mbegu.server.keep import ratings
from mbegu.server.net.rate_limits import Limit, RateLimits
from mbegu.server.net.replies import Answer, reply
from mbegu.server.people.accounts import Account
from mbegu.server.people.passwords import asks_from
from mbegu.server.people.sessions import ASIDE, Sessions, Who
from mbegu.server.play.names import folded

__all__ = ["OPERATIONS"]


def _slowly(request: Request, limit: Callable[[RateLimits], Limit]) -> None:
    """Counts what is done with passwords by address: cookies cost nothing."""
    if not limit(request.app.state.limits).take(request.state.address):
        raise Answer(429, _("too many requests: wait a moment"))
    asks_from(request.state.address)


Asked = TypeVar("Asked", bound=Confirmed)  # a form with the password


def _with_cookie(request: Request, response: Response, bits: str, member: bool = True) -> Response:
    sessions: Sessions = request.app.state.sessions
    secure = request.url.scheme == "https"
    response.headers.append("set-cookie", sessions.header(bits, secure, member))
    return response


def _entered(request: Request, response: Response, bits: str, brought: bool, name: str) -> Response:
    """Signed in; the guest of this device, if his games stay his, waits until the sign-out."""
    known = request.app.state.sessions.known(request, folded(name))
    response.headers.append("set-cookie", known)
    guest = None if brought else _guest(request)
    if guest is not None:
        sessions: Sessions = request.app.state.sessions
        aside = sessions.header(guest, request.url.scheme == "https", name=ASIDE)
        response.headers.append("set-cookie", aside)
    return _with_cookie(request, response, bits)


def _left(request: Request) -> Response:
    """Signed out: the guest of this device again, or a new one."""
    sessions: Sessions = request.app.state.sessions
    found = sessions.read(sessions.asked(request, ASIDE))
    guest = sessions.new() if found is None or found[1] else found[0]
    response = _with_cookie(request, Response(status_code=204), guest, member=False)
    gone = sessions.header("", request.url.scheme == "https", name=ASIDE)
    response.headers.append("set-cookie", gone)
    return response


def _bits(request: Request) -> str:
    """The sign-in of this request."""
    sessions: Sessions = request.app.state.sessions
    found = sessions.read(sessions.asked(request))
    return "" if found is None else str(found[0])


def _guest(request: Request) -> str | None:
    """The guest who is about to become a member."""
    who: Who = request.state.who
    return who.session if who.account is None else None


async def _account(request: Request) -> Account:
    """The account of one who is signed in."""
    who = member(request)
    account = await people_of(request).by_id(who.account or "")
    if account is None:
        raise Answer(401, _("sign in first"))
    return account


# ---- coming and going


@polite
async def me(request: Request) -> Response:
    """Who I am: a guest, or somebody with a name."""
    who: Who = request.state.who
    account = None if who.account is None else await people_of(request).by_id(who.account)
    if account is None:
        return reply({"account": None, "ratings": {}})
    found = await store_of(request).read(
        lambda connection: ratings.ratings_of(connection, account.id)
    )
    shown = {game: rating.to_json() for game, rating in found.items()}
    return reply({"account": account_json(account), "ratings": shown})


@polite
async def sign_up(request: Request) -> Response:
    """Makes an account."""
    form = await read_form(request, SignUp)
    brought = form.get("bring", True)
    _slowly(request, lambda limits: limits.accounts)
    guest = _guest(request) if brought else None
    account, code, bits, changed = await people_of(request).sign_up(
        form["name"], form["password"], form.get("bot", False), guest
    )
    await _moved(request, guest, changed)
    answer = reply({"account": account_json(account), "recovery": code}, 201)
    return _entered(request, answer, bits, brought, account.name)


@polite
async def sign_in(request: Request) -> Response:
    """Signs in; wrong passwords cost more and more time.

    The guest's games stay his unless they are asked for: on a shared computer they are another's.
    """
    form = await read_form(request, SignIn)
    name, password, brought = form["name"], form["password"], form.get("bring", False)
    _slowly(request, lambda limits: limits.passwords)
    guest = _guest(request) if brought else None
    async with _Guess(request, name):
        account, bits, changed = await people_of(request).sign_in(name, password, guest)
    await _moved(request, guest, changed)
    answer = reply({"account": account_json(account)})
    return _entered(request, answer, bits, brought, account.name)


class _Guess:
    """A guess at somebody's secret: refused while he must wait, noted if it is wrong."""

    def __init__(self, request: Request, name: str) -> None:
        self._limits: RateLimits = request.app.state.limits
        wanted = folded(name[:200])
        # A device on which somebody has signed in before is counted for itself: guessers elsewhere,
        # or at the same address, do not lock the owner out.
        known = request.app.state.sessions.known_as(request, wanted)
        place = known or request.state.address
        asks_from(place)
        self._counts = [(self._limits.guesses, f"{place} {wanted}")]
        if not known:
            self._counts.append((self._limits.crowd, wanted))

    async def __aenter__(self) -> None:
        wait = max(delays.wait(key) for delays, key in self._counts)
        if wait:
            raise Answer(
                429, _("too many wrong passwords: try again in {s} s").format(s=int(wait) + 1), wait
            )
        # Noted before it is known to be wrong: many at once are not one.
        for delays, key in self._counts:
            delays.wrong(key)

    async def __aexit__(self, kind: object, error: object, trace: object) -> None:
        if error is None:
            for delays, key in self._counts:
                delays.right(key)


async def _moved(request: Request, session: str | None, changed: list[str]) -> None:
    """Whoever has become somebody else begins anew: his sockets, and the rooms he sits in."""
    store = store_of(request)
    for room in changed:
        store.fences.pop(room, None)
        store.displaced(room)
    if session is not None:
        request.app.state.lines.cut(session)


@polite
async def sign_out(request: Request) -> Response:
    """Signs out, here or (`everywhere`) on every device; a guest again."""
    who = member(request)
    form = await read_form(request, SignOut)
    if form.get("everywhere"):
        await people_of(request).sign_out_everywhere(who.account or "")
        request.app.state.lines.cut(who.session)
    else:
        await people_of(request).sign_out(_bits(request))
        request.app.state.lines.revoke([who.credential])
    return _left(request)


@polite
async def recover(request: Request) -> Response:
    """A new password by the recovery code."""
    form = await read_form(request, Recover)
    name, code = form["name"], form["code"]
    _slowly(request, lambda limits: limits.passwords)
    async with _Guess(request, name):
        account, fresh, bits = await people_of(request).recover(name, code, form["password"])
    request.app.state.lines.cut(account.session)
    answer = reply({"account": account_json(account), "recovery": fresh})
    return _entered(request, answer, bits, False, account.name)


# ---- what one may change


async def _confirmed(request: Request, kind: type[Asked]) -> tuple[Account, Asked]:
    """The account of one who knows its password, and what he asks for."""
    account = await _account(request)
    form = await read_form(request, kind)
    _slowly(request, lambda limits: limits.passwords)
    async with _Guess(request, account.name):
        await people_of(request).check(account.id, form["password"])
    return account, form


@polite
async def change_password(request: Request) -> Response:
    """Another password; every other device is signed out."""
    account, form = await _confirmed(request, NewPassword)
    bits = await people_of(request).change_password(account.id, account.name, form["new"])
    request.app.state.lines.cut(account.session)
    return _with_cookie(request, reply({"account": account_json(account)}), bits)


@polite
async def new_recovery(request: Request) -> Response:
    """Another recovery code."""
    account, _form = await _confirmed(request, Confirmed)
    return reply({"recovery": await people_of(request).new_recovery(account.id)})


@polite
async def export_me(request: Request) -> Response:
    """Everything that is kept of me, with the records of my games."""
    account = await _account(request)
    if not request.app.state.limits.exports.take(account.id):
        raise Answer(429, _("too many requests: wait a moment"), 60)
    headers = {
        "cache-control": "no-store",
        "content-disposition": 'attachment; filename="mbegu.json"',
    }
    told = export(store_of(request), account, request.app.state.clerk)
    return StreamingResponse(told, media_type="application/json", headers=headers)


@polite
async def delete_me(request: Request) -> Response:
    """Forgets me: the account goes, games with others stay without my name."""
    account, _form = await _confirmed(request, Confirmed)
    changed = await erase(store_of(request), account)
    people_of(request).forget()
    await _moved(request, account.session, changed)
    return _left(request)


# ---- the table

OPERATIONS = [
    Operation(
        "GET",
        "/account",
        me,
        "Accounts",
        "Who I am; account is null for a guest",
        Me,
        errors=(401,),
    ),
    Operation(
        "POST",
        "/account",
        sign_up,
        "Accounts",
        "Make an account, of a person or (for good) of a bot. The recovery code is shown this once; "
        "the guest’s games come along unless `bring` is false",
        SignedUp,
        201,
        SignUp,
        errors=(400, 401, 409),
    ),
    Operation(
        "POST",
        "/account/sign-in",
        sign_in,
        "Accounts",
        "Sign in: the answer sets the cookie. The guest’s games come along if `bring` is true",
        SignedIn,
        takes=SignIn,
        errors=(400, 401),
    ),
    Operation(
        "POST",
        "/account/sign-out",
        sign_out,
        "Accounts",
        "Sign out, here or everywhere",
        status=204,
        takes=SignOut,
        errors=(400, 401),
        member=True,
    ),
    Operation(
        "POST",
        "/account/recover",
        recover,
        "Accounts",
        "A new password by the recovery code; gives a new code. Ends every sign-in and every token of the account",
        SignedUp,
        takes=Recover,
        errors=(400, 401),
    ),
    Operation(
        "POST",
        "/account/password",
        change_password,
        "Accounts",
        "Change the password; other devices are signed out, and all tokens end",
        SignedIn,
        takes=NewPassword,
        errors=(400, 401),
        member=True,
    ),
    Operation(
        "POST",
        "/account/recovery",
        new_recovery,
        "Accounts",
        "Another recovery code",
        Recovery,
        takes=Confirmed,
        errors=(400, 401),
        member=True,
    ),
    Operation(
        "GET",
        "/account/export",
        export_me,
        "Accounts",
        "Everything that is kept of me",
        Export,
        errors=(401,),
        member=True,
    ),
    Operation(
        "POST",
        "/account/delete",
        delete_me,
        "Accounts",
        "Delete the account; games with others stay without its name",
        status=204,
        takes=Confirmed,
        errors=(400, 401),
        member=True,
    ),
]

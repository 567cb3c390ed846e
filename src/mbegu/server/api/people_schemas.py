"""What is sent and answered about people: accounts, tokens, ratings. The rest is in `schemas`."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from msgspec import Meta

from mbegu.server.api.schemas import Moment, Player, Scope, Sides, Text
from mbegu.server.play.rows import Status


class Rating(TypedDict):
    """How strong somebody is in a game."""

    rating: int
    deviation: int
    provisional: bool
    games: int
    opponents: int
    won: int
    drawn: int
    lost: int


Ratings = dict[str, Rating]  # by game


class RatedGame(TypedDict):
    """What a game has made of a rating."""

    room: str
    game: str
    at: Moment
    points: float
    before: int
    rating: int
    opponent: str | None
    opponent_bot: bool
    opponent_rating: int


class Place(Rating):
    """A place on a leaderboard."""

    place: int
    name: str
    bot: bool


class Leaderboard(TypedDict):
    """The best of a game."""

    game: str
    title: str
    places: list[Place]


class Leaderboards(TypedDict):
    """The first ten of every game."""

    leaderboards: dict[str, list[Place]]


class Change(TypedDict):
    """A rating before and after."""

    before: int
    rating: int


class RoomRatings(TypedDict):
    """What a rated game has made of both ratings, by seat."""

    counted: bool
    players: list[Change]


class History(TypedDict):
    """The rated games of somebody, the oldest first."""

    name: str
    game: str
    history: list[RatedGame]


class Account(TypedDict):
    """Somebody with a name."""

    name: str
    bot: bool
    created: Moment


class Profile(Account):
    """Somebody, as all may see him."""

    ratings: Ratings
    games: list[RatedGame]


class Export(TypedDict):
    """Everything that is kept of somebody."""

    account: Account
    ratings: Ratings
    games: list[dict[str, Any]]


class Me(TypedDict):
    """Who I am; a guest has no account."""

    account: Account | None
    ratings: Ratings


class SignedIn(TypedDict):
    """The account of the one who has signed in."""

    account: Account


class Recovery(TypedDict):
    """A recovery code: it is shown this once."""

    recovery: str


class SignedUp(SignedIn, Recovery):
    """A new account, or a new password, with its recovery code."""


class SignUp(TypedDict):
    """A new account."""

    name: Text
    password: Text
    bot: NotRequired[bool]
    bring: NotRequired[bool]


class SignIn(TypedDict):
    """Who signs in."""

    name: Text
    password: Text
    bring: NotRequired[bool]


class SignOut(TypedDict):
    """Where to sign out."""

    everywhere: NotRequired[bool | None]


class Recover(TypedDict):
    """A new password by the recovery code."""

    name: Text
    code: Text
    password: Text


class Confirmed(TypedDict):
    """Something that needs the password."""

    password: Text


class NewPassword(Confirmed):
    """Another password."""

    new: Text


class Token(TypedDict):
    """A personal access token, without its secret."""

    id: str
    name: str
    scopes: list[Scope]
    created: Moment
    expires: Moment
    used: Moment | None


class TokenMade(Token):
    """A new token: its text is shown this once."""

    token: str


class Tokens(TypedDict):
    """All tokens of somebody."""

    tokens: list[Token]


class NewToken(TypedDict):
    """A token that somebody wants."""

    name: Annotated[str, Meta(max_length=60)]
    scopes: Annotated[list[Scope], Meta(min_length=1)]
    days: NotRequired[Annotated[int, Meta(ge=1, le=366)]]


class LadderBot(TypedDict):
    """A bot that stands on the ladder."""

    rank: int
    name: str
    place: float
    mu: float
    sigma: float
    played: int
    won: int
    drawn: int
    faults: int
    playable: bool


class Ladder(TypedDict):
    """The bots of a game, the best first."""

    game: str
    title: str
    bots: list[LadderBot]


class AtStake(TypedDict):
    """How strong the other is in a rated game."""

    rating: int
    provisional: bool


Invitation = TypedDict(
    "Invitation",
    {
        "state": Literal["open", "own", "yours", "taken", "expired"],
        "room": str,
        "seat": Player,
        "game": str,
        "title": str,
        "sides": Sides,
        "clock": str,
        "rated": bool,
        "setups": bool,
        "position": str | None,
        "from": str,
        "status": Status,
        "rating": AtStake | None,
    },
)
Invitation.__doc__ = "The game to which a link invites."

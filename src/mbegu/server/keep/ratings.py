"""Ratings, one for each game that somebody plays, by the model of Plackett and Luce (`mbegu.arena.skill`).

A strength is believed to be about `mu`, give or take `sigma`; everybody begins at 25 ± 8⅓. What is
shown is 1500 + 30·(mu − 25): with that scale a difference means about as much as a difference in Elo.
A rated game is settled in the same transaction that writes its end, and once only.
"""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from mbegu.arena import skill
from mbegu.arena.skill import MU, SIGMA
from mbegu.core.outcome import Reason
from mbegu.core.registry import game as find_game
from mbegu.core.registry import game_names
from mbegu.core.setups import SetUpGame
from mbegu.server.keep.tables import accounts, rated_games, ratings, rooms, seats
from mbegu.server.net.messages import moment
from mbegu.server.play.forms import is_standard

__all__ = [
    "Rating",
    "board",
    "history",
    "is_standard",
    "latest",
    "rating_of",
    "ratings_of",
    "settle",
    "settled",
]

SCALE = 30
PROVISIONAL = 10  # games before a rating is more than a guess
OPPONENTS = 5  # different ones, likewise
LEAST_PLIES = 10  # less is no game
BOTH_MOVED = 2  # plies
_LEFT = {
    reason.value
    for reason in (Reason.RESIGNATION, Reason.TIMEOUT, Reason.ABANDONED, Reason.AGREEMENT)
}
DAY = 24 * 3600.0
WHOLE, HALVED = 3, 3  # games of the same two in a day: so many count, so many ever less, then none
NEAR = 10  # games a day that count between people of one address
MOST_HISTORY = 500


@dataclass(frozen=True)
class Rating:
    """How strong somebody is in a game."""

    mu: float = MU
    sigma: float = SIGMA
    won: int = 0
    drawn: int = 0
    lost: int = 0
    opponents: int = 0

    @property
    def games(self) -> int:
        """How many rated games."""
        return self.won + self.drawn + self.lost

    @property
    def shown(self) -> int:
        """The number that people see.

        >>> Rating().shown, Rating(mu=30.0).shown
        (1500, 1650)
        """
        return shown(self.mu)

    def to_json(self) -> dict[str, Any]:
        """As a client is told it."""
        return {
            "rating": self.shown,
            "deviation": round(SCALE * self.sigma),
            "provisional": self.games < PROVISIONAL or self.opponents < OPPONENTS,
            "games": self.games,
            "opponents": self.opponents,
            "won": self.won,
            "drawn": self.drawn,
            "lost": self.lost,
        }


def shown(mu: float) -> int:
    """What is shown of a strength."""
    return round(1500 + SCALE * (mu - MU))


# ---- settling a game


def settle(connection: sa.Connection, room: str) -> bool:
    """Rates a game that has ended, in the transaction that ends it; whether it counted.

    Asked again it does nothing: a game has its two lines in the history, or is not settled yet.
    """
    line = connection.execute(sa.select(rooms).where(rooms.c.id == room)).first()
    if line is None or not line.rated or line.outcome is None:
        return False
    outcome = json.loads(line.outcome)
    if outcome["reason"] == Reason.ABORTED.value:
        return False
    # Who leaves a short game loses it, and nobody wins anything by it: neither is worth a trick.
    short = line.plies < LEAST_PLIES and outcome["reason"] in _LEFT
    if short and (line.plies < BOTH_MOVED or outcome["winner"] is None):
        return False
    if connection.scalar(sa.select(rated_games.c.room).where(rated_games.c.room == room)):
        return False
    sitting = connection.execute(
        sa.select(seats.c.account).where(seats.c.room == room).order_by(seats.c.seat)
    )
    pair = [seat.account for seat in sitting]
    if len(pair) != 2 or None in pair or pair[0] == pair[1] or not _is_usual(line):
        return False
    game, now = find_game(line.game).name, time.time()
    before = _locked(connection, pair, game, now)
    weight = _weight(connection, pair, game, bool(line.near), now)
    if not weight:
        return False
    winner = outcome["winner"]
    points = [0.5, 0.5] if winner is None else [float(winner == seat) for seat in (0, 1)]
    after = list(rate(before, points, weight))
    if short:
        after[winner] = before[winner]
    for seat, account in enumerate(pair):
        connection.execute(
            sa.insert(rated_games).values(
                room=room,
                seat=seat,
                account=account,
                game=game,
                at=now,
                points=points[seat],
                mu_before=before[seat].mu,
                sigma_before=before[seat].sigma,
                mu=after[seat].mu,
                sigma=after[seat].sigma,
                weight=0.0 if short and seat == winner else weight,
                near=bool(line.near),
            )
        )
    fewer = min((0, 1), key=lambda seat: before[seat].games)
    for seat, account in enumerate(pair):
        if short and seat == winner:
            _forget_if_new(connection, account, game)
            continue
        fresh = not _had_met(connection, pair, game, room, seat, fewer)
        met = before[seat].opponents + fresh
        _keep(connection, account, game, replace(after[seat], opponents=met), now)
    return True


def _forget_if_new(connection: sa.Connection, account: str, game: str) -> None:
    """Who has played nothing that counts has no rating."""
    whose = (ratings.c.account == account, ratings.c.game == game)
    connection.execute(
        sa.delete(ratings).where(*whose, ratings.c.won + ratings.c.drawn + ratings.c.lost == 0)
    )


def _weight(
    connection: sa.Connection, pair: Sequence[str], game: str, near: bool, now: float
) -> float:
    """How much one more game of these two counts today."""
    mine, other = rated_games.alias("mine"), rated_games.alias("other")
    today = (
        sa.select(sa.func.count())
        .select_from(mine)
        .join(other, sa.and_(other.c.room == mine.c.room, other.c.seat != mine.c.seat))
        .where(mine.c.game == game, mine.c.at > now - DAY)
    )
    if near:
        of_both = [today.where(mine.c.account == one, mine.c.near) for one in pair]
        if max(connection.scalar(count) or 0 for count in of_both) >= NEAR:
            return 0.0
    met = today.where(mine.c.account == pair[0], other.c.account == pair[1])
    return weight_of(connection.scalar(met) or 0)


def weight_of(met: int) -> float:
    """How much a game counts between two who have met so often today.

    >>> [weight_of(met) for met in range(8)]
    [1.0, 1.0, 1.0, 0.5, 0.25, 0.125, 0.0, 0.0]
    """
    if met < WHOLE:
        return 1.0
    return 0.0 if met >= WHOLE + HALVED else 0.5 ** (met - WHOLE + 1)


def _had_met(
    connection: sa.Connection, pair: Sequence[str], game: str, room: str, seat: int, fewer: int
) -> bool:
    """Whether one of the two had met the other before, in a game that counted for him.

    Looked for among the games of the one who has played `fewer`: this is asked while all moves wait.
    """
    few, many = rated_games.alias("few"), rated_games.alias("many")
    mine = few if seat == fewer else many
    the_other = sa.func.coalesce(many.c.account, "")  # not found by it: that is the longer list
    chosen = (
        sa.select(few.c.room)
        .select_from(few)
        .join(many, sa.and_(many.c.room == few.c.room, many.c.seat != few.c.seat))
        .where(few.c.account == pair[fewer], few.c.game == game, few.c.room != room)
        .where(the_other == pair[1 - fewer], sa.func.coalesce(mine.c.weight, 1) > 0)
        .limit(1)
    )
    return connection.scalar(chosen) is not None


def _is_usual(line: Any) -> bool:
    """Whether the game began as games begin: a position of one's own choice is not rated."""
    game = find_game(line.game)
    usual = line.start is None or isinstance(game, SetUpGame) or line.start == str(game.start())
    return usual and is_standard(game)


def _locked(
    connection: sa.Connection, pair: Sequence[str], game: str, now: float
) -> tuple[Rating, Rating]:
    """The ratings of two players, which no other process changes meanwhile."""
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    for account in sorted(pair):
        fresh = {"account": account, "game": game, "mu": MU, "sigma": SIGMA, "updated": now}
        line = insert(ratings).values(**fresh, won=0, drawn=0, lost=0, opponents=0)
        connection.execute(line.on_conflict_do_nothing())
    found = connection.execute(
        sa.select(ratings)
        .where(ratings.c.account.in_(pair), ratings.c.game == game)
        .order_by(ratings.c.account)
        .with_for_update()
    )
    known = {line.account: _read(line) for line in found}
    return known[pair[0]], known[pair[1]]


def _read(line: Any) -> Rating:
    return Rating(line.mu, line.sigma, line.won, line.drawn, line.lost, line.opponents)


def rate(before: Sequence[Rating], points: Sequence[float], weight: float = 1.0) -> list[Rating]:
    """What a game makes of two ratings, if it counts whole or in part.

    >>> [rating.shown for rating in rate([Rating(), Rating()], [1, 0])]
    [1579, 1421]
    """
    one, other = before
    rated = skill.after(((one.mu, one.sigma), (other.mu, other.sigma)), points[0])
    return [
        Rating(
            old.mu + weight * (mu - old.mu),
            old.sigma + weight * (sigma - old.sigma),
            old.won + (score == 1),
            old.drawn + (score == 0.5),
            old.lost + (score == 0),
        )
        for (mu, sigma), old, score in zip(rated, before, points, strict=True)
    ]


def _keep(connection: sa.Connection, account: str, game: str, rating: Rating, now: float) -> None:
    connection.execute(
        sa.update(ratings)
        .where(ratings.c.account == account, ratings.c.game == game)
        .values(
            mu=rating.mu,
            sigma=rating.sigma,
            won=rating.won,
            drawn=rating.drawn,
            lost=rating.lost,
            opponents=rating.opponents,
            updated=now,
        )
    )


# ---- asking


def rating_of(connection: sa.Connection, account: str, game: str) -> Rating:
    """The rating of an account in a game (`oware`); one who has none begins like everybody."""
    line = connection.execute(
        sa.select(ratings).where(ratings.c.account == account, ratings.c.game == game)
    ).first()
    return Rating() if line is None else _read(line)


def ratings_of(connection: sa.Connection, account: str) -> dict[str, Rating]:
    """All ratings of an account, by game."""
    found = connection.execute(
        sa.select(ratings).where(ratings.c.account == account).order_by(ratings.c.game)
    )
    return {line.game: _read(line) for line in found}


def history(
    connection: sa.Connection, account: str, game: str | None = None, most: int = MOST_HISTORY
) -> list[dict[str, Any]]:
    """The last rated games of an account, the oldest first, with what each made of the rating."""
    chosen = sa.select(rated_games).where(rated_games.c.account == account)
    if game is not None:
        chosen = chosen.where(rated_games.c.game == game)
    mine = chosen.order_by(rated_games.c.at.desc(), rated_games.c.room).limit(most).subquery("mine")
    other = rated_games.alias("other")
    told = (
        sa.select(mine, other.c.mu_before.label("theirs"), accounts.c.name, accounts.c.bot)
        .join(other, sa.and_(other.c.room == mine.c.room, other.c.seat != mine.c.seat))
        .outerjoin(accounts, accounts.c.id == other.c.account)
        .order_by(mine.c.at.desc(), mine.c.room)
    )
    lines = [
        {
            "room": line.room,
            "game": line.game,
            "at": moment(line.at),
            "points": line.points,
            "before": shown(line.mu_before),
            "rating": shown(line.mu),
            "opponent": line.name,
            "opponent_bot": bool(line.bot),
            "opponent_rating": shown(line.theirs),
        }
        for line in connection.execute(told)
    ]
    return lines[::-1]


def latest(connection: sa.Connection, account: str, most: int) -> list[dict[str, Any]]:
    """The same of all games together: a few of each, however many there are."""
    found = [line for game in game_names() for line in history(connection, account, game, most)]
    return sorted(found, key=lambda line: str(line["at"]))[-most:]


def settled(connection: sa.Connection, room: str) -> list[dict[str, int]]:
    """What a rated game has made of both ratings, by seat; empty if it was not counted."""
    chosen = sa.select(rated_games).where(rated_games.c.room == room).order_by(rated_games.c.seat)
    return [
        {"before": shown(line.mu_before), "rating": shown(line.mu)}
        for line in connection.execute(chosen)
    ]


def board(connection: sa.Connection, game: str, limit: int, bots: bool) -> list[dict[str, Any]]:
    """The best of a game whose rating is more than a guess."""
    played = ratings.c.won + ratings.c.drawn + ratings.c.lost
    chosen = (
        sa.select(ratings, accounts.c.name, accounts.c.bot)
        .join(accounts, accounts.c.id == ratings.c.account)
        .where(
            ratings.c.game == game,
            played >= PROVISIONAL,
            ratings.c.opponents >= OPPONENTS,
            sa.or_(accounts.c.banned.is_(None), accounts.c.banned < time.time()),
        )
        .order_by(ratings.c.mu.desc(), accounts.c.folded)
        .limit(limit)
    )
    if not bots:
        chosen = chosen.where(accounts.c.bot.is_(sa.false()))
    return [
        {"place": place, "name": line.name, "bot": bool(line.bot), **_read(line).to_json()}
        for place, line in enumerate(connection.execute(chosen), 1)
    ]

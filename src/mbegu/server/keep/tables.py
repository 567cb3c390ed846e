"""The tables of the database, as the program reads and writes them; the migrations make them."""

import sqlalchemy as sa

LATEST = "0005"  # the migration that this program expects

metadata = sa.MetaData()

# ---- games

settings = sa.Table(
    "settings",
    metadata,
    sa.Column("key", sa.String(64), primary_key=True),
    sa.Column("value", sa.Text),
)
rooms = sa.Table(
    "rooms",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("owner", sa.String(64)),
    sa.Column("game", sa.Text),
    sa.Column("rules", sa.String(64)),
    sa.Column("start", sa.Text),
    sa.Column("control", sa.String(32)),
    sa.Column("pace", sa.Float),
    sa.Column("source", sa.Text),
    sa.Column("created", sa.Float),
    sa.Column("updated", sa.Float),
    sa.Column("version", sa.Integer),
    sa.Column("status", sa.String(16)),
    sa.Column("plies", sa.Integer),
    sa.Column("position", sa.Text),
    sa.Column("outcome", sa.Text),
    sa.Column("rated", sa.Boolean),
    sa.Column("near", sa.Boolean),  # a rated game whose players come from one address
    sa.Column("host", sa.String(32)),
    sa.Column("fence", sa.Integer),
)
seats = sa.Table(
    "seats",
    metadata,
    sa.Column("room", sa.String(32), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(16)),
    sa.Column("level", sa.Integer),
    sa.Column("name", sa.Text),
    sa.Column("session", sa.String(64)),
    sa.Column("account", sa.String(32)),
    sa.Column("invite", sa.String(32)),
)
events = sa.Table(
    "events",
    metadata,
    sa.Column("room", sa.String(32), primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True),
    sa.Column("at", sa.Float),
    sa.Column("kind", sa.String(16)),
    sa.Column("data", sa.Text),
    sa.Column("command", sa.String(64)),
)

# ---- people

accounts = sa.Table(
    "accounts",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("name", sa.Text),
    sa.Column("folded", sa.Text),  # the name as clashes are found
    sa.Column("looks", sa.Text),  # the name as it looks at a glance
    sa.Column("password", sa.Text),
    sa.Column("recovery", sa.String(64)),
    sa.Column("bot", sa.Boolean),
    sa.Column("created", sa.Float),
    sa.Column("seen", sa.Float),
    sa.Column("banned", sa.Float),  # until then
    sa.Column("reason", sa.Text),
)
logins = sa.Table(
    "logins",
    metadata,
    sa.Column("hash", sa.String(64), primary_key=True),
    sa.Column("account", sa.String(32)),
    sa.Column("created", sa.Float),
    sa.Column("expires", sa.Float),
)
tokens = sa.Table(
    "tokens",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("account", sa.String(32)),
    sa.Column("hash", sa.String(64)),
    sa.Column("name", sa.Text),
    sa.Column("scopes", sa.String(64)),  # words with a blank between them
    sa.Column("created", sa.Float),
    sa.Column("expires", sa.Float),
    sa.Column("used", sa.Float),
)
ratings = sa.Table(
    "ratings",
    metadata,
    sa.Column("account", sa.String(32), primary_key=True),
    sa.Column("game", sa.String(32), primary_key=True),
    sa.Column("mu", sa.Float),
    sa.Column("sigma", sa.Float),
    sa.Column("won", sa.Integer),
    sa.Column("drawn", sa.Integer),
    sa.Column("lost", sa.Integer),
    sa.Column("opponents", sa.Integer),  # how many different ones
    sa.Column("updated", sa.Float),
)
rated_games = sa.Table(  # the history: two lines for each rated game that has ended
    "rated_games",
    metadata,
    sa.Column("room", sa.String(32), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("account", sa.String(32)),
    sa.Column("game", sa.String(32)),
    sa.Column("at", sa.Float),
    sa.Column("points", sa.Float),
    sa.Column("mu_before", sa.Float),
    sa.Column("sigma_before", sa.Float),
    sa.Column("mu", sa.Float),
    sa.Column("sigma", sa.Float),
    sa.Column("weight", sa.Float),  # 1, or less where the same two have met often
    sa.Column("near", sa.Boolean),
)

# ---- processes

processes = sa.Table(
    "processes",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("address", sa.Text),
    sa.Column("started", sa.Float),
    sa.Column("until", sa.Float),
)

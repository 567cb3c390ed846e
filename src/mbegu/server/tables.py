"""The tables of the database, as the program reads and writes them; the migrations make them."""

import sqlalchemy as sa

LATEST = "0002"  # the migration that this program expects

metadata = sa.MetaData()

# ---- games

settings = sa.Table(
    "settings", metadata, sa.Column("key", sa.String(64), primary_key=True), sa.Column("value")
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

# ---- processes

"""Playing with people: seats that belong to accounts, people, processes."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """What games between people need."""
    _games()
    _people()
    _processes()


def _games() -> None:
    op.add_column(
        "rooms", sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.add_column("seats", sa.Column("account", sa.String(32), nullable=True))
    op.add_column("seats", sa.Column("invite", sa.String(32), nullable=True))
    op.create_index("seats_account", "seats", ["account"])
    op.create_index("seats_invite", "seats", ["invite"], unique=True)


def _people() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("folded", sa.Text, nullable=False, unique=True),
        sa.Column("password", sa.Text, nullable=False),
        sa.Column("recovery", sa.String(64), nullable=False),
        sa.Column("bot", sa.Boolean, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("seen", sa.Float, nullable=False),
        sa.Column("banned", sa.Float, nullable=True),
        sa.Column("reason", sa.Text, nullable=True),
    )
    op.create_table(
        "logins",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("account", sa.String(32), nullable=False, index=True),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("expires", sa.Float, nullable=False),
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("account", sa.String(32), nullable=False, index=True),
        sa.Column("hash", sa.String(64), nullable=False, unique=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("scopes", sa.String(64), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("expires", sa.Float, nullable=False),
        sa.Column("used", sa.Float, nullable=True),
    )
    op.create_table(
        "ratings",
        sa.Column("account", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("won", sa.Integer, nullable=False),
        sa.Column("drawn", sa.Integer, nullable=False),
        sa.Column("lost", sa.Integer, nullable=False),
        sa.Column("updated", sa.Float, nullable=False),
    )
    op.create_index("ratings_best", "ratings", ["game", "mu"])
    op.create_table(
        "rated_games",
        sa.Column("room", sa.String(32), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("account", sa.String(32), nullable=True),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("points", sa.Float, nullable=False),
        sa.Column("mu_before", sa.Float, nullable=False),
        sa.Column("sigma_before", sa.Float, nullable=False),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
    )
    op.create_index("rated_games_account", "rated_games", ["account", "game", "at"])
    op.create_index("rooms_status", "rooms", ["status", "rated"])


def _processes() -> None:
    # Which process has a room open, and how often that has changed: see server/cluster.py.
    op.add_column("rooms", sa.Column("host", sa.String(32), nullable=True))
    op.add_column("rooms", sa.Column("fence", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "processes",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("started", sa.Float, nullable=False),
        sa.Column("until", sa.Float, nullable=False),
    )

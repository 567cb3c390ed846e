"""Rooms, their seats and their events."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """The first tables."""
    op.create_table(
        "settings",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.create_table(
        "rooms",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("rules", sa.String(64), nullable=False),
        sa.Column("start", sa.Text, nullable=True),
        sa.Column("control", sa.String(32), nullable=False),
        sa.Column("pace", sa.Float, nullable=False),
        sa.Column("source", sa.Text, nullable=True),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("updated", sa.Float, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("plies", sa.Integer, nullable=False),
        sa.Column("position", sa.Text, nullable=True),
        sa.Column("outcome", sa.Text, nullable=True),
    )
    op.create_index("rooms_updated", "rooms", ["updated"])
    op.create_table(
        "seats",
        sa.Column(
            "room",
            sa.String(32),
            sa.ForeignKey("rooms.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("level", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("session", sa.String(64), nullable=True),
    )
    op.create_index("seats_session", "seats", ["session"])
    op.create_table(
        "events",
        sa.Column(
            "room",
            sa.String(32),
            sa.ForeignKey("rooms.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("command", sa.String(64), nullable=True),
        sa.UniqueConstraint("room", "command", name="events_command"),
    )

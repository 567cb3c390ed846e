"""Ratings that cannot be farmed: how much a game counted, against how many different people."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

OPPONENTS = """
UPDATE ratings SET opponents = (
    SELECT COUNT(DISTINCT other.account) FROM rated_games AS mine
    JOIN rated_games AS other ON other.room = mine.room AND other.seat <> mine.seat
    WHERE mine.account = ratings.account AND mine.game = ratings.game
)
"""


def upgrade() -> None:
    """What the limits on repeated pairings need."""
    op.add_column("rooms", sa.Column("near", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("rated_games", sa.Column("weight", sa.Float, nullable=False, server_default="1"))
    op.add_column(
        "rated_games", sa.Column("near", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.add_column("ratings", sa.Column("opponents", sa.Integer, nullable=False, server_default="0"))
    op.execute(OPPONENTS)

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
    op.create_index("seats_account", "seats", ["account"])


def _people() -> None:
    pass


def _processes() -> None:
    pass

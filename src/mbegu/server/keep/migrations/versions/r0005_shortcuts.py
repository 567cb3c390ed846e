"""Rooms by whom they were made, sign-ins by when they end: nobody's question reads a whole table."""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Two indexes."""
    op.create_index("rooms_owner", "rooms", ["owner"], if_not_exists=True)
    op.create_index("logins_expires", "logins", ["expires"], if_not_exists=True)

"""Names as they look: no guest goes by one that looks like a member's."""

import sqlalchemy as sa
from alembic import op

from mbegu.server.play.names import skeleton

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """How every name looks, to be found by it."""
    op.add_column("accounts", sa.Column("looks", sa.Text, nullable=False, server_default=""))
    accounts = sa.table("accounts", sa.column("id"), sa.column("name"), sa.column("looks"))
    connection = op.get_bind()
    for line in connection.execute(sa.select(accounts.c.id, accounts.c.name)).all():
        connection.execute(
            sa.update(accounts).where(accounts.c.id == line.id).values(looks=skeleton(line.name))
        )
    op.create_index("accounts_looks", "accounts", ["looks"])

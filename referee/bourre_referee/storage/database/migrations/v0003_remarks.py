"""Adds the table of bots' remarks. This version existed only in run folders."""

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Adds the table `remark`."""
    op.execute("""
        CREATE TABLE remark (
            number INTEGER NOT NULL REFERENCES "match" (number),
            seat INTEGER NOT NULL,
            notes BLOB,
            dropped INTEGER NOT NULL,
            tokens_in INTEGER NOT NULL,
            tokens_out INTEGER NOT NULL,
            calls INTEGER NOT NULL,
            cost_millionths INTEGER NOT NULL,
            PRIMARY KEY (number, seat)
        ) WITHOUT ROWID
    """)

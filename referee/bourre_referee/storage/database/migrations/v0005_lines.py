"""Adds the table of the lines of ladders' logs."""

from alembic import op

revision = "0005"
down_revision = "0004"

LINE = {"sqlite": "VARCHAR", "postgresql": 'VARCHAR COLLATE "C"'}
AFTER = {"sqlite": "WITHOUT ROWID", "postgresql": ""}


def upgrade() -> None:
    """Adds the table `line`."""
    database = op.get_bind().dialect.name
    op.execute(f"""
        CREATE TABLE line (
            contest INTEGER NOT NULL,
            place INTEGER NOT NULL,
            line {LINE[database]} NOT NULL,
            PRIMARY KEY (contest, place),
            FOREIGN KEY(contest) REFERENCES contest (id)) {AFTER[database]}
    """)

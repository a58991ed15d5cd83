"""Puts the id of a contest before each key, so that many contests can share a database."""

from alembic import op

revision = "0004"
down_revision = "0003"

COPIED = ("contest", "match", "void", "fault", "remark", "renege", "seat")
"""The tables of the older version, each after those that it refers to."""

TABLES = (
    """
    CREATE TABLE contest (
        id INTEGER NOT NULL,
        name VARCHAR NOT NULL,
        commitment VARCHAR NOT NULL,
        leader INTEGER NOT NULL,
        changes INTEGER NOT NULL,
        PRIMARY KEY (id),
        UNIQUE (name)
    )
    """,
    """
    CREATE TABLE file (
        contest INTEGER NOT NULL,
        name VARCHAR NOT NULL,
        content BLOB NOT NULL,
        PRIMARY KEY (contest, name),
        FOREIGN KEY(contest) REFERENCES contest (id)) WITHOUT ROWID
    """,
    """
    CREATE TABLE "match" (
        contest INTEGER NOT NULL,
        number INTEGER NOT NULL,
        "match" VARCHAR NOT NULL,
        deals INTEGER NOT NULL,
        attempt INTEGER NOT NULL,
        isolation VARCHAR NOT NULL,
        unit INTEGER NOT NULL,
        blocks BLOB,
        record BLOB NOT NULL,
        sha256 BLOB NOT NULL,
        PRIMARY KEY (contest, number),
        UNIQUE (contest, "match"),
        FOREIGN KEY(contest) REFERENCES contest (id)
    )
    """,
    """
    CREATE TABLE void (
        contest INTEGER NOT NULL,
        "match" VARCHAR NOT NULL,
        attempt INTEGER NOT NULL,
        "by" VARCHAR NOT NULL,
        reason VARCHAR NOT NULL,
        at VARCHAR NOT NULL,
        revealed BOOLEAN NOT NULL,
        record BLOB,
        PRIMARY KEY (contest, "match", attempt),
        FOREIGN KEY(contest) REFERENCES contest (id)) WITHOUT ROWID
    """,
    """
    CREATE TABLE fault (
        contest INTEGER NOT NULL,
        number INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        fault VARCHAR NOT NULL,
        times INTEGER NOT NULL,
        PRIMARY KEY (contest, number, seat, fault),
        FOREIGN KEY(contest, number) REFERENCES "match" (contest, number)) WITHOUT ROWID
    """,
    """
    CREATE TABLE remark (
        contest INTEGER NOT NULL,
        number INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        notes BLOB,
        dropped INTEGER NOT NULL,
        tokens_in INTEGER NOT NULL,
        tokens_out INTEGER NOT NULL,
        calls INTEGER NOT NULL,
        cost_millionths INTEGER NOT NULL,
        PRIMARY KEY (contest, number, seat),
        FOREIGN KEY(contest, number) REFERENCES "match" (contest, number)) WITHOUT ROWID
    """,
    """
    CREATE TABLE renege (
        contest INTEGER NOT NULL,
        number INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        rule VARCHAR NOT NULL,
        times INTEGER NOT NULL,
        PRIMARY KEY (contest, number, seat, rule),
        FOREIGN KEY(contest, number) REFERENCES "match" (contest, number)) WITHOUT ROWID
    """,
    """
    CREATE TABLE seat (
        contest INTEGER NOT NULL,
        number INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        bot VARCHAR NOT NULL,
        chips VARCHAR NOT NULL,
        rank INTEGER NOT NULL,
        wins INTEGER NOT NULL,
        bourres INTEGER NOT NULL,
        reneges INTEGER NOT NULL,
        faults INTEGER NOT NULL,
        house_deals INTEGER NOT NULL,
        decisions INTEGER NOT NULL,
        total_ms FLOAT NOT NULL,
        longest_ms FLOAT NOT NULL,
        queue_ms FLOAT NOT NULL,
        bot_ms FLOAT NOT NULL,
        cpu_ms FLOAT NOT NULL,
        PRIMARY KEY (contest, number, seat),
        FOREIGN KEY(contest, number) REFERENCES "match" (contest, number)) WITHOUT ROWID
    """,
)
"""The tables of this version."""


def upgrade() -> None:
    """Makes the tables anew and copies their rows."""
    for table in COPIED:
        op.execute(f'ALTER TABLE "{table}" RENAME TO "old_{table}"')
    for table in TABLES:
        op.execute(table)
    op.execute("INSERT INTO contest SELECT id, name, commitment, 0, 0 FROM old_contest")
    for table in COPIED[1:]:
        op.execute(f'INSERT INTO "{table}" SELECT 1, * FROM "old_{table}"')
    for table in reversed(COPIED):
        op.execute(f'DROP TABLE "old_{table}"')

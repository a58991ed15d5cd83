"""Databases of run folders as older versions wrote them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Literal

TABLES = Path(__file__).parents[1] / "data" / "run_version_3.sql"
"""What version 3 created; version 2 had no table `remark`."""


def make_older(folder: Path, version: Literal[2, 3, 4]) -> None:
    """Makes the database of this run folder what an older version would have written."""
    if version == 4:
        with closing(sqlite3.connect(folder / "run.db")) as connection:
            connection.executescript("DROP TABLE line; PRAGMA user_version = 4")
        return
    database, current = folder / "run.db", folder / "current.db"
    database.rename(current)
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.executescript(TABLES.read_text("utf-8"))
        connection.execute("ATTACH ? AS current", (str(current),))
        names = [name for (name,) in connection.execute("SELECT name FROM main.sqlite_master WHERE sql IS NOT NULL")]
        for name in names:
            columns = ", ".join(f'"{row[1]}"' for row in connection.execute(f'PRAGMA main.table_info("{name}")'))
            connection.execute(f'INSERT INTO main."{name}" SELECT {columns} FROM current."{name}"')
        if version == 2:
            connection.execute("DROP TABLE remark")
        connection.execute("PRAGMA main.application_id = 1112495442")
        connection.execute(f"PRAGMA main.user_version = {version}")
    current.unlink()

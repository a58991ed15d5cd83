"""Whether a database has the tables of a run, and nothing else that rows could come from."""

from __future__ import annotations

from sqlalchemy import Table, text
from sqlmodel import Session

from bourre_referee.storage.schema import Row

_MADE = "SELECT type, name, rootpage, sql FROM sqlite_master ORDER BY type DESC, name"
_COLUMNS = "SELECT name, hidden FROM pragma_table_xinfo(:table) ORDER BY cid"


def strange_table(session: Session) -> str | None:
    """What one of our tables is instead of a table, or which column it has that is none of ours; None: all are sound.

    A view is computed anew whenever it is read, and so is a generated column.
    """
    ours = Row.metadata.tables
    for made in session.execute(text(_MADE)):
        if made.name in ours and (made.type != "table" or not made.rootpage):
            return f"it has a {made.type}, {made.name}; a run has tables alone"
    strange = (_strange_column(session, table) for table in Row.metadata.sorted_tables)
    return next(filter(None, strange), None)


def strange_thing(session: Session) -> str | None:
    """What the database holds besides our tables: a table, view, trigger or index; None where it holds nothing."""
    for made in session.execute(text(_MADE)):
        if made.type in ("view", "trigger"):
            return f"it has a {made.type}, {made.name}; a run has tables alone"
        # SQLite itself makes the index of a key, without words.
        if made.sql is not None and made.name not in Row.metadata.tables:
            return f"it has {'an' if made.type == 'index' else 'a'} {made.type} {made.name}, which no run has"
    return None


def _strange_column(session: Session, table: Table) -> str | None:
    found = session.execute(text(_COLUMNS), {"table": table.name}).all()
    ours = {column.name for column in table.columns}
    for name, hidden in found:
        if name not in ours:
            return f"table {table.name} has a column {name}, which no run has"
        if hidden:
            return f"table {table.name}: {name} is computed whenever it is read"
    return None

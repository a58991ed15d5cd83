"""What is asked of a database before it is believed; each raises a StoreError with the mend."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Table, text
from sqlmodel import Session, and_, col, exists, func, or_, select

from bourre_referee.model.errors import DamagedValue, StoreError
from bourre_referee.storage.cell_checks import strange_cell
from bourre_referee.storage.schema import VERSION, ContestRow, FaultRow, RenegeRow, Row, SeatRow
from bourre_referee.storage.sqlite_connection import MARK
from bourre_referee.text.names import printable


def strange_seat(session: Session) -> str | None:
    """Where the first row is of a seat that its match does not have; None where there is none."""
    number, seat = col(SeatRow.number), col(SeatRow.seat)
    gaps = or_(func.min(seat) != 0, func.max(seat) != func.count() - 1)
    if numbered := session.exec(select(number, func.count()).group_by(number).having(gaps)).first():
        return f"table seat, number {numbered[0]}: its {numbered[1]} seats are not numbered from 0"
    for row in (RenegeRow, FaultRow):
        at_table = exists().where(and_(number == row.number, seat == row.seat))
        if found := session.exec(select(row.number, row.seat).where(~at_table)).first():
            return f"table {row.__tablename__}, number {found[0]}: there is no seat {found[1]} in that match"
    return None


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


def check_kind(session: Session, path: Path) -> None:
    """Is it a contest's, written by this version?"""
    if session.scalar(text("PRAGMA application_id")) != MARK:
        raise StoreError(f"{path}: it is a database, but none of a contest; give another folder")
    if (version := session.scalar(text("PRAGMA user_version"))) != VERSION:
        raise StoreError(
            f"{path}: another version of bourre wrote it (database version {version}, this one reads "
            f"{VERSION}): use that version, or start again with --fresh"
        )


def check_tables(session: Session, path: Path) -> None:
    """Are those of its tables that we read what we take them for?"""
    if said := strange_table(session):
        raise DamagedValue(path, printable(said))


def check_pages(session: Session, path: Path) -> None:
    """Is the file whole, as SQLite sees it? It reads all of it."""
    said = str(session.scalar(text("PRAGMA quick_check(1)"))).splitlines()[-1]
    if said != "ok":
        raise StoreError(f"{path}: it is damaged ({said}): put a copy back, or start again with --fresh")


def check_cells(session: Session, path: Path) -> None:
    """Does every cell hold what its column is for, and does every row belong to a match?"""
    if said := strange_cell(session):
        raise DamagedValue(path, said)
    if row := session.execute(text("PRAGMA foreign_key_check")).first():
        raise DamagedValue(path, f"table {row.table} has a row of no match")


def check_commitment(session: Session, path: Path, commitment: str) -> None:
    """Is it of the run with this seed?"""
    if contest_row(session, path).commitment != commitment:
        raise StoreError(f"{path}: it belongs to another run: put this run's file back, or use --fresh")


def check_contents(session: Session, path: Path) -> None:
    """Has it our tables alone, and do their rows hold what they are for, and belong to seats that are there?"""
    if said := strange_thing(session):
        raise DamagedValue(path, printable(said))
    check_cells(session, path)
    if said := strange_seat(session):
        raise DamagedValue(path, said)


def contest_row(session: Session, path: Path) -> ContestRow:
    """What the database says of its contest."""
    rows = session.exec(select(ContestRow)).all()
    if len(rows) != 1:
        raise DamagedValue(path, f"its table contest has {len(rows)} rows, should have 1")
    return rows[0]

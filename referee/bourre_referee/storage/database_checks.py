"""What is asked of a database before it is believed; each raises a StoreError with the mend."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import text
from sqlmodel import Session, select

from bourre_referee.model.errors import DamagedValue, StoreError
from bourre_referee.storage.cell_checks import strange_cell
from bourre_referee.storage.schema import VERSION, ContestRow
from bourre_referee.storage.seat_checks import strange_seat
from bourre_referee.storage.sqlite_connection import MARK
from bourre_referee.storage.structure import strange_table, strange_thing
from bourre_referee.text.names import printable


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

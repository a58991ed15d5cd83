"""The tables of a run's database. A match's row in `match` is written together with its seats and faults."""

from __future__ import annotations

from sqlalchemy import Dialect, String, TypeDecorator
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

VERSION = 3
"""The version of these tables."""
WITHOUT_REMARKS = 2
"""The version that lacks the table `remark`; it is read as if that were empty (`older_database`)."""

BY_KEY = {"sqlite_with_rowid": False}
"""Stores rows in the order of their key, without a separate index."""


class Chips(TypeDecorator[int]):
    """Chips as decimal text, because a pot without a limit outgrows the database's integers."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: int | None, _dialect: Dialect) -> str | None:
        """Converts chips to the database's text."""
        return None if value is None else str(value)

    def process_result_value(self, value: str | None, _dialect: Dialect) -> int | None:
        """Converts the database's text to chips; raises ValueError if the stored value is corrupt."""
        return None if value is None else chips_in(value)


def chips_in(cell: object) -> int:
    """Converts a cell's text to chips; raises ValueError for any other text, and for a value that is no text."""
    if not isinstance(cell, str):
        raise ValueError(f"the chips of a seat are {cell!r}, should be text")
    try:
        number = int(cell)
    except ValueError as error:
        raise ValueError(f"the chips of a seat are {cell!r}, which is not a number") from error
    if str(number) != cell:
        raise ValueError(f"the chips of a seat are {cell!r}, should be written {number}")
    return number


class Row(SQLModel, registry=registry()):
    """The base of all tables, with a registry of their own."""


class ContestRow(Row, table=True):
    """The one contest that this database belongs to."""

    __tablename__ = "contest"

    id: int = Field(default=1, primary_key=True)
    name: str
    commitment: str
    """SHA-256 of the master seed, in hexadecimal: ties the database to its run folder."""


class MatchRow(Row, table=True):
    """A finished match and its record."""

    __tablename__ = "match"

    number: int = Field(primary_key=True)
    """The match's number in schedule order, starting at 1."""
    match: str = Field(unique=True)
    deals: int
    attempt: int
    """The attempt's number, starting at 1: one more than the match has rows in `void`."""
    isolation: str
    """The level of isolation at which its bots ran."""
    unit: int
    """How many parts a chip has: the seats' chips count these parts."""
    blocks: bytes | None
    """Chips and luck of each deal by seat, as JSON compressed by zlib; only in format `duplicate`."""
    record: bytes
    """The record in JSON lines, compressed by zlib."""
    sha256: bytes
    """The hash of the record before compression."""


class SeatRow(Row, table=True):
    """The result of one seat in a match, and how its bot used its time."""

    __tablename__ = "seat"
    __table_args__ = BY_KEY

    number: int = Field(primary_key=True, foreign_key="match.number")
    seat: int = Field(primary_key=True)
    bot: str
    chips: int = Field(sa_type=Chips)
    rank: int
    wins: int
    bourres: int
    reneges: int
    faults: int
    house_deals: int
    decisions: int
    total_ms: float
    longest_ms: float
    queue_ms: float
    bot_ms: float
    cpu_ms: float


class RenegeRow(Row, table=True):
    """How often one rule was the first that a seat's reneges broke in one match."""

    __tablename__ = "renege"
    __table_args__ = BY_KEY

    number: int = Field(primary_key=True, foreign_key="match.number")
    seat: int = Field(primary_key=True)
    rule: str = Field(primary_key=True)
    times: int


class FaultRow(Row, table=True):
    """How often a seat committed one kind of fault in one match."""

    __tablename__ = "fault"
    __table_args__ = BY_KEY

    number: int = Field(primary_key=True, foreign_key="match.number")
    seat: int = Field(primary_key=True)
    fault: str = Field(primary_key=True)
    times: int


class RemarkRow(Row, table=True):
    """What a seat's bot said in one match besides its answers; no row if it said nothing."""

    __tablename__ = "remark"
    __table_args__ = BY_KEY

    number: int = Field(primary_key=True, foreign_key="match.number")
    seat: int = Field(primary_key=True)
    notes: bytes | None
    """Deal, seating, number of the action, and text of each note, as JSON compressed by zlib."""
    dropped: int
    """How many notes were not kept, because they were too long together."""
    tokens_in: int
    tokens_out: int
    calls: int
    cost_millionths: int


class VoidRow(Row, table=True):
    """An attempt at a match that does not count: the host failed it, or the organiser voided it."""

    __tablename__ = "void"
    __table_args__ = BY_KEY

    match: str = Field(primary_key=True)
    attempt: int = Field(primary_key=True)
    """The attempt's number, starting at 1."""
    by: str
    """Either `host` or `organiser`."""
    reason: str
    at: str
    """When it was discarded, in ISO 8601, UTC."""
    revealed: bool
    """Whether the secret seed was public by then, so that a repeat could be played knowing the cards."""
    record: bytes | None
    """The record that was voided, compressed as in `match`; null if the match was not finished."""


TABLES = tuple(Row.metadata.sorted_tables)
"""All tables, each after those that it refers to; sorting them takes longer than a look into one."""

"""The tables of contests, the same in SQLite and PostgreSQL.

Each key begins with the contest's id, because many contests can share a PostgreSQL database. In a run folder's
database the id is always 1. A match's row is written together with its seats and faults.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Dialect,
    ForeignKeyConstraint,
    Integer,
    String,
    Table,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

from bourre_referee.storage.files.sound_values import (
    BotName,
    Count,
    FaultKind,
    LevelName,
    MatchId,
    Milliseconds,
    Ordinal,
    Reason,
    RuleId,
    Voider,
    Words,
)

VERSION = 5
"""The version of these tables."""

ONLY_CONTEST = 1
"""The id of the contest in a run folder's database."""

BY_KEY = {"sqlite_with_rowid": False}
"""Stores rows in the order of their key, without a separate index."""

Text: Any = String().with_variant(String(collation="C"), "postgresql")
"""Text that sorts by its bytes in every database."""

Total: Any = Integer().with_variant(BigInteger(), "postgresql")
"""A whole number of up to 63 bits in every database."""


class Chips(TypeDecorator[int]):
    """Chips as decimal text, because a pot without a limit can exceed the database's integers."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: int | None, _dialect: Dialect) -> str | None:
        """Converts chips to the database's text."""
        return None if value is None else str(value)

    def process_result_value(self, value: str | None, _dialect: Dialect) -> int | None:
        """Converts the database's text to chips. Raises ValueError if the stored value is corrupt."""
        return None if value is None else chips_in(value)


def chips_in(cell: object) -> int:
    """Converts a cell's text to chips. Raises ValueError for any other value."""
    if not isinstance(cell, str):
        raise ValueError(f"the chips of a seat are {cell!r}, should be text")
    try:
        number = int(cell)
    except ValueError as error:
        raise ValueError(f"the chips of a seat are {cell!r}, which is not a number") from error
    if str(number) != cell:
        raise ValueError(f"the chips of a seat are {cell!r}, should be written {number}")
    return number


class Row(SQLModel, registry=registry(), defer_build=True):
    """The base of all tables, with its own registry. Pydantic builds no validators, because `value_checks` has them."""


def of_match() -> ForeignKeyConstraint:
    """Makes the constraint of a table whose rows belong to a match."""
    return ForeignKeyConstraint(["contest", "number"], ["match.contest", "match.number"])


class ContestRow(Row, table=True):
    """A contest that this database belongs to."""

    __tablename__ = "contest"

    id: int | None = Field(default=None, primary_key=True)
    name: Words = Field(unique=True, sa_type=Text)
    commitment: str = Field(sa_type=Text)
    """SHA-256 of the master seed, in hexadecimal, which identifies the run; empty until the seed is drawn."""
    leader: int = 0
    """The number of referees that have led the contest. Only the latest may write. 0 in a run folder."""
    changes: int = Field(default=0, sa_type=Total)
    """The number of transactions that have changed the contest; 0 in a run folder."""


class FileRow(Row, table=True):
    """A file of a run without a folder: its manifest, its standings, or its secret seed."""

    __tablename__ = "file"
    __table_args__ = BY_KEY

    contest: int = Field(default=ONLY_CONTEST, primary_key=True, foreign_key="contest.id")
    name: str = Field(primary_key=True, sa_type=Text)
    """The file's name in a run folder."""
    content: bytes


class LineRow(Row, table=True):
    """A line of a ladder's log in a database."""

    __tablename__ = "line"
    __table_args__ = BY_KEY

    contest: int = Field(default=ONLY_CONTEST, primary_key=True, foreign_key="contest.id")
    """The id of the ladder, which is stored like a contest."""
    place: int = Field(primary_key=True)
    """The line's number, starting at 1."""
    line: str = Field(sa_type=Text)
    """The line, without its line break."""


class MatchRow(Row, table=True):
    """A finished match and its record."""

    __tablename__ = "match"
    __table_args__ = (UniqueConstraint("contest", "match"),)

    contest: int = Field(default=ONLY_CONTEST, primary_key=True, foreign_key="contest.id")
    number: Ordinal = Field(primary_key=True)
    """The match's number in schedule order, starting at 1."""
    match: MatchId = Field(sa_type=Text)
    deals: Ordinal
    attempt: Ordinal
    """The attempt's number, starting at 1: the number of the match's rows in `void`, plus 1."""
    isolation: LevelName = Field(sa_type=Text)
    """The level of isolation at which its bots ran."""
    unit: Ordinal
    """The number of parts of a chip. The seats' chips count these parts."""
    blocks: bytes | None
    """Chips and luck of each deal by seat, as JSON compressed by zlib; only in format `duplicate`."""
    record: bytes
    """The record in JSON lines, compressed by zlib."""
    sha256: bytes
    """The hash of the record before compression."""


class SeatRow(Row, table=True):
    """The result of one seat in a match, and its bot's use of time."""

    __tablename__ = "seat"
    __table_args__ = (of_match(), BY_KEY)

    contest: int = Field(default=ONLY_CONTEST, primary_key=True)
    number: Ordinal = Field(primary_key=True)
    seat: Count = Field(primary_key=True)
    bot: BotName = Field(sa_type=Text)
    chips: int = Field(sa_type=Chips)
    rank: Ordinal
    wins: Count
    bourres: Count
    reneges: Count
    faults: Count
    house_deals: Count
    decisions: Count
    total_ms: Milliseconds
    longest_ms: Milliseconds
    queue_ms: Milliseconds
    bot_ms: Milliseconds
    cpu_ms: Milliseconds


class RenegeRow(Row, table=True):
    """The number of a seat's reneges in one match that broke this rule first."""

    __tablename__ = "renege"
    __table_args__ = (of_match(), BY_KEY)

    contest: int = Field(default=ONLY_CONTEST, primary_key=True)
    number: Ordinal = Field(primary_key=True)
    seat: Count = Field(primary_key=True)
    rule: RuleId = Field(primary_key=True, sa_type=Text)
    times: Ordinal


class FaultRow(Row, table=True):
    """The number of a seat's faults of one kind in one match."""

    __tablename__ = "fault"
    __table_args__ = (of_match(), BY_KEY)

    contest: int = Field(default=ONLY_CONTEST, primary_key=True)
    number: Ordinal = Field(primary_key=True)
    seat: Count = Field(primary_key=True)
    fault: FaultKind = Field(primary_key=True, sa_type=Text)
    times: Ordinal


class RemarkRow(Row, table=True):
    """The notes and the usage of a seat's bot in one match. Without any, there is no row."""

    __tablename__ = "remark"
    __table_args__ = (of_match(), BY_KEY)

    contest: int = Field(default=ONLY_CONTEST, primary_key=True)
    number: Ordinal = Field(primary_key=True)
    seat: Count = Field(primary_key=True)
    notes: bytes | None
    """Deal, seating, number of the action, and text of each note, as JSON compressed by zlib."""
    dropped: Count
    """The number of notes that were dropped because of their total length."""
    tokens_in: int = Field(sa_type=Total)
    tokens_out: int = Field(sa_type=Total)
    calls: int = Field(sa_type=Total)
    cost_millionths: int = Field(sa_type=Total)


class VoidRow(Row, table=True):
    """An attempt at a match that does not count, because it was lost or the organiser annulled it."""

    __tablename__ = "void"
    __table_args__ = BY_KEY

    contest: int = Field(default=ONLY_CONTEST, primary_key=True, foreign_key="contest.id")
    match: MatchId = Field(primary_key=True, sa_type=Text)
    attempt: Ordinal = Field(primary_key=True)
    """The attempt's number, starting at 1."""
    by: Voider = Field(sa_type=Text)
    reason: Reason = Field(sa_type=Text)
    at: Words = Field(sa_type=Text)
    """When it was discarded, in ISO 8601, UTC."""
    revealed: bool
    """Whether the seed was public at that time, so that the cards of a replay could be known."""
    record: bytes | None
    """The discarded record, compressed as in `match`; null if the match was not finished."""


def table_of(row: type[Row]) -> Table:
    """Returns the table of these rows."""
    return Row.metadata.tables[str(row.__tablename__)]


TABLES = tuple(Row.metadata.sorted_tables)
"""All tables, each after those that it refers to. It is a constant because sorting takes long."""

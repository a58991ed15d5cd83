"""The tables of a run's database. A match is one row of `match`, with its seats and faults, written together."""

from __future__ import annotations

from sqlalchemy import Dialect, String, TypeDecorator
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

VERSION = 2
"""Of these tables; a database of another version is refused."""

BY_KEY = {"sqlite_with_rowid": False}
"""Rows lie in the order of their key, without a second index beside them."""


class Chips(TypeDecorator[int]):
    """Chips in decimal digits: a pot without a limit outgrows every integer that a database knows."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: int | None, _dialect: Dialect) -> str | None:
        """To the database."""
        return None if value is None else str(value)

    def process_result_value(self, value: str | None, _dialect: Dialect) -> int | None:
        """From the database; ValueError where a strange hand has written."""
        if value is None:
            return None
        try:
            number = int(value)
        except ValueError as error:
            raise ValueError(f"the chips of a seat are {value!r}, which is no number") from error
        if str(number) != value:
            raise ValueError(f"the chips of a seat are {value!r}, should be written {number}")
        return number


class Row(SQLModel, registry=registry()):
    """What all tables share: a catalogue of our own."""


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
    """From 1, in schedule order."""
    match: str = Field(unique=True)
    deals: int
    attempt: int
    """Which playing of the match this is, from 1: one more than it has rows in `void`."""
    isolation: str
    """The level of isolation under which its bots ran."""
    unit: int
    """How many parts a chip has, in which the chips of its seats are counted."""
    blocks: bytes | None
    """In format `duplicate`: chips and luck of each deal by seat, JSON compressed by zlib."""
    record: bytes
    """JSON lines, compressed by zlib."""
    sha256: bytes
    """Of the record before it was compressed."""


class SeatRow(Row, table=True):
    """What one seat made of a match, and beside it how its bot used its time."""

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
    """How often a seat's reneges broke one rule first, in one match."""

    __tablename__ = "renege"
    __table_args__ = BY_KEY

    number: int = Field(primary_key=True, foreign_key="match.number")
    seat: int = Field(primary_key=True)
    rule: str = Field(primary_key=True)
    times: int


class FaultRow(Row, table=True):
    """How often a seat was at fault in one way, in one match."""

    __tablename__ = "fault"
    __table_args__ = BY_KEY

    number: int = Field(primary_key=True, foreign_key="match.number")
    seat: int = Field(primary_key=True)
    fault: str = Field(primary_key=True)
    times: int


class VoidRow(Row, table=True):
    """A playing of a match that does not count: the host failed it, or the organiser took it back."""

    __tablename__ = "void"
    __table_args__ = BY_KEY

    match: str = Field(primary_key=True)
    attempt: int = Field(primary_key=True)
    """From 1."""
    by: str
    """`host` or `organiser`."""
    reason: str
    at: str
    """When, in ISO 8601, UTC."""
    revealed: bool
    """Whether the secret seed was public by then: whoever played it again could know the cards."""
    record: bytes | None
    """What was taken back, compressed as in `match`; null where nothing was finished."""

"""Records of finished matches as they are stored, packed, for readers that do not need all of them unpacked."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple

from sqlmodel import Session, col, select

from bourre_referee.model.errors import ContestError
from bourre_referee.storage.packed import Unpacking
from bourre_referee.storage.schema import MatchRow


class PackedRecord(NamedTuple):
    """The record of one match."""

    number: int
    """The match's number in schedule order, starting at 1."""
    match: str
    packed: bytes

    @property
    def hash(self) -> str:
        """The SHA-256 of the packed record, in hexadecimal."""
        return sha256(self.packed).hexdigest()

    def text(self) -> str:
        """Returns the record in JSON lines; raises ContestError if it is damaged."""
        try:
            return Unpacking().unpack(self.packed).decode()
        except ValueError as error:
            raise ContestError(f"match {self.match}: its record is damaged ({error}); see `bourre verify`") from error


def packed_records(session: Session, first: int, last: int) -> Iterator[PackedRecord]:
    """Yields the records of the matches with these numbers, in order, with a few in memory at a time."""
    columns = select(MatchRow.number, MatchRow.match, MatchRow.record)
    wanted = columns.where(col(MatchRow.number) >= first, col(MatchRow.number) <= last).order_by(col(MatchRow.number))
    for number, match, packed in session.execute(wanted, execution_options={"yield_per": 64}):
        yield PackedRecord(number, match, packed)

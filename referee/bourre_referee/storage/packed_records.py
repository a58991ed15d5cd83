"""Records of finished matches as they are stored, packed, for readers that do not need all of them unpacked."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import starmap
from typing import NamedTuple

from bourre_referee.model.errors import ContestError
from bourre_referee.storage.packed import Unpacking
from bourre_referee.storage.run_session import RunSession, select

_RECORDS = "SELECT number, match, record FROM match WHERE contest = ? AND number BETWEEN ? AND ? ORDER BY number"


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


def packed_records(session: RunSession, first: int, last: int) -> Iterator[PackedRecord]:
    """Returns the records of the matches with these numbers, in order, with one in memory at a time."""
    return starmap(PackedRecord, select(session, _RECORDS, (session.contest, first, last)))

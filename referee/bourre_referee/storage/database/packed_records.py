"""Packed records of finished matches, for readers that do not need all of them unpacked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import groupby
from typing import NamedTuple

from bourre.record import RecordError
from bourre.record.json_line import JsonLine
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.database.run_session import RunSession, select
from bourre_referee.storage.files.bounded_zlib import Unpacking

_RECORDS = "SELECT number, match, record FROM match WHERE contest = ? AND number BETWEEN ? AND ? ORDER BY number"
_SEATS = "SELECT number, bot FROM seat WHERE contest = ? AND number BETWEEN ? AND ? ORDER BY number, seat"


class PackedRecord(NamedTuple):
    """The record of one match."""

    number: int
    """The match's number in schedule order, starting at 1."""
    match: str
    packed: bytes
    bots: tuple[str, ...]
    """The bots of the match's seats as stored beside the record."""

    @property
    def hash(self) -> str:
        """The SHA-256 of the packed record, in hexadecimal."""
        return sha256(self.packed).hexdigest()

    def text(self) -> str:
        """Returns the record in JSON lines. Raises ContestError if it is damaged or of another match."""
        try:
            text = Unpacking().unpack(self.packed).decode()
            check_header(text, self.match, self.bots)
        except ValueError as error:
            raise ContestError(
                f"match {self.match}: its record is damaged ({error}).\nhint: run bourre verify"
            ) from error
        return text


def packed_records(session: RunSession, first: int, last: int) -> Iterator[PackedRecord]:
    """Returns the records of the matches with these numbers, in order, with one in memory at a time."""
    bots = bots_by_match(session, first, last)
    for number, match, packed in select(session, _RECORDS, (session.contest, first, last)):
        yield PackedRecord(number, match, packed, bots.get(number, ()))


def bots_by_match(session: RunSession, first: int, last: int) -> dict[int, tuple[str, ...]]:
    """Returns the bots in the seats of the matches with these numbers."""
    seats = select(session, _SEATS, (session.contest, first, last))
    return {number: tuple(bot for _, bot in of_match) for number, of_match in groupby(seats, _number)}


def check_header(record: str, match: str, bots: Sequence[str]) -> None:
    """Raises ValueError if a record has another match or other bots than its seats, which its readers cannot know.

    The readers find all other faults.
    """
    try:
        header = JsonLine(1, record.partition("\n")[0])
        named, at = header.get_texts("bots"), header.get_text("match")
    except RecordError:
        return
    if at != match:
        raise ValueError("it is of another match")
    if named != (*bots,):
        raise ValueError("it names other bots than the seats of the match")


def _number(row: tuple[int, str]) -> int:
    return row[0]

"""Fingerprints of the matches: a digest of all records, and a hash chain that grows with them."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping

from bourre_referee.contest.stages import match_id


def digest(records: Iterable[str]) -> str:
    """Computes the SHA-256, in hexadecimal, of all records of a finished contest in schedule order."""
    whole = hashlib.sha256()
    for record in records:
        whole.update(record.encode())
    return whole.hexdigest()


def hash_of(record: str) -> bytes:
    """Computes the SHA-256 of one record."""
    return hashlib.sha256(record.encode()).digest()


class Chain:
    """A hash chain over the finished matches, up to the first gap in the schedule.

    It starts from `Manifest.chain_start`. Each link is SHA-256(previous link + SHA-256(record)).
    """

    def __init__(self, start: str, missing: Collection[int] = ()) -> None:
        """`missing` has the numbers of matches that will never be played, which are not gaps."""
        self.length = 0
        """The number of the last match in the chain."""
        self._missing = missing
        self._link = bytes.fromhex(start)

    def __str__(self) -> str:
        return self._link.hex()

    def extend(self, record_hashes: Mapping[str, bytes]) -> None:
        """Adds the matches that follow; `record_hashes` maps match ids to the SHA-256 of their records."""
        while self._add_next(record_hashes):
            pass

    def links(self, record_hashes: Mapping[str, bytes]) -> Iterator[str]:
        """Extends it, and yields its value before and after each match."""
        yield str(self)
        while self._add_next(record_hashes):
            yield str(self)

    def _add_next(self, record_hashes: Mapping[str, bytes]) -> bool:
        """Adds the next match; returns False if it is not finished."""
        number = self._next()
        if (record_hash := record_hashes.get(match_id(number))) is None:
            return False
        self._link = hashlib.sha256(self._link + record_hash).digest()
        self.length = number
        return True

    def _next(self) -> int:
        number = self.length + 1
        while number in self._missing:
            number += 1
        return number

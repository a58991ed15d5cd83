"""Two fingerprints of what was played: one of the whole, one that grows with it."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping

from bourre_referee.contest.stages import match_id


def digest(records: Iterable[str]) -> str:
    """SHA-256, in hexadecimal, over all records of a finished contest in schedule order."""
    whole = hashlib.sha256()
    for record in records:
        whole.update(record.encode())
    return whole.hexdigest()


def hash_of(record: str) -> bytes:
    """SHA-256 of one record."""
    return hashlib.sha256(record.encode()).digest()


class Chain:
    """The hash chain over the finished matches, from the first to the first gap in the schedule.

    It begins with the commitment to the seed; each link is SHA-256(link before + SHA-256(record)).
    """

    def __init__(self, commitment: str, missing: Collection[int] = ()) -> None:
        """`missing`: places in the schedule that are no gaps, since nothing will ever be there."""
        self.length = 0
        """Places that it has gone past."""
        self._missing = missing
        self._link = bytes.fromhex(commitment)

    def __str__(self) -> str:
        return self._link.hex()

    def extend(self, record_hashes: Mapping[str, bytes]) -> None:
        """Takes in the matches after its end; each match id has the SHA-256 of its record."""
        while (record_hash := record_hashes.get(match_id(self._next()))) is not None:
            self._link = hashlib.sha256(self._link + record_hash).digest()
            self.length = self._next()

    def _next(self) -> int:
        number = self.length + 1
        while number in self._missing:
            number += 1
        return number

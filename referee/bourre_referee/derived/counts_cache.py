"""Keeps the counts from the records of a large run.

To replay a record takes fifty times as long as to read its counts. A hash binds the counts of a match to its record.
Counts of another record or version, or damaged ones, are ignored, and the record is counted again.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from importlib.metadata import version
from io import BytesIO
from typing import NamedTuple

from pydantic import TypeAdapter, ValidationError

from bourre_referee.derived.result_cache import ResultCache, key_of
from bourre_referee.model.errors import ContestError
from bourre_referee.statistics.match_counts import MatchCounts, count_record
from bourre_referee.storage.database.packed_records import PackedRecord
from bourre_referee.storage.files.process_pool import map_in_order, worthwhile_jobs
from bourre_referee.storage.files.untrusted_files import LONGEST_LINE
from bourre_referee.storage.run.run import Run

KIND = "counts-3"
"""The kind of these results, with the version of the counts. Raise it when their meaning changes."""

_COUNTS = TypeAdapter(MatchCounts)
_LINE = re.compile(rb"([1-9][0-9]{0,8}) ([0-9a-f]{64}) ({.*})\n")
"""The number of a match, the hash of its record, and its counts."""


class Counted(NamedTuple):
    """The counts from the record of the match with this number."""

    number: int
    hash: str
    """The hash of the record, as in `PackedRecord`."""
    counts: MatchCounts


def counted_matches(
    run: Run, numbers: Sequence[int], cache: ResultCache, jobs: int | None = None
) -> Generator[Counted, None, None]:
    """Yields the counts of each of these matches: first the kept ones, then new ones, which it also keeps.

    The numbers are in order. If `jobs` is None, it chooses the number of processes. Raises ContestError for a damaged
    or missing record.
    """
    cache = cache.of_run(run)
    packed = cache.read(KIND, key_of(run)) or b""
    kept = _KeptLines(packed, _record_hashes(run, numbers) if packed else {}, frozenset(run.bots))
    found: set[int] = set()
    for counted in kept.counted():
        found.add(counted.number)
        yield counted
    if missing := [number for number in numbers if number not in found]:
        new = BytesIO()
        try:
            with gzip.open(new, "wb") as file, closing(_count(run, missing, jobs)) as counting:
                for counted in counting:
                    yield counted
                    file.write(_line(counted))
        finally:  # even if a later record is damaged, or the user interrupts
            cache.write(KIND, key_of(run), kept.packed() + new.getvalue())


def _record_hashes(run: Run, numbers: Sequence[int]) -> dict[int, str]:
    """Reads the records of these matches and returns the hash of each, by number."""
    with closing(run.packed_records(numbers)) as records:
        return {record.number: record.hash for record in records}


def _count(run: Run, numbers: Sequence[int], jobs: int | None) -> Generator[Counted, None, None]:
    """Counts in the records of these matches, in several processes if there are many."""
    jobs = jobs or worthwhile_jobs(len(numbers) * run.manifest.terms.deals)
    found = 0
    with (
        closing(run.packed_records(numbers)) as records,
        closing(map_in_order(_count_packed, records, jobs)) as counting,
    ):
        for record, counts in counting:
            found += 1
            yield Counted(record.number, record.hash, counts)
    if found < len(numbers):
        raise ContestError(f"{run.place}: a match was annulled during the count.\nhint: run the command again")


def _count_packed(record: PackedRecord) -> MatchCounts:
    return count_record(record.text())


class _KeptLines:
    """The lines of a file that agree with the records of the requested matches, and those of other matches."""

    def __init__(self, packed: bytes, hashes: Mapping[int, str], bots: frozenset[str]) -> None:
        self._packed = packed
        self._hashes = hashes
        self._bots = bots
        self._useless = 0
        """How many lines are obsolete."""

    def counted(self) -> Iterator[Counted]:
        """Yields the kept counts of the requested matches."""
        return (counted for _, counted in self._useful() if counted)

    def packed(self) -> bytes:
        """Returns the useful lines, packed. They must have been read."""
        if self._packed and not self._useless:
            return self._packed
        return gzip.compress(_maker() + b"".join(line for line, _ in self._useful()))

    def _useful(self) -> Iterator[tuple[bytes, Counted | None]]:
        self._useless = 0
        lines, found = _unpack(self._packed), set[int]()
        if next(lines, b"") != _maker():
            self._useless, lines = 1, iter(())
        for line in lines:
            match = _LINE.fullmatch(line)
            number = int(match[1]) if match else 0
            counted = self._read(number, match) if match and number in self._hashes else None
            if match is None or number in found or (number in self._hashes and counted is None):
                self._useless += 1
            else:
                found.add(number)
                yield line, counted

    def _read(self, number: int, line: re.Match[bytes]) -> Counted | None:
        """Reads a line. None unless it agrees with the record."""
        record_hash = line[2].decode()
        if self._hashes[number] != record_hash:
            return None
        try:
            counts = _COUNTS.validate_json(line[3], strict=True)
        except ValidationError:
            return None
        return Counted(number, record_hash, counts) if _fits(counts, self._bots) else None


def _line(counted: Counted) -> bytes:
    try:
        counts = _COUNTS.dump_json(counted.counts)
    except ValueError:  # a name that is not valid Unicode
        return b""
    return b"%d %s %s\n" % (counted.number, counted.hash.encode(), counts)


def _fits(counts: MatchCounts, bots: frozenset[str]) -> bool:
    """Returns whether these are counts of these bots, with a row and a column for each."""
    return (
        bots.issuperset(counts.style.bots)
        and bots.issuperset(counts.rules.bots)
        and all(
            bots.issuperset(flow.bots) and {len(flow.bots)} == {len(flow.chips), *map(len, flow.chips)}
            for flow in counts.flows
        )
    )


def _unpack(packed: bytes) -> Iterator[bytes]:
    """Yields the lines of a file up to the first damage."""
    with gzip.open(BytesIO(packed)) as file, suppress(OSError, EOFError, zlib.error):
        while line := file.readline(LONGEST_LINE):
            yield line


def _maker() -> bytes:
    return f"bourre {version('bourre')}\n".encode()

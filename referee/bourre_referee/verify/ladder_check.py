"""Check an epoch of a ladder, while the ladder goes on: its log, its matches, and that one follows from the other."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bourre_referee.contest.stages import match_id, match_number
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.host.ladder_storage import LOG
from bourre_referee.ladder.log.events import LadderError
from bourre_referee.ladder.log.lines import Lines
from bourre_referee.ladder.pairing.matchmaking import opened
from bourre_referee.ladder.pairing.pairing_check import check_pairings
from bourre_referee.model.errors import ContestError
from bourre_referee.verify.difference import Difference, check
from bourre_referee.verify.ladder_log import LoggedEpoch, LoggedRooms, LogReading
from bourre_referee.verify.published import Published, check_hashes, hashes_of
from bourre_referee.verify.run_source import is_ladder, source_of
from bourre_referee.verify.verify import Advance, VerifiedRun, verify


@dataclass(frozen=True, slots=True)
class VerifiedEpoch:
    """An epoch in which the check found no difference, as far as it can be checked."""

    number: int
    rated: VerifiedRun
    unrated: VerifiedRun
    rooms: int
    """How many rooms the log called in this epoch."""
    challenges: int
    """How many of them an owner asked for, so that they were not paired."""
    taken_back: Mapping[str, str]
    """Why the host took back rated matches, by match: no rating on the board counts them."""
    terms: Mapping[str, str]
    """The ladder's own terms when the epoch was opened, by key; empty in a log that does not have them."""
    lines: int
    """How many lines of the log were read."""
    head: str
    """The hash of the last one."""
    met: frozenset[str]
    """Those of the published hashes that lines of the log have."""

    @property
    def paired_again(self) -> bool:
        """Whether its rooms were paired again, which takes its seed."""
        return self.rated.seed_known


def verify_epoch(
    folder: Path,
    number: int,
    published: Sequence[Published] = (),
    jobs: int | None = None,
    advance: Advance = lambda *_: None,
) -> VerifiedEpoch:
    """Check the log, the epoch's rated and unrated matches, and that they are those of the rooms paired there.

    The log is read before the matches and again after them, because the host logs a room before it can be stored, and
    its end afterwards. Raises the first Difference, and ContestError if there is no such epoch.
    """
    if not is_ladder(folder):
        raise ContestError(f"{folder}: there is no ladder in it ({LOG}): give a ladder's folder, or leave out --epoch")
    before = LoggedEpoch(number)
    ladder = LadderFolder(folder)
    head = _read_to_end(ladder.lines, before)
    if before.opened is None:
        last = before.state.epoch
        there = f"there are 1 to {last}" if last else "none was opened yet"
        raise ContestError(f"{folder}: it has no epoch {number}: {there}")
    rated, unrated = (verify(source_of(ladder.epoch(number, rated=kind)), jobs, advance) for kind in (True, False))
    after = LoggedEpoch(number)
    wanted = {head, *(value for hashes in published for value in hashes.values())}
    reading = LogReading(ladder.lines, after, wanted)
    _pair_again(reading, number, rated)
    if head not in reading.met:
        raise Difference(f"{LOG}: it was written anew while it was read")
    _check_terms(rated, unrated, after)
    _RoomCheck("rated", rated, before.rated, after.rated).check(after.closed is not None)
    _RoomCheck("unrated", unrated, before.unrated, after.unrated).check(after.closed is not None)
    _check_end(rated, unrated, before, after)
    rooms, met = len(after.rated.line_ups) + len(after.unrated.line_ups), frozenset(reading.met)
    taken_back = {match_id(match): reason for match, reason in sorted(after.rated.taken_back.items())}
    terms = dict(after.terms.others) if after.terms else {}
    lines, head = reading.reader.lines, reading.reader.head
    verified = VerifiedEpoch(number, rated, unrated, rooms, after.challenges, taken_back, terms, lines, head, met)
    for hashes in published:
        check_hashes(_hashes_of(verified), hashes)
    return verified


@contextmanager
def _differences() -> Iterator[None]:
    """Turn what cannot have happened in a ladder into a difference."""
    try:
        yield
    except LadderError as error:
        raise Difference(f"{LOG}: {error}") from error


def _read_to_end(lines: Lines, epoch: LoggedEpoch) -> str:
    """Read the log as far as it goes; return the hash of its last line."""
    reading = LogReading(lines, epoch)
    with _differences():
        for _ in reading.events():
            pass
    return reading.reader.head


def _pair_again(reading: LogReading, number: int, rated: VerifiedRun) -> None:
    """Read the log to its end, and pair its rooms again if the epoch's seed is revealed."""
    revealed = rated.manifest.seed.revealed
    seeds = {number: bytes.fromhex(revealed)} if revealed else {}
    with _differences():
        for wrong in check_pairings(reading.events(), seeds):
            raise Difference(f"{LOG}: {wrong}")


def _check_terms(rated: VerifiedRun, unrated: VerifiedRun, logged: LoggedEpoch) -> None:
    """Check that both seeds are those that the log commits to, and the tables those of the ladder."""
    if logged.opened:
        seed, other = rated.manifest.seed, unrated.manifest.seed
        check("the commitment of the rated rooms, by the log,", seed.commitment, logged.opened.commitment)
        check("the commitment of the unrated rooms, by the log,", other.commitment, logged.opened.unrated_commitment)
    if logged.terms:
        for run in (rated, unrated):
            check("the hash of the terms of a table, by the log,", run.manifest.terms.hash, logged.terms.tables)
    check("the seats at a rated table, by the log,", rated.manifest.terms.seats, opened(logged.state).seats)


@dataclass(frozen=True, slots=True)
class _RoomCheck:
    """Compares the matches of an epoch with the rooms that its log called, read before and after them."""

    kind: str
    verified: VerifiedRun
    before: LoggedRooms
    after: LoggedRooms

    def check(self, closed: bool) -> None:
        """Raise the first Difference; `closed`: by the log, read afterwards, the epoch is."""
        self._check_line_ups()
        stored = {match_number(match) for match in self.verified.matches}
        given_up = set(self.verified.manifest.given_up)
        self._check_none(self.before.finished - stored, "by the log it is finished, but it is not stored")
        self._check_none(given_up - self.after.voided, "it was given up, but by the log it is not void")
        if self.verified.manifest.complete:
            self._check_none(self.after.voided - given_up, "by the log it is void, but it was not given up")
        if closed:
            self._check_none(stored - self.after.finished, "it is stored, but by the log it never finished")

    def _check_line_ups(self) -> None:
        manifest, called = self.verified.manifest, self.after.line_ups
        listed = [room for pairing in manifest.added for room in pairing.line_ups or ()]
        for number, (found, true) in enumerate(zip(listed, called, strict=False), start=1):
            check(f"the line-up of this {self.kind} match, by the log,", found, true, match_id(number))
        if len(listed) > len(called) or (manifest.complete and len(listed) < len(called)):
            check(f"the number of {self.kind} rooms, by the log,", len(listed), len(called))

    def _check_none(self, numbers: Collection[int], text: str) -> None:
        if numbers:
            raise Difference(f"in the {self.kind} rooms: {text}", match_id(min(numbers)))


def _check_end(rated: VerifiedRun, unrated: VerifiedRun, before: LoggedEpoch, after: LoggedEpoch) -> None:
    """Check that an epoch that is closed by the log is complete, with the digests that the log has."""
    if before.closed and not (rated.manifest.complete and unrated.manifest.complete):
        raise Difference("by the log the epoch is closed, but it is not complete")
    if after.closed and rated.digest and unrated.digest:
        check("the digest of the rated matches, by the log,", rated.digest, after.closed.digest)
        found = unrated.digest if unrated.matches else ""
        check("the digest of the unrated matches, by the log,", found, after.closed.unrated_digest)


def _hashes_of(verified: VerifiedEpoch) -> dict[str, Collection[str | None]]:
    rated, unrated = hashes_of(verified.rated), hashes_of(verified.unrated)
    ever = {kind: {*rated[kind], *unrated[kind]} for kind in rated}
    return {**ever, "log": ever["log"] | verified.met}

"""Check a run's log: each entry follows from the one before, from the terms then in force, and from the records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from bourre_referee.contest.stages import match_id
from bourre_referee.model.stored import ORGANISER, DiscardedMatch
from bourre_referee.storage.digest import Chain, hash_of
from bourre_referee.storage.log_entry import SITTINGS, LogEntry
from bourre_referee.storage.manifest import Manifest
from bourre_referee.verify.difference import Difference, check
from bourre_referee.verify.match_check import is_moment

RecordHashes = Mapping[str, bytes]
"""The SHA-256 of each finished match's record, by match id."""

MOST_ENTRIES = 10_000
"""A log that is longer is refused, because its chains would take too long to compute."""


@dataclass(frozen=True, slots=True)
class CheckedLog:
    """What was public at some time of this run, as far as its log and its records prove it."""

    chains: frozenset[str] = frozenset()
    """Every value that the chain had, or passed through."""
    heads: tuple[str, ...] = ()
    """The hash of each entry of the log."""
    terms: tuple[str, ...] = field(default=())
    """The commitments to the terms, in the order in which they were in force."""


def check_log(manifest: Manifest, records: RecordHashes, voids: Sequence[DiscardedMatch]) -> CheckedLog:
    """Check the log of a run whose matches are checked; raises Difference at the first entry that is wrong.

    A run begun by an older version has no log: nothing then commits it to its terms.
    """
    log, terms = manifest.log, tuple(terms_over_time(manifest))
    if len(log) > MOST_ENTRIES:
        raise Difference(f"manifest.json: the log has {len(log):,} entries, more than {MOST_ENTRIES:,}")
    _check_links(log)
    _check_terms(manifest, terms)
    _check_voids(log, [void for void in voids if void.by == ORGANISER], records)
    _check_end(manifest)
    return CheckedLog(_check_chains(manifest, records, voids), tuple(entry.hash() for entry in log), terms)


def terms_over_time(manifest: Manifest) -> Iterator[str]:
    """Yield the commitment to the terms of each field of bots, in the order of play."""
    for stage in manifest.closed:
        if stage.schedule.kind != "neighbours":  # an adaptive round, which follows from the terms and the results
            terms = manifest.terms.model_copy(update={"bots": stage.bots, "schedule": stage.schedule})
            yield manifest.model_copy(update={"terms": terms}).terms_hash
    yield manifest.terms_hash


def _check_links(log: Sequence[LogEntry]) -> None:
    previous = None
    for number, entry in enumerate(log, start=1):
        place = _place(number, entry)
        check(f"{place}: the hash of the entry before it", entry.previous, previous)
        if not is_moment(entry.at):
            raise Difference(f"{place}: the time is {entry.at!r}, which is not ISO 8601 in UTC to the second")
        check(f"{place}: whether a run begins with it", entry.event == "begun", number == 1)
        check(f"{place}: whether it names a match", entry.voided is not None, entry.event == "voided")
        check(f"{place}: whether it has a digest", entry.digest is not None, entry.event == "finished")
        previous = entry.hash()


def _check_terms(manifest: Manifest, terms: Sequence[str]) -> None:
    """Check that every entry commits to the terms that the manifest has for that time."""
    stage, log = 0, manifest.log
    for number, entry in enumerate(log, start=1):
        stage += entry.event == "bots changed"
        if stage == len(terms):
            raise Difference(f"{_place(number, entry)}: the bots of before are missing in `closed`")
        check(f"{_place(number, entry)}: the commitment to the terms", entry.terms, terms[stage])
    if log:
        check("manifest.json: how often bots joined or left, by the log,", stage, len(terms) - 1)
        sitting = [entry for entry in log if entry.event in SITTINGS][-1]
        check("manifest.json: the versions", manifest.versions, sitting.versions)


def _check_voids(log: Sequence[LogEntry], voids: Sequence[DiscardedMatch], records: RecordHashes) -> None:
    """Check that the log and the database tell of the same voided matches."""
    if not log:
        return
    told = [(entry.voided.match, entry.voided.attempt, entry.voided.reason, entry.at) for entry in log if entry.voided]
    stored = [(void.match, void.attempt, void.reason, void.at) for void in voids]
    if log[-1].voided and log[-1].voided.match in records and told[-1] not in stored:
        told.pop()  # killed before the database said so too: the next run voids the match
    for found in told:
        if found not in stored:
            raise Difference("the log of manifest.json says that it was voided, but no such attempt is stored", found[0])
    for kept in stored:
        if kept not in told:
            raise Difference("an attempt was voided, but the log of manifest.json does not tell of it so", kept[0])


def _check_end(manifest: Manifest) -> None:
    """Check that a run is finished if, and only if, its log ends with that."""
    if not manifest.log:
        return
    check("manifest.json: whether the log ends with a finished run", manifest.log[-1].event == "finished", manifest.complete)
    if manifest.complete:
        last = manifest.log[-1]
        check("manifest.json: the digest in the log", last.digest, manifest.digest)
        check("manifest.json: the chain in the log", last.chain, manifest.chain)
    ended = any(entry.event == "finished" for entry in manifest.log)
    if manifest.terms.seed is None and manifest.seed.revealed and not ended:
        raise Difference("manifest.json: the secret seed is revealed, but the log tells of no finished run")


def _check_chains(manifest: Manifest, records: RecordHashes, voids: Sequence[DiscardedMatch]) -> frozenset[str]:
    """Check that every entry's chain is one of the records of its time; return all values of the chain.

    Before a match was voided, the chain went through the record that is now void.
    """
    log, found = manifest.log, set[str]()
    then = {(void.match, void.attempt): hash_of(void.record) for void in voids if void.record is not None}
    known, places, last = dict(records), _places(manifest, records), 0
    found |= places.keys()
    for number, entry in reversed(list(enumerate(log, start=1))):
        place = places.get(entry.chain)
        if place is None or (number < len(log) and place > last and not log[number].voided):
            raise Difference(f"{_place(number, entry)}: the chain is {entry.chain!r}, which no records of that time have")
        check(f"{_place(number, entry)}: whether so many matches were finished", entry.finished >= place, True)
        last = place
        if entry.voided and (before := then.get((entry.voided.match, entry.voided.attempt))):
            known |= {entry.voided.match: before}
            places = _places(manifest, known)
            found |= places.keys()
            last = len(places)
    return frozenset(found)


def _places(manifest: Manifest, records: RecordHashes) -> dict[str, int]:
    """Map every value of the chain over these records to the number of matches that it covers."""
    chain = Chain(manifest.chain_start, [number for number in manifest.missing if match_id(number) not in records])
    return {link: place for place, link in enumerate(chain.links(records))}


def _place(number: int, entry: LogEntry) -> str:
    return f"manifest.json: entry {number} of the log ({entry.event})"

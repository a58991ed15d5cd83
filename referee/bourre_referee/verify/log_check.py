"""Checks a run's log: each entry follows from the entry before, from the terms at that time, and from the records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bourre_referee.contest.stages import match_id
from bourre_referee.model.stored import ORGANISER, DiscardedMatch
from bourre_referee.storage.files.digest import Chain, hash_of
from bourre_referee.storage.run.log_entry import SITTINGS, LogEntry
from bourre_referee.storage.run.manifest import Manifest, with_bots
from bourre_referee.verify.difference import Difference, check
from bourre_referee.verify.match_check import is_moment

RecordHashes = Mapping[str, bytes]
"""The SHA-256 of each finished match's record, by match id."""

MOST_ENTRIES = 10_000
"""A longer log is refused, because its chains would take too long to compute."""


@dataclass(frozen=True, slots=True)
class CheckedLog:
    """The public hashes at any time of this run, as far as its log and its records prove them."""

    chains: frozenset[str] = frozenset()
    """Every value that the chain had, or passed through."""
    heads: tuple[str, ...] = ()
    """The hash of each entry of the log."""
    terms: tuple[str, ...] = ()
    """The commitments to the terms, in order of time."""


def check_log(manifest: Manifest, records: RecordHashes, voids: Sequence[DiscardedMatch]) -> CheckedLog:
    """Checks the log of a run whose matches are checked. Raises Difference at the first wrong entry.

    A run begun by an older version has no log, so nothing commits it to its terms.
    """
    log = manifest.log
    if not log:
        return CheckedLog(frozenset(_places(manifest, records)))
    if len(log) > MOST_ENTRIES:
        raise Difference(f"manifest.json: the log has {len(log):,} entries, more than {MOST_ENTRIES:,}")
    terms = tuple(_terms_over_time(manifest))
    _check_links(log)
    _check_terms(manifest, terms)
    _check_voids(log, [void for void in voids if void.by == ORGANISER], records)
    _check_end(manifest)
    return CheckedLog(_check_chains(manifest, records, voids), tuple(entry.hash() for entry in log), terms)


def _terms_over_time(manifest: Manifest) -> Iterator[str]:
    """Yields the commitment to the terms of each field of bots, in the order of play."""
    for number, stage in enumerate(manifest.closed):
        if stage.schedule.kind != "neighbours":  # an adaptive round follows from terms and results
            terms = manifest.terms.model_copy(update={"bots": stage.bots, "schedule": stage.schedule})
            yield from _terms_of_stage(manifest.model_copy(update={"terms": terms}), number)
    yield from _terms_of_stage(manifest, len(manifest.closed))


def _terms_of_stage(manifest: Manifest, number: int) -> Iterator[str]:
    """Yields the commitments to the terms of a stage, before and after each replacement of bots."""
    terms, found = manifest.terms, [manifest.terms_hash]
    for replaced in reversed([each for each in manifest.replaced or () if each.closed == number]):
        terms = terms.model_copy(update={"bots": with_bots(terms.bots, replaced.bots)})
        found.append(manifest.model_copy(update={"terms": terms}).terms_hash)
    yield from reversed(found)


def _check_links(log: Sequence[LogEntry]) -> None:
    previous = None
    for number, entry in enumerate(log, start=1):
        place = _place(number, entry)
        check(f"{place}: the hash of the entry before it", entry.previous, previous)
        if not is_moment(entry.at):
            raise Difference(f"{place}: the time is {entry.at!r}, which is not ISO 8601 in UTC to the second")
        if (entry.event == "begun") != (number == 1):
            raise Difference(f"{place}: a run begins once, with the first entry")
        if (entry.voided is None) == (entry.event == "voided") or (entry.digest is None) == (entry.event == "finished"):
            raise Difference(f"{place}: only a voided match may have the key voided, and only a finished run a digest")
        previous = entry.hash()


def _check_terms(manifest: Manifest, terms: Sequence[str]) -> None:
    """Checks that every entry commits to the terms in the manifest for that time."""
    field, log = 0, manifest.log
    for number, entry in enumerate(log, start=1):
        field += entry.event == "bots changed"
        true = terms[field] if field < len(terms) else None
        check(f"{_place(number, entry)}: the commitment to the terms", entry.terms, true)
    check("manifest.json: the number of times that bots changed", len(terms) - 1, field)
    sittings = [entry for entry in log if entry.event in SITTINGS]
    check("manifest.json: the versions", manifest.versions, sittings[-1].versions)


def _check_voids(log: Sequence[LogEntry], voids: Sequence[DiscardedMatch], records: RecordHashes) -> None:
    """Checks that the log and the database contain the same voided matches."""
    told = [(entry.voided.match, entry.voided.attempt, entry.voided.reason, entry.at) for entry in log if entry.voided]
    stored = [(void.match, void.attempt, void.reason, void.at) for void in voids]
    if log[-1].voided and told[-1] not in stored and log[-1].voided.match in records:
        told.pop()  # it was killed before it updated the database, and the next run voids the match
    for match, attempt, *_ in set(told).difference(stored):
        raise Difference(f"attempt {attempt} is voided in the log of manifest.json, but not in the database", match)
    for match, attempt, *_ in set(stored).difference(told):
        raise Difference(f"attempt {attempt} is voided in the database, but not in the log of manifest.json", match)


def _check_end(manifest: Manifest) -> None:
    """Checks that the log ends with `finished` if, and only if, the run is finished."""
    last, secret = manifest.log[-1], manifest.terms.seed is None
    if manifest.complete:
        check("manifest.json: the last event in the log of a finished run", last.event, "finished")
        check("manifest.json: the digest in the log", last.digest, manifest.digest)
        check("manifest.json: the chain in the log", last.chain, manifest.chain)
    elif last.event == "finished":
        raise Difference("manifest.json: the log says that the run is finished, but the digest is missing")
    if secret and manifest.seed.revealed and all(entry.event != "finished" for entry in manifest.log):
        raise Difference("manifest.json: the secret seed is revealed, but the log says that the run was never finished")


def _check_chains(manifest: Manifest, records: RecordHashes, voids: Sequence[DiscardedMatch]) -> frozenset[str]:
    """Checks that every entry's chain follows from the records of its time, and returns all values of the chain.

    Before a match was voided, the chain went through the record that is now void.
    """
    voided = {(void.match, void.attempt): hash_of(void.record) for void in voids if void.record is not None}
    known, places = dict(records), _places(manifest, records)
    found, most = {*places}, len(places)
    for number, entry in reversed(list(enumerate(manifest.log, start=1))):
        place = places.get(entry.chain, most)
        if place >= most:
            raise Difference(f"{_place(number, entry)}: its chain {entry.chain!r} does not follow from the records")
        if entry.finished < place:
            raise Difference(f"{_place(number, entry)}: it has {entry.finished} finished matches, its chain {place}")
        most = place + 1
        if entry.voided:
            if before := voided.get((entry.voided.match, entry.voided.attempt)):
                known[entry.voided.match] = before
                places = _places(manifest, known)
                found.update(places)
            most = len(places)
    return frozenset(found)


def _places(manifest: Manifest, records: RecordHashes) -> dict[str, int]:
    """Maps every value of the chain over these records to the number of matches that it covers."""
    missing = [number for number in manifest.missing if match_id(number) not in records]
    links = Chain(manifest.chain_start, missing).links(records)
    return {link: place for place, link in enumerate(links)}


def _place(number: int, entry: LogEntry) -> str:
    return f"manifest.json: entry {number} of the log ({entry.event})"

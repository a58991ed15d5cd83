"""Appends to a run's log, in the same write of the manifest as what it tells of."""

from __future__ import annotations

from datetime import datetime

from bourre_referee.storage.run.log_entry import SITTINGS, Event, LogEntry, Voided
from bourre_referee.storage.run.manifest import Manifest, Seed, Terms, rating_method
from bourre_referee.storage.run.seed_commitment import commitment
from bourre_referee.storage.run.versions import versions


def begin_run(name: str, terms: Terms, master: bytes, matches: int, now: datetime) -> Manifest:
    """Commits a new run to its terms: they are where its chain starts, and its log gets its first entry."""
    public = terms.seed is not None
    manifest = Manifest(
        contest=name,
        versions=versions(),
        seed=Seed(
            note="practice seed, not secret" if public else "secret until all matches are done",
            commitment=commitment(master),
            revealed=master.hex() if public else None,
        ),
        terms=terms,
        matches=matches,
        finished=0,
        digest=None,
        chain=commitment(master),
    )
    begun = manifest.model_copy(update={"ratings": rating_method(manifest.anchors), "chain": manifest.terms_hash})
    return begun.model_copy(update={"log": (_entry(begun, "begun", now),)})


def log_event(manifest: Manifest, event: Event, now: datetime, voided: Voided | None = None) -> Manifest:
    """Returns the manifest with this event in its log; a run begun by an older version has no log and gets none."""
    if not manifest.log:
        return manifest
    entry = _entry(manifest, event, now, voided)
    played_by = {"versions": entry.versions} if event in SITTINGS else {}
    return manifest.model_copy(update={"log": (*manifest.log, entry), **played_by})


def _entry(manifest: Manifest, event: Event, now: datetime, voided: Voided | None = None) -> LogEntry:
    return LogEntry(
        event=event,
        at=now.isoformat(timespec="seconds"),
        versions=versions(),
        terms=manifest.terms_hash,
        finished=manifest.finished,
        chain=manifest.chain,
        voided=voided,
        digest=manifest.digest,
        previous=manifest.log_head,
    )

"""Writes a run: its manifest, its matches and, at the end, its standings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

from bourre_referee.contest.stages import match_number
from bourre_referee.model.errors import ContestError
from bourre_referee.model.results import MatchResult
from bourre_referee.model.spec import MatchOutcome
from bourre_referee.model.stored import ORGANISER, DiscardedMatch
from bourre_referee.storage.database.store import Finished, Store
from bourre_referee.storage.files.digest import Chain, digest
from bourre_referee.storage.run.log_entry import SITTINGS, Event, LogEntry, Voided
from bourre_referee.storage.run.manifest import Manifest, Seed, Terms, rating_method
from bourre_referee.storage.run.model_terms import ReachedCap
from bourre_referee.storage.run.run_location import RunLocation
from bourre_referee.storage.run.seed_commitment import commitment
from bourre_referee.storage.run.versions import versions


def begin_run(name: str, terms: Terms, master: bytes, matches: int, now: datetime) -> Manifest:
    """Returns the manifest of a new run. The chain starts from its terms, and the log has its first entry."""
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
    """Returns the manifest with this event in its log. A run of an older version has no log and gets none."""
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


class RunWriter:
    """Writes the run of a contest, or of an epoch of a ladder, in a place that this process holds.

    It writes `manifest.json`, the matches in `run.db`, and `standings.json` at the end; rooms write `logs/`.

    Each written manifest has the count and the chain of the stored matches.
    """

    def __init__(self, place: RunLocation, store: Store, manifest: Manifest) -> None:
        _finish_void(store, manifest)
        self.manifest = manifest
        """The manifest as last written. The matches may be ahead of it."""
        self.finished = store.record_hashes()
        """The hash of each finished match's record, by match."""
        self.lost = Counter(store.attempts())
        """The number of void attempts at each match."""
        self._place = place
        self._store = store
        self._missing = set(manifest.missing)
        self._chain = Chain(manifest.chain_start, self._missing)

    def add(self, *outcomes: MatchOutcome) -> None:
        """Stores finished matches, all or none."""
        matches = [outcome.result.match for outcome in outcomes]
        numbered = zip(matches, outcomes, strict=True)
        self._store.add(*(Finished(match_number(match), self.lost[match] + 1, outcome) for match, outcome in numbered))
        hashes = (outcome.packed.sha256 for outcome in outcomes if outcome.packed)
        self.finished.update(zip(matches, hashes, strict=True))

    def lose(self, matches: Sequence[str], reason: str) -> None:
        """Stores a failed attempt at these matches."""
        last_line = reason.strip().rpartition("\n")[2].strip()  # of a traceback, the last line has the error
        at = datetime.now(UTC).isoformat(timespec="seconds")
        self._store.add_lost(matches, last_line, at, secret_was_revealed(self.manifest))
        self.lost.update(matches)

    def void(self, match: str, reason: str, now: datetime) -> DiscardedMatch:
        """Annuls a finished match at the time `now`, in UTC, and removes the standings."""
        attempt, revealed = self.lost[match] + 1, secret_was_revealed(self.manifest)
        at, record = now.isoformat(timespec="seconds"), self._store.record(match)
        discarded = DiscardedMatch(match, attempt, ORGANISER, reason, at, revealed, record)
        del self.finished[match]
        self._chain = Chain(self.manifest.chain_start, self._missing)
        # The manifest comes first, so that the next run can repair the folder if this process is killed.
        voided = Voided(match=match, attempt=attempt, reason=reason)
        self._write(log_event(self._updated(digest=None), "voided", now, voided))
        _remove_standings(self._place)
        self._store.void(discarded)
        self.lost[match] = attempt
        return discarded

    def save(self, **news: object) -> None:
        """Writes the manifest with these values."""
        self._write(self._updated(**news))

    def reach(self, caps: Mapping[str, str]) -> tuple[ReachedCap, ...]:
        """Writes the caps that stopped language models, by model, into the manifest. Returns the new ones."""
        known = self.manifest.caps or ()
        reached = tuple(ReachedCap(model=model, cap=cap) for model, cap in caps.items())
        new = tuple(each for each in reached if each not in known)
        if new:
            self.save(caps=(*known, *new))
        return new

    def log(self, event: Event) -> None:
        """Writes the manifest with this event in its log."""
        self._write(log_event(self._updated(), event, datetime.now(UTC)))

    def count_again(self) -> None:
        """Reads which matches are stored, because an interruption may have come before the count."""
        self.finished = self._store.record_hashes()

    def finish(self, standings: Callable[[Manifest, Sequence[MatchResult]], str], master: bytes) -> None:
        """Writes the standings, then the manifest, which completes the run and reveals the seed."""
        complete = self._updated(digest=digest(self._store.records()))
        self._place.write_standings(standings(complete, self._store.results()))
        revealed = complete.model_copy(update={"seed": _reveal(complete.seed, master)})
        self._write(log_event(revealed, "finished", datetime.now(UTC)))

    def seal(self) -> None:
        """Removes the secret seed, which the manifest now reveals, and makes the database a single file."""
        self._place.remove_seed()
        self._store.seal()

    def _updated(self, **news: object) -> Manifest:
        """Returns the manifest with these values, and with the values that follow from the finished matches."""
        manifest = self.manifest.model_copy(update=news)
        self._missing.update(manifest.given_up)
        self._chain.extend(self.finished)
        return manifest.model_copy(update={"finished": len(self.finished), "chain": str(self._chain)})

    def _write(self, manifest: Manifest) -> None:
        self.manifest = manifest
        self._place.write_manifest(manifest)


def secret_was_revealed(manifest: Manifest) -> bool:
    """Whether the seed was secret and is now revealed, so that future cards can be known."""
    return manifest.terms.seed is None and manifest.seed.revealed is not None


def with_matches(manifest: Manifest, finished: Mapping[str, bytes]) -> Manifest:
    """Returns the manifest with the count and the chain of these matches, given their records' hashes."""
    chain = Chain(manifest.chain_start, manifest.missing)
    chain.extend(finished)
    return manifest.model_copy(update={"finished": len(finished), "chain": str(chain)})


def _reveal(seed: Seed, master: bytes) -> Seed:
    if seed.revealed:
        return seed
    return Seed(note="was secret, revealed at the end", commitment=seed.commitment, revealed=master.hex())


def _finish_void(store: Store, manifest: Manifest) -> None:
    """Annuls the match that the log lists as annulled, if a killed process left it in the database."""
    entry = manifest.log[-1] if manifest.log else None
    if entry is None or (voided := entry.voided) is None or store.attempts().get(voided.match, 0) >= voided.attempt:
        return
    if (record := store.record(voided.match)) is not None:
        revealed = secret_was_revealed(manifest)
        store.void(DiscardedMatch(voided.match, voided.attempt, ORGANISER, voided.reason, entry.at, revealed, record))


def _remove_standings(place: RunLocation) -> None:
    try:
        place.remove_standings()
    except OSError as error:
        hint = "remove it yourself, and run bourre annul again"
        raise ContestError(f"Cannot remove {error.filename}: {error.strerror}.\nhint: {hint}") from error

"""Writes a run: its manifest, its matches and, at the end, its standings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from bourre_referee.contest.stages import match_number
from bourre_referee.model.results import MatchResult
from bourre_referee.model.spec import MatchOutcome
from bourre_referee.storage.digest import Chain, digest, hash_of
from bourre_referee.storage.log_entry import Event
from bourre_referee.storage.manifest import Manifest, Seed
from bourre_referee.storage.run_location import RunLocation
from bourre_referee.storage.run_log import log_event
from bourre_referee.storage.store import Finished, Store
from bourre_referee.storage.void_match import finish_void, secret_was_revealed


class RunWriter:
    """Writes the run of a contest, or of an epoch of a ladder, in a place that this process holds.

    Whenever the manifest is written, its count and its chain are those of the matches that are stored by then.
    """

    def __init__(self, place: RunLocation, store: Store, manifest: Manifest, master: bytes) -> None:
        """`master` is the seed, 32 bytes."""
        finish_void(store, manifest)
        self.manifest = manifest
        """As last written; the matches may be ahead of it."""
        self.finished = store.record_hashes()
        """The hash of the record of each finished match, by match."""
        self.lost = Counter(store.attempts())
        """How many attempts at each match are void."""
        self._place = place
        self._store = store
        self._master = master
        self._missing = set(manifest.missing)
        self._chain = Chain(manifest.chain_start, self._missing)

    def add(self, *outcomes: MatchOutcome) -> None:
        """Stores finished matches, all or none of them."""
        matches = [outcome.result.match for outcome in outcomes]
        numbered = zip(matches, outcomes, strict=True)
        self._store.add(*(Finished(match_number(match), self.lost[match] + 1, outcome) for match, outcome in numbered))
        self.finished.update(zip(matches, (hash_of(outcome.record) for outcome in outcomes), strict=True))

    def lose(self, matches: Sequence[str], reason: str) -> None:
        """Stores that the host failed an attempt at these matches, which is void."""
        last_line = reason.strip().rpartition("\n")[2].strip()  # that of a traceback says what went wrong
        at = datetime.now(UTC).isoformat(timespec="seconds")
        self._store.add_lost(matches, last_line, at, secret_was_revealed(self.manifest))
        self.lost.update(matches)

    def save(self, **news: object) -> None:
        """Writes the manifest with these values."""
        self._write(self._updated(**news))

    def log(self, event: Event) -> None:
        """Writes the manifest, whose log tells of this event from now on."""
        self._write(log_event(self._updated(), event, datetime.now(UTC)))

    def count_again(self) -> None:
        """Reads which matches are stored: an interruption may have come before one of them was counted."""
        self.finished = self._store.record_hashes()

    def finish(self, standings: Callable[[Manifest, Sequence[MatchResult]], str]) -> None:
        """Writes the text of the standings, then the manifest, which reveals the seed and says that all is played."""
        complete = self._updated(digest=digest(self._store.records()))
        self._place.write_standings(standings(complete, self._store.results()))
        revealed = complete.model_copy(update={"seed": _reveal(complete.seed, self._master)})
        self._write(log_event(revealed, "finished", datetime.now(UTC)))

    def seal(self) -> None:
        """Removes the secret, which the manifest reveals by now, and makes the database a single file."""
        self._place.remove_seed()
        self._store.seal()

    def _updated(self, **news: object) -> Manifest:
        """Returns the manifest with these values, and with those that follow from the finished matches."""
        manifest = self.manifest.model_copy(update=news)
        self._missing.update(manifest.given_up)
        self._chain.extend(self.finished)
        return manifest.model_copy(update={"finished": len(self.finished), "chain": str(self._chain)})

    def _write(self, manifest: Manifest) -> None:
        self.manifest = manifest
        self._place.write_manifest(manifest)


def _reveal(seed: Seed, master: bytes) -> Seed:
    if seed.revealed:
        return seed
    return Seed(note="was secret, revealed at the end", commitment=seed.commitment, revealed=master.hex())

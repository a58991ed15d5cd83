"""Reads a run, for all reports about a contest."""

from __future__ import annotations

from collections.abc import Container, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bourre.notes import Usage
from bourre_referee.contest.stages import match_id, match_number
from bourre_referee.model.errors import ContestError
from bourre_referee.model.model_call import ModelCall
from bourre_referee.model.results import MatchResult
from bourre_referee.model.seat_remarks import SeatRemarks
from bourre_referee.model.stored import DiscardedMatch, StoredMatch
from bourre_referee.storage.database.match_reader import ReadMatch
from bourre_referee.storage.database.packed_records import PackedRecord
from bourre_referee.storage.database.store_reader import StoreReader
from bourre_referee.storage.run.manifest import Manifest, Seed
from bourre_referee.storage.run.missing_store import missing_store
from bourre_referee.storage.run.model_calls import ModelCalls
from bourre_referee.storage.run.run_location import RunLocation, model_calls_of, place_of


def seed_in_words(public: int | None, seed: Seed) -> str:
    """Describes the seed. `public` is the contest file's practice seed."""
    if public is not None:
        return f"practice seed {public}, not secret"
    return f"seed {seed.note}, SHA-256 {seed.commitment}"


def terms_in_words(manifest: Manifest) -> str | None:
    """Returns the hashes that commit the run to its terms and its log; None for a run without them."""
    return f"terms SHA-256 {manifest.terms_hash}, log {manifest.log_head}" if manifest.log else None


@dataclass(frozen=True, slots=True)
class Run:
    """A run, finished or not. Every method raises ContestError if the run is damaged."""

    place: RunLocation
    manifest: Manifest
    """The manifest as last written. A running or killed run may be ahead of it."""

    @classmethod
    def open(cls, place: Path | RunLocation) -> Run:
        """Opens the run in this folder or place; raises ContestError if there is none."""
        found = place_of(place)
        return cls(found, found.read_manifest())

    @property
    def path(self) -> Path:
        """The folder of its files on this machine. Raises ContestError for a run in a database."""
        if self.place.folder is None:
            raise ContestError(f"{self.place} is in a database.\nhint: run bourre copy with --to FOLDER")
        return self.place.folder

    @property
    def bots(self) -> tuple[str, ...]:
        """The names of all bots that ever took part, in the order of the contest file. Bots that left come last."""
        return self.manifest.bots

    def matches(self) -> tuple[str, ...]:
        """Returns the ids of the finished matches, in schedule order."""
        with self._store() as store:
            return tuple(match for match in store.record_hashes() if not self._is_later(match))

    def results(self) -> list[MatchResult]:
        """Returns the results of the finished matches, in schedule order."""
        with self._store() as store:
            results = [result for result in store.results() if not self._is_later(result.match)]
        self._check_bots(results)
        return results

    def new_matches(self, known: Sequence[int]) -> list[ReadMatch] | None:
        """Returns the finished matches whose numbers are not `known`, without records; None if a known one is missing.

        `known` is in order. It does not read known matches again.
        """
        with self._store(whole=not known) as store:
            found = store.new_matches(known, self.manifest.seed.commitment)
        new = [match for match in found or () if not self._is_later(match.stored.match)]
        self._check_bots([match.result for match in new])
        return None if found is None else new

    def fact_hashes(self) -> dict[int, bytes]:
        """Returns the hash of the facts of each finished match, by its number. The standings depend on these facts."""
        with self._store(whole=False) as store:
            found = store.fact_hashes(self.manifest.seed.commitment)
        return {number: facts for number, facts in found.items() if not self._is_later(match_id(number))}

    def _is_later(self, match: str) -> bool:
        """Whether a ladder's epoch added this match after its manifest was read."""
        called = self.manifest.rooms_called
        return called is not None and match_number(match) > called

    def _check_bots(self, results: Iterable[MatchResult]) -> None:
        bots = {*self.bots}
        for match in results:
            if strangers := {seat.bot for seat in match.seats} - bots:
                text = f"{min(strangers)!r} played match {match.match}, and manifest.json does not know this bot"
                raise ContestError(f"{self.place}: {text}.\nhint: restore run.db and manifest.json from a backup")

    def record(self, match: str) -> str:
        """Returns the record of a finished match in JSON lines. Raises ContestError with the finished matches."""
        with self._store() as store:
            record = store.record(match)
            if record is None:
                finished = list(store.record_hashes())
                there = f"{finished[0]} to {finished[-1]}, {len(finished)} in all" if finished else "none so far"
                raise ContestError(f"{self.place} has no finished match {match!r}. Finished: {there}")
            return record

    def remarks(self, match: str) -> tuple[SeatRemarks, ...]:
        """Returns the bots' notes and usage in one match, by seat; empty if there are none."""
        with self._store(whole=False) as store:
            return store.remarks(match, self.manifest.seed.commitment)

    def noted_matches(self, bot: str) -> tuple[str, ...]:
        """Returns the ids of the matches with this bot's notes, in schedule order."""
        with self._store(whole=False) as store:
            return store.noted_matches(bot, self.manifest.seed.commitment)

    def published_remarks(self, match: str) -> tuple[SeatRemarks, ...]:
        """Returns the public notes and usage in one match, with the calls of models: none while the seed is secret."""
        if not self.shows_remarks:
            return ()
        remarks = self.remarks(match)
        if not (remarks and self.manifest.models):
            return remarks
        [seats] = (result.seats for result in self.results() if result.match == match)
        return self.with_calls([seat.bot for seat in seats], remarks)

    def with_calls(self, bots: Sequence[str], remarks: tuple[SeatRemarks, ...]) -> tuple[SeatRemarks, ...]:
        """Returns the remarks of these bots with the calls of their language models, if the run's folder has them."""
        if (path := self._model_calls) is None:
            return remarks
        with ModelCalls(path) as calls:
            return tuple(map(calls.beside, bots, remarks))

    def other_calls(self, known: Container[int]) -> Generator[ModelCall, None, None]:
        """Yields the calls of language models without these numbers: none while the seed is secret."""
        if self.shows_remarks and (path := self._model_calls):
            with ModelCalls(path) as calls:
                yield from calls.others(known)

    @property
    def _model_calls(self) -> Path | None:
        """The calls of language models, if the run's folder has them."""
        path = model_calls_of(self.place)
        return path if self.manifest.models and path and path.exists() else None

    def usage(self) -> dict[str, Usage]:
        """Returns each bot's reported usage in the finished matches."""
        with self._store() as store:
            return store.usage()

    def published_usage(self) -> dict[str, Usage]:
        """Returns the public usage: none while the seed is secret."""
        return self.usage() if self.shows_remarks else {}

    @property
    def publishes_usage(self) -> bool:
        """Whether `published_usage` has any."""
        if not (self.shows_remarks and self.place.has_store()):
            return False
        with self._store(whole=False) as store:
            return store.has_usage(self.manifest.seed.commitment)

    @property
    def shows_remarks(self) -> bool:
        """Whether notes and usage are public, which they are not while the seed is secret."""
        return self.manifest.terms.seed is not None or self.manifest.seed.revealed is not None

    def stored_matches(self) -> Generator[StoredMatch, None, None]:
        """Yields the finished matches as stored, in schedule order, a few at a time."""
        with self._store() as store, closing(store.stored_matches()) as matches:
            yield from (match for match in matches if not self._is_later(match.match))

    def packed_records(self, numbers: Sequence[int]) -> Generator[PackedRecord, None, None]:
        """Yields the packed records of the finished matches among these, which are in order."""
        with self._store(whole=False) as store, closing(store.packed_records(numbers)) as records:
            yield from records

    def voids(self) -> list[DiscardedMatch]:
        """Returns the discarded matches, in schedule order."""
        if not self.place.has_store():
            return []
        with self._store(whole=False) as store:
            voids = store.voids(self.manifest.seed.commitment)
        return sorted(voids, key=lambda void: (match_number(void.match), void.attempt))

    def _store(self, whole: bool = True) -> StoreReader:
        """Opens the database. With `whole`, it checks every cell."""
        place = self.place
        if not place.has_store():
            raise missing_store(place, self.manifest)
        return place.open_store(self.manifest.seed.commitment if whole else None)

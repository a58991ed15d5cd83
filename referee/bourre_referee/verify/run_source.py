"""Reads a run for verification, from its folder or from an export."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Protocol

from bourre_referee.contest.stages import is_match_id, match_number
from bourre_referee.export.export_reader import ExportFolder
from bourre_referee.ladder.host.ladder_storage import DATABASE, LOG
from bourre_referee.model.errors import ContestError, DamagedFile, DamagedLine, DamagedValue
from bourre_referee.model.stored import DiscardedMatch, StoredMatch
from bourre_referee.storage.database.store_reader import StoreReader
from bourre_referee.storage.run.bot_archive import archive_problems
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.manifest import File, Manifest
from bourre_referee.storage.run.run_location import RunLocation, place_of
from bourre_referee.text.names import printable
from bourre_referee.verify.difference import Difference, check


class Source(Protocol):
    """The stored data of a run. Every method raises ContestError if it cannot be read."""

    @property
    def grows(self) -> bool:
        """Returns whether matches may be added during the check."""

    def manifest(self) -> Manifest:
        """Reads the manifest."""

    def standings(self) -> str | None:
        """Reads the text of `standings.json`. None if it does not exist."""

    def archived(self, files: Sequence[File]) -> bool:
        """Returns whether the bots' files are there. Raises Difference if they are not these files."""

    def voids(self) -> Iterable[DiscardedMatch]:
        """Reads the discarded matches."""

    def matches(self) -> Generator[StoredMatch, None, None]:
        """Yields the finished matches in schedule order, a few at a time."""


def is_ladder(folder: Path) -> bool:
    """Returns whether this is the folder of a ladder, with its log in a file or in a database."""
    return any((folder / name).exists() for name in (LOG, DATABASE))


def source_of(place: Path | RunLocation) -> Source:
    """Opens the run or the export in this place. Raises ContestError if it holds neither, or both."""
    found = place_of(place)
    if not isinstance(found, FolderLocation):
        return RunSource(found)
    folder = found.folder
    if is_ladder(folder):
        raise ContestError(
            f"{folder} is a ladder, not a run.\nhint: run bourre ladder verify {quote(str(folder))}, or add --epoch 1"
        )
    export = ExportFolder(folder)
    if export.exists and found.has_store():
        raise ContestError(
            f"{folder} contains both a run ({found.database.name}) and an export.\nhint: move one to another folder"
        )
    return ExportSource(export) if export.exists else RunSource(found)


@dataclass(frozen=True, slots=True)
class ExportSource:
    """An exported run. Its methods raise Difference for a corrupt value."""

    export: ExportFolder
    grows: bool = False

    def manifest(self) -> Manifest:
        """Reads `manifest.json`."""
        with _report_damage():
            return self.export.manifest()

    def standings(self) -> str | None:
        """Reads `standings.json`."""
        return self.export.standings()

    def archived(self, files: Sequence[File]) -> bool:
        """Returns False, because an export never has these files."""
        return False

    def voids(self) -> Iterable[DiscardedMatch]:
        """Reads `voids.jsonl`."""
        with _report_damage():
            return self.export.voids()

    def matches(self) -> Generator[StoredMatch, None, None]:
        """Reads `matches.jsonl`."""
        with _report_damage(), closing(self.export.matches()) as matches:
            yield from matches
            self.export.check_rest()


@contextmanager
def _report_damage() -> Iterator[None]:
    try:
        yield
    except (DamagedFile, DamagedLine) as error:
        raise Difference(error.text) from error


@dataclass(frozen=True, slots=True)
class RunSource:
    """A run in its folder, or in a database."""

    place: RunLocation
    grows: bool = True

    def manifest(self) -> Manifest:
        """Reads `manifest.json`. Raises Difference if the database belongs to another run, or is ahead of it."""
        with _report_damage():
            manifest = self.place.read_manifest()
        if self.place.has_store():
            with self._store() as store:
                name, commitment = store.contest()
                stored = store.record_hashes() if manifest.rooms_called is not None else {}
            manifest = self._check_listed(manifest, stored)
            check(f"{self._name}: the contest that it belongs to", name, manifest.contest)
            check(f"{self._name}: the commitment", commitment, manifest.seed.commitment)
        return manifest

    def _check_listed(self, before: Manifest, stored: Iterable[str]) -> Manifest:
        """Reads the manifest again, checks that a ladder's epoch lists every stored match, and returns it."""
        if before.rooms_called is None:
            return before
        with _report_damage():
            manifest = self.place.read_manifest()
        for match in stored:
            if not is_match_id(match) or match_number(match) > (manifest.rooms_called or 0):
                raise Difference(f"{match!r} is stored, but manifest.json has only {manifest.rooms_called} rooms")
        return manifest

    def standings(self) -> str | None:
        """Reads `standings.json`."""
        return self.place.read_standings()

    def archived(self, files: Sequence[File]) -> bool:
        """Checks the folder `bots`, which a copy may leave out."""
        if self.place.folder is None or not (bots := FolderLocation(self.place.folder).bots).exists():
            return False
        for problem in archive_problems(files, bots):
            raise Difference(f"bots: {printable(problem)}")
        return True

    def voids(self) -> Iterable[DiscardedMatch]:
        """Reads the table `void`."""
        if not self.place.has_store():
            return ()
        with self._store() as store:
            return store.voids()

    def matches(self) -> Generator[StoredMatch, None, None]:
        """Reads the table `match` and the tables that belong to it."""
        if not self.place.has_store():
            return
        with self._store() as store, closing(store.stored_matches()) as matches:
            yield from matches
            store.check_contents()  # covers data outside the records, such as the timings of a seat

    @property
    def _name(self) -> str:
        """The name of the database in a difference."""
        return self.place.database_file.name if self.place.database_file else "the database"

    @contextmanager
    def _store(self) -> Iterator[StoreReader]:
        """Opens the database. Raises Difference for a corrupt value."""
        try:
            with self.place.open_store(None) as store:
                yield store
        except DamagedValue as error:
            raise Difference(f"{self._name}: {error.text}", error.match) from error

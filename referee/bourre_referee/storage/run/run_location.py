"""The location of a run: a folder, or a contest in a database."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from bourre_referee.storage.files.address_text import is_address

if TYPE_CHECKING:
    from bourre_referee.storage.database.store import Store
    from bourre_referee.storage.database.store_reader import StoreReader
    from bourre_referee.storage.files.waiting import Waiting
    from bourre_referee.storage.run.manifest import Manifest


class RunLocation(Protocol):
    """The place of a run. `str` gives its name for messages and commands. Every method raises ContestError."""

    @property
    def manifest(self) -> object:
        """The manifest's name in messages."""

    @property
    def seed(self) -> object:
        """The secret seed's name in messages."""

    @property
    def database(self) -> object:
        """The database's name in messages."""

    @property
    def folder(self) -> Path | None:
        """The folder on this machine for logs, archived bots and tokens; None if unknown."""

    @property
    def database_file(self) -> Path | None:
        """The file with all finished matches; None for a database server."""

    def make(self) -> None:
        """Makes the place ready for a run."""

    def hold(self, patience: Waiting | None = None) -> AbstractContextManager[RunLocation]:
        """Keeps other processes from writing, and yields the place for writing.

        If another process writes, a database waits for its end with `patience`. Without `patience`, and in a folder,
        this raises ContestError.
        """

    def clear(self) -> None:
        """Removes the run, and nothing else."""

    def has_manifest(self) -> bool:
        """Whether the run has begun."""

    def read_manifest(self) -> Manifest:
        """Reads the manifest; raises ContestError if it is missing or damaged."""

    def manifest_bytes(self) -> bytes:
        """Reads the manifest as it is stored."""

    def write_manifest(self, manifest: Manifest) -> None:
        """Replaces the manifest as a whole."""

    def read_standings(self) -> str | None:
        """Reads the final standings as stored; None if there are none, or they are not UTF-8."""

    def write_standings(self, text: str) -> None:
        """Replaces the final standings."""

    def remove_standings(self) -> None:
        """Removes the final standings."""

    def has_seed(self) -> bool:
        """Whether there is a secret seed."""

    def draw_seed(self, public: int | None) -> bytes:
        """Returns the 32 bytes of a public seed, or of the secret seed, which it draws if there is none."""

    def keep_seed(self, master: bytes) -> None:
        """Stores a secret seed that was drawn elsewhere."""

    def remove_seed(self) -> None:
        """Removes the secret seed."""

    def has_store(self) -> bool:
        """Whether matches can be stored."""

    def open_store(self, commitment: str | None) -> StoreReader:
        """Opens the finished matches of the contest with this commitment; None accepts any, and checks no cell."""

    def open_to_write(self, commitment: str) -> Store:
        """Opens the finished matches of the contest with this commitment, to add others."""

    def create_store(self, name: str, commitment: str) -> Store:
        """Creates the store of the contest of this name and seed, and opens it for writing."""

    def state(self) -> object:
        """Returns a value that differs after every change. It is quick, and never raises."""


def place_of(place: Path | RunLocation) -> RunLocation:
    """Returns the place of the run in a folder. Returns a place unchanged."""
    if not isinstance(place, Path):
        return place
    from bourre_referee.storage.run.folder_location import (
        FolderLocation,  # imported here, because commands without a run import this module
    )

    return FolderLocation(place)


def model_calls_of(place: RunLocation) -> Path | None:
    """Returns the path of the calls of a run's language models; None if its folder is unknown."""
    from bourre_referee.storage.run.folder_location import FolderLocation  # as above

    return FolderLocation(place.folder).model_calls if place.folder else None


def parse_place(text: str) -> RunLocation:
    """Reads the path of a run folder or the address of a contest in a database; raises ContestError."""
    if not is_address(text):
        return place_of(Path(text))
    from bourre_referee.storage.database.postgres.database_address import parse_contest
    from bourre_referee.storage.run.database_location import DatabaseLocation

    return DatabaseLocation(parse_contest(text))


def place_in_database(url: str, contest: str, folder: Path | None = None) -> RunLocation:
    """Returns the place of a contest in this database, with a folder for its logs; raises ContestError."""
    from bourre_referee.storage.database.postgres.database_address import ContestAddress, parse_database
    from bourre_referee.storage.run.database_location import DatabaseLocation

    return DatabaseLocation(ContestAddress(parse_database(url), contest), folder and folder.absolute())

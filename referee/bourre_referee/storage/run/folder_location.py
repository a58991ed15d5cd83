"""The files of a run folder."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bourre_referee.model.errors import ContestError
from bourre_referee.storage.database.sqlite_connection import BESIDE, is_ours
from bourre_referee.storage.database.store import Store
from bourre_referee.storage.database.store_reader import StoreReader
from bourre_referee.storage.files import atomic
from bourre_referee.storage.files.file_stamp import Stamp, stamp_of
from bourre_referee.storage.files.untrusted_files import check_regular, read, read_text_if_exists
from bourre_referee.storage.files.waiting import Waiting
from bourre_referee.storage.files.wrong_folder import no_run
from bourre_referee.storage.run.manifest import Manifest
from bourre_referee.storage.run.manifest_reader import parse_manifest
from bourre_referee.storage.run.seed_commitment import master_of, write_master


@contextmanager
def hold_lock(path: Path) -> Iterator[None]:
    """Locks this file, which names the holder. The system releases the lock when the holder dies.

    Raises ContestError if another process holds it or it cannot be used.
    """
    check_regular(path)
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
    except OSError as error:
        raise ContestError(
            f"Cannot write {path}: {error.strerror}.\nhint: check its permissions and the free disk space"
        ) from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise ContestError(_in_use(path, os.read(handle, 20).decode("ascii", errors="replace"))) from error
        os.ftruncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(handle)


def _in_use(path: Path, holder: str) -> str:
    process = f"process {holder.strip()}" if holder.strip() else "another process"
    return f"{path.parent}: {process} is playing this contest.\nhint: wait for it, or use another folder"


@dataclass(frozen=True, slots=True)
class FolderLocation:
    """The paths in a run folder."""

    folder: Path

    def __str__(self) -> str:
        return str(self.folder)

    @property
    def database(self) -> Path:
        """The database of finished matches."""
        return self.folder / "run.db"

    @property
    def database_file(self) -> Path:
        """The file with all finished matches, `database`."""
        return self.database

    @property
    def manifest(self) -> Path:
        """The terms and the progress of the contest."""
        return self.folder / "manifest.json"

    @property
    def standings(self) -> Path:
        """The final standings."""
        return self.folder / "standings.json"

    @property
    def seed(self) -> Path:
        """The secret seed, until the contest ends."""
        return self.folder / "seed.secret"

    @property
    def lock(self) -> Path:
        """The lock of the process that plays."""
        return self.folder / "run.lock"

    @property
    def temp_dir_note(self) -> Path:
        """The file that names the run's temporary folder."""
        return self.folder / "run.scratch"

    @property
    def tokens(self) -> Path:
        """The hashes of the remote bots' tokens. `--fresh` keeps them."""
        return self.folder / "tokens.json"

    @property
    def port_file(self) -> Path:
        """The port of the listener, if the contest file leaves it open. `--fresh` keeps it."""
        return self.folder / "run.port"

    @property
    def rooms(self) -> Path:
        """The rooms in play, while a referee plays."""
        return self.folder / "run.rooms"

    @property
    def model_calls(self) -> Path:
        """The calls of language models, if the contest has any."""
        return self.folder / "model_calls.db"

    @property
    def logs(self) -> Path:
        """The bots' output: `<bot>/<room>.log`."""
        return self.folder / "logs"

    @property
    def bots(self) -> Path:
        """The archive of the bots' files, if there is one. Each is named by its SHA-256."""
        return self.folder / "bots"

    @contextmanager
    def hold(self, patience: Waiting | None = None) -> Iterator[FolderLocation]:
        """Locks the run. It never waits for another process, which may play for hours."""
        with hold_lock(self.lock):
            yield self

    def has_manifest(self) -> bool:
        """Whether a run was begun."""
        return self.manifest.exists()

    def manifest_bytes(self) -> bytes:
        """Reads the manifest as it is stored."""
        return read(self.manifest)

    def read_standings(self) -> str | None:
        """Reads the final standings as stored; None if there are none, or they are not UTF-8."""
        return read_text_if_exists(self.standings)

    def write_standings(self, text: str) -> None:
        """Replaces the final standings atomically."""
        atomic.write(self.standings, text)

    def remove_standings(self) -> None:
        """Removes the final standings."""
        self.standings.unlink(missing_ok=True)

    def has_seed(self) -> bool:
        """Whether there is a secret seed."""
        return self.seed.exists()

    def draw_seed(self, public: int | None) -> bytes:
        """Returns the bytes of a public seed, or of the secret seed, which it draws if there is none."""
        return master_of(public, self.seed)

    def keep_seed(self, master: bytes) -> None:
        """Stores a secret seed that was drawn elsewhere."""
        write_master(master, self.seed)

    def remove_seed(self) -> None:
        """Removes the secret seed."""
        self.seed.unlink(missing_ok=True)

    def has_store(self) -> bool:
        """Whether the database exists."""
        return self.database.exists()

    def open_store(self, commitment: str | None) -> StoreReader:
        """Opens the database of the contest with this commitment; None accepts any, and checks no cell."""
        return StoreReader.open(self.database, commitment)

    def open_to_write(self, commitment: str) -> Store:
        """Opens the database of the contest with this commitment for writing."""
        return Store.open(self.database, commitment)

    def create_store(self, name: str, commitment: str) -> Store:
        """Creates the database of the contest of this name and seed, and opens it for writing."""
        return Store.create(self.database, name, commitment)

    def state(self) -> tuple[Stamp | None, ...]:
        """Returns identity, size and time of the files that change with every match."""
        files = self.manifest, self.database, self.database.with_name(f"{self.database.name}-wal")
        return tuple(map(stamp_of, files))

    def read_manifest(self) -> Manifest:
        """Reads the manifest; raises ContestError if it is missing or damaged."""
        try:
            text = read(self.manifest)
        except PermissionError as error:
            raise ContestError(
                f"Cannot read {self.manifest}: {error.strerror}.\nhint: check its permissions"
            ) from error
        except OSError as error:
            raise no_run(self.folder) from error
        return parse_manifest(text, self.manifest)

    def write_manifest(self, manifest: Manifest) -> None:
        """Replaces the manifest atomically."""
        atomic.write(self.manifest, f"{manifest.model_dump_json(indent=2)}\n")

    def make(self) -> None:
        """Makes the folder. Raises ContestError if it has other content, or if its path is taken."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            others = sorted(path.name for path in self.folder.iterdir() if path.name not in self._before_a_run())
        except OSError as error:
            text = f"cannot be a run folder ({error.strerror}).\nhint: set another with --out"
            raise ContestError(f"{self.folder}: {text}") from error
        if others and not self._is_run():
            raise ContestError(f"{self.folder} contains {others[0]}, but no run.\nhint: set a new folder with --out")

    def clear(self) -> None:
        """Removes a run's files and nothing else. Call `make` first, which refuses other folders."""
        try:
            for folder in (self.logs, self.bots):
                if folder.exists():
                    shutil.rmtree(folder)
            # The manifest goes last, because it identifies the folder as a run.
            files = [self.model_calls, self.standings, self.seed, self.database, self.manifest]
            for file in [*self._beside(self.model_calls), *self._beside(self.database), *files]:
                file.unlink(missing_ok=True)
        except OSError as error:
            raise ContestError(
                f"Cannot remove {error.filename}: {error.strerror}.\nhint: remove it yourself"
            ) from error

    def _before_a_run(self) -> set[str]:
        """Names the files that exist briefly before the manifest, or remain after a power failure."""
        return {
            self.lock.name,
            self.temp_dir_note.name,
            self.seed.name,
            f"{self.seed.name}.new",
            f"{self.manifest.name}.new",
            self.bots.name,
            self.tokens.name,
            f"{self.tokens.name}.new",
            f"{self.tokens.name}.lock",
            self.port_file.name,
            f"{self.port_file.name}.new",
        }

    def _beside(self, database: Path) -> list[Path]:
        return [database.with_name(database.name + end) for end in (*BESIDE, ".new", ".new-journal")]

    def _is_run(self) -> bool:
        try:
            return is_ours(self.database) or bool(self.read_manifest())
        except ContestError:  # some other program's manifest.json
            return False

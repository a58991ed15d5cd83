"""The files of a run folder: their names, the lock, the manifest."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from bourre_referee.model.errors import ContestError, DamagedFile
from bourre_referee.storage import atomic
from bourre_referee.storage.manifest import Manifest
from bourre_referee.storage.sqlite_connection import BESIDE, is_ours
from bourre_referee.storage.untrusted_files import check_regular, read, repeated_key


@contextmanager
def hold_lock(path: Path) -> Iterator[None]:
    """Holds this lock file, which names the holder; the system releases it when the holder dies.

    Raises ContestError if another process holds it or it cannot be used.
    """
    check_regular(path)
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
    except OSError as error:
        raise ContestError(
            f"{path}: cannot be written ({error.strerror}): check its permissions and the free disk space, or give "
            "another folder with --out"
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
    return f"{path.parent}: {process} is playing this contest; wait for it, stop it, or give another folder with --out"


@dataclass(frozen=True, slots=True)
class Layout:
    """The paths in a run folder."""

    folder: Path

    @property
    def database(self) -> Path:
        """The database of finished matches."""
        return self.folder / "run.db"

    @property
    def manifest(self) -> Path:
        """The terms of the contest, and how far the run is."""
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
        """The hashes of the remote bots' tokens; `--fresh` keeps them."""
        return self.folder / "tokens.json"

    @property
    def door_port(self) -> Path:
        """The port where remote bots connect, if the contest file leaves it open; `--fresh` keeps it."""
        return self.folder / "run.port"

    @property
    def logs(self) -> Path:
        """What the bots printed: `<bot>/<room>.log`."""
        return self.folder / "logs"

    @property
    def bots(self) -> Path:
        """The bots' files, if the contest keeps them: each is named by its SHA-256."""
        return self.folder / "bots"

    def read_manifest(self) -> Manifest:
        """Reads the manifest; raises ContestError if it is missing or damaged."""
        try:
            text = read(self.manifest)
            manifest = Manifest.model_validate_json(text)
        except PermissionError as error:
            raise ContestError(f"{self.manifest}: cannot be read ({error.strerror}): check its permissions") from error
        except OSError as error:
            raise ContestError(
                f"{self.folder}: there is no run in it ({error.strerror}: manifest.json); give a run folder"
            ) from error
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"])) or "the file"
            raise ContestError(
                f"{self.manifest}: {where}: {first['msg']}; restore a copy, or start again with --fresh"
            ) from error
        if said := repeated_key(text):
            raise DamagedFile(self.manifest, said)
        return manifest

    def write_manifest(self, manifest: Manifest) -> None:
        """Replaces the manifest atomically."""
        atomic.write(self.manifest, f"{manifest.model_dump_json(indent=2)}\n")

    def make(self) -> None:
        """Makes the folder; raises ContestError if something else is in its place, or in it."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            others = sorted(path.name for path in self.folder.iterdir() if path.name not in self._before_a_run())
        except OSError as error:
            text = f"cannot be a run folder ({error.strerror}); give another with --out"
            raise ContestError(f"{self.folder}: {text}") from error
        if others and not self._is_run():
            raise ContestError(f"{self.folder}: it holds {others[0]}, but no run; give a new folder with --out")

    def clear(self) -> None:
        """Removes a run's files and nothing else; call `make` first, which refuses a folder that is no run."""
        try:
            for folder in (self.logs, self.bots):
                if folder.exists():
                    shutil.rmtree(folder)
            # The manifest goes last, because it identifies the folder as a run.
            for file in [*self._beside(self.database), self.standings, self.seed, self.database, self.manifest]:
                file.unlink(missing_ok=True)
        except OSError as error:
            raise ContestError(f"{error.filename}: cannot be removed ({error.strerror}); remove it yourself") from error

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
            self.door_port.name,
            f"{self.door_port.name}.new",
        }

    def _beside(self, database: Path) -> list[Path]:
        return [database.with_name(database.name + end) for end in (*BESIDE, ".new", ".new-journal")]

    def _is_run(self) -> bool:
        try:
            return is_ours(self.database) or bool(self.read_manifest())
        except ContestError:  # some other program's manifest.json
            return False

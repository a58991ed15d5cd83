"""Which file of a run folder holds what."""

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
def locked(path: Path) -> Iterator[None]:
    """Holds this lock file, which names the holder; the system lets go of it when the holder dies.

    ContestError when another process holds it, or it cannot be used.
    """
    check_regular(path)
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
    except OSError as error:
        raise ContestError(
            f"{path}: cannot be written ({error.strerror}): make room on the disk or change the rights, or give "
            "another folder with --out"
        ) from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise ContestError(_held(path, os.read(handle, 20).decode("ascii", errors="replace"))) from error
        os.ftruncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(handle)


def _held(path: Path, holder: str) -> str:
    process = f"process {holder.strip()}" if holder.strip() else "another process"
    return f"{path.parent}: {process} is playing this contest; wait for it, stop it, or give another folder with --out"


@dataclass(frozen=True, slots=True)
class Layout:
    """The places in a run folder."""

    folder: Path

    @property
    def database(self) -> Path:
        """The finished matches."""
        return self.folder / "run.db"

    @property
    def manifest(self) -> Path:
        """The terms, and how far the run is."""
        return self.folder / "manifest.json"

    @property
    def standings(self) -> Path:
        """The standings at the end."""
        return self.folder / "standings.json"

    @property
    def seed(self) -> Path:
        """A secret seed until the end."""
        return self.folder / "seed.secret"

    @property
    def lock(self) -> Path:
        """Held by the process that plays."""
        return self.folder / "run.lock"

    @property
    def scratch(self) -> Path:
        """Names the folder of what is needed only while the run plays."""
        return self.folder / "run.scratch"

    @property
    def logs(self) -> Path:
        """What the bots printed: `<bot>/<room>.log`."""
        return self.folder / "logs"

    def read_manifest(self) -> Manifest:
        """The manifest; ContestError when it is missing or damaged."""
        try:
            text = read(self.manifest)
            manifest = Manifest.model_validate_json(text)
        except PermissionError as error:
            raise ContestError(f"{self.manifest}: cannot be read ({error.strerror}): change its rights") from error
        except OSError as error:
            raise ContestError(f"{self.folder}: there is no run in it ({error.strerror}: manifest.json)") from error
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"])) or "the file"
            raise ContestError(
                f"{self.manifest}: {where}: {first['msg']}; put a copy back, or start again with --fresh"
            ) from error
        if said := repeated_key(text):
            raise DamagedFile(self.manifest, said)
        return manifest

    def write_manifest(self, manifest: Manifest) -> None:
        """Replaces the manifest, whole."""
        atomic.write(self.manifest, f"{manifest.model_dump_json(indent=2)}\n")

    def make(self) -> None:
        """Makes the folder; ContestError when there is something else in its place, or in it."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            others = sorted(path.name for path in self.folder.iterdir() if path.name not in self._before_a_run())
        except OSError as error:
            text = f"cannot be a run folder ({error.strerror}); give another with --out"
            raise ContestError(f"{self.folder}: {text}") from error
        if others and not self._is_run():
            raise ContestError(f"{self.folder}: it holds {others[0]} and no run; give a new folder with --out")

    def clear(self) -> None:
        """Removes what a run left here, and nothing else; call `make` first, which refuses what is no run."""
        try:
            if self.logs.exists():
                shutil.rmtree(self.logs)
            # The manifest last: by it the folder is known until then.
            for file in [*self._beside(self.database), self.standings, self.seed, self.database, self.manifest]:
                file.unlink(missing_ok=True)
        except OSError as error:
            raise ContestError(f"{error.filename}: cannot be removed ({error.strerror}); remove it yourself") from error

    def _before_a_run(self) -> set[str]:
        """What is there for a moment before the manifest is, or stays when the power goes."""
        return {self.lock.name, self.scratch.name, self.seed.name, f"{self.seed.name}.new", f"{self.manifest.name}.new"}

    def _beside(self, database: Path) -> list[Path]:
        return [database.with_name(database.name + end) for end in (*BESIDE, ".new", ".new-journal")]

    def _is_run(self) -> bool:
        try:
            return is_ours(self.database) or bool(self.read_manifest())
        except ContestError:  # some other program's manifest.json
            return False

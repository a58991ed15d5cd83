"""The PEM files of a door, read again when they change: a contest may outlast its certificate."""

from __future__ import annotations

from bourre_referee.contest.listen import tls_problems
from bourre_referee.model.door_spec import Pems, TlsFiles
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.file_stamp import Stamp, stamp_of


class CertificateFiles:
    """Knows what a door shows: the files as last read, because files that cannot be used change nothing."""

    def __init__(self, files: TlsFiles) -> None:
        """Raises ContestError if the files cannot be used."""
        self._files = files
        self._seen = self._used = self._stamps()
        self.shown = self._read()

    def look(self) -> str:
        """Reads the files again if they changed; returns what to tell the organiser, if anything.

        A certificate and its key are written one after the other, so it waits until two looks have seen the same.
        Raises ContestError, once for each change, if the new files cannot be used.
        """
        before, self._seen = self._seen, self._stamps()
        if self._seen == self._used or self._seen != before:
            return ""
        self._used = self._seen
        try:
            now = self._read()
        except ContestError as error:
            raise ContestError(f"{error}; until then the door shows the certificate from before") from error
        if now == self.shown:
            return ""
        self.shown = now
        return f"{self._files.cert} has changed: the door shows the new certificate to whoever connects"

    def _read(self) -> Pems:
        paths = self._files.by_name
        for name, why in tls_problems(self._files):
            raise ContestError(f"{paths[name]}: {why}")
        try:
            return Pems(*(path.read_bytes() for path in paths.values()))
        except OSError as error:  # it was taken away just now
            raise ContestError(f"{error.filename}: {error.strerror}: restore it") from error

    def _stamps(self) -> list[Stamp | None]:
        return [stamp_of(path) for path in self._files.by_name.values()]

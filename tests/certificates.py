"""Certificates for tests, made by the `openssl` program: an authority, and certificates that it signs."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


@dataclass(frozen=True, slots=True)
class Certificate:
    """The PEM files of a certificate and its key."""

    cert: Path
    key: Path

    def end(self) -> datetime:
        """When it expires, as `openssl` reads it."""
        said = subprocess.run(
            ["openssl", "x509", "-enddate", "-noout", "-in", self.cert], check=True, capture_output=True, text=True
        )
        return datetime.strptime(said.stdout.strip(), "notAfter=%b %d %H:%M:%S %Y GMT").replace(tzinfo=UTC)


class Authority:
    """An authority with its files in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(exist_ok=True)
        self.own = self.self_signed("authority")
        self.ca = self.own.cert

    def self_signed(self, name: str) -> Certificate:
        """A certificate that vouches for itself, for localhost."""
        made = self._files(name)
        subject = ("-subj", f"/CN={name}", "-addext", "subjectAltName=DNS:localhost")
        _openssl("req", "-x509", *NEW_KEY, *subject, "-days", "30", "-keyout", made.key, "-out", made.cert)
        return made

    def signed(self, name: str, host: str = "localhost", days: int = 30) -> Certificate:
        """A certificate of this authority for a host; with fewer than 0 days it has expired."""
        made, request, names = self._files(name), self._folder / "request", self._folder / "names"
        names.write_text(f"subjectAltName=DNS:{host}")
        _openssl("req", *NEW_KEY, "-subj", f"/CN={name}", "-keyout", made.key, "-out", request)
        by = ("-CA", self.own.cert, "-CAkey", self.own.key, "-CAcreateserial", "-extfile", names)
        _openssl("x509", "-req", "-in", request, *by, "-days", str(days), "-out", made.cert)
        return made

    def _files(self, name: str) -> Certificate:
        return Certificate(self._folder / f"{name}.pem", self._folder / f"{name}.key")


def _openssl(*words: str | Path) -> None:
    subprocess.run(["openssl", *words], check=True, capture_output=True)

"""The files of an exported run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ExportLayout:
    """The paths in a folder of format `jsonl`."""

    folder: Path

    @property
    def manifest(self) -> Path:
        """The manifest, as in the run folder."""
        return self.folder / "manifest.json"

    @property
    def standings(self) -> Path:
        """The standings, as in the run folder."""
        return self.folder / "standings.json"

    @property
    def matches(self) -> Path:
        """The results: a line for each finished match."""
        return self.folder / "matches.jsonl"

    @property
    def timings(self) -> Path:
        """The times: a line for each finished match."""
        return self.folder / "timings.jsonl"

    @property
    def voids(self) -> Path:
        """The discarded attempts, a line for each."""
        return self.folder / "voids.jsonl"

    @property
    def readme(self) -> Path:
        """The note that explains the files."""
        return self.folder / "README.txt"

    @property
    def records(self) -> Path:
        """The folder of the records."""
        return self.folder / "records"

    @property
    def tables(self) -> Path:
        """The folder of the tables for other programs; it is never read back."""
        return self.folder / "tables"

    def record(self, match: str, void_attempt: int | None = None) -> Path:
        """Return the path of a match's record, or of a discarded attempt at it."""
        return self.records / f"{match}{f'.void{void_attempt}' if void_attempt else ''}.jsonl"

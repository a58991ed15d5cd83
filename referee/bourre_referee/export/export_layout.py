"""Which file of an exported run holds what."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Places:
    """The places in a folder of format `jsonl`."""

    folder: Path

    @property
    def manifest(self) -> Path:
        """As in the run folder."""
        return self.folder / "manifest.json"

    @property
    def standings(self) -> Path:
        """As in the run folder."""
        return self.folder / "standings.json"

    @property
    def matches(self) -> Path:
        """A line for each finished match."""
        return self.folder / "matches.jsonl"

    @property
    def timings(self) -> Path:
        """A line for each finished match."""
        return self.folder / "timings.jsonl"

    @property
    def voids(self) -> Path:
        """A line for each playing that does not count."""
        return self.folder / "voids.jsonl"

    @property
    def readme(self) -> Path:
        """What is what."""
        return self.folder / "README.txt"

    @property
    def records(self) -> Path:
        """The folder of the records."""
        return self.folder / "records"

    @property
    def tables(self) -> Path:
        """The folder of the tables, for other programs; nothing reads it back."""
        return self.folder / "tables"

    def record(self, match: str, void_attempt: int | None = None) -> Path:
        """The record of a match, or of a playing of it that was taken back."""
        return self.records / f"{match}{f'.void{void_attempt}' if void_attempt else ''}.jsonl"

"""An entry of a run's log. Each contains the hash of the previous one, so the last hash fixes the whole log."""

from __future__ import annotations

import hashlib
import json
from typing import Literal

from bourre_referee.storage.files.sound_values import Count, MatchId, Ordinal, Reason, Sha256, Words
from bourre_referee.storage.run.versions import ManifestPart, Versions

Event = Literal["begun", "continued", "bots changed", "voided", "finished"]

SITTINGS = ("begun", "continued", "bots changed")
"""The events after which matches are played."""


class Voided(ManifestPart):
    """The match that was annulled, and why."""

    match: MatchId
    attempt: Ordinal
    reason: Reason


class LogEntry(ManifestPart):
    """An event of a run, and the run's progress at that time."""

    event: Event
    at: Words
    """The time in ISO 8601, UTC."""
    versions: Versions
    """The versions of the software."""
    terms: Sha256
    """The commitment to the terms from this event on (`Manifest.terms_hash`)."""
    finished: Count
    """The number of finished matches."""
    chain: Sha256
    """The manifest's chain at that time."""
    voided: Voided | None = None
    digest: Sha256 | None = None
    """The digest of a finished run."""
    previous: Sha256 | None = None
    """The hash of the previous entry; None for the first."""

    def hash(self) -> str:
        """Computes the SHA-256 of this entry, in hexadecimal."""
        return hash_of_json(self.model_dump(mode="json"))


def hash_of_json(value: object) -> str:
    """Computes the SHA-256 of a JSON value in canonical form: without nulls, keys sorted, no spaces, ASCII.

    So a key that a later version adds, which is null in older folders, does not change their hashes.
    """
    text = json.dumps(_without_nulls(value), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _without_nulls(value: object) -> object:
    if isinstance(value, dict):
        return {key: _without_nulls(inner) for key, inner in value.items() if inner is not None}
    return [_without_nulls(inner) for inner in value] if isinstance(value, list) else value

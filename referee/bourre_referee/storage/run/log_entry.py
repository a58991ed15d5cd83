"""An entry of a run's log: the hash of each names the one before it, so that none can be changed or left out later."""

from __future__ import annotations

import hashlib
import json
from typing import Literal

from bourre_referee.storage.files.sound_values import Count, MatchId, Ordinal, Reason, Sha256, Words
from bourre_referee.storage.run.versions import ManifestPart, Versions

Event = Literal["begun", "continued", "bots changed", "voided", "finished"]

SITTINGS = ("begun", "continued", "bots changed")
"""The events after which matches are played, by the versions that the manifest names."""


class Voided(ManifestPart):
    """The match that was voided, and why."""

    match: MatchId
    attempt: Ordinal
    reason: Reason


class LogEntry(ManifestPart):
    """Something that happened to a run, and how far the run was."""

    event: Event
    at: Words
    """When, in ISO 8601, UTC."""
    versions: Versions
    """The software at work."""
    terms: Sha256
    """The commitment to the terms in force from then on (`Manifest.terms_hash`)."""
    finished: Count
    """How many matches were finished."""
    chain: Sha256
    """The manifest's chain at that time."""
    voided: Voided | None = None
    digest: Sha256 | None = None
    """The digest of a finished run."""
    previous: Sha256 | None = None
    """The hash of the entry before; None for the first."""

    def hash(self) -> str:
        """Computes the SHA-256 of this entry, in hexadecimal."""
        return hash_of_json(self.model_dump(mode="json"))


def hash_of_json(value: object) -> str:
    """Computes the SHA-256 of a JSON value in canonical form: without nulls, keys sorted, no spaces, ASCII.

    A key that a later version adds, null in older folders, so leaves their hashes as they are.
    """
    text = json.dumps(_without_nulls(value), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _without_nulls(value: object) -> object:
    if isinstance(value, dict):
        return {key: _without_nulls(inner) for key, inner in value.items() if inner is not None}
    return [_without_nulls(inner) for inner in value] if isinstance(value, list) else value

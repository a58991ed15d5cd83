"""Says why a run has no stored matches: it is an export, they were lost, or none is finished."""

from __future__ import annotations

from bourre_referee.model.errors import RESTORE, ContestError
from bourre_referee.storage.run.manifest import Manifest
from bourre_referee.storage.run.run_location import RunLocation


def missing_store(place: RunLocation, manifest: Manifest) -> ContestError:
    """Returns the error for a place without a store, which has this manifest."""
    if place.folder and (place.folder / "matches.jsonl").exists():
        return ContestError(f"{place} is an export, which only bourre verify reads.\nhint: pass the results folder")
    if manifest.finished:
        count = f"{manifest.finished} finished {'match' if manifest.finished == 1 else 'matches'}"
        return ContestError(f"{place.database} is missing, but the manifest lists {count}.\n{RESTORE}")
    return ContestError(f"{place} has no finished match yet.\nhint: run bourre run")

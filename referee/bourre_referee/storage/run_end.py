"""Ends a run: writes its standings, and says that it is complete."""

from __future__ import annotations

from datetime import datetime

from bourre_referee.statistics.ranking import standings
from bourre_referee.storage.digest import digest
from bourre_referee.storage.manifest import Manifest, Seed
from bourre_referee.storage.run_log import log_event
from bourre_referee.storage.run_place import RunPlace
from bourre_referee.storage.store import Store


def end_run(place: RunPlace, store: Store, manifest: Manifest, master: bytes, now: datetime) -> Manifest:
    """Writes the standings, then the manifest, which reveals the seed and says that the run is complete; returns it.

    `manifest` counts all finished matches, and its chain covers them.
    """
    whole = digest(store.records())
    terms, results = manifest.terms, store.results()
    table = standings(manifest.contest, terms.format, whole, results, manifest.bots, manifest.anchors)
    place.write_standings(f"{table.to_json()}\n")
    complete = manifest.model_copy(update={"digest": whole, "seed": _reveal(manifest.seed, master)})
    finished = log_event(complete, "finished", now)
    place.write_manifest(finished)
    return finished


def _reveal(seed: Seed, master: bytes) -> Seed:
    if seed.revealed:
        return seed
    return Seed(note="was secret, revealed at the end", commitment=seed.commitment, revealed=master.hex())

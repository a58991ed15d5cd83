"""The standings as they are given out: one JSON document, on the command line and by a server."""

from __future__ import annotations

import json
from collections.abc import Iterable

from bourre_referee.model.stored import ORGANISER, KeptVoid
from bourre_referee.statistics.standing import Standings
from bourre_referee.storage.manifest import Manifest


def published(manifest: Manifest, table: Standings, voids: Iterable[KeptVoid]) -> str:
    """The standings, and besides what does not follow from the records; no key where there is nothing of it."""
    secret = {"commitment": manifest.seed.commitment} if manifest.terms.seed is None else {}
    back = [
        {"match": void.match, "attempt": void.attempt, "reason": void.reason} for void in voids if void.by == ORGANISER
    ]
    besides = {"voids": back, "trusted": manifest.trusted}
    found = {key: value for key, value in besides.items() if value}
    return json.dumps(json.loads(table.to_json()) | secret | found, indent=2)

"""Compares a run with its earlier published hashes, so that nobody can play it again unnoticed."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files.untrusted_files import LONGEST_RECORD, read
from bourre_referee.storage.run.log_entry import hash_of_json
from bourre_referee.verify.difference import Difference
from bourre_referee.verify.verify import VerifiedRun

Published = Mapping[str, str]
"""Hashes in hexadecimal, by their kind: `commitment`, `terms`, `log`, `chain`, `digest`, or `hash` for any."""

_HINT = "hint: pass an earlier manifest.json, or what --json of standings or ladder status printed"
_HASH = re.compile("[0-9a-f]{64}", re.ASCII)


def read_published(given: str) -> Published:
    """Reads a hash, or the hashes in a file: an earlier manifest, or the output of `bourre standings --json`.

    Raises ContestError if there is none.
    """
    if _HASH.fullmatch(given):
        return {"hash": given}
    try:
        document = json.loads(read(Path(given), LONGEST_RECORD))
    except OSError as error:
        raise ContestError(
            f"{given}: it is not a SHA-256, and not a readable file ({error.strerror}).\n{_HINT}"
        ) from error
    except (ValueError, RecursionError) as error:
        raise ContestError(f"{given}: it is not JSON ({error}).\n{_HINT}") from error
    found = dict(_hashes(document)) if isinstance(document, dict) else {}
    if not found:
        raise ContestError(f"{given}: it contains no run hash.\n{_HINT}")
    return found


def _hashes(document: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    seed, log = document.get("seed"), document.get("log")
    known = {key: document.get(key) for key in ("commitment", "terms", "log", "chain", "digest")}
    if isinstance(seed, dict):
        known["commitment"] = seed.get("commitment")
    if isinstance(log, list) and log:
        known["log"] = hash_of_json(log[-1])
    known["log"] = known["log"] or document.get("head")  # the key in the status of a ladder
    for key, value in known.items():
        if isinstance(value, str) and _HASH.fullmatch(value):
            yield key, value


def check_published(verified: VerifiedRun, published: Published) -> None:
    """Checks that a verified run had every one of these hashes. Raises Difference for the first that it never had."""
    check_hashes(hashes_of(verified), published)


def hashes_of(verified: VerifiedRun) -> dict[str, Collection[str | None]]:
    """Returns every hash that a verified run ever had, by its kind."""
    log = verified.log
    return {
        "commitment": {verified.manifest.seed.commitment},
        "terms": {*log.terms},
        "log": {*log.heads},
        "chain": log.chains,
        "digest": {verified.digest},
    }


def check_hashes(ever: Mapping[str, Collection[str | None]], published: Published) -> None:
    """Checks that each published hash is among those that a run `ever` had."""
    for key, value in published.items():
        if not any(value in values for kind, values in ever.items() if key in (kind, "hash")):
            raise Difference(f"the {key} {value} was published, but this run never had it")

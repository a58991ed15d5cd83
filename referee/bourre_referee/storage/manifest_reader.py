"""Reads a manifest's text, and says in words what is wrong with it."""

from __future__ import annotations

import json

from pydantic import ValidationError

from bourre_referee.model.errors import ContestError
from bourre_referee.storage.manifest import Manifest
from bourre_referee.storage.versions import newer_release


def parse_manifest(text: bytes, where: object) -> Manifest:
    """Reads a manifest; raises ContestError that names the place of the first mistake."""
    try:
        return Manifest.model_validate_json(text)
    except ValidationError as error:
        if newer := newer_release(_release_of(text)):
            raise ContestError(f"{where}: {newer}") from error
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"])) or "the file"
        raise ContestError(f"{where}: {key}: {first['msg']}; restore a copy, or start again with --fresh") from error


def _release_of(text: bytes) -> str:
    """Finds the release that wrote a manifest of which this one does not know every key; empty if it names none."""
    try:
        return str(json.loads(text)["versions"]["bourre"])
    except (KeyError, RecursionError, TypeError, ValueError):
        return ""

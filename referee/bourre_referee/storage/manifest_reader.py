"""Reads a manifest's text, and says in words what is wrong with it."""

from __future__ import annotations

from pydantic import ValidationError

from bourre_referee.model.errors import ContestError
from bourre_referee.storage.manifest import Manifest


def parse_manifest(text: bytes, where: object) -> Manifest:
    """Reads a manifest; raises ContestError that names the place of the first mistake."""
    try:
        return Manifest.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"])) or "the file"
        raise ContestError(f"{where}: {key}: {first['msg']}; restore a copy, or start again with --fresh") from error

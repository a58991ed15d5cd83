"""A file in TOML, read before anything in it is judged."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from bourre_referee.model.errors import ContestError


def text_of(path: Path, kind: str) -> str:
    """What the file holds; ContestError where that cannot be read. `kind`: what is to be given, as "contest file"."""
    try:
        return path.read_bytes().decode()
    except OSError as error:
        raise ContestError(f"{path}: cannot be read ({error.strerror}); give the path of a {kind}") from error
    except UnicodeDecodeError as error:
        raise ContestError(f"{path}: it is no UTF-8 text (byte {error.start}); save it as UTF-8") from error


def parsed(text: str, path: Path) -> dict[str, Any]:
    """The file's tables; ContestError where it is no TOML."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ContestError(f"{path}: it is no TOML: {error}") from error

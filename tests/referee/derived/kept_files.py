"""The one file of a kind in a cache, and how to change it."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from bourre_referee.derived.result_cache import ResultCache


def kept_file(cache: ResultCache, kind: str) -> Path:
    """Returns the only file of this kind."""
    assert cache.folder is not None
    (file,) = cache.folder.glob(f"{kind}/*")
    return file


def rewrite(cache: ResultCache, kind: str, change: Callable[[bytes], bytes]) -> None:
    """Changes what the only file of this kind holds, with the right hash."""
    file = kept_file(cache, kind)
    content = change(file.read_bytes().partition(b"\n")[2])
    file.write_bytes(sha256(content).hexdigest().encode() + b"\n" + content)

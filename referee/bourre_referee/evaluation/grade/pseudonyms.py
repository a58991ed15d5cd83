"""Names under which students stand on a public list: the same on every rerun, and of nobody without the salt."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from pathlib import Path

from bourre_referee.model.errors import ContestError
from bourre_referee.storage import atomic

_BYTES = 32
_COLOURS = (
    *("amber", "azure", "black", "blond", "bronze", "brown", "coral", "cream"),
    *("green", "grey", "ivory", "olive", "pearl", "plum", "ruby", "white"),
)
_ANIMALS = (
    *("badger", "bear", "crane", "deer", "eagle", "egret", "falcon", "heron"),
    *("ibis", "lynx", "marten", "otter", "raven", "seal", "stork", "swift"),
)


def salt_of(file: Path) -> bytes:
    """The secret in this file, drawn now if it is not there; ContestError when it cannot be used."""
    if not file.exists():
        atomic.write(file, f"{secrets.token_hex(_BYTES)}\n", mode=0o600)
    try:
        salt = bytes.fromhex(file.read_text("ascii"))
    except (OSError, ValueError) as error:
        raise ContestError(
            f"{file}: the salt cannot be read ({error}); put it back, or remove it for new names"
        ) from error
    if len(salt) < _BYTES:
        raise ContestError(f"{file}: the salt is damaged; put it back, or remove it for new names")
    return salt


def pseudonym(student: str, salt: bytes) -> str:
    """A name such as amber-heron-41c09be2."""
    drawn = hmac.digest(salt, student.encode(errors="surrogatepass"), hashlib.sha256)
    return f"{_COLOURS[drawn[0] % 16]}-{_ANIMALS[drawn[1] % 16]}-{drawn[2:6].hex()}"

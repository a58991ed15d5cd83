"""The master seed of a contest: public, or secret until the end, with a commitment before the first card."""

from __future__ import annotations

import hashlib
import secrets
from pathlib import Path

from bourre.rules.deck import master_seed
from bourre_referee.model.errors import RESTORE, ContestError
from bourre_referee.storage.files import atomic
from bourre_referee.storage.files.untrusted_files import LONGEST_LINE, read

SEED_BYTES = 32


def commitment(master: bytes) -> str:
    """Computes the commitment published before the first card: the SHA-256 of the seed, in hexadecimal."""
    return hashlib.sha256(master).hexdigest()


def master_of(public: int | None, path: Path) -> bytes:
    """Returns the 32 bytes of a public seed, or of this file, which it creates if it does not exist."""
    if public is not None:
        return master_seed(public)
    if not path.exists():
        write_master(secrets.token_bytes(SEED_BYTES), path)
    return read_master(path)


def write_master(master: bytes, path: Path) -> None:
    """Writes a secret seed to this file, which only its owner can read."""
    atomic.write(path, f"{master.hex()}\n", mode=0o600)


def read_master(path: Path) -> bytes:
    """Reads the secret seed in this file; raises ContestError if it is missing or damaged."""
    try:
        master = bytes.fromhex(read(path, LONGEST_LINE).decode("ascii"))
    except (OSError, ValueError) as error:
        raise ContestError(f"Cannot read {path}, the secret seed: {error}.\n{RESTORE}") from error
    if len(master) != SEED_BYTES:
        raise ContestError(f"{path}, the secret seed, is damaged.\n{RESTORE}")
    return master

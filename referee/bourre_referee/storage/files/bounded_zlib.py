"""Decompresses zlib data from a database, with a limit of memory for untrusted data."""

from __future__ import annotations

import zlib

from bourre_referee.storage.files.untrusted_files import MIB

FREE = 16 * MIB
RATIO = 40
"""The highest ratio. Measured records unpack to 3 to 19 times their size, most in duplicates."""


class Unpacking:
    """Unpacks values with a total of at most FREE bytes plus RATIO times their packed size."""

    def __init__(self) -> None:
        self._room = FREE

    def unpack(self, packed: bytes) -> bytes:
        """Unpacks a value. Raises ValueError if it is damaged, too long, or followed by other bytes."""
        self._room += RATIO * len(packed)
        unpacking = zlib.decompressobj()
        found = _decompress(unpacking, packed, self._room + 1)
        self._room -= len(found)
        if self._room < 0:
            raise ValueError(f"it unpacks to more than {RATIO} times its size, which nothing in a run does")
        if not unpacking.eof:
            raise Damaged("it breaks off")
        if unpacking.unused_data:
            raise ValueError(f"{len(unpacking.unused_data)} bytes follow its end")
        return found


class Damaged(ValueError):
    """The value cannot be unpacked."""


def _decompress(unpacking: zlib._Decompress, packed: bytes, most: int) -> bytes:
    try:
        return unpacking.decompress(packed, most)
    except (zlib.error, TypeError) as error:  # TypeError: a damaged database holds text there
        raise Damaged(str(error)) from error

"""What a database holds packed by zlib, unpacked without letting a stranger's few bytes take all memory."""

from __future__ import annotations

import zlib

from bourre_referee.storage.untrusted_files import MIB

FREE = 16 * MIB
RATIO = 40
"""Records that were measured unpack to 3 to 19 times their size: most in `duplicate`, where deals are played again."""


class Unpacking:
    """Unpacks one thing or several: all together may be FREE bytes long, and RATIO times what was packed."""

    def __init__(self) -> None:
        self._room = FREE

    def unpacked(self, packed: bytes) -> bytes:
        """What was packed. ValueError where it is damaged, too long, or followed by other bytes."""
        self._room += RATIO * len(packed)
        unpacking = zlib.decompressobj()
        found = _unpacked(unpacking, packed, self._room + 1)
        self._room -= len(found)
        if self._room < 0:
            raise ValueError(f"it unpacks to more than {RATIO} times its size, as nothing of a run does")
        if not unpacking.eof:
            raise Damaged("it breaks off")
        if unpacking.unused_data:
            raise ValueError(f"{len(unpacking.unused_data)} bytes follow its end")
        return found


class Damaged(ValueError):
    """It cannot be unpacked."""


def _unpacked(unpacking: zlib._Decompress, packed: bytes, most: int) -> bytes:
    try:
        return unpacking.decompress(packed, most)
    except (zlib.error, TypeError) as error:  # TypeError: a strange hand put text there
        raise Damaged(str(error)) from error

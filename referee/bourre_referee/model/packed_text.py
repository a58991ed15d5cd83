"""A text as a database stores it."""

from __future__ import annotations

import zlib
from hashlib import sha256
from typing import NamedTuple


class PackedText(NamedTuple):
    """A text in UTF-8, compressed by zlib where it was written, so that no other process spends time on that."""

    content: bytes
    sha256: bytes
    """The hash of the text before compression."""

    @property
    def text(self) -> str:
        """Unpacks the text. It is our own: an untrusted one needs `Unpacking`."""
        return zlib.decompress(self.content).decode()


def pack(text: str) -> PackedText:
    """Compresses a text."""
    encoded = text.encode()
    return PackedText(zlib.compress(encoded), sha256(encoded).digest())

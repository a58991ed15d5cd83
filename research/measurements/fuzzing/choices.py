"""Bytes of a fuzzer, read as decisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Choices:
    """Reads bytes from front to back; when they are used up, every choice is the first one."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def spent(self) -> bool:
        """Whether the bytes are used up."""
        return self._at >= len(self._data)

    def number(self, below: int) -> int:
        """From 0 up to this, not included; at most 256 of them."""
        byte = 0 if self.spent else self._data[self._at]
        self._at += 1
        return byte % below

    def one_of(self, things: Sequence[T]) -> T:
        """One of these."""
        return things[self.number(len(things))]

    def piece(self) -> bytes:
        """Up to 63 bytes as they are."""
        size = self.number(64)
        piece = self._data[self._at : self._at + size]
        self._at += size
        return piece

    def number_32(self) -> int:
        """A number of the wire: mostly small, or at a border."""
        return self.one_of((0, 1, 2, 3, 4, 5, 7, 99, 2**31 - 1, 2**31, 2**32 - 1, self.number(256)))

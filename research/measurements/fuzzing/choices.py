"""Reads a fuzzer's bytes as choices."""

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
        """Returns a number from 0 to below this, which is at most 256."""
        byte = 0 if self.spent else self._data[self._at]
        self._at += 1
        return byte % below

    def one_of(self, things: Sequence[T]) -> T:
        """Returns one of these."""
        return things[self.number(len(things))]

    def piece(self) -> bytes:
        """Returns up to 63 raw bytes."""
        size = self.number(64)
        piece = self._data[self._at : self._at + size]
        self._at += size
        return piece

    def number_32(self) -> int:
        """Returns a 32-bit number, usually small or at a boundary."""
        return self.one_of((0, 1, 2, 3, 4, 5, 7, 99, 2**31 - 1, 2**31, 2**32 - 1, self.number(256)))

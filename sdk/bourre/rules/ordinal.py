"""Numbers that beginners take for texts: comparing them with one is refused, for Python would only answer False."""

from __future__ import annotations

from typing import TYPE_CHECKING


class Ordinal(int):
    """A number with a text of its own. `==` and `!=` with any text raise TypeError, as `<` does with Python's numbers.

    It cannot be equal to its text: it is equal to its number, and a number and a text never have the same hash.
    """

    __slots__ = ()

    def in_place_of(self, text: str) -> str:
        """What to compare it with instead of this text."""
        raise NotImplementedError

    if not TYPE_CHECKING:  # so that a type checker goes on finding these comparisons by itself

        def __eq__(self, other):
            # `int.__eq__` would take twice as long: bots compare suits and ranks all the time.
            return not self - other if isinstance(other, int) else self._refuse_text(other)

        def __ne__(self, other):
            return bool(self - other) if isinstance(other, int) else self._refuse_text(other)

        __hash__ = int.__hash__

    def _refuse_text(self, other: object) -> object:
        if not isinstance(other, str):
            return NotImplemented
        kind = type(self).__name__.lower()
        raise TypeError(f"a {kind} is never equal to a text: compare it with {self.in_place_of(other)}, not {other!r}")

"""Numbers that beginners mistake for texts: comparing one with a text raises, where Python would answer False."""

from __future__ import annotations

from typing import TYPE_CHECKING


class Ordinal(int):
    """A number with a text of its own. `==` and `!=` with any text raise TypeError, as `<` does for Python's numbers.

    It cannot equal its text as well as its number, because equal values must have equal hashes.
    """

    __slots__ = ()

    def comparison_hint(self, text: str) -> str:
        """Returns what to compare with instead of this text; subclasses name the value that was meant."""
        return "a number"

    if not TYPE_CHECKING:  # type checkers report these comparisons by themselves

        def __eq__(self, other):
            # Bots compare suits and ranks constantly, and `int.__eq__` takes twice as long.
            return not self - other if isinstance(other, int) else self._refuse_text(other)

        def __ne__(self, other):
            return bool(self - other) if isinstance(other, int) else self._refuse_text(other)

        __hash__ = int.__hash__

    def _refuse_text(self, other: object) -> object:
        if not isinstance(other, str):
            return NotImplemented
        kind, hint = type(self).__name__.lower(), self.comparison_hint(other)
        raise TypeError(f"a {kind} is never equal to a text: compare it with {hint}, not {other!r}")

"""Bots whose authors are trusted, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bourre_referee.text.names import printable


def trusted_lines(bots: Sequence[str]) -> Iterator[str]:
    """What stands under the standings of a duplicate contest where authors started bots; nothing where none did."""
    if bots:
        names = ", ".join(map(printable, bots))
        yield f"trusted: {names}: started by the author, who could see every hand of a deal, seating by seating"

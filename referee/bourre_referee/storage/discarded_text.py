"""Playings that do not count, in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from bourre_referee.model.stored import HOST, ORGANISER, KeptVoid
from bourre_referee.text.names import printable


def void_lines(voids: Iterable[KeptVoid]) -> Iterator[str]:
    """A line for each."""
    for void in voids:
        by = "the host failed it" if void.by == HOST else "taken back by the organiser"
        known = ", when the seed was public" if void.revealed else ""
        yield f"void       {void.match}, attempt {void.attempt}: {by}{known} ({printable(void.reason)})"


def replayed_lines(voids: Iterable[KeptVoid], finished: Collection[str]) -> Iterator[str]:
    """What stands under the standings: a line for the matches taken back, one for those that the host failed."""
    known = tuple(voids)
    back = taken_back(known)
    lost = tuple(void for void in known if void.by == HOST)
    for some, how in ((back, "voided"), (lost, "lost by the host")):
        matches = {void.match for void in some}
        if matches:
            again = "replayed" if matches <= {*finished} else "not all replayed yet"
            verb = "match was" if len(matches) == 1 else "matches were"
            yield f"{len(matches)} {verb} {how} and {again}: {'; '.join(map(_why, some))}"
    if any(void.revealed for void in back):
        yield "the seed was public by then: whoever replayed them could know the cards"


def taken_back(voids: Iterable[KeptVoid]) -> tuple[KeptVoid, ...]:
    """Those that the organiser took back."""
    return tuple(void for void in voids if void.by == ORGANISER)


def _why(void: KeptVoid) -> str:
    return f"{void.match} ({printable(void.reason)})"

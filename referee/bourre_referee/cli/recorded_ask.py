"""Which bot of a recorded match is meant, and which of its asks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from bourre.record import Header, Record, RecordedAsk, asks
from bourre_referee.model.errors import ContestError
from bourre_referee.text.names import printable, seat_names


def bot_meant(header: Header, name: str | None, of_file: Sequence[str]) -> int:
    """The number, in the header's list, of the bot of this name; None: of one of its file's names. ContestError."""
    names = seat_names(header.bots)
    wanted = of_file if name is None else [name]
    found = {number for number, bot in enumerate(header.bots) if bot in wanted or names[number] in wanted}
    if len(found) == 1:
        return found.pop()
    there = ", ".join(names)
    if found:
        raise ContestError(f"match {header.match}: several bots have that name; say which with --as: {there}")
    raise ContestError(f"match {header.match} has no bot {printable(wanted[0])!r}; say with --as which it is: {there}")


def asks_until(record: Record, bot: int, deal: int, seating: int | None) -> list[RecordedAsk]:
    """The asks of this bot from the first that it remembers to the last of a deal, which has some; ContestError.

    None as a seating is the first, in format `duplicate`.
    """
    header = record.header
    _check(header, deal, seating)
    chosen = (seating or 1) if header.format == "duplicate" else None
    found = list(takewhile(lambda ask: ask.view.deal <= deal, asks(record, bot, deal, chosen)))
    if not found or found[-1].view.deal != deal:
        raise ContestError(f"match {header.match}: this bot was asked nothing in deal {deal}; choose another --deal")
    return found


def _check(header: Header, deal: int, seating: int | None) -> None:
    if deal > header.deals:
        raise ContestError(f"match {header.match} has deals 1 to {header.deals}, not {deal}")
    if seating is not None and header.format != "duplicate":
        raise ContestError(f"match {header.match}: a deal of format session is played once; leave out --seating")
    if seating is not None and seating > len(header.bots):
        raise ContestError(f"match {header.match} has seatings 1 to {len(header.bots)} of every deal, not {seating}")

"""A match as lines of text, deal after deal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bourre.record import Header, Record
from bourre_referee.text.amounts import exact
from bourre_referee.text.names import seat_names
from bourre_referee.text.narration.deal_story import tell_story
from bourre_referee.text.narration.deal_text import LEGEND, deal_lines
from bourre_referee.text.narration.events_by_deal import DealEvents, deals_of


def match_lines(record: Record, only: int | None = None) -> Iterator[str]:
    """Every deal of the match, or `only` that one (from 1), as lines without their line ends.

    In `duplicate` a deal is told in all its seatings, and the match ends with the totals. A deal that does not exist
    yields nothing. RecordError where the rules contradict the record.
    """
    header = record.header
    if header.format == "duplicate":
        yield from _format_lines(header)
        yield ""
    yield from lines_of(deals_of(record), header.deals, only)
    if header.format == "duplicate" and only is None:
        yield _totals(record)
        yield ""
    yield LEGEND


def lines_of(deals: Iterable[DealEvents], number: int, only: int | None = None) -> Iterator[str]:
    """These deals, or `only` that one, each with an empty line after it; `number` in the whole match."""
    for deal in deals:
        if only is not None and deal.number > only:
            break
        if only in (None, deal.number):
            yield from deal_lines(tell_story(deal), seat_names(deal.bots), _title(deal, number))
            yield ""


def _title(deal: DealEvents, number: int) -> str:
    seating = "" if deal.seating is None else f", seating {deal.seating} of {len(deal.bots)}"
    return f"Deal {deal.number} of {number}{seating}"


def _format_lines(header: Header) -> Iterator[str]:
    """What `duplicate` changes, for whoever knows the game as it is played in a session."""
    seats = len(header.bots)
    yield f"Format duplicate: each deal is played {seats} times, and every bot sits once in every seat."
    yield "Each time it begins with an empty pot, and what is left in the pot is shared equally among all seats (R7.6)."
    yield "No exemption from an ante and no forfeited turn to deal lasts beyond the deal (R1.4, R2.2)."
    if any(header.stakes):
        yield f"Stakes: before the antes every seat pays {_choice(header.stakes)}; the seed chooses for each deal."


def _choice(stakes: Sequence[int]) -> str:
    """Such as `0, 1 or 4 chips`."""
    *others, last = map(str, stakes)
    chips = "chip" if last == "1" else "chips"
    return f"{', '.join(others)} or {last} {chips}" if others else f"{last} {chips}"


def _totals(record: Record) -> str:
    names = seat_names(record.header.bots)
    totals = (f"{name} {exact(units)}" for name, units in zip(names, record.final, strict=True))
    return f"the match ends: {', '.join(totals)}"

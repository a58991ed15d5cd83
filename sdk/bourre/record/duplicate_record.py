"""Makes the record of a duplicate match: all seatings of every deal, collected from separate rooms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bourre.record.record import DealRecord, Header
from bourre.record.record_text import deal_line, final_line, header_line
from bourre.rules.pot import settle_in_units


def duplicate_text(header: Header, deals: Iterable[DealRecord]) -> str:
    """Returns the whole record, sorted by deal and then by seating."""
    ordered = sorted(deals, key=lambda deal: (deal.deal, deal.seating or 0))
    lines = [header_line(header), *map(deal_line, ordered), final_line(totals(ordered))]
    return "".join(f"{line}\n" for line in lines)


def totals(deals: Sequence[DealRecord]) -> tuple[int, ...]:
    """Returns each bot's total over these deals, by number, in 1/840 chips."""
    sums = [0] * len(deals[0].balances)
    for deal in deals:
        for bot, units in enumerate(by_bot(deal)):
            sums[bot] += units
    return tuple(sums)


def by_bot(deal: DealRecord) -> tuple[int, ...]:
    """Returns each bot's result in one seating of a deal, by number, in 1/840 chips."""
    assert deal.line_up is not None
    units = settle_in_units(deal.balances, deal.pot)
    return tuple(units[deal.line_up.index(bot)] for bot in range(len(units)))

"""Writes a record as an HTML table, for notebooks."""

from __future__ import annotations

from collections.abc import Iterable

from bourre.record.facts import DealRecord, Header
from bourre.rules.markup import Markup, cards_html, table_html


def record_html(header: Header, deals: Iterable[DealRecord]) -> Markup:
    """Writes one row for each deal: the turned card, and by seat the hand before the draw, tricks and balance."""
    by_number = header.format == "duplicate"
    seats = [f"seat {seat}" if by_number else bot for seat, bot in enumerate(header.bots)]
    caption = f"{header.match}: {', '.join(header.bots)}"
    return table_html(caption, ("deal", "dealer", "turned", *seats, "pot"), map(_row, deals))


def _row(deal: DealRecord) -> tuple[object, ...]:
    name = f"{deal.deal}" if deal.seating is None else f"{deal.deal}, seating {deal.seating}"
    turned = cards_html([] if deal.turned is None else [deal.turned])
    return name, deal.dealer, turned, *(_seat(deal, seat) for seat in range(len(deal.dealt))), deal.pot


def _seat(deal: DealRecord, seat: int) -> Markup:
    taken = deal.taken[seat]
    tricks = f"{taken} trick" + ("" if taken == 1 else "s")
    return Markup(f"{cards_html(deal.dealt[seat])}<br>{tricks}, {deal.balances[seat]:+}")

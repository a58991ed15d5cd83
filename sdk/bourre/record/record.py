"""A record: a whole match, with the final balances."""

from __future__ import annotations

from dataclasses import dataclass

from bourre.record.facts import DealRecord, Header


@dataclass(frozen=True, slots=True)
class Record:
    """The record of a whole match."""

    header: Header
    deals: tuple[DealRecord, ...]
    final: tuple[int, ...]
    """The final balances, after the last pot is shared (R7.6); in `duplicate` each bot's total in 1/840 chips."""

    def _repr_html_(self) -> str:
        """Writes what a notebook shows: one row for each deal."""
        from bourre.record.record_html import record_html

        return record_html(self.header, self.deals)

"""What a record holds: a whole match, with the final balances."""

from __future__ import annotations

from dataclasses import dataclass

from bourre.record.facts import DealRecord, Header


@dataclass(frozen=True, slots=True)
class Record:
    """A whole match."""

    header: Header
    deals: tuple[DealRecord, ...]
    final: tuple[int, ...]
    """The balances at the end, the last pot shared out (R7.6); in `duplicate` each bot's total in 1/840 chips."""

    def _repr_html_(self) -> str:
        """What a notebook shows: the deals, one in each row."""
        from bourre.record.record_html import record_html

        return record_html(self.header, self.deals)

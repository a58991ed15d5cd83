"""The matches of the bench: trivial bots, another seat for each and other cards at every table."""

from __future__ import annotations

from bourre.rules.house import HouseRules
from bourre_referee.model.spec import MatchSpec

SEATS = 5
BOTS = tuple(f"trivial{number}" for number in range(SEATS))


def matches(deals: int, tables: int) -> tuple[MatchSpec, ...]:
    """One match for each table, always the same."""
    return tuple(_match(number, deals) for number in range(tables))


def _match(number: int, deals: int) -> MatchSpec:
    turned = number % SEATS
    line_up = BOTS[turned:] + BOTS[:turned]
    return MatchSpec(f"m{number + 1:04}", line_up, HouseRules.preset("limit"), deals, number.to_bytes(32))

"""Matches from a run folder or an export, before any check."""

from __future__ import annotations

from dataclasses import dataclass

from bourre_referee.model.results import DealResult
from bourre_referee.model.seat_remarks import SeatRemarks
from bourre_referee.model.spec import SeatTiming

HOST, ORGANISER = "host", "organiser"
"""Who can discard an attempt at a match."""


@dataclass(frozen=True, slots=True)
class StoredSeat:
    """The row of one seat of a match."""

    bot: str
    chips: int
    rank: int
    wins: int
    bourres: int
    reneges: int
    faults: int
    house_deals: int
    reneges_by_rule: tuple[tuple[str, int], ...]
    """The number of reneges by rule, in the order of the rules."""
    faults_by_kind: tuple[tuple[str, int], ...]
    """The number of faults by kind, in the order of the kinds."""


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A finished match."""

    number: int
    """The match's number in schedule order, starting at 1."""
    match: str
    deals: int
    attempt: int
    isolation: str
    seats: tuple[StoredSeat, ...]
    record: str | None
    """The record in JSON lines; None if it is too damaged to read."""
    sha256: bytes
    """The stored hash of the record."""
    unit: int
    """The number of parts of a chip. The seats' chips count these parts."""
    blocks: tuple[DealResult, ...]
    """The result of each deal; only in format `duplicate`."""
    timings: tuple[SeatTiming, ...] = ()
    """The timings by seat; empty if they were not read."""
    remarks: tuple[SeatRemarks, ...] = ()
    """The bots' notes and usage, by seat; empty if there are none, or if they were not read."""

    @property
    def playings(self) -> int:
        """The number of deals that each bot played, counting each seating."""
        return self.deals * len(self.seats) if self.blocks else self.deals


@dataclass(frozen=True, slots=True)
class DiscardedMatch:
    """An attempt at a match that does not count."""

    match: str
    attempt: int
    """The attempt's number, starting at 1."""
    by: str
    """HOST if the host or a model's server failed it, ORGANISER if the organiser annulled it."""
    reason: str
    at: str
    """When it was discarded, in ISO 8601, UTC."""
    revealed: bool
    """Whether the seed was public at that time, so that the cards of a replay could be known."""
    record: str | None
    """The record of the attempt; None if the match was not finished, or if the record is unreadable."""

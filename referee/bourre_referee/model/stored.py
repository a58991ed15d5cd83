"""Matches as a run folder or an export stores them, before any check."""

from __future__ import annotations

from dataclasses import dataclass

from bourre_referee.model.results import DealResult
from bourre_referee.model.seat_remarks import SeatRemarks
from bourre_referee.model.spec import SeatTiming

HOST, ORGANISER = "host", "organiser"
"""Who can make an attempt at a match void."""


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
    """How often each rule was broken, in the order of the rules."""
    faults_by_kind: tuple[tuple[str, int], ...]
    """How often each kind of fault happened, in the order of the kinds."""


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
    """How many parts a chip has: the seats' chips count these parts."""
    blocks: tuple[DealResult, ...]
    """The result of each deal; only in format `duplicate`."""
    timings: tuple[SeatTiming, ...] = ()
    """The timings by seat; empty if they were not read."""
    remarks: tuple[SeatRemarks, ...] = ()
    """What the bots said besides their answers, by seat; empty if none did, or if it was not read."""

    @property
    def playings(self) -> int:
        """How many deals each bot played, counting each seating."""
        return self.deals * len(self.seats) if self.blocks else self.deals


@dataclass(frozen=True, slots=True)
class DiscardedMatch:
    """An attempt at a match that does not count."""

    match: str
    attempt: int
    """The attempt's number, starting at 1."""
    by: str
    """HOST if the host failed it, ORGANISER if the organiser voided it."""
    reason: str
    at: str
    """When it was discarded, in ISO 8601, UTC."""
    revealed: bool
    """Whether the secret seed was public by then, so that a repeat could be played knowing the cards."""
    record: str | None
    """The record of the voided attempt; None if the match was not finished or the record is too damaged to read."""

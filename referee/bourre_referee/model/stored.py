"""Matches as a run folder or an export keeps them: what is written there, not yet believed."""

from __future__ import annotations

from dataclasses import dataclass

from bourre_referee.model.results import DealResult
from bourre_referee.model.spec import SeatTiming

HOST, ORGANISER = "host", "organiser"
"""Who makes a playing void."""


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
    """Each rule with how often, in their order."""
    faults_by_kind: tuple[tuple[str, int], ...]
    """Likewise."""


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A finished match."""

    number: int
    """From 1, in schedule order."""
    match: str
    deals: int
    attempt: int
    isolation: str
    seats: tuple[StoredSeat, ...]
    record: str | None
    """JSON lines; None: damaged beyond reading."""
    sha256: bytes
    """Of the record, as it was written down beside it."""
    unit: int
    """How many parts a chip has, in which the chips of its seats are counted."""
    blocks: tuple[DealResult, ...]
    """In format `duplicate`: the result of each deal."""
    timings: tuple[SeatTiming, ...] = ()
    """By seat; none where nobody asks for them."""


@dataclass(frozen=True, slots=True)
class DiscardedMatch:
    """A playing of a match that does not count."""

    match: str
    attempt: int
    """From 1."""
    by: str
    """HOST failed it, or the ORGANISER took it back."""
    reason: str
    at: str
    """When, in ISO 8601, UTC."""
    revealed: bool
    """Whether the secret seed was public by then: whoever played it again could know the cards."""
    record: str | None
    """What was taken back; None where nothing was finished, or it is damaged beyond reading."""

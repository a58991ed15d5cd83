"""What each host of a cluster has done: rooms, time, faults of bots, and lost attempts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from bourre_referee.model.spec import MatchOutcome


@dataclass(slots=True)
class _Share:
    rooms: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    faults: int = 0
    lost: int = 0


class WorkerShares:
    """Counts by host."""

    def __init__(self) -> None:
        self._shares: defaultdict[str, _Share] = defaultdict(_Share)

    def add(self, host: str, outcomes: Sequence[MatchOutcome], seconds: float) -> None:
        """Counts a room that a host played in so many seconds."""
        share = self._shares[host]
        share.rooms += 1
        share.seconds += seconds
        share.cpu_seconds += sum(seat.cpu_ms for outcome in outcomes for seat in outcome.timings) / 1000
        share.faults += sum(fault.times for outcome in outcomes for fault in outcome.faults)

    def add_lost(self, host: str) -> None:
        """Counts an attempt at a room that a host lost."""
        self._shares[host].lost += 1

    def lost(self, host: str) -> int:
        """Returns how many attempts a host lost."""
        return self._shares[host].lost if host in self._shares else 0

    def lines(self) -> tuple[str, ...]:
        """Returns a sentence for each host, by name."""
        return tuple(
            f"{host} played {share.rooms} rooms in {share.seconds:.0f} s of room time, with {share.cpu_seconds:.0f} s "
            f"of the bots' processors, {share.faults} faults of bots and {share.lost} lost attempts"
            for host, share in sorted(self._shares.items())
        )

"""What must come of an input, whatever its bytes say."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from bourre.record import read, replay
from bourre.rules.actions import Fault
from bourre_referee.model.spec import MatchOutcome


class Wrong(Exception):
    """What no bot may bring about, was."""


@dataclass(frozen=True, slots=True)
class Played:
    """What came of one input."""

    outcomes: list[MatchOutcome]

    @property
    def faults(self) -> set[Fault]:
        """The kinds of faults that the bot of the bytes was charged with."""
        return {fault.fault for outcome in self.outcomes for fault in outcome.faults}


def judge(outcome: MatchOutcome, honest: Container[str]) -> None:
    """Chips add up, the record proves the balances, and nobody else is charged with what the fuzzed bot did."""
    chips = tuple(seat.chips for seat in outcome.result.seats)
    if sum(chips):
        raise Wrong(f"chips do not add up to 0: {chips}")
    record = read(outcome.record)
    if record.final != chips:
        raise Wrong(f"the record ends in {record.final}, the match in {chips}")
    for _ in replay(record):
        pass
    for seat in outcome.result.seats:
        if seat.bot in honest and (seat.faults or seat.house_deals):
            raise Wrong(f"{seat.bot} is charged with {seat.faults} faults and {seat.house_deals} deals by the house")

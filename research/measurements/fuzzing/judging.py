"""What must hold after any input."""

from __future__ import annotations

from collections.abc import Container, Coroutine
from dataclasses import dataclass
from typing import Any

from bourre.record import read, replay
from bourre.rules.actions import Fault
from bourre_referee.model.spec import MatchOutcome
from fuzzing.skipping import SkippingLoop

FUZZED = "fuzzed"
HONEST = ("ada", "bob")
SECONDS = 600.0
"""Limit in simulated seconds; the longest room takes less."""


class Wrong(Exception):
    """Something happened that no bot may cause."""


@dataclass(frozen=True, slots=True)
class Played:
    """The result of one input."""

    outcomes: list[MatchOutcome]

    @property
    def faults(self) -> set[Fault]:
        """The kinds of faults of the fuzzed bot."""
        return {fault.fault for outcome in self.outcomes for fault in outcome.faults}


def play_judged(playing: Coroutine[Any, Any, list[MatchOutcome]]) -> Played:
    """Plays a room in simulated time and judges it. Raises Wrong, or whatever the referee raised."""
    troubles: list[dict[str, Any]] = []
    loop = SkippingLoop(SECONDS)
    loop.set_exception_handler(lambda _, context: troubles.append(context))
    try:
        outcomes = loop.run_until_complete(playing)
    finally:
        loop.end()
    if troubles:
        raise Wrong(f"asyncio reports {troubles}")
    for outcome in outcomes:
        judge(outcome, HONEST)
    return Played(outcomes)


def judge(outcome: MatchOutcome, honest: Container[str]) -> None:
    """Checks that chips add up, the record confirms the balances, and no honest bot has a fault."""
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

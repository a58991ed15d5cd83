"""Counts for the statistics in the records of a run, in parts that several processes can count and a cache can keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bourre.record import read
from bourre_referee.statistics.play_style import SeatCounter, StyleCounter
from bourre_referee.statistics.played_deals import Flow, PlayedDeal, chip_flows, replay_deals
from bourre_referee.statistics.rule_following import RuleCounter


@dataclass(frozen=True, slots=True)
class MatchCounts:
    """The counts from the record of one match."""

    seats: SeatCounter
    style: StyleCounter
    flows: list[Flow]
    rules: RuleCounter


@dataclass(slots=True)
class BotCounts:
    """The counts of bots over many matches."""

    style: StyleCounter = field(default_factory=StyleCounter)
    rules: RuleCounter = field(default_factory=RuleCounter)

    def add(self, bots: Sequence[str], deals: Sequence[PlayedDeal]) -> None:
        """Counts the deals of one match between these bots."""
        self.style.add(bots, deals)
        self.rules.add(bots, deals)

    def __iadd__(self, other: BotCounts | MatchCounts) -> BotCounts:
        """Adds the counts of other matches."""
        self.style += other.style
        self.rules += other.rules
        return self


@dataclass(slots=True)
class RunCounts:
    """The counts from the records of many matches."""

    seats: SeatCounter = field(default_factory=SeatCounter)
    style: StyleCounter = field(default_factory=StyleCounter)
    rules: RuleCounter = field(default_factory=RuleCounter)
    _flows: dict[int, list[Flow]] = field(default_factory=dict)
    """By the number of the match."""

    def add(self, number: int, counts: MatchCounts) -> None:
        """Adds the counts of the match with this number. Matches may come in any order."""
        self.seats += counts.seats
        self.style += counts.style
        self.rules += counts.rules
        self._flows[number] = counts.flows

    @property
    def flows(self) -> list[Flow]:
        """The flows of all matches, in schedule order."""
        return [flow for number in sorted(self._flows) for flow in self._flows[number]]


def count_record(text: str) -> MatchCounts:
    """Replays the record of a match and counts. Raises RecordError if it is no record, or breaks the rules."""
    record = read(text)
    deals = list(replay_deals(record))
    seats, style, rules = SeatCounter(), StyleCounter(), RuleCounter()
    seats.add(deals)
    style.add(record.header.bots, deals)
    rules.add(record.header.bots, deals)
    return MatchCounts(seats, style, chip_flows(record.header.bots, deals), rules)

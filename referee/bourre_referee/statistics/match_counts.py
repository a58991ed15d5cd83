"""What the statistics count in one match, so that several processes can count."""

from __future__ import annotations

from typing import NamedTuple

from bourre.record import read
from bourre_referee.model.errors import ContestError
from bourre_referee.model.stored import StoredMatch, StoredSeat
from bourre_referee.statistics.chip_flow import Flow, chip_flows
from bourre_referee.statistics.play_style import StyleCounter
from bourre_referee.statistics.played_deals import replay_deals
from bourre_referee.statistics.seat_worth import SeatCounter


class MatchCounts(NamedTuple):
    """What was counted in one match."""

    seated: tuple[StoredSeat, ...]
    seats: SeatCounter
    style: StyleCounter
    flows: list[Flow]


def count_match(match: StoredMatch) -> MatchCounts:
    """Replays a match and counts; raises ContestError for a record that is damaged."""
    if match.record is None:
        raise ContestError(f"match {match.match}: its record is damaged; see `bourre verify`")
    record = read(match.record)
    deals = list(replay_deals(record))
    seats, style = SeatCounter(), StyleCounter()
    seats.add(deals)
    style.add(record.header.bots, deals)
    return MatchCounts(match.seats, seats, style, chip_flows(record.header.bots, deals))

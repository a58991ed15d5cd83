"""Splits duplicate matches into boards, one room per seating, and combines the outcomes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from bourre.record import DealRecord, duplicate_text
from bourre.record.record_text import by_bot
from bourre.rules.actions import Fault
from bourre.rules.house import HouseRules
from bourre.rules.pot import UNIT
from bourre_referee.contest.schedule.duplicate_seatings import seatings
from bourre_referee.luck import Baseline, BotLessons, PlayedBoard, luck_of_match
from bourre_referee.model.packed_text import pack
from bourre_referee.model.results import DealResult, MatchResult, SeatResult, counts_of, ranks_of
from bourre_referee.model.seat_remarks import RemarkCollector, SeatRemarks, remarks_by_seat
from bourre_referee.model.spec import DuplicateBoard, MatchOutcome, MatchSpec, SeatFault, SeatTiming


def boards(match: MatchSpec, stakes: tuple[int, ...]) -> list[tuple[MatchSpec, ...]]:
    """Splits a match into boards: for each seating, all deals in order. The line-up numbers the bots."""
    seats = len(match.line_up)
    return [
        tuple(_board(match, deal, seating, stakes) for deal in range(1, match.deals + 1))
        for seating in range(1, seats + 1)
    ]


def _board(match: MatchSpec, deal: int, seating: int, stakes: tuple[int, ...]) -> MatchSpec:
    line_up = seatings(len(match.line_up), deal)[seating - 1]
    names = tuple(match.line_up[bot] for bot in line_up)
    return replace(match, line_up=names, board=DuplicateBoard(deal, seating, line_up, stakes))


@dataclass(frozen=True, slots=True)
class LuckTask:
    """The input for the luck of a match, which this or another process computes."""

    boards: tuple[PlayedBoard, ...]
    """Deal by deal, in the order of the seatings."""
    house: HouseRules
    seed: bytes
    baseline: Baseline | None
    lessons: tuple[BotLessons, ...] = ()
    """Those with which `bot styles 2` begins, by the bots' numbers."""

    def compute(self) -> list[tuple[int, ...]]:
        """Computes the luck by seat of each board."""
        return luck_of_match(self.boards, self.house, self.seed, self.baseline, self.lessons)


def luck_task(played: Iterable[tuple[MatchSpec, MatchOutcome]], baseline: Baseline | None) -> LuckTask:
    """Returns the input for the luck of a match, given the outcomes of all its boards in any order."""
    by_deal = _sort_boards(played)
    boards = tuple([outcome.played for _, outcome in by_deal if outcome.played])
    spec = by_deal[0][0]
    return LuckTask(boards, spec.house, spec.seed, baseline)


def combine_boards(
    bots: Sequence[str], played: Iterable[tuple[MatchSpec, MatchOutcome]], lucks: Sequence[tuple[int, ...]]
) -> MatchOutcome:
    """Combines the outcomes of all boards, in any order, into the outcome of the match. `bots` are by number.

    `lucks` is the result of `luck_task` for the same boards. If it is empty, the luck is unknown.
    """
    by_deal = _sort_boards(played)
    spec, outcomes = by_deal[0][0], [outcome for _, outcome in by_deal]
    header = replace(spec.header, bots=tuple(bots))
    blocks = _blocks(outcomes, lucks, len(bots))
    seats = tuple(_seats(bots, blocks, outcomes))
    return MatchOutcome(
        result=MatchResult(spec.match, spec.deals, seats, UNIT, tuple(blocks)),
        faults=tuple(_faults(outcomes)),
        packed=pack(duplicate_text(header, [deal_of(outcome) for outcome in outcomes])),
        timings=tuple(_timing(number, outcomes) for number in range(len(bots))),
        isolation=outcomes[0].isolation,
        remarks=_remarks(len(bots), outcomes),
        notices=tuple(notice for outcome in outcomes for notice in outcome.notices),
    )


def deal_of(outcome: MatchOutcome) -> DealRecord:
    """Returns the record of the deal played at a board."""
    assert outcome.deal is not None
    return outcome.deal


def _sort_boards(played: Iterable[tuple[MatchSpec, MatchOutcome]]) -> list[tuple[MatchSpec, MatchOutcome]]:
    return sorted(played, key=lambda board: _deal_and_seating(board[1]))


def _deal_and_seating(outcome: MatchOutcome) -> tuple[int, int]:
    deal = deal_of(outcome)
    return deal.deal, deal.seating or 0


def block_of(deals: Sequence[DealRecord], lucks: Sequence[Sequence[int]]) -> DealResult:
    """Computes the result of one deal from the records and the luck of all its seatings."""
    chips, luck_of = [0] * len(deals), [0] * len(deals)
    for deal, found in zip(deals, lucks, strict=True):
        for bot, units in enumerate(by_bot(deal)):
            chips[bot] += units
        for seat, bot in enumerate(deal.line_up or ()):
            luck_of[bot] += found[seat]
    return DealResult(tuple(chips), tuple(luck_of))


def _blocks(outcomes: Sequence[MatchOutcome], lucks: Sequence[tuple[int, ...]], seats: int) -> list[DealResult]:
    """Computes the result of each deal. The outcomes are sorted by deal."""
    deals = [deal_of(outcome) for outcome in outcomes]
    firsts = range(0, len(outcomes), seats)
    if not lucks:
        unknown = [(0,) * seats] * seats
        return [replace(block_of(deals[first : first + seats], unknown), luck=()) for first in firsts]
    return [block_of(deals[first : first + seats], lucks[first : first + seats]) for first in firsts]


def _seats(bots: Sequence[str], blocks: Sequence[DealResult], outcomes: Sequence[MatchOutcome]) -> Iterator[SeatResult]:
    chips = [sum(block.chips[number] for block in blocks) for number in range(len(bots))]
    for number, rank in enumerate(ranks_of(chips)):
        played = [outcome.result.seats[_seat(number, outcome)] for outcome in outcomes]
        yield SeatResult(bots[number], chips[number], rank, *counts_of(played))


def _seat(number: int, outcome: MatchOutcome) -> int:
    """Returns the seat of the bot with this number."""
    return (deal_of(outcome).line_up or ()).index(number)


def _faults(outcomes: Sequence[MatchOutcome]) -> Iterator[SeatFault]:
    """Yields the faults by the bots' numbers."""
    times: Counter[tuple[int, Fault]] = Counter()
    for outcome in outcomes:
        line_up = deal_of(outcome).line_up or ()
        for fault in outcome.faults:
            times[line_up[fault.seat], fault.fault] += fault.times
    yield from (SeatFault(number, fault, count) for (number, fault), count in sorted(times.items()))


def _remarks(bots: int, outcomes: Sequence[MatchOutcome]) -> tuple[SeatRemarks, ...]:
    """Collects the bots' notes and reported usage, by bot number."""
    collectors = [RemarkCollector(bots) for _ in range(bots)]
    for outcome in outcomes:
        for bot, remarks in zip(deal_of(outcome).line_up or (), outcome.remarks, strict=False):
            collectors[bot].add(remarks)
    return remarks_by_seat(collectors)


def _timing(number: int, outcomes: Sequence[MatchOutcome]) -> SeatTiming:
    timings = [outcome.timings[_seat(number, outcome)] for outcome in outcomes]
    return SeatTiming(
        decisions=sum(timing.decisions for timing in timings),
        total_ms=sum(timing.total_ms for timing in timings),
        longest_ms=max(timing.longest_ms for timing in timings),
        queue_ms=sum(timing.queue_ms for timing in timings),
        bot_ms=sum(timing.bot_ms for timing in timings),
        cpu_ms=sum(timing.cpu_ms for timing in timings),
    )

"""Whole matches at a table: what each seat is asked and told, and the results."""

from collections import Counter
from dataclasses import replace

import pytest

from bourre.messages import Ask, MatchEnd
from bourre.record import DealRecord, read
from bourre.rules.actions import Choice, Decision, Declare, Fault
from bourre.rules.events import MatchPaid, PotTaken, Reneged
from bourre.rules.house import HouseRules
from bourre.rules.pot import UNIT
from bourre.rules.visibility import visible_to
from bourre_referee.contest.duplicate import boards
from bourre_referee.model.results import ranks_of
from bourre_referee.model.spec import MatchSpec, SeatFault, SeatTiming
from bourre_referee.server.table import Table
from tests.referee.tables import (
    BANK_MS,
    BOTS,
    LIMIT,
    MANNER,
    MATCH_MS,
    NUMBER,
    Evening,
    careless,
    eager,
    evening,
    events_of,
)

AT_ONCE = HouseRules.preset("limit", declare_mode="simultaneous")
STRICT = HouseRules.preset("limit", renege_policy="strict")


def test_the_asks_of_a_seat_are_numbered_and_tell_the_time_left_and_the_decision() -> None:
    party = evening()
    party.play(eager)
    for seat in range(len(BOTS)):
        asks = [ask for ask in party.asks if ask.view.seat == seat]
        assert [ask.id for ask in asks] == list(range(1, len(asks) + 1))
        assert {(ask.table, ask.bank_ms, ask.match_ms) for ask in asks} == {(NUMBER, BANK_MS - seat, MATCH_MS - seat)}
    party = evening(HouseRules.preset("nba"))
    party.play(eager)
    assert {ask.view.decision for ask in party.asks} == set(Decision) - {Decision.STAY}


@pytest.mark.parametrize("preset", ["limit", "nba", "indiana", "booray", "simultaneous"])
def test_the_outcome_is_what_the_record_proves(preset: str) -> None:
    timings = tuple(SeatTiming(seat, 1.0, 1.0) for seat in range(len(BOTS)))
    party = evening(HouseRules.preset(preset))
    party.play(eager)
    outcome = party.table.outcome(timings)
    record, events = read(outcome.record), events_of(outcome)
    assert (outcome.timings, outcome.faults, outcome.deal, outcome.played) == (timings, (), None, None)
    assert (outcome.result.match, outcome.result.deals, outcome.result.unit) == ("m0001", 4, 1)
    assert tuple(seat.bot for seat in outcome.result.seats) == record.header.bots == BOTS
    assert tuple(seat.chips for seat in outcome.result.seats) == record.final
    assert [seat.rank for seat in outcome.result.seats] == list(ranks_of(record.final))
    wins = Counter(event.seat for event in events if isinstance(event, PotTaken))
    bourres = Counter(event.seat for event in events if isinstance(event, MatchPaid) and event.bourred)
    for number, seat in enumerate(outcome.result.seats):
        assert (seat.wins, seat.bourres, seat.faults, seat.house_deals) == (wins[number], bourres[number], 0, 0)


def test_who_wants_it_is_told_all_that_it_may_know_once_and_in_order_and_the_end() -> None:
    wanting = replace(MANNER, events=True)
    party = evening(manners=(wanting, MANNER, wanting, MANNER))
    events = events_of(party.play(eager))
    assert party.news[0] == list(visible_to(0, events))
    assert party.news[2] == list(visible_to(2, events))
    assert party.news[1] == party.news[3] == []
    party = evening()
    outcome = party.play(eager)
    chips = tuple(seat.chips for seat in outcome.result.seats)
    assert party.table.end(2) == MatchEnd(NUMBER, chips, ())


def test_forced_plays_are_made_for_who_wants_it_and_change_nothing() -> None:
    asking, sparing = evening(), evening(manners=(MANNER, replace(MANNER, forced_plays=True), MANNER, MANNER))
    assert asking.play(eager).record == sparing.play(eager).record
    assert {1} < choices_of(asking, 1)
    assert 1 not in choices_of(sparing, 1)
    assert 1 in choices_of(sparing, 0)


def choices_of(party: Evening, seat: int) -> set[int]:
    """How many legal cards this seat had when it was asked to play."""
    asks = [ask for ask in party.asks if ask.view.seat == seat and ask.view.decision == Decision.PLAY]
    return {len(ask.view.legal) for ask in asks}


def test_of_seats_that_are_asked_at_once_none_is_asked_twice_and_each_is_counted_in_turn() -> None:
    party = evening(AT_ONCE)
    asks = party.ask()
    assert len(asks) == len(BOTS)
    assert party.table.awaiting == set(range(len(BOTS)))
    for answered, ask in enumerate(reversed(asks)):
        assert party.table.to_ask == []
        assert len(party.table.awaiting) == len(BOTS) - answered
        party.table.answer(ask.view.seat, eager(ask))
    assert party.table.to_ask
    first = read(party.play(eager).record).deals[0]
    assert [seat for seat, _ in first.actions[:4]] == [ask.view.seat for ask in asks]


def test_reneges_are_reported_to_their_bots_once() -> None:
    party = evening(STRICT, deals=10)
    outcome = party.play(careless)
    reports = party.table.reports()
    reneging = Counter(event.seat for event in events_of(outcome) if isinstance(event, Reneged))
    assert reneging
    assert {report.seat for report in reports} == set(reneging)
    assert all(report.lines[0].startswith("m0001, deal ") for report in reports)
    assert any(BOTS[1] in line or "you" in line for report in reports for line in report.lines)
    assert party.table.reports() == []
    assert [seat.reneges for seat in outcome.result.seats] == [reneging[seat] for seat in range(len(BOTS))]


def test_a_board_leaves_its_deal_and_what_chance_did() -> None:
    match = MatchSpec("m0001", BOTS, LIMIT, 3, bytes(32))
    for spec in boards(match, (0, 5))[2]:
        table = Table(NUMBER, spec, (MANNER,) * len(BOTS), 10)
        table.begin(())
        party = Evening(table)
        outcome = party.play(drawing)
        assert spec.board
        assert isinstance(outcome.deal, DealRecord)
        assert {ask.view.deal for ask in party.asks} == {spec.board.deal}
        assert (outcome.deal.seating, outcome.deal.line_up) == (3, spec.board.line_up)
        assert outcome.deal.deal == spec.board.deal
        shared = [UNIT * balance + UNIT * outcome.deal.pot // len(BOTS) for balance in outcome.deal.balances]
        assert [seat.chips for seat in outcome.result.seats] == shared
        assert (outcome.result.unit, outcome.record, outcome.played is None) == (UNIT, "", False)
        timings = tuple(SeatTiming(seat, 1.0, 1.0) for seat in range(len(BOTS)))
        assert table.outcome(timings) == replace(outcome, timings=timings)


def test_a_board_tells_of_faults_too() -> None:
    spec = boards(MatchSpec("m0001", BOTS, LIMIT, 1, bytes(32)), (0,))[0][0]
    table = Table(NUMBER, spec, (MANNER,) * len(BOTS), 10)
    table.begin((2,))
    assert Evening(table).play(eager).faults == (SeatFault(2, Fault.START_FAILURE, 1),)


def drawing(ask: Ask) -> Choice:
    """Like `eager`, except that each seat exchanges a card."""
    return Declare(True, ask.view.hand[:1]) if ask.view.decision == Decision.DECLARE else eager(ask)

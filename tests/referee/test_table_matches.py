"""A table through whole matches: what each seat is asked and told, and what the match leaves behind."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from bourre.messages import Answer, Ask, MatchEnd
from bourre.record import DealRecord, read
from bourre.rules.actions import Choice, Decision, Declare, Draw, Fault, Missing, Play, Recall
from bourre.rules.events import Event, Faulted, HouseTookOver, MatchPaid, PotTaken, RenegeCorrected, Reneged
from bourre.rules.house import HouseRules
from bourre.rules.pot import UNIT
from bourre.rules.view import visible_to
from bourre_referee.duplicate import boards
from bourre_referee.playing.table import Table
from bourre_referee.results import ranks_of
from bourre_referee.spec import MatchSpec, SeatFault, SeatTiming
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
    foul,
)

AT_ONCE = HouseRules.preset("limit", declare_mode="simultaneous")
SILENT = HouseRules.preset("limit", renege_policy="silent")
STRICT = HouseRules.preset("limit", renege_policy="strict")


def faults_in(events: list[Event]) -> Counter[tuple[int, Fault]]:
    """By seat and kind."""
    return Counter((event.seat, event.fault) for event in events if isinstance(event, Faulted))


def test_the_asks_of_a_seat_are_numbered_and_tell_the_time_that_it_has_left() -> None:
    party = evening()
    party.play(eager)
    for seat in range(len(BOTS)):
        asks = [ask for ask in party.asks if ask.view.seat == seat]
        assert [ask.id for ask in asks] == list(range(1, len(asks) + 1))
        assert {(ask.table, ask.bank_ms, ask.match_ms) for ask in asks} == {(NUMBER, BANK_MS - seat, MATCH_MS - seat)}


def test_each_ask_shows_the_decision_that_is_wanted() -> None:
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
    assert (outcome.timings, outcome.faults, outcome.deal, outcome.drawing) == (timings, (), None, None)
    assert (outcome.result.match, outcome.result.deals, outcome.result.unit) == ("m0001", 4, 1)
    assert tuple(seat.bot for seat in outcome.result.seats) == record.header.bots == BOTS
    assert tuple(seat.chips for seat in outcome.result.seats) == record.final
    assert [seat.rank for seat in outcome.result.seats] == list(ranks_of(record.final))
    wins = Counter(event.seat for event in events if isinstance(event, PotTaken))
    bourres = Counter(event.seat for event in events if isinstance(event, MatchPaid) and event.bourred)
    for number, seat in enumerate(outcome.result.seats):
        assert (seat.wins, seat.bourres, seat.faults, seat.house_deals) == (wins[number], bourres[number], 0, 0)


def test_who_wants_it_is_told_all_that_it_may_know_once_and_in_order() -> None:
    wanting = replace(MANNER, events=True)
    party = evening(manners=(wanting, MANNER, wanting, MANNER))
    events = events_of(party.play(eager))
    assert party.news[0] == list(visible_to(0, events))
    assert party.news[2] == list(visible_to(2, events))
    assert party.news[1] == party.news[3] == []


def test_the_end_is_told_with_the_balances() -> None:
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


def test_the_house_plays_for_who_never_came() -> None:
    party = evening(absent=(1, 3))
    outcome = party.play(eager)
    assert {ask.view.seat for ask in party.asks} == {0, 2}
    assert outcome.faults == (SeatFault(1, Fault.START_FAILURE, 1), SeatFault(3, Fault.START_FAILURE, 1))
    assert [seat.house_deals for seat in outcome.result.seats] == [0, 4, 0, 4]
    assert [event.seat for event in events_of(outcome) if isinstance(event, HouseTookOver)] == [1, 3]


def test_the_house_plays_a_whole_match_when_nobody_came() -> None:
    party = evening(absent=range(len(BOTS)))
    assert party.table.over
    assert [seat.house_deals for seat in party.play(eager).result.seats] == [4] * len(BOTS)


@pytest.mark.parametrize("most", [1, 2, 3])
def test_the_house_takes_over_after_so_many_faults(most: int) -> None:
    party = evening(deals=10, max_faults=most)
    outcome = party.play(lambda ask: foul(ask) if ask.view.seat == 1 else eager(ask))
    assert faults_in(events_of(outcome)) == {(1, Fault.NOT_HELD): most}
    assert outcome.faults == (SeatFault(1, Fault.NOT_HELD, most),)
    assert [event.seat for event in events_of(outcome) if isinstance(event, HouseTookOver)] == [1]


@pytest.mark.parametrize("preset", ["limit", "nba", "indiana", "separate_rounds"])
def test_an_answer_of_another_kind_than_asked_is_undecodable(preset: str) -> None:
    party = evening(HouseRules.preset(preset), max_faults=1000)
    outcome = party.play(lambda ask: eager(replace(ask, view=replace(ask.view, decision=other(ask.view.decision)))))
    asked = Counter(ask.view.seat for ask in party.asks)
    assert faults_in(events_of(outcome)) == {(seat, Fault.UNDECODABLE): times for seat, times in asked.items()}


def other(decision: Decision) -> Decision:
    """Than this."""
    return Decision.DRAW if decision == Decision.DECLARE else Decision.DECLARE


def test_a_bot_that_leaves_misses_one_answer_and_then_the_house_plays() -> None:
    party = evening()
    (ask,) = party.ask()
    seat = ask.view.seat
    party.table.leave(seat, Fault.CRASHED)
    assert party.table.is_played_by_house(seat)
    assert seat not in party.table.awaiting
    outcome = party.play(eager)
    assert outcome.faults == (SeatFault(seat, Fault.CRASHED, 1),)


def test_who_is_gone_misses_the_next_answer_when_it_is_its_turn() -> None:
    party = evening()
    (ask,) = party.ask()
    leaver = (ask.view.seat + 1) % len(BOTS)
    party.table.leave(leaver, Fault.DISCONNECTED)
    assert not party.table.is_played_by_house(leaver)
    party.table.answer(ask.view.seat, eager(ask))
    assert party.table.is_played_by_house(leaver)
    assert party.play(eager).faults == (SeatFault(leaver, Fault.DISCONNECTED, 1),)


def test_what_a_house_or_a_leaver_says_is_nobodys_fault() -> None:
    party = evening(absent=(1,))
    party.table.leave(2, Fault.CRASHED)
    for seat in (1, 2):
        party.table.unasked(seat, Answer(NUMBER, 99, Declare(True)))
    assert party.play(eager).faults == (SeatFault(1, Fault.START_FAILURE, 1), SeatFault(2, Fault.CRASHED, 1))


def test_an_announcement_is_premature_only_while_declaring_or_drawing() -> None:
    party = evening(max_faults=1000)
    while (asks := party.ask())[0].view.decision != Decision.PLAY:
        for said in (Declare(True), Draw(), Play(asks[0].view.hand[0])):
            party.table.unasked((asks[0].view.seat + 1) % 4, Answer(NUMBER, 99, said))
        party.table.answer(asks[0].view.seat, eager(asks[0]))
    declared = sum(ask.view.decision != Decision.PLAY for ask in party.asks)
    for said in (Declare(True), Draw()):
        party.table.unasked((asks[0].view.seat + 1) % 4, Answer(NUMBER, 99, said))
    party.table.answer(asks[0].view.seat, eager(asks[0]))
    kinds = Counter[str]()
    for fault in party.play(eager).faults:
        kinds[fault.fault] += fault.times
    assert kinds == {"premature": 2 * declared, "unasked": declared + 2}


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


def test_r8_4_silent_a_recall_comes_with_its_card_and_who_was_asked_is_asked_anew() -> None:
    corrected = 0
    party = evening(SILENT, deals=10)
    while not party.table.over:
        (ask,) = party.ask()
        seat, card = ask.view.seat, ask.view.hand[0]
        if ask.view.decision == Decision.PLAY and card not in ask.view.legal:
            party.table.answer(seat, Play(card), Recall(min(ask.view.legal)))
            corrected += 1
        else:
            party.table.answer(seat, eager(ask))
    outcome = party.play(eager)
    events = events_of(outcome)
    assert corrected > 3
    assert sum(isinstance(event, RenegeCorrected) for event in events) == corrected
    assert outcome.faults == ()


def test_r8_4_silent_an_answer_to_what_a_recall_closed_is_nobodys_fault() -> None:
    party = evening(SILENT, deals=10)
    while True:
        (ask,) = party.ask()
        seat, card = ask.view.seat, ask.view.hand[0]
        if ask.view.decision == Decision.PLAY and card not in ask.view.legal and not last_of_trick(ask):
            break
        party.table.answer(seat, eager(ask))
    party.table.answer(seat, Play(card))
    (closed,) = party.ask()
    party.table.unasked(seat, Answer(NUMBER, ask.id, Recall(min(ask.view.legal))))
    assert party.table.awaiting == set()
    party.table.unasked(closed.view.seat, Answer(NUMBER, closed.id, eager(closed)))
    outcome = party.play(eager)
    assert outcome.faults == ()
    assert sum(isinstance(event, RenegeCorrected) for event in events_of(outcome)) == 1


def test_r8_4_silent_a_recall_that_comes_with_the_fault_that_was_one_too_many_is_not_heard() -> None:
    party = evening(SILENT, max_faults=1)
    while (ask := party.ask()[0]).view.decision != Decision.PLAY:
        party.table.answer(ask.view.seat, eager(ask))
    party.table.answer(ask.view.seat, foul(ask), Recall(ask.view.legal[0]))
    assert party.play(eager).faults == (SeatFault(ask.view.seat, Fault.NOT_HELD, 1),)


def test_r8_4_silent_a_recall_that_comes_with_the_last_card_of_all_is_not_heard() -> None:
    party = evening(SILENT, deals=1, max_faults=1000)
    plays = 0
    while not party.table.over:
        (ask,) = party.ask()
        recall = Recall(ask.view.legal[0]) if ask.view.decision == Decision.PLAY else None
        plays += recall is not None
        party.table.answer(ask.view.seat, eager(ask), recall)
    assert plays > len(BOTS)
    assert sum(fault.times for fault in party.play(eager).faults) == plays - 1


def last_of_trick(ask: Ask) -> bool:
    """Whether nobody plays to this trick after the seat that is asked."""
    return len(ask.view.trick) == len(ask.view.playing) - 1


def test_an_answer_is_late_for_as_long_as_it_is_not_there() -> None:
    party = evening(max_faults=1000)
    outcome = party.play(lambda _: Missing(Fault.LATE))
    asked = Counter(ask.view.seat for ask in party.asks)
    assert faults_in(events_of(outcome)) == {(seat, Fault.LATE): times for seat, times in asked.items()}


def test_an_answer_that_nobody_waits_for_is_not_taken() -> None:
    party = evening()
    (ask,) = party.ask()
    other_seat = (ask.view.seat + 1) % len(BOTS)
    party.table.answer(other_seat, Declare(True))
    assert party.table.awaiting == {ask.view.seat}
    party.table.answer(ask.view.seat, eager(ask))
    assert party.play(eager).record == evening().play(eager).record


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
        assert (outcome.result.unit, outcome.record, outcome.drawing is None) == (UNIT, "", False)


def drawing(ask: Ask) -> Choice:
    """Eager, but for a card that each seat exchanges."""
    return Declare(True, ask.view.hand[:1]) if ask.view.decision == Decision.DECLARE else eager(ask)

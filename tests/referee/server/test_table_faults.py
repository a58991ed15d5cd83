"""How a table treats answers that are missing, wrong, late, early or taken back, and bots that are gone."""

from collections import Counter
from dataclasses import replace

import pytest

from bourre.messages import Answer, Ask
from bourre.rules.actions import Decision, Declare, Draw, Fault, Missing, Play, Recall
from bourre.rules.events import Event, Faulted, HouseTookOver, MatchEnded, RenegeCorrected
from bourre.rules.house import HouseRules
from bourre_referee.model.spec import MatchSpec, SeatFault
from bourre_referee.server.table import Table
from bourre_referee.server.table_logs import late_line
from tests.referee.tables import BOTS, MANNER, NUMBER, Evening, eager, evening, events_of, foul

AT_ONCE = HouseRules.preset("limit", declare_mode="simultaneous")
SILENT = HouseRules.preset("limit", renege_policy="silent")


def asked() -> tuple[Evening, Ask, int]:
    """A match whose first seat is asked: this is its question, and its number."""
    party = evening()
    (ask,) = party.ask()
    return party, ask, ask.view.seat


def faults_in(events: list[Event]) -> Counter[tuple[int, Fault]]:
    """By seat and kind."""
    return Counter((event.seat, event.fault) for event in events if isinstance(event, Faulted))


def test_the_house_plays_for_who_never_came_even_if_nobody_did() -> None:
    party = evening(absent=(1, 3))
    outcome = party.play(eager)
    assert {ask.view.seat for ask in party.asks} == {0, 2}
    assert outcome.faults == (SeatFault(1, Fault.START_FAILURE, 1), SeatFault(3, Fault.START_FAILURE, 1))
    assert [seat.house_deals for seat in outcome.result.seats] == [0, 4, 0, 4]
    assert [event.seat for event in events_of(outcome) if isinstance(event, HouseTookOver)] == [1, 3]
    party = evening(absent=range(len(BOTS)))
    assert party.table.over
    assert [seat.house_deals for seat in party.play(eager).result.seats] == [4] * len(BOTS)


@pytest.mark.parametrize("absent", [(1,), (0, 1)])
def test_who_never_came_was_not_missed_where_nobody_could_play(absent: tuple[int, ...]) -> None:
    indiana = HouseRules.preset("indiana")
    match = MatchSpec("m0001", BOTS[:2], indiana, 1, bytes([28]) * 32)  # neither hand holds a trump or a club (R4.6)
    table = Table(NUMBER, match, (MANNER, MANNER), 10)
    table.begin(absent)
    assert table.over
    outcome = table.outcome(())
    assert events_of(outcome)[-1] == MatchEnded(tuple(seat.chips for seat in outcome.result.seats))
    assert (outcome.faults, [seat.house_deals for seat in outcome.result.seats]) == ((), [0, 0])


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
    outcome = party.play(lambda ask: eager(ask._replace(view=replace(ask.view, decision=other(ask.view.decision)))))
    asked = Counter(ask.view.seat for ask in party.asks)
    assert faults_in(events_of(outcome)) == {(seat, Fault.UNDECODABLE): times for seat, times in asked.items()}


def other(decision: Decision) -> Decision:
    """Than this."""
    return Decision.DRAW if decision == Decision.DECLARE else Decision.DECLARE


def test_a_bot_that_leaves_misses_one_answer_and_then_the_house_plays() -> None:
    party, _, seat = asked()
    party.table.leave(seat, Fault.CRASHED)
    assert party.table.is_played_by_house(seat)
    assert seat not in party.table.awaiting
    outcome = party.play(eager)
    assert outcome.faults == (SeatFault(seat, Fault.CRASHED, 1),)


def test_a_model_that_a_cap_stops_leaves_without_a_fault() -> None:
    party, _, seat = asked()
    party.table.leave(seat, None)
    assert party.table.is_played_by_house(seat)
    outcome = party.play(eager)
    assert outcome.faults == ()
    assert [event.seat for event in events_of(outcome) if isinstance(event, HouseTookOver)] == [seat]


def test_the_house_takes_over_once_from_a_leaver_whose_fault_was_one_too_many() -> None:
    party = evening(max_faults=1)
    seat = party.ask()[0].view.seat
    party.table.leave(seat, Fault.CRASHED)
    events = events_of(party.play(eager))
    assert [event.seat for event in events if isinstance(event, HouseTookOver)] == [seat]


@pytest.mark.parametrize("seat", range(len(BOTS)))
def test_nobody_waits_for_a_seat_that_the_house_took_over_or_asks_it_again(seat: int) -> None:
    party = evening(AT_ONCE, max_faults=1)
    asks, others = party.ask(), set(range(len(BOTS))) - {seat}
    for spoken in (Answer(NUMBER, 99, Declare(True)), None):
        if spoken:
            party.table.take_unasked(seat, spoken)
        else:
            party.table.answer(seat, Declare(True))
        assert party.table.awaiting == others
    for ask in asks:
        party.table.answer(ask.view.seat, eager(ask))
    assert seat not in {ask.view.seat for ask in party.ask()}


def test_who_stalls_while_others_think_is_not_asked_again_and_its_first_reason_counts() -> None:
    party = evening(AT_ONCE)
    *others, last = party.ask()
    leaver = last.view.seat
    for reason in (Fault.STALLED, Fault.CRASHED):
        party.table.leave(leaver, reason)
        assert leaver not in party.table.to_ask
    for ask in others:
        party.table.answer(ask.view.seat, eager(ask))
    assert party.table.is_played_by_house(leaver)
    assert party.play(eager).faults == (SeatFault(leaver, Fault.STALLED, 1),)
    assert leaver not in {ask.view.seat for ask in party.asks[len(BOTS) :]}


def test_an_answer_that_comes_after_its_time_is_one_fault_and_the_next_one_is_another() -> None:
    party, ask, seat = asked()
    late = late_line(ask, party.table.spec, 6000.4)
    assert late.startswith(
        f"m0001, deal 1, seat {seat}: no answer to declare within the 6 s that you had, with the reserve time"
    )
    party.table.answer(seat, Missing(Fault.LATE))
    for _ in range(2):
        party.table.take_unasked(seat, Answer(NUMBER, ask.id, Declare(True)))
    assert party.play(eager).faults == (SeatFault(seat, Fault.LATE, 2),)


def test_what_is_said_unasked_is_premature_until_the_question_is_answered_and_late_from_then_on() -> None:
    party, ask, _ = asked()
    party.table.take_unasked(ask.view.seat, Answer(NUMBER, 99, Declare(True)))
    assert party.table.awaiting == {ask.view.seat}
    party, ask, seat = asked()
    party.table.take_unasked(seat, Answer(NUMBER, ask.id, Declare(True)))
    party.table.answer(seat, eager(ask))
    for number in (ask.id, 0):  # there is no question 0
        party.table.take_unasked(seat, Answer(NUMBER, number, Declare(True)))
    faults = [event.fault for event in events_of(party.play(eager)) if isinstance(event, Faulted)]
    assert faults == [Fault.PREMATURE, Fault.LATE, Fault.PREMATURE]


@pytest.mark.parametrize("ahead", [1, 2, 1000])
def test_an_answer_with_an_id_that_is_still_to_come_is_premature_and_not_kept(ahead: int) -> None:
    party, ask, seat = asked()
    party.table.answer(seat, eager(ask))
    party.table.take_unasked(seat, Answer(NUMBER, ask.id + ahead, Declare(True)))
    outcome = party.play(eager)
    assert faults_in(events_of(outcome)) == {(seat, Fault.PREMATURE): 1}
    assert [asked.id for asked in party.asks if asked.view.seat == seat][:2] == [ask.id, ask.id + 1]


def test_who_is_gone_misses_the_next_answer_when_it_is_its_turn() -> None:
    party, ask, _ = asked()
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
        party.table.take_unasked(seat, Answer(NUMBER, 99, Declare(True)))
    assert party.play(eager).faults == (SeatFault(1, Fault.START_FAILURE, 1), SeatFault(2, Fault.CRASHED, 1))


def test_an_announcement_is_premature_only_while_declaring_or_drawing() -> None:
    party = evening(max_faults=1000)
    while (asks := party.ask())[0].view.decision != Decision.PLAY:
        for said in (Declare(True), Draw(), Play(asks[0].view.hand[0])):
            party.table.take_unasked((asks[0].view.seat + 1) % 4, Answer(NUMBER, 99, said))
        party.table.answer(asks[0].view.seat, eager(asks[0]))
    declared = sum(ask.view.decision != Decision.PLAY for ask in party.asks)
    for said in (Declare(True), Draw()):
        party.table.take_unasked((asks[0].view.seat + 1) % 4, Answer(NUMBER, 99, said))
    party.table.answer(asks[0].view.seat, eager(asks[0]))
    kinds = Counter[str]()
    for fault in party.play(eager).faults:
        kinds[fault.fault] += fault.times
    assert kinds == {"premature": 2 * declared, "unasked": declared + 2}


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
    party.table.take_unasked(seat, Answer(NUMBER, ask.id, Recall(min(ask.view.legal))))
    assert party.table.awaiting == set()
    party.table.take_unasked(closed.view.seat, Answer(NUMBER, closed.id, eager(closed)))
    outcome = party.play(eager)
    assert outcome.faults == ()
    assert sum(isinstance(event, RenegeCorrected) for event in events_of(outcome)) == 1


def test_r8_4_silent_a_recall_with_the_fault_too_many_or_the_last_card_of_all_is_not_heard() -> None:
    party = evening(SILENT, max_faults=1)
    while (ask := party.ask()[0]).view.decision != Decision.PLAY:
        party.table.answer(ask.view.seat, eager(ask))
    party.table.answer(ask.view.seat, foul(ask), Recall(ask.view.legal[0]))
    assert party.play(eager).faults == (SeatFault(ask.view.seat, Fault.NOT_HELD, 1),)
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
    """Whether the seat that is asked is the last to play to this trick."""
    return len(ask.view.trick) == len(ask.view.playing) - 1


def test_an_answer_is_late_for_as_long_as_it_is_not_there_and_one_that_nobody_waits_for_not_taken() -> None:
    party = evening(max_faults=1000)
    outcome = party.play(lambda _: Missing(Fault.LATE))
    questions = Counter(ask.view.seat for ask in party.asks)
    assert faults_in(events_of(outcome)) == {(seat, Fault.LATE): times for seat, times in questions.items()}
    party, ask, _ = asked()
    other_seat = (ask.view.seat + 1) % len(BOTS)
    party.table.answer(other_seat, Declare(True))
    assert party.table.awaiting == {ask.view.seat}
    party.table.answer(ask.view.seat, eager(ask))
    assert party.play(eager).record == evening().play(eager).record

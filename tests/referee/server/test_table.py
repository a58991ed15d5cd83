"""A table: who is asked, and how it treats bots that are gone or speak too soon."""

from __future__ import annotations

from bourre.messages import Answer
from bourre.rules.actions import Declare, Fault, Missing
from bourre.rules.house import HouseRules
from bourre_referee.model.spec import MatchSpec
from bourre_referee.server.table import AskOptions, Table

AT_ONCE = HouseRules.preset("limit", declare_mode="simultaneous")
IN_TURN = HouseRules.preset("limit")
PASS = Declare(False)


def table_of(house: HouseRules, max_faults: int = 1) -> Table:
    """Three seats, whose bots have just been asked."""
    spec = MatchSpec("m0001", ("a", "b", "c"), house, 3, bytes(32))
    table = Table(0, spec, [AskOptions(True, False)] * 3, max_faults)
    table.begin([])
    ask(table)
    return table


def ask(table: Table) -> list[int]:
    """Asks the bots whose turn it is."""
    asked = table.to_ask
    for seat in asked:
        table.ask(seat, 5000, 600_000)
    return asked


def faults_of(table: Table, seat: int) -> dict[str, int]:
    """The faults of a seat so far; the house plays the match to its end, as if all bots had left properly."""
    for leaver in range(3):
        table.leave(leaver, Fault.DISCONNECTED)
    faults = {str(fault.fault): fault.times for fault in table.outcome(()).faults if fault.seat == seat}
    return {fault: times for fault, times in faults.items() if fault != "disconnected"}


def test_a_seat_of_the_house_is_not_asked_where_all_declare_at_once() -> None:
    table = table_of(AT_ONCE)
    first, second, third = table.awaiting
    table.take_unasked(second, Answer(0, 99, PASS))
    assert table.is_played_by_house(second)
    assert table.awaiting == {first, third}
    table.answer(second, Declare(True))
    assert table.awaiting == {first, third}
    table.answer(first, PASS)
    table.answer(third, PASS)
    asked = ask(table)
    assert asked
    assert second not in asked


def test_who_stalls_while_others_think_is_not_asked_again() -> None:
    table = table_of(AT_ONCE, max_faults=10)
    first, second, third = table.awaiting
    table.leave(third, Fault.STALLED)
    assert third not in table.to_ask
    table.answer(first, PASS)
    table.answer(second, PASS)
    assert table.is_played_by_house(third)
    assert third not in ask(table)
    assert faults_of(table, third) == {"stalled": 1}


def test_the_first_reason_to_be_gone_counts() -> None:
    table = table_of(AT_ONCE, max_faults=10)
    first, second, third = table.awaiting
    table.leave(third, Fault.STALLED)
    table.leave(third, Fault.CRASHED)
    table.answer(first, PASS)
    table.answer(second, PASS)
    assert faults_of(table, third) == {"stalled": 1}


def test_an_answer_before_its_question_is_sent_is_premature_and_after_it_late() -> None:
    table = table_of(IN_TURN, max_faults=10)
    (seat,) = table.awaiting
    table.take_unasked(seat, Answer(0, 1, PASS))
    table.answer(seat, PASS)
    table.take_unasked(seat, Answer(0, 1, PASS))
    assert faults_of(table, seat) == {"premature": 1, "late": 1}


def test_an_answer_that_comes_after_its_time_is_one_fault() -> None:
    table = table_of(IN_TURN, max_faults=10)
    (seat,) = table.awaiting
    table.answer(seat, Missing(Fault.LATE))
    table.take_unasked(seat, Answer(0, 1, PASS))
    assert faults_of(table, seat) == {"late": 1}

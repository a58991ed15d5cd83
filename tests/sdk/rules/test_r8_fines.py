"""R8.6: what a fault, and a renege that is corrected, cost in chips."""

from __future__ import annotations

from typing import Any

import pytest

from bourre.rules.actions import Fault
from bourre.rules.events import DealEnded, DealStarted, Faulted, FinePaid, MatchPaid, PotShared, PotTaken
from bourre.rules.house import PRESETS, HouseRules
from tests.sdk.rules.table import Table, of, stacked

# Trump is spades; seat 1 leads, seat 2 has to follow with the king.
DECK = stacked("2H 3H 8D TC 4S", "9H 8C 7D 6C 5D", "KH 2C 3C 4D 6S")


def fined(deals: int = 2, **keys: Any) -> Table:
    """Three seats, none of which has been asked; a fault costs two chips."""
    return Table(DECK, seats=3, deals=deals, **{"fault_fine": 2, **keys})


def at_seat_2(**keys: Any) -> Table:
    """All are in, 9H is led: seat 2 is to play and only KH is legal."""
    table = fined(**keys)
    table.say("1 in", "2 in", "0 in", "1 9H")
    return table


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_r8_6_no_preset_fines(preset: str) -> None:
    assert HouseRules.preset(preset).fault_fine == 0


def test_r8_6_without_a_fine_a_fault_moves_no_chip() -> None:
    table = fined(fault_fine=0)
    table.say("2 !premature")
    table.finish()
    assert of(FinePaid, table.events) == []


def test_r8_6_each_fault_costs_a_fine_all_of_a_deal_at_once() -> None:
    table = fined()
    table.say("2 !premature", "2 !unasked", "1 ?late")
    table.finish()
    assert of(FinePaid, table.events) == [FinePaid(1, 2), FinePaid(2, 4)]


def test_r8_6_it_goes_into_the_next_pot_after_the_winner_has_taken_his() -> None:
    table = fined()
    events = table.say("2 !premature", "1 pass", "2 pass")
    assert of(PotTaken, events) == [PotTaken(0, 3)]
    told = [event for event in events if isinstance(event, PotTaken | FinePaid | DealEnded | DealStarted)]
    assert told[1:] == [FinePaid(2, 2), DealEnded(1, (2, -1, -3), 2), DealStarted(2, 1)]
    assert table.match.ledger.pot == 5


def test_r8_6_a_match_is_not_dearer_for_the_fines_of_its_deal() -> None:
    table = at_seat_2()
    events = table.say("1 !unasked", "2 ?late") + table.finish()
    assert {event.chips for event in of(MatchPaid, events)} == {3}
    assert of(FinePaid, events) == [FinePaid(1, 2), FinePaid(2, 2)]


def test_r8_6_a_corrected_renege_costs_one_too() -> None:
    table = at_seat_2()
    events = table.say("2 2C", "2 KH") + table.finish()
    assert of(FinePaid, events) == [FinePaid(2, 2)]


def test_r8_6_a_recall_costs_one_too() -> None:
    table = at_seat_2(renege_policy="silent")
    events = table.say("2 2C", "2 recall KH") + table.finish()
    assert of(FinePaid, events) == [FinePaid(2, 2)]


@pytest.mark.parametrize(("policy", "second"), [("prompt", "2C"), ("retract", "KH"), ("retract_renege", "KH")])
def test_r8_6_a_renege_that_stands_or_is_taken_back_costs_what_it_costs_and_no_fine(policy: str, second: str) -> None:
    table = at_seat_2(renege_policy=policy)
    events = table.say("2 2C", f"2 {second}") + table.finish()
    assert of(FinePaid, events) == []


def test_r8_6_a_fault_of_the_last_deal_is_paid_before_the_pot_is_shared_out() -> None:
    table = fined(deals=1, fault_fine=4)
    events = table.say("2 !premature", "1 pass", "2 pass")
    assert of(FinePaid, events) == [FinePaid(2, 4)]
    assert [event.chips for event in of(PotShared, events)] == [1, 2, 1]
    assert sum(table.match.ledger.balances) == table.match.ledger.pot == 0


def test_r8_6_after_the_match_there_is_no_pot_to_pay_into() -> None:
    table = fined(deals=1)
    table.finish()
    assert table.say("2 !unasked") == [Faulted(2, Fault.UNASKED)]
    assert table.match.ledger.pot == 0


def test_r8_6_each_deal_has_fines_of_its_own() -> None:
    table = fined(deals=3)
    table.say("2 !premature")
    table.finish()
    table.finish()
    assert of(FinePaid, table.events) == [FinePaid(2, 2)]

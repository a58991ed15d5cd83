"""R8.5: no answer, or none that can be used, in every decision."""

from __future__ import annotations

from typing import Any

import pytest

from bourre.rules.actions import Decision, Declare, Fault, HandOver
from bourre.rules.cards import Card
from bourre.rules.errors import InvalidAction
from bourre.rules.events import (
    CardPlayed,
    DealEnded,
    DealStarted,
    Declared,
    Drew,
    Faulted,
    FinePaid,
    HouseTookOver,
    MatchPaid,
    Penalized,
    PotShared,
    PotTaken,
    TrickTaken,
)
from bourre.rules.house import PRESETS, HouseRules
from tests.sdk.rules.table import Table, of, stacked

HANDS = ("2H 3H 8D TC 4S", "9H 8C 7D 6C 5D", "KH 2C 3C 4D 6S")


def playing(deals: int = 2) -> Table:
    """All are in; seat 1 leads."""
    table = Table(stacked(*HANDS), seats=3, deals=deals)
    table.say("1 in", "2 in", "0 in")
    return table


@pytest.mark.parametrize("fault", [Fault.LATE, Fault.UNDECODABLE, Fault.ERROR, Fault.CRASHED, Fault.DISCONNECTED])
def test_r8_5_no_card_the_lowest_legal_one_is_played_and_a_match_is_owed(fault: Fault) -> None:
    table = playing()
    table.say("1 9H")
    events = table.say(f"2 ?{fault}")
    assert events == [Faulted(2, fault), Penalized(2, "R8.5", 3), CardPlayed(2, Card("KH"))]
    events = table.finish()
    assert MatchPaid(2, 3, bourred=False, reneged=True) in events
    assert 2 not in [event.seat for event in of(PotTaken, events)]


def test_r8_5_a_card_not_held_is_no_card() -> None:
    events = playing().say("1 AH")
    assert events == [Faulted(1, Fault.NOT_HELD), Penalized(1, "R8.5", 3), CardPlayed(1, Card("5D"))]


def test_r8_5_a_card_already_played_is_not_held() -> None:
    table = playing()
    table.play("5D 4D 8D 2H 9H")
    assert table.say("2 4D")[0] == Faulted(2, Fault.NOT_HELD)


def test_r8_5_the_lowest_is_by_rank_first_and_then_clubs_diamonds_hearts_spades() -> None:
    table = Table(stacked("2H 3H 8D TC 4S", "6H 6S 6D 9C 9D", "KH 2C 3C 4D 5S"), seats=3)
    table.say("1 in", "2 in", "0 in")
    assert of(CardPlayed, table.say("1 ?late")) == [CardPlayed(1, Card("6D"))]


def test_r8_5_the_lowest_card_obeys_the_cinch() -> None:
    table = Table(stacked("2H 3H 8D TC 2S", "AS KS QS 9S 3D", "KH 2C 3C 4D 5S"), seats=3)
    table.say("1 in", "2 in", "0 in")
    assert of(CardPlayed, table.say("1 ?late")) == [CardPlayed(1, Card("QS"))]


def test_r8_5_again_and_again_is_one_match() -> None:
    table = playing()
    events = table.say("1 ?late", "2 ?late", "0 ?late", "0 ?late")
    assert [event.match for event in of(Penalized, events)] == [3, 3, 3, 0]
    assert [event.chips for event in of(MatchPaid, table.finish())] == [3, 3, 3]


def test_r8_5_on_the_deals_last_card_too() -> None:
    table = playing()
    while sum(hand.bit_count() for hand in table.hands) > 1:
        table.play(str(table.view.legal[0]))
    last = table.match.to_act
    events = table.say(f"{last} ?late")
    assert of(Penalized, events) == [Penalized(last, "R8.5", 3)]
    assert len(of(TrickTaken, events)) == 1
    assert [event.reneged for event in of(MatchPaid, events) if event.seat == last] == [True]


def test_r8_5_in_declaring_it_passes() -> None:
    table = Table(stacked(*HANDS), seats=3)
    assert table.match.deal.default() == Declare(False)
    assert table.say("1 ?late") == [Faulted(1, Fault.LATE), Declared(1, False)]
    assert table.balances == [-1, -1, -1]
    assert table.view.owed_turns == (0, 0, 0)


def test_r8_5_the_last_to_declare_may_be_missing_too() -> None:
    table = Table(stacked(*HANDS), seats=3, deals=2)
    events = table.say("1 in", "2 pass", "0 ?crashed")
    assert of(PotTaken, events) == [PotTaken(1, 3)]


def test_r8_5_in_drawing_it_stands_pat() -> None:
    table = Table(stacked("2H 3H 8D TC AS", *HANDS[1:]), seats=3)
    table.say("1 in", "2 in")
    assert table.view.decision == Decision.DRAW
    assert table.say("0 ?late") == [Faulted(0, Fault.LATE), Drew(0, 0, (), ())]
    assert of(CardPlayed, table.play("9H")) == [CardPlayed(1, Card("9H"))]


@pytest.mark.parametrize("discards", ["AS", "9H AS", "9H 9H", "9H 8C 7D 6C 5D 9H"])
def test_r8_5_an_illegal_discard_is_ignored_and_a_fault(discards: str) -> None:
    table = Table(stacked(*HANDS), seats=3)
    hand = table.hands[1]
    assert table.say(f"1 in {discards}") == [
        Declared(1, True),
        Faulted(1, Fault.ILLEGAL_DISCARD),
        Drew(1, 0, (), ()),
    ]
    assert table.hands[1] == hand


def test_r8_5_an_illegal_discard_of_the_dealer_with_the_ace() -> None:
    table = Table(stacked("2H 3H 8D TC AS", *HANDS[1:]), seats=3)
    table.say("1 in", "2 in")
    assert table.say("0 draw KH")[:2] == [Faulted(0, Fault.ILLEGAL_DISCARD), Drew(0, 0, (), ())]


@pytest.mark.parametrize("lines", [("1 KH",), ("1 draw",), ("1 stay",), ("2 in",), ("1 in", "2 9H")])
def test_an_answer_of_the_wrong_kind_is_the_callers_error_and_changes_nothing(lines: tuple[str, ...]) -> None:
    table = Table(stacked(*HANDS), seats=3)
    table.say(*lines[:-1])
    before = [table.match.view(seat) for seat in range(3)]
    with pytest.raises(ValueError, match="asked"):
        table.say(lines[-1])
    assert [table.match.view(seat) for seat in range(3)] == before
    table.finish()


def test_r8_5_the_house_may_take_over_any_seat_whoever_is_asked() -> None:
    table = playing()
    assert table.match.apply(2, HandOver()) == [HouseTookOver(2)]
    assert table.match.to_act == 1


def test_an_answer_of_a_seat_that_is_not_asked_is_the_callers_error_and_says_who_is() -> None:
    with pytest.raises(InvalidAction, match=r"^seat 2 is not asked: seat 1 is$"):
        Table(stacked(*HANDS), seats=3).say("2 in")


@pytest.mark.parametrize("line", ["1 in", "1 draw 9H", "1 pass"])
def test_in_the_play_too_an_answer_of_the_wrong_kind_changes_nothing(line: str) -> None:
    table = playing()
    before = table.view
    with pytest.raises(ValueError, match="seat 1 was asked for a card"):
        table.say(line)
    assert table.view == before


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

"""R4.3 and R4.4 at full tables: the limit for a crowd, the stock, and what is gathered when it is empty."""

from __future__ import annotations

import pytest

from bourre.rules.actions import Fault
from bourre.rules.cards import DECK, card_set, cards_in, show
from bourre.rules.deal_setup import deal_out
from bourre.rules.deck import DuplicateChance, SeededChance
from bourre.rules.events import Drew, Faulted, StockGathered
from bourre.rules.house import ORDERS, HouseRules
from tests.sdk.rules.table import Table, of, stacked

# Eight seats: seat 0 holds the lowest five cards of the deck, seat 1 the next five, ...; twelve are left: JS to AS.
HANDS = [show(DECK[5 * seat : 5 * seat + 5]) for seat in range(8)]
EIGHT = stacked(*HANDS)
STOCK = DECK[40:]


def all_of(*seats: int) -> set[str]:
    """The cards dealt to these seats."""
    return {card for seat in seats for card in HANDS[seat].split()}


def thrown(seat: int) -> str:
    """The line in which a seat changes all its cards."""
    return f"{seat} in {HANDS[seat]}"


def gathered(table: Table, time: int) -> set[str]:
    """The cards that were shuffled at one gathering."""
    return {str(card) for card in table.chance.gatherings[time]}


def test_r4_4_a_stock_that_is_just_used_up_is_not_yet_gathered() -> None:
    table = Table(EIGHT, seats=8)
    events = table.say(thrown(1), thrown(2), f"3 in {HANDS[3][:5]}", "4 in")
    assert [event.number for event in of(Drew, events)] == [5, 5, 2, 0]
    assert [event.received for event in of(Drew, events)][:2] == [STOCK[:5], STOCK[5:10]]
    assert of(StockGathered, events) == []
    assert of(StockGathered, table.say(f"5 in {HANDS[5][:2]}")) == [StockGathered(12)]


def test_r4_4_an_empty_stock_is_made_of_the_discards_and_passed_hands_of_those_who_acted() -> None:
    table = Table(EIGHT, seats=8)
    events = table.say(thrown(1), "2 pass", thrown(3), thrown(4))
    assert of(StockGathered, events) == [StockGathered(15)]
    assert gathered(table, 0) == all_of(1, 2, 3)  # never what seat 4, which is served, has just discarded
    (drew,) = of(Drew, table.events)[-1:]
    assert drew.received == tuple(sorted(STOCK[10:] + table.chance.gatherings[0][:3]))


def test_r4_4_nothing_is_gathered_twice() -> None:
    table = Table(EIGHT, seats=8)
    table.say(thrown(1), "2 pass", thrown(3), thrown(4), thrown(5), thrown(6))
    assert len(table.chance.gatherings) == 1
    table.say(thrown(7))
    assert gathered(table, 1) == all_of(4, 5, 6)


def test_r4_4_the_dealers_own_hand_is_gathered_by_nobody() -> None:
    table = Table(EIGHT, seats=8)
    table.say(*[thrown(seat) for seat in (1, 2, 3, 4, 5, 6, 7, 0)])
    assert len(table.chance.gatherings) == 3
    assert not any(gathered(table, time) & all_of(0) for time in range(3))
    held = [card for hand in table.hands for card in cards_in(hand)]
    assert len(held) == len(set(held)) == 40


def test_r4_4_folded_first_passed_hands_first_and_discards_only_when_those_are_used_up() -> None:
    table = Table(EIGHT, seats=8, recycle="folded_first")
    table.say(thrown(1), "2 pass", thrown(3), thrown(4), "5 pass", thrown(6), thrown(7))
    assert [event.cards for event in of(StockGathered, table.events)] == [5, 5, 20]
    assert [gathered(table, time) for time in range(3)] == [all_of(2), all_of(5), all_of(1, 3, 4, 6)]


def test_r4_4_folded_first_where_no_passed_hand_is_left_the_discards_come() -> None:
    table = Table(EIGHT, seats=8, recycle="folded_first")
    table.say(thrown(1), thrown(2), "3 pass", thrown(4), f"5 in {HANDS[5][:8]}")
    assert [event.cards for event in of(StockGathered, table.events)] == [5, 15]


@pytest.mark.parametrize("mode", ["separate", "simultaneous"])
def test_r4_4_in_a_round_of_its_own_all_passed_hands_are_there_to_gather(mode: str) -> None:
    table = Table(EIGHT, seats=8, declare_mode=mode)
    table.say("1 in", "2 in", "3 in", "4 in", "5 in", "6 in", "7 pass", "0 pass")
    events = table.say(*[f"{seat} draw {HANDS[seat]}" for seat in (1, 2, 3)])
    assert of(StockGathered, events) == [StockGathered(20)]
    assert gathered(table, 0) == all_of(0, 1, 2, 7)


@pytest.mark.parametrize(("seats", "most"), [(6, 5), (7, 3), (8, 3)])
def test_r4_3_seven_player_limit_three_cards_from_seven_seats_on(seats: int, most: int) -> None:
    table = Table(stacked(*HANDS[:seats]), seats=seats, seven_player_limit=3)
    assert table.view.max_discards == most
    faults = of(Faulted, table.say(f"1 in {show(table.view.hand[: most + 1])}"))
    assert faults == ([Faulted(1, Fault.ILLEGAL_DISCARD)] if most == 3 else [])


def test_r4_3_seven_player_limit_never_raises_max_discards() -> None:
    assert Table(EIGHT, seats=8, seven_player_limit=3, max_discards=2).view.max_discards == 2
    assert Table(EIGHT, seats=8).view.max_discards == 5


SEED = bytes(range(32))
CHANCES = pytest.mark.parametrize("chance", [SeededChance(SEED), DuplicateChance(SEED)], ids=["session", "duplicate"])


@CHANCES
def test_r4_4_a_stock_is_gathered_by_the_number_of_its_deal(chance: SeededChance) -> None:
    dealt = deal_out(4, ORDERS[3][0], HouseRules(), chance)
    passed = dealt.hands[1]
    undealt = chance.deck(4)[15:]
    dealt.stock.fold(passed)
    served, gathered = dealt.stock.serve(2, len(undealt) + 2)
    assert gathered == [5]
    assert served == card_set(undealt) | card_set(chance.shuffle_gathered(4, 1, cards_in(passed))[:2])


@CHANCES
def test_r4_4_folded_first_is_a_matter_of_the_house(chance: SeededChance) -> None:
    dealt = deal_out(1, ORDERS[3][0], HouseRules(recycle="folded_first"), chance)
    dealt.stock.fold(dealt.hands[1])
    dealt.stock.discard(dealt.hands[0])
    assert dealt.stock.serve(2, 37 + 1)[1] == [5]


@CHANCES
def test_r3_2_a_turned_card_is_shuffled_back_by_the_number_of_its_deal(chance: SeededChance) -> None:
    dealt = deal_out(4, ORDERS[3][0], HouseRules(trump_card="separate_returned"), chance)
    returned = chance.shuffle_returned(4, chance.deck(4)[15:])
    assert dealt.stock.serve(0, 1)[0] == card_set(returned[:1])

"""R4.4: the stock, and what is gathered when it is empty."""

from __future__ import annotations

from bourre.rules.cards import DECK, card_set, cards_in, parse_cards, show
from bourre.rules.events import Drew, StockGathered
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


def test_r4_4_replacements_come_from_the_top_of_the_stock() -> None:
    table = Table(EIGHT, seats=8)
    first, second = of(Drew, table.say(thrown(1), f"2 in {HANDS[2][:2]}"))
    assert first.received == STOCK[:5]
    assert second.received == STOCK[5:6]


def test_r4_4_a_stock_that_is_just_used_up_is_not_yet_gathered() -> None:
    table = Table(EIGHT, seats=8)
    events = table.say(thrown(1), thrown(2), f"3 in {HANDS[3][:5]}", "4 in")
    assert [event.number for event in of(Drew, events)] == [5, 5, 2, 0]
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


def test_r4_4_there_are_always_enough_cards() -> None:
    table = Table(EIGHT, seats=8)
    table.say(*[thrown(seat) for seat in (1, 2, 3, 4, 5, 6, 7, 0)])
    held = [card for hand in table.hands for card in cards_in(hand)]
    assert len(held) == len(set(held)) == 40


def test_r4_4_the_number_gathered_is_public_and_the_cards_are_not() -> None:
    table = Table(EIGHT, seats=8)
    (event,) = of(StockGathered, table.say(thrown(1), "2 pass", thrown(3), thrown(4)))
    assert str(event) == "the stock is empty: 15 cards are gathered and shuffled (R4.4)"


def test_r4_4_a_gathered_card_is_dealt_again() -> None:
    table = Table(EIGHT, seats=8)
    table.say(thrown(1), "2 pass", thrown(3), thrown(4))
    assert show(cards_in(table.hands[4] & card_set(parse_cards(HANDS[1])))) == show(table.chance.gatherings[0][:3])

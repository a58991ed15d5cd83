"""R4.4: the stock, and what is gathered when it is empty; R4.9: the second pass."""

from __future__ import annotations

from typing import Any

import pytest

from bourre.rules.actions import Decision, Fault
from bourre.rules.cards import DECK, card_set, cards_in, parse_cards, show
from bourre.rules.deal_setup import deal_out
from bourre.rules.deck import DuplicateChance, SeededChance
from bourre.rules.errors import InvalidAction
from bourre.rules.events import (
    AntePaid,
    CardPlayed,
    Drew,
    Faulted,
    MatchPaid,
    PotTaken,
    Stayed,
    StockGathered,
    TrickTaken,
)
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


# Nine of spades is turned: trump is spades. Seat 3 holds neither trump nor club.
STACKED = stacked("2C 3S 8D TC", "9H 8C 7D 6C", "KH 2S 3C 4D", "QH JH TH 7H", stock="9S")


def drawn(**keys: Any) -> Table:
    """Seats 1, 2 and 0 are in and stand pat; seat 3 could not."""
    table = Table(STACKED, seats=4, deals=2, preset="indiana", **keys)
    table.say("1 in", "2 in", "0 in", "1 draw", "2 draw", "0 draw")
    return table


def test_r4_9_is_asked_after_the_draw_from_the_dealers_left() -> None:
    table = drawn()
    assert (table.balances, table.pot) == ([-2, -2, -2, -1], 7)
    assert (table.match.asked, table.match.decision) == ((1,), Decision.STAY)
    assert table.view.legal == ()
    assert table.say("1 stay") == [Stayed(1, True), AntePaid(1, 1)]
    assert table.match.asked == (2,)
    assert table.say("2 leave") == [Stayed(2, False)]
    assert table.view.plays == (True, True, False, False)
    assert table.say("0 stay") == [Stayed(0, True), AntePaid(0, 1)]
    assert (table.match.asked, table.match.decision) == ((1,), Decision.PLAY)
    assert table.view.playing == (1, 0)
    assert (table.balances, table.pot) == ([-3, -3, -2, -1], 9)


@pytest.mark.parametrize("line", ["1 in", "1 draw", "1 trump S", "1 9H"])
def test_r4_9_an_answer_of_the_wrong_kind_is_the_callers_error(line: str) -> None:
    table = drawn()
    with pytest.raises(InvalidAction, match=r"^seat 1 was asked to stay, not "):
        table.say(line)
    assert table.match.asked == (1,)


def test_r4_9_whoever_left_is_never_bourre_and_loses_what_it_paid() -> None:
    table = drawn()
    table.say("1 stay", "2 leave", "0 stay")
    events = table.finish()
    assert len(of(TrickTaken, events)) == 4
    assert 2 not in [event.seat for event in events if isinstance(event, CardPlayed | MatchPaid | PotTaken)]
    assert table.balances[2] == -2 - 1  # the next ante is paid


def test_r4_9_the_first_still_in_leads() -> None:
    table = drawn()
    table.say("1 leave", "2 stay", "0 stay")
    assert table.match.to_act == 2


def test_r4_9_the_last_one_left_is_not_asked_pays_no_more_and_wins() -> None:
    table = drawn()
    events = table.say("1 leave", "2 leave")
    assert events[:3] == [Stayed(1, False), Stayed(2, False), PotTaken(0, 7)]
    assert of(AntePaid, events) == [AntePaid(seat, 1) for seat in range(4)]  # those of the next deal
    assert of(MatchPaid, events) == []


def test_r4_9_one_who_stayed_alone_keeps_what_it_paid_in_the_pot_it_wins() -> None:
    table = drawn()
    events = table.say("1 stay", "2 leave", "0 leave")
    assert of(PotTaken, events) == [PotTaken(1, 8)]


def test_r4_9_the_match_counts_both_second_antes() -> None:
    table = drawn()
    table.say("1 stay", "2 stay", "0 stay")
    assert (table.pot, table.view.match) == (10, 10)


def test_r4_9_a_lone_player_is_not_asked() -> None:
    table = Table(STACKED, seats=4, deals=2, preset="indiana")
    events = table.say("1 in", "2 pass", "0 pass")
    assert (of(Stayed, events), of(PotTaken, events)) == ([], [PotTaken(1, 5)])


def test_r4_9_in_turn_and_at_once_too() -> None:
    for mode in ("turn", "simultaneous"):
        table = Table(STACKED, seats=4, preset="indiana", declare_mode=mode, second_ante=2)
        table.say("1 in", "2 pass", "0 in")
        if mode == "simultaneous":
            table.say("1 draw", "0 draw")
        assert (table.match.asked, table.match.decision) == ((1,), Decision.STAY)
        assert table.say("1 stay") == [Stayed(1, True), AntePaid(1, 2)]


def test_r4_9_without_it_nobody_is_asked() -> None:
    assert drawn(second_pass=False).match.decision == Decision.PLAY


def test_r8_5_in_a_second_pass_silence_passes_no_chips_but_a_fault() -> None:
    assert drawn().say("1 ?late") == [Faulted(1, Fault.LATE), Stayed(1, False)]

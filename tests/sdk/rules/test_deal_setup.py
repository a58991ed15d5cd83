"""The cards as they are dealt: what is left of the deck, and how the stock is gathered again."""

from __future__ import annotations

import pytest

from bourre.rules.cards import card_set, cards_in
from bourre.rules.deal_setup import deal_out
from bourre.rules.deck import DuplicateChance, SeededChance
from bourre.rules.house import ORDERS, HouseRules

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

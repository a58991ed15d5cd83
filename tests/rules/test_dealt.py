"""The cards as they are dealt: what is left of the deck, and how it is made anew."""

from __future__ import annotations

import pytest

from bourre.rules.cards import card_set, cards_in
from bourre.rules.dealt import deal_out
from bourre.rules.deck import DuplicateChance, SeededChance
from bourre.rules.house import ORDERS, HouseRules

SEED = bytes(range(32))


@pytest.mark.parametrize("chance", [SeededChance(SEED), DuplicateChance(SEED)], ids=["session", "duplicate"])
def test_r4_4_a_stock_is_gathered_by_the_number_of_its_deal(chance: SeededChance) -> None:
    dealt = deal_out(4, ORDERS[3][0], HouseRules(), chance)
    passed = dealt.hands[1]
    undealt = chance.deck(4)[15:]
    dealt.stock.fold(passed)
    served, gathered = dealt.stock.serve(2, len(undealt) + 2)
    assert gathered == [5]
    assert served == card_set(undealt) | card_set(chance.gathered(4, 1, cards_in(passed))[:2])

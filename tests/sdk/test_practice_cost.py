"""What a mistake costs, as practice reports it."""

from __future__ import annotations

import pytest

from bourre.practice.cost import cost
from bourre.rules.actions import Choice, Declare, Draw, Play, Recall
from bourre.rules.cards import Card
from bourre.testing import view

LINE = "play hand='AS KH 2C' trick=QH trump=S pot=9 seats=4"
CORRECTED = "costs this pot of 9 and the next turn to deal"


@pytest.mark.parametrize(
    ("more", "price"),
    [
        ("", "9 chips and this pot"),
        ("renege_multiple=2", "18 chips and this pot"),
        ("renege_multiple=3", "20 chips and this pot"),  # the limit of the pot
        ("barred=0 recalled=0:3C", "9 chips and this pot"),
        ("barred=0", "no more chips than are owed already"),
        ("barred=1", "9 chips and this pot"),
        ("barred=0 correcting='2C R5.2 9'", "9 chips and this pot"),
        ("correcting='2C R5.2 0'", "no more chips than are owed already"),
    ],
)
def test_a_seat_that_has_only_corrected_still_has_a_match_to_lose(more: str, price: str) -> None:
    corrected = f"the referee asks once more. A legal card then {CORRECTED}. Any other answer costs {price}"
    assert cost(Play(Card("2C")), view(f"{LINE} {more}")) == corrected
    for said in (None, Play(Card("3C"))):
        played = f"the referee plays the lowest legal card, a fault. That costs {price}"
        assert cost(said, view(f"{LINE} {more}")) == played


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        ("silent", f"a recall in time {CORRECTED}. Otherwise the renege costs"),
        ("retract", "the referee takes the card back and asks again. A second such card costs"),
        ("retract_renege", "the referee takes the card back and asks again. The renege costs"),
        ("strict", "the card stands. The renege costs"),
    ],
)
def test_each_policy_has_its_price(policy: str, words: str) -> None:
    """Where no card is ever corrected, a seat that is barred owes its match already."""
    asked = view(f"{LINE} renege_policy={policy}")
    assert cost(Play(Card("2C")), asked) == f"{words} 9 chips and this pot"
    recalled = "the recall changes nothing, a fault, and the card stands. The renege costs 9 chips and this pot"
    assert cost(Recall(Card("2C")), asked) == recalled
    owed = cost(Play(Card("2C")), view(f"{LINE} barred=0 recalled=0:3C renege_policy={policy}"))
    price = "9 chips and this pot" if policy == "silent" else "no more chips than are owed already"
    assert owed == f"{words} {price}"


@pytest.mark.parametrize(
    ("decision", "said", "words"),
    [
        ("name_trump", None, "the suit of its lowest card becomes trump"),
        ("declare", None, "it passes"),
        ("declare", Declare(True, (Card("3C"),)), "it stands pat"),
        ("draw", None, "it stands pat"),
        ("draw", Draw((Card("3C"),)), "it stands pat"),
    ],
)
def test_before_the_play_only_a_fault_is_paid_for(decision: str, said: Choice | None, words: str) -> None:
    line = f"{decision} hand='AS KH 2C 4D 5D' preset=nba {'' if decision == 'name_trump' else 'trump=S'}"
    assert cost(said, view(line)) == f"{words}, a fault"
    assert cost(said, view(f"{line} fault_fine=3")) == f"{words}, a fault that costs 3 chips"

"""What a mistake costs, as practice reports it."""

from __future__ import annotations

import pytest

from bourre.practice.cost import cost
from bourre.rules.actions import Play
from bourre.rules.cards import Card
from bourre.testing import view

LINE = "play hand='AS KH 2C' trick=QH trump=S pot=9 seats=4"


@pytest.mark.parametrize(
    ("more", "price"),
    [
        ("", "9 chips and this pot"),
        ("renege_multiple=2", "18 chips and this pot"),
        ("barred=0 recalled=0:3C", "9 chips and this pot"),
        ("barred=0", "no more chips than are owed already"),
    ],
)
def test_a_seat_that_has_only_corrected_still_has_a_match_to_lose(more: str, price: str) -> None:
    asked_again = "asked once more, it may correct the card: then it is out of this pot of 9, and loses its next turn"
    assert cost(Play(Card("2C")), view(f"{LINE} {more}")) == f"{asked_again} to deal; otherwise {price}"
    assert cost(None, view(f"{LINE} {more}")) == f"the lowest legal card is played for it, a fault: {price}"


@pytest.mark.parametrize("policy", ["retract", "retract_renege"])
def test_where_no_card_is_ever_corrected_a_barred_seat_owes_its_match(policy: str) -> None:
    told = cost(Play(Card("2C")), view(f"{LINE} barred=0 recalled=0:3C renege_policy={policy}"))
    assert told.startswith("the card is taken back and another asked for")
    assert told.endswith(": no more chips than are owed already")

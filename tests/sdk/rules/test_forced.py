"""A play that is forced: the only legal card, which a seat would have to play in any case."""

from __future__ import annotations

from bourre.rules.actions import Play
from bourre.rules.cards import Card
from tests.sdk.rules.table import Table, stacked

# Trump is spades; 9H is led by seat 1: seat 2 has to follow with the king, seat 0 may choose a heart.
HANDS = ("2H 3H 8D TC 4S", "9H 8C 7D 6C 5D", "KH 2C 3C 4D 6S")


def test_the_only_legal_card_is_forced_and_nothing_else() -> None:
    table = Table(stacked(*HANDS), seats=3)
    assert table.match.deal.forced is None
    table.say("1 in", "2 in", "0 in")
    assert table.match.deal.forced is None
    table.say("1 9H")
    assert table.match.deal.forced == Play(Card("KH"))
    table.say("2 KH")
    assert table.match.deal.forced is None


def test_nothing_is_forced_on_who_is_asked_to_correct_a_renege() -> None:
    """It may leave its card where it is."""
    table = Table(stacked(*HANDS), seats=3, renege_policy="prompt")
    table.say("1 in", "2 in", "0 in", "1 9H", "2 2C")
    assert table.view.correcting
    assert table.view.legal == (Card("KH"),)
    assert table.match.deal.forced is None

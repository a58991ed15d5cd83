"""Samples under house rules: where the turned card may be, and what a play proves under looser rules."""

from __future__ import annotations

from typing import Any

import pytest

from bourre.rules.actions import Decision
from bourre.rules.cards import Card, Suit, parse_cards
from bourre.rules.errors import InvalidAction
from bourre.rules.visibility import View
from bourre.sampling import SampledDeal, sample_deals
from tests.sdk.rules.table import Table, stacked

HANDS = ("2D 3D 4D 5D 6S", "2C 3C 4C 5C 6C", "2H 3H 4H 5H 6H")
STOCK = "QS 7D 8D 9D TD JD"
"""QS is turned up, where one more card is."""


def table(*lines: str, **keys: Any) -> Table:
    """Three seats, seat 0 deals."""
    made = Table(stacked(*HANDS, stock=STOCK), seats=3, **keys)
    made.say(*lines)
    return made


def holders(view: View, card: str, samples: int = 100) -> set[int | None]:
    """The seats that hold this card in samples; None: no seat does."""
    found: set[int | None] = set()
    for deal in sample_deals(view, samples):
        found |= {seat for seat, hand in enumerate(deal.hands) if Card(card) in hand} or {None}
    return found


@pytest.mark.parametrize("form", ["separate_dead", "separate_dealer_option"])
def test_a_card_that_is_nobodys_is_with_nobody(form: str) -> None:
    for view in (table(trump_card=form).view, table("1 in", "2 in", trump_card=form).match.view(0)):
        assert holders(view, "QS") == {None}
        assert not any(Card("QS") in deal.rest for deal in sample_deals(view, 20))


def test_a_turned_card_that_the_dealer_took_is_with_him() -> None:
    taken = table("1 in", "2 in", "0 in 2D 3D take", trump_card="separate_dealer_option")
    view = taken.match.view(1)
    assert view.dead is None
    assert holders(view, "QS") == {0}
    assert all(len(hand) == 5 for deal in sample_deals(view, 20) for hand in deal.hands)
    left = table("1 in", "2 in", "0 in 2D 3D", trump_card="separate_dealer_option")
    assert holders(left.match.view(1), "QS") == {None}


def test_a_dealer_who_passes_after_taking_the_card_has_thrown_it_away() -> None:
    keys = {"trump_card": "separate_dealer_option", "second_pass": True, "second_ante": 1}
    passed = table("1 in", "2 in", "0 in 2D take", "1 stay", "2 stay", "0 leave", **keys)
    view = passed.match.view(1)
    assert holders(view, "QS") == {None}
    assert all(Card("QS") in deal.rest for deal in sample_deals(view, 20))


def test_a_card_shuffled_back_is_with_those_who_drew_or_in_the_stock() -> None:
    assert holders(table("1 in 2C", trump_card="separate_returned").match.view(2), "QS", 300) == {1, None}
    assert holders(table("1 in", trump_card="separate_returned").match.view(2), "QS") == {None}


def test_a_dealers_passed_hand_may_be_dealt_again_where_all_declare_first() -> None:
    """Eight seats, and all but the dealer draw: the stock of 12 is gathered, his turned card with it (R4.4)."""
    ranks = "23456789"
    hands = [" ".join(f"{rank}{suit}" for suit in "CDHS") + f" {card}" for rank, card in zip(ranks, CARDS, strict=True)]
    made = Table(stacked(*hands), seats=8, declare_mode="separate")
    made.say(*(f"{seat} in" for seat in range(1, 8)), "0 pass")
    while made.match.decision == Decision.DRAW:
        view = made.view
        made.say(f"{view.seat} draw {' '.join(map(str, view.hand[:4]))}")
    view = made.match.view(1)
    turned = str(view.turned)
    assert view.turned in made.match.view(0).hand
    assert None in holders(view, turned, 300)
    assert holders(view, turned, 300) & {4, 5, 6, 7}
    assert not holders(view, turned, 300) & {0, 2, 3}


CARDS = ("TS", "TC", "TD", "TH", "JC", "JD", "JH", "JS")


def test_four_cards_are_four() -> None:
    hands = ("2D 3D 4D 5D", "2C 3C 4C 5C", "2H 3H 4H 5H")
    view = Table(stacked(*hands, stock=STOCK), seats=3, preset="booray").view
    for deal in sample_deals(view, 20):
        assert [len(hand) for hand in deal.hands] == [4, 4, 4]
        assert sum(deal.play_out()) <= view.pot


def suits_left(keys: dict[str, Any], seat: int) -> set[Suit]:
    """The suits that a seat may still hold, after 1 led a club and the others did not follow."""
    played = table("1 in", "2 in", "0 in", "1 2C", "2 2H", "0 6S", trump_card="separate_dead", **keys)
    return {card.suit for deal in sample_deals(played.match.view(1), 200) for card in deal.hands[seat]}


def test_what_a_play_proves_follows_from_the_house() -> None:
    """Seat 2 threw a heart on a club: it has no club, and no trump where it would have had to trump."""
    assert suits_left({}, 2) == {Suit.D, Suit.H}
    assert suits_left({"must_trump": "never", "cinch": False}, 2) == {Suit.D, Suit.H, Suit.S}
    assert suits_left({"must_trump": "if_can_win"}, 2) == {Suit.D, Suit.H}


def has_higher_diamonds(must_beat: bool) -> bool:
    """Whether seat 0, which followed the eight of diamonds with the two, may hold higher ones."""
    hands = ("2D 4H 5S 6S 7H", "8D 7C 4C 5C 6C", "2H 3H 8C 5H 6H")
    made = Table(stacked(*hands, stock="QS"), seats=3, trump_card="separate_dead", must_beat=must_beat)
    made.say("1 in", "2 in", "0 in", "1 8D", "2 2H", "0 2D")
    deals = sample_deals(made.match.view(1), 200)
    return any(card.suit == Suit.D and card > Card("8D") for deal in deals for card in deal.hands[0])


def test_a_seat_that_need_not_beat_may_hold_higher_cards() -> None:
    assert has_higher_diamonds(must_beat=False)
    assert not has_higher_diamonds(must_beat=True)


def test_the_last_card_proves_nothing_while_a_renege_may_be_silent() -> None:
    silent = table("1 in", "2 in", "0 in", "1 2C", "2 2H", "0 2D", trump_card="separate_dead", renege_policy="silent")
    view = silent.match.view(1)
    assert view.barred == ()
    assert Suit.S in {card.suit for deal in sample_deals(view, 200) for card in deal.hands[0]}
    silent.say("1 3C")
    assert silent.match.view(1).barred == (0,)
    told = {card.suit for deal in sample_deals(view, 200) for card in deal.hands[2]}
    assert told == {Suit.D, Suit.H}


def test_before_trumps_are_named_a_bot_may_try_each_suit() -> None:
    view = table(trump_card="dealer_chooses", declare_mode="separate").view
    assert (view.seat, view.decision) == (0, Decision.NAME_TRUMP)
    deals = list(sample_deals(view, 20))
    assert all(len(hand) == 5 for deal in deals for hand in deal.hands)
    with pytest.raises(InvalidAction, match="not named yet"):
        deals[0].play_out()
    gains = {suit: sum(deal.named(suit).play_out()[0] for deal in deals) for suit in Suit}
    assert max(gains, key=gains.__getitem__) == Suit.D


def test_where_all_declare_at_once_nobody_is_known_to_be_in() -> None:
    view = table("1 in", "2 pass", declare_mode="simultaneous", trump_card="separate_dead").view
    assert view.plays == (None, None, None)
    assert all(len(hand) == 5 for deal in sample_deals(view, 20) for hand in deal.hands)


def before_the_draw(**keys: Any) -> SampledDeal:
    view = table(trump_card="separate_dealer_option", **keys).match.view(0)
    return SampledDeal(view, tuple(map(parse_cards, HANDS)), parse_cards("AC KC QC JC"))


def test_the_dealer_draws_one_card_less_where_he_takes_the_turned_one() -> None:
    deal = before_the_draw().drawn(0, parse_cards("2D 3D"), takes=True)
    assert deal.hands[0] == parse_cards("4D 5D 6S QS AC")
    assert deal.rest == parse_cards("KC QC JC 2D 3D")
    assert deal.view.dead is None
    assert before_the_draw().drawn(0, (), takes=True) == before_the_draw()


def test_where_all_pass_nobody_gains() -> None:
    deal = before_the_draw(declare_mode="simultaneous").passed(0).passed(1).passed(2)
    assert deal.play_out() == (0, 0, 0)

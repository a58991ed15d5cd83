"""Samples in stacked deals: the card turned up, cards shown in a renege, own discards that come back."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bourre.rules.actions import Decision, Declare, Draw, Play
from bourre.rules.cards import DECK, Card, Suit, cards_in, parse_cards
from bourre.rules.deck import SeededChance
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.sampling import ImpossibleView, sample_deals
from bourre.sampling.evidence import KEPT, derive_evidence
from bourre.sampling.redrawn_cards import count_redrawn
from tests.sdk.onlooker import cards_of, contradictions
from tests.sdk.rules.table import Table, stacked

HANDS = ("2D 3D 4D 5D QS", "2C 3C 4C 5C 6C", "2H 3H 4H 5H 6H")


def in_play(dealer_draws: str = "0 in") -> Table:
    """Three seats, seat 0 deals and turns up QS; all come in."""
    table = Table(stacked(*HANDS, stock="7D 8D 9D TD JD"), seats=3)
    table.say("1 in", "2 in", dealer_draws)
    return table


def share_of_kept(table: Table) -> float:
    view = table.match.view(1)
    return sum(view.turned in deal.hands[0] for deal in sample_deals(view, 2000)) / 2000


def test_a_dealer_who_stands_pat_keeps_the_card_turned_up() -> None:
    assert share_of_kept(in_play()) == 1


def test_a_dealer_who_draws_five_has_thrown_it_away() -> None:
    assert share_of_kept(in_play("0 in 2D 3D 4D 5D QS")) == 0


def test_a_dealer_who_draws_some_has_mostly_kept_it() -> None:
    assert share_of_kept(in_play("0 in 2D 3D 4D 5D")) == pytest.approx(KEPT, abs=0.02)


def test_a_dealer_who_did_not_beat_or_trump_has_thrown_it_away() -> None:
    table = in_play("0 in QS")  # draws 7D
    table.say("1 2C", "2 3H", "0 2D")
    assert share_of_kept(table) == 0


def test_nobody_else_ever_holds_the_card_turned_up() -> None:
    table = Table(stacked(*HANDS), seats=3)
    table.say("1 in")
    deals = list(sample_deals(table.match.view(2), 50))
    assert all(deal.hands[0].count(Card("QS")) == 1 for deal in deals)
    table.say("2 in", "0 pass")
    assert all(Card("QS") in deal.rest and not deal.hands[0] for deal in sample_deals(table.match.view(2), 50))


def test_before_the_draw_every_seat_that_has_not_passed_has_five_cards() -> None:
    table = Table(stacked(*HANDS), seats=3)
    table.say("1 pass")
    for deal in sample_deals(table.match.view(2), 20):
        assert [len(hand) for hand in deal.hands] == [5, 0, 5]
        assert deal.hands[2] == parse_cards("2H 3H 4H 5H 6H")
        assert len(deal.rest) == 42


def test_a_card_taken_back_stays_where_it_was_shown() -> None:
    table = in_play()
    table.say("1 2C", "2 3H", "0 2D", "0 QS")  # the dealer holds a trump, and must play it
    view = table.match.view(1)
    assert view.recalled == ((0, Card("2D")),)
    assert all(Card("2D") in deal.hands[0] for deal in sample_deals(view, 50))


def test_the_plays_of_a_barred_seat_prove_nothing() -> None:
    table = in_play()
    table.say("1 2C", "2 3H", "0 2D", "0 3D")  # its renege stands
    view = table.match.view(table.match.to_act)
    assert view.barred == (0,)
    suits = {card.suit for deal in sample_deals(view, 200) for card in deal.hands[0]}
    assert len(suits) == 4


def all_draw_five(seed: int) -> Match:
    """Eight seats, all in, who throw away their whole hands: the stock is gathered three times."""
    match = Match(8, 1, HouseRules(), SeededChance(b"%d" % seed))
    match.start()
    while match.decision != Decision.PLAY:
        view = match.view(match.to_act)
        match.apply(view.seat, Draw(view.hand) if match.decision == Decision.DRAW else Declare(True, view.hand))
    return match


def test_own_discards_come_back_where_the_stock_took_them() -> None:
    """12 cards serve two seats; then ten are gathered, and serve the third to fifth; then ten later ones."""
    true, sampled = set(), set()
    for seed in range(10):
        match = all_draw_five(seed)
        order = match.deal.entry.order
        view = match.view(order[0])
        own = set(view.discarded)
        true |= {turn for turn in range(8) if own & set(match.view(order[turn]).hand)}
        for deal in sample_deals(view, 20):
            sampled |= {turn for turn in range(8) if own & set(deal.hands[order[turn]])}
            assert len(own & set(deal.hands[order[4]])) <= 2
    assert true == sampled == {2, 3, 4}


def test_own_discards_that_came_to_light_are_not_dealt_again() -> None:
    """They are played by others, and shown in reneges, until none is left."""
    shown = 0
    for seed in range(6):
        match = all_draw_five(seed)
        dice = Random(seed)
        while not match.over:
            view = match.view(match.to_act)
            for deal in sample_deals(view, 1):
                assert list(contradictions(view, deal.hands)) == []
            for holding in derive_evidence(view)[0].holdings:
                seen = {*cards_of(view, holding.seat), *cards_in(holding.known)} & set(view.discarded)
                assert holding.most_gathered == count_redrawn(view).own[holding.seat] - len(seen)
                shown += len(seen)
            match.apply(view.seat, Play(dice.choice(view.hand if dice.random() < 0.1 else view.legal)))
    assert shown > 100


def test_own_discards_stay_away_where_the_stock_sufficed() -> None:
    match = all_draw_five(1)
    view = match.view(match.deal.dealer)
    for deal in sample_deals(view, 50):
        assert not set(view.discarded) & {*deal.rest, *(card for hand in deal.hands for card in hand)}


def test_a_view_that_shows_too_many_cards_is_refused() -> None:
    view = in_play().match.view(1)
    shown = tuple((0, card) for card in parse_cards("2D 3D 4D 5D 6D 7D"))
    with pytest.raises(ImpossibleView, match="a seat has shown cards that it cannot have held"):
        next(sample_deals(replace(view, recalled=shown), 1))


def test_a_view_that_leaves_a_seat_no_cards_is_refused() -> None:
    table = in_play()
    table.say("1 2C", "2 3H")  # neither clubs nor trumps
    view = table.match.view(0)
    red = tuple(card for card in DECK if card.suit in (Suit.D, Suit.H) and card not in view.trick)
    with pytest.raises(ImpossibleView, match="no hands of the other seats are consistent with what they played"):
        next(sample_deals(replace(view, hand=red), 1))

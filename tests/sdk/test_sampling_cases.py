"""Samples in stacked deals: the card turned up, trumps not named yet, own discards that come back."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bourre.rules.actions import Decision, Declare, Draw, Play
from bourre.rules.cards import DECK, Card, Suit, cards_in, parse_cards
from bourre.rules.deck import SeededChance
from bourre.rules.errors import InvalidAction
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.view import View
from bourre.sampling import ImpossibleView, sample_deals
from bourre.sampling.hypotheses import KEPT, derive_hypotheses
from bourre.sampling.redrawn_cards import count_redrawn
from tests.sdk.onlooker import cards_of, contradictions
from tests.sdk.rules.table import Table, stacked

HANDS = ("2D 3D 4D 5D QS", "2C 3C 4C 5C 6C", "2H 3H 4H 5H 6H")


def in_play(dealer_draws: str = "0 in") -> Table:
    """Three seats, seat 0 deals and turns up QS; all come in."""
    table = Table(stacked(*HANDS, stock="7D 8D 9D TD JD"), seats=3)
    table.say("1 in", "2 in", dealer_draws)
    return table


@pytest.mark.parametrize(
    ("draws", "then", "kept"),
    [
        ("0 in", (), 1),
        ("0 in 2D 3D 4D 5D QS", (), 0),
        ("0 in 2D 3D 4D 5D", (), KEPT),
        ("0 in QS", ("1 2C", "2 3H", "0 2D"), 0),  # it did not trump
    ],
)
def test_where_the_card_turned_up_is_follows_from_what_its_dealer_drew(
    draws: str, then: tuple[str, ...], kept: float
) -> None:
    table = in_play(draws)
    table.say(*then)
    view = table.match.view(1)
    share = sum(view.turned in deal.hands[0] for deal in sample_deals(view, 1000)) / 1000
    assert share == (pytest.approx(kept, abs=0.025) if 0 < kept < 1 else kept)


def holders(view: View, card: Card, samples: int) -> set[int | None]:
    """The seats that hold this card in samples; None: it is left over."""
    found: set[int | None] = set()
    for deal in sample_deals(view, samples):
        found |= {seat for seat, hand in enumerate(deal.hands) if card in hand} or {None}
        assert card in {*deal.rest, *(held for hand in deal.hands for held in hand)}
    return found


def test_nobody_holds_what_a_dealer_threw_away_when_it_passed() -> None:
    """Before the draw, or after it took the card (R4.9)."""
    table = Table(stacked(*HANDS), seats=3)
    table.say("1 in", "2 in", "0 pass")
    assert holders(table.match.view(2), Card("QS"), 50) == {None}
    deck = stacked("2D 3D 4D 5D 6S", *HANDS[1:], stock="QS 7D 8D 9D TD JD")
    table = Table(deck, seats=3, trump_card="separate_dealer_option", second_pass=True, second_ante=1)
    table.say("1 in", "2 in", "0 in 2D take", "1 stay", "2 stay", "0 leave")
    assert holders(table.match.view(1), Card("QS"), 50) == {None}


def test_a_dealers_passed_hand_may_be_dealt_again_where_all_declare_first() -> None:
    """Eight seats, and all but the dealer draw: the stock of 12 is gathered, its turned card with it (R4.4)."""
    last = ("TS", "TC", "TD", "TH", "JC", "JD", "JH", "JS")
    hands = [f"{rank}C {rank}D {rank}H {rank}S {card}" for rank, card in zip("23456789", last, strict=True)]
    table = Table(stacked(*hands), seats=8, declare_mode="separate")
    table.say(*(f"{seat} in" for seat in range(1, 8)), "0 pass")
    while table.match.decision == Decision.DRAW:
        table.say(f"{table.view.seat} draw {' '.join(map(str, table.view.hand[:4]))}")
    view = table.match.view(1)
    assert view.turned is not None
    found = holders(view, view.turned, 300)
    assert None in found
    assert {4, 5, 6, 7} & found
    assert not {0, 2, 3} & found


def test_before_trumps_are_named_a_bot_may_try_each_suit() -> None:
    view = Table(stacked("2D 3D 4D 5D 6S", *HANDS[1:]), seats=3, preset="nba").view
    assert (view.seat, view.decision) == (0, Decision.NAME_TRUMP)
    deals = list(sample_deals(view, 20))
    with pytest.raises(InvalidAction, match="not named yet"):
        deals[0].play_out()
    gains = {suit: sum(deal.named(suit).play_out()[0] for deal in deals) for suit in Suit}
    assert max(gains, key=gains.__getitem__) == Suit.D


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
            for holding in derive_hypotheses(view)[0].holdings:
                seen = {*cards_of(view, holding.seat), *cards_in(holding.known)} & set(view.discarded)
                assert holding.most_gathered == count_redrawn(view).own[holding.seat] - len(seen)
                shown += len(seen)
            match.apply(view.seat, Play(dice.choice(view.hand if dice.random() < 0.1 else view.legal)))
    assert shown > 100


def test_a_view_that_no_match_can_produce_is_refused() -> None:
    view = in_play().match.view(1)
    shown = tuple((0, card) for card in parse_cards("2D 3D 4D 5D 6D 7D"))
    with pytest.raises(ImpossibleView, match="a seat has shown cards that it cannot have held"):
        next(sample_deals(replace(view, recalled=shown), 1))
    table = in_play()
    table.say("1 2C", "2 3H")  # neither clubs nor trumps
    view = table.match.view(0)
    red = tuple(card for card in DECK if card.suit in (Suit.D, Suit.H) and card not in view.trick)
    with pytest.raises(ImpossibleView, match="no hands of the other seats are consistent with their plays"):
        next(sample_deals(replace(view, hand=red), 1))

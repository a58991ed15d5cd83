"""Hands dealt many at once are those that fit, all equally likely; kept are those that the champion came in with."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import sqrt
from random import Random

import numpy as np
import pytest

from bourre.rules.cards import DECK, Suit, card_set, parse_cards
from bourre.rules.deck import SeededChance
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.view import View
from bourre.sampling import ImpossibleView, SampledDeal, sample_deals
from bourre.sampling.dealing import Dealing
from bourre.sampling.hypotheses import HandsHypothesis, Holding
from bourre.sampling.samples import dealings_of, make_sample
from bourre.testing import view as view_of
from bourre_lab.review import batch_dealing, weighed_deals
from bourre_lab.review.batch_dealing import deal_many
from bourre_lab.review.entered_deals import likely_deals
from tests.sdk.onlooker import contradictions
from tests.sdk.test_sampling import all_fitting, asked, check_rest, is_small


def dealt(view: View, rows: int) -> list[SampledDeal]:
    """Deals by the only hypothesis about this view."""
    (dealing,) = dealings_of(view)
    seats = [holding.seat for holding in dealing.holdings]
    found = deal_many(dealing, rows, np.random.default_rng(3))
    hands = [dict(zip(seats, row, strict=True)) for row in found.tolist()]
    return [make_sample(view, dealing.hypothesis, one, Random(1)) for one in hands]


@pytest.mark.parametrize("rounds", [batch_dealing._ROUNDS, 0])
@pytest.mark.parametrize(
    ("seats", "seed", "house"),
    [(4, 4, HouseRules()), (3, 6, HouseRules.preset("separate_rounds"))],
)
def test_all_deals_that_fit_come_equally_often(
    seats: int, seed: int, house: HouseRules, rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch_dealing, "_ROUNDS", rounds)
    match = Match(seats, 60, house, SeededChance(b"%d" % seed))
    view = next(view for view, truth in asked(match, Random(seed), 0.0) if is_small(view) and sum(map(len, truth)) > 2)
    others = [seat for seat in view.playing if seat != view.seat]
    ways = set(all_fitting(view, others, [view.hand if seat == view.seat else () for seat in range(seats)]))
    counts = Counter(deal.hands for deal in dealt(view, 15 * len(ways)))
    assert set(counts) == ways
    chi_square = sum((counts[way] - 15) ** 2 / 15 for way in ways)
    assert chi_square < len(ways) + 4 * sqrt(2 * len(ways))


def test_a_hand_that_leaves_others_fewer_choices_is_as_likely() -> None:
    first, second = card_set(parse_cards("2C 3C")), card_set(parse_cards("3C 4C 5C"))
    holdings = tuple(Holding(seat, 0, 1, cards, 0, 0, ()) for seat, cards in ((1, first), (2, second)))
    dealing = Dealing(HandsHypothesis(1.0, first | second, holdings, thrown=0), trumps=0)
    counts = Counter(map(tuple, deal_many(dealing, 1000, np.random.default_rng(1)).tolist()))
    assert len(counts) == 5
    assert all(170 < number < 230 for number in counts.values())


@pytest.mark.parametrize("preset", ["limit", "separate_dealer_option", "nba", "indiana", "wikipedia"])
def test_the_deals_of_a_review_contradict_nothing_that_was_seen(preset: str) -> None:
    match, views = Match(7, 3, HouseRules.preset(preset), SeededChance(b"review")), 0
    for view, _ in asked(match, Random(4), 0.0):
        deals = likely_deals(view, 3, "a seed")
        assert len(deals) == 3
        for deal in deals:
            assert list(contradictions(view, deal.hands)) == []
            if view.decision in ("play", "stay"):
                check_rest(deal)
        views += 1
    assert views > 40


def test_a_view_that_cannot_be_is_refused() -> None:
    """Seat 1 has neither clubs nor trumps, and all other cards are seen."""
    seen = view_of("play hand='AH KH AD 5D 6D' trick='2C 3H' trump=S seats=3 seat=2 dealer=2")
    red = tuple(card for card in DECK if card.suit in (Suit.D, Suit.H) and card not in seen.trick)
    with pytest.raises(ImpossibleView, match="no hands of the other seats"):
        likely_deals(replace(seen, hand=red), 3, "a seed")


ENTERED = "hand='KH 2C 3D 9H 8D' trump=S seats=3 seat=0 plays='in in pass' turned=4S dealer=2"


def trumps_held(text: str) -> tuple[float, float]:
    """The mean number of trumps of seat 1 in the samples of a review, and in any that fit."""
    seen = view_of(f"{text} {ENTERED}")
    means = []
    for deals in (likely_deals(seen, 200, "a seed"), list(sample_deals(seen, 200, Random(1)))):
        means.append(sum(card.suit == seen.trump for deal in deals for card in deal.hands[1]) / len(deals))
    return means[0], means[1]


def test_a_seat_that_is_in_holds_trumps_as_its_draw_tells() -> None:
    three, any_three = trumps_held("play drawn='3 3 -'")
    five, any_five = trumps_held("play drawn='3 5 -'")
    undrawn, any_undrawn = trumps_held("draw preset=separate_rounds")
    assert three > any_three + 0.7
    assert abs(five - any_five) < 0.3
    assert undrawn > any_undrawn + 0.3


def test_dealers_who_left_the_turned_card_are_weighed_as_where_nobody_may_take_it() -> None:
    """A dealer who took it is not weighed, so none of the sampled dealers takes it."""
    option, dead = (
        weighed_deals._entered_hands(HouseRules.preset(preset), 3)._logs
        for preset in ("separate_dealer_option", "separate_dead")
    )
    np.testing.assert_array_equal(option, dead)

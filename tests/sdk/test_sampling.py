"""Samples of hidden cards: consistent with what was seen, including the truth, all equally likely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from itertools import combinations
from math import comb, prod, sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre.rules.cards import DECK, Card, card_set
from bourre.rules.deck import SeededChance
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.visibility import View
from bourre.sampling import SampledDeal, dealing, sample_deals
from bourre.sampling.evidence import derive_evidence
from bourre.sampling.view_reading import remaining
from tests.long_tests import share_of_examples
from tests.sdk.onlooker import Hands, cards_of, contradictions, true_hands
from tests.sdk.random_answers import play_randomly
from tests.strategies import houses


def asked(match: Match, dice: Random, mischief: float) -> Iterator[tuple[View, Hands]]:
    """The view of every seat that is asked in a match, and the true hands."""
    for _ in play_randomly(match, dice, mischief):
        if not match.over:
            for seat in match.asked:
                view = match.view(seat)
                yield view, true_hands(match, view)


def is_covered(view: View, hands: Hands) -> bool:
    """Whether the sampler may come to these hands: some way allows each of them."""
    sets = [card_set(hand) for hand in hands]
    return any(
        all(
            holding.known & ~sets[holding.seat] == 0
            and (unknown := sets[holding.seat] & ~holding.known) & ~(holding.possible & way.pool) == 0
            and unknown.bit_count() == holding.unknown
            and holding.fits(unknown)
            for holding in way.holdings
        )
        for way in derive_evidence(view)
    )


matches = st.builds(Match, st.integers(2, 8), st.integers(1, 2), houses(), st.binary(max_size=8).map(SeededChance))


@given(match=matches, dice=st.integers(0, 2**32), mischief=st.sampled_from([0.0, 0.0, 0.1]))
@share_of_examples(0.4)
def test_samples_and_truth_agree_with_all_that_was_seen(match: Match, dice: int, mischief: float) -> None:
    for view, truth in asked(match, Random(dice), mischief):
        assert list(contradictions(view, truth)) == []
        assert is_covered(view, truth)
        for deal in sample_deals(view, 2):
            assert list(contradictions(view, deal.hands)) == []
            assert is_covered(view, deal.hands)
            check_rest(deal)


def check_rest(deal: SampledDeal) -> None:
    """Every card is in one place."""
    view = deal.view
    played = [card for seat in range(view.seats) for card in cards_of(view, seat)]
    places = [*deal.rest, *played, *(card for hand in deal.hands for card in hand)]
    assert len(places) == len(set(places))
    assert set(DECK) - {*view.discarded, view.dead} <= set(places)


def all_fitting(view: View, seats: list[int], hands: list[tuple[Card, ...]]) -> Iterator[tuple[tuple[Card, ...], ...]]:
    """Every assignment that the onlooker believes, by trying all of them."""
    if not seats:
        if not list(contradictions(view, hands)):
            yield tuple(hands)
        return
    taken = {card for hand in hands for card in hand}
    turned = [] if view.turned is None else [view.turned]
    free = {*remaining(view), *turned} - taken
    for cards in combinations(sorted(free), view.house.cards - len(cards_of(view, seats[0]))):
        yield from all_fitting(view, seats[1:], [*hands[: seats[0]], cards, *hands[seats[0] + 1 :]])


def is_small(view: View) -> bool:
    """Whether all ways to deal out the others' cards can be tried, and none is likelier than another."""
    others = [seat for seat in view.playing if seat != view.seat]
    ways = prod(comb(len(remaining(view)), view.house.cards - len(cards_of(view, seat))) for seat in others)
    return view.leader is not None and 1 < ways < 1000 and len(derive_evidence(view)) == 1


@pytest.mark.parametrize(
    ("seats", "seed", "house"),
    [
        (2, 1, HouseRules()),
        (4, 4, HouseRules()),
        (3, 5, HouseRules(trump_card="separate_dead")),
        (3, 6, HouseRules(trump_card="separate_dealer_option", declare_mode="separate")),
        (3, 7, HouseRules(trump_card="separate_returned")),
        (3, 8, HouseRules.preset("booray")),
    ],
)
def test_all_deals_that_fit_come_equally_often(seats: int, seed: int, house: HouseRules) -> None:
    match = Match(seats, 60, house, SeededChance(b"%d" % seed))
    view = next(view for view, truth in asked(match, Random(seed), 0.0) if is_small(view) and sum(map(len, truth)) > 2)
    others = [seat for seat in view.playing if seat != view.seat]
    ways = set(all_fitting(view, others, [view.hand if seat == view.seat else () for seat in range(seats)]))
    assert len(ways) > 10
    counts = Counter(deal.hands for deal in sample_deals(view, 15 * len(ways)))
    assert set(counts) == ways
    chi_square = sum((counts[way] - 15) ** 2 / 15 for way in ways)
    assert chi_square < len(ways) + 4 * sqrt(2 * len(ways))


@pytest.mark.parametrize(
    ("seats", "house", "digest"),
    [
        (3, HouseRules.preset("limit"), "6175f7b3c0c5"),
        (8, HouseRules.preset("limit", renege_policy="silent"), "8b7142c102d4"),
        (7, HouseRules.preset("wikipedia"), "c9871dbd7094"),
        (8, HouseRules.preset("simultaneous", recycle="folded_first"), "34e20ad4809c"),
        (4, HouseRules.preset("separate_dealer_option", second_pass=True), "04c3ee82994e"),
        (6, HouseRules.preset("separate_rounds", trump_card="separate_returned"), "3c356b2121e2"),
        (4, HouseRules.preset("nba", must_trump="if_can_win", cinch_adjacent=False), "6733d13dab20"),
        (5, HouseRules.preset("indiana", renege_policy="retract"), "2eef5d1eab63"),
        (3, HouseRules.preset("booray", tie="divide"), "8b95ee4e744a"),
    ],
)
def test_samples_are_those_of_today(seats: int, house: HouseRules, digest: str) -> None:
    """So a bot that samples repeats its answers, with chance and with the search alone, also in the next release."""
    drawn, own = sha256(), Random(9)
    for tries in (dealing.TRIES, 0):
        match = Match(seats, 2 if tries else 1, house, SeededChance(b"pinned"))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(dealing, "TRIES", tries)
            for view, _ in asked(match, Random(seats), 0.1):
                for deal in (*sample_deals(view, 2), *sample_deals(view, 1, own)):
                    drawn.update(bytes(card for hand in (*deal.hands, deal.rest) for card in (*hand, 0)))
                    drawn.update(str(() if view.named is None else deal.play_out()).encode())
    assert drawn.hexdigest()[:12] == digest

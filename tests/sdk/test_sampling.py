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

from bourre.rules.cards import DECK, Card, Suit, card_set
from bourre.rules.deck import SeededChance
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.visibility import View
from bourre.sampling import SampledDeal, dealing, sample_deals
from bourre.sampling.dealing import Dealing, search
from bourre.sampling.hypotheses import HandsHypothesis, Holding, derive_hypotheses
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
        for way in derive_hypotheses(view)
    )


matches = st.builds(Match, st.integers(2, 8), st.integers(1, 2), houses(), st.binary(max_size=8).map(SeededChance))


@given(match=matches, dice=st.integers(0, 2**32), mischief=st.sampled_from([0.0, 0.0, 0.1]))
@share_of_examples(0.2)
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
    return view.leader is not None and 1 < ways < 1000 and len(derive_hypotheses(view)) == 1


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


Way = tuple[int, ...]


def cards(text: str) -> int:
    """The set of cards that these letters stand for: a is the lowest of the deck."""
    return card_set(DECK[ord(letter) - ord("a")] for letter in text)


def holding(seat: int, unknown: int, possible: str) -> Holding:
    return Holding(seat, 0, unknown, cards(possible), gathered=0, most_gathered=0, plays=())


def all_ways(holdings: list[Holding], pool: int) -> Iterator[Way]:
    """Every assignment that fits, hand by hand."""
    if not holdings:
        yield ()
        return
    first, *others = holdings
    for hand in combinations([card for card in DECK if (pool & first.possible) >> card & 1], first.unknown):
        for way in all_ways(others, pool & ~card_set(hand)):
            yield (card_set(hand), *way)


CASES = {
    "overlapping": [holding(0, 2, "abcd"), holding(1, 2, "cdefgh")],
    "nested": [holding(0, 2, "abc"), holding(1, 1, "abcde"), holding(2, 2, "abcdefgh")],
    "a ring": [holding(0, 1, "abc"), holding(1, 1, "cde"), holding(2, 1, "efa"), holding(3, 2, "abcdef")],
    "tight": [holding(0, 2, "abc"), holding(1, 1, "ab"), holding(2, 1, "cd"), holding(3, 1, "cdef")],
}


@pytest.mark.parametrize("holdings", CASES.values(), ids=CASES)
def test_every_assignment_comes_equally_often(holdings: list[Holding]) -> None:
    ways = list(all_ways(holdings, cards("abcdefgh")))
    dealing = Dealing(HandsHypothesis(1.0, cards("abcdefgh"), tuple(holdings), thrown=0), Suit.S)
    counts: Counter[Way] = Counter()
    dice = Random(1)
    for _ in range(100 * len(ways)):
        hands = dealing.deal(dice)
        assert hands is not None
        counts[tuple(hands[each.seat] for each in holdings)] += 1
    assert set(counts) == set(ways)
    chi_square = sum((counts[way] - 100) ** 2 / 100 for way in ways)
    assert chi_square < len(ways) + 4 * sqrt(2 * len(ways))


@pytest.mark.parametrize("holdings", CASES.values(), ids=CASES)
def test_search_comes_to_many_assignments_and_to_no_wrong_one(holdings: list[Holding]) -> None:
    ways = set(all_ways(holdings, cards("abcdefgh")))
    found = set()
    for seed in range(200):
        hands = search(holdings, cards("abcdefgh"), Suit.S, Random(seed))
        assert hands is not None
        found.add(tuple(hands[each.seat] for each in holdings))
    assert found <= ways
    assert len(found) > min(len(ways), 200) / 3


def test_where_nothing_fits_nothing_is_dealt() -> None:
    two_cards_for_three = [holding(0, 1, "ab"), holding(1, 1, "ab"), holding(2, 1, "ab")]
    dealing = Dealing(HandsHypothesis(1.0, cards("abcdefgh"), tuple(two_cards_for_three), thrown=0), Suit.S)
    assert dealing.deal(Random(1)) is None


def test_a_search_gives_up_after_a_budget_for_all_hands_together(monkeypatch: pytest.MonkeyPatch) -> None:
    examined: list[int] = []

    class Counting(Holding):
        def fits(self, cards: int) -> bool:
            examined.append(cards)
            return self.seat == 0

    holdings = [Counting(seat, 0, 1, cards("abcdefgh"), 0, 0, ()) for seat in range(2)]
    for budget, most in ((30, 30), (1000, 8 * (1 + 7))):
        monkeypatch.setattr("bourre.sampling.dealing.BUDGET", budget)
        examined.clear()
        assert search(holdings, cards("abcdefgh"), Suit.S, Random(1)) is None
        assert len(examined) == most

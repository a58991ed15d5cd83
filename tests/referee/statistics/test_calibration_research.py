"""The building blocks of the measurements in research/calibration.md: a contest's deals, correct statistics."""

from __future__ import annotations

from math import inf, isclose
from random import Random
from statistics import fmean

import pytest
from imagined import DECKS, deal_luck, simulate_deal
from intervals import Moody, duplicate, figures, sessions
from learned import KING, Model, features, learn
from least_squares import fit
from needed import Gap, gap_of
from playings import LIMIT, play_block, play_out
from reordering import largest_change, play_sessions, ranking, rename_by_place

from bourre.practice import practice_duplicate
from bourre.record import read
from bourre.record.record_text import totals
from bourre.rules.cards import DECK, Card, Suit, card_set, parse_cards
from bourre.rules.deck import DuplicateChance, derive, master_seed, shuffle
from bourre.rules.match import Match
from bourre.rules.pot import settle_in_units
from bourre_referee.contest.schedule.duplicate_seatings import seatings
from bourre_referee.ratings import rate
from bourre_referee.statistics.estimates import adjusted_blocks_of
from examples.counter import Counter
from examples.drawer import Drawer
from examples.tight import Tight

BOTS = (Tight, Counter, Drawer)
SEED = master_seed(3)


def test_a_measured_block_is_a_deal_of_duplicate_practice() -> None:
    units = [0, 0, 0]
    for deal in range(1, 7):
        for playing in play_block(BOTS, LIMIT, SEED, deal).playings:
            units = [total + won for total, won in zip(units, playing.units, strict=True)]
    record = read(practice_duplicate(BOTS, 6, seatings, SEED))
    assert tuple(units) == totals(record.deals)
    assert any(units)


def test_deals_needed_are_those_of_the_normal_distribution() -> None:
    """With mean 1 and variance 4: (1.960 + 0.842)^2 * 4, and the interval excludes 0 with probability 0.8."""
    assert isclose(Gap(1.0, 0.1, 4.0).needed, 31.4, abs_tol=0.1)
    dice = Random(1)
    separated = [fmean(dice.gauss(1, 2) for _ in range(31)) > 1.96 * 2 / 31**0.5 for _ in range(4000)]
    assert isclose(fmean(separated), 0.8, abs_tol=0.03)


def test_an_unclear_difference_needs_more_deals_than_its_largest_size_would() -> None:
    unclear = Gap(0.1, 0.2, 4.0)
    assert str(unclear).startswith("> ")
    assert unclear.needed == pytest.approx(Gap(0.1 + 1.96 * 0.2, 0.0, 4.0).needed, rel=1e-4)
    assert Gap(0.0, 0.0, 0.0).needed == inf


def test_a_gap_is_that_of_a_deal_not_of_a_block() -> None:
    gap = gap_of([1.0, 3.0, 5.0], 2)
    assert (gap.mean, gap.variance) == (1.5, 2.0)
    assert gap.error == pytest.approx((4.0 / 3) ** 0.5 / 2)


def test_figures_of_a_short_contest_are_those_of_the_standings() -> None:
    [result] = duplicate(BOTS, SEED, 12)
    chips = sum(block.chips for block in adjusted_blocks_of(result, 0, 1))
    found = figures([result], 0, 1)
    assert found.adjusted is not None
    assert found.adjusted.deals == 36
    assert found.adjusted.chips_per_100 == pytest.approx(100 * chips / 36 / 840 / 320)
    assert found.raw.chips_per_100 != found.adjusted.chips_per_100


def test_sessions_give_every_bot_its_own_chips() -> None:
    results = sessions(BOTS, SEED)
    by_hand = sum(seat.chips for result in results for seat in result.seats if seat.bot == "1")
    deals = sum(result.deals for result in results)
    assert figures(results, 1).raw.chips_per_100 == pytest.approx(100 * by_hand / deals)
    assert {result.seats[0].bot for result in results} == {"0", "1", "2"}


def test_moody_bots_differ_by_their_own_dice_alone() -> None:
    def contest(number: int) -> tuple[int, ...]:
        dice = Random(number)
        [result] = duplicate([lambda: Moody(dice)] * 3, SEED, 12)
        return tuple(seat.chips for seat in result.seats)

    assert contest(1) == contest(1) != contest(2)
    assert any(contest(1))


def test_least_squares_finds_the_weights_again() -> None:
    dice = Random(2)
    rows = [[dice.random() for _ in range(3)] for _ in range(200)]
    assert fit(rows, [2 * row[0] - row[2] for row in rows]) == pytest.approx([2, 0, -1], abs=1e-3)


def test_it_learns_what_a_bot_does() -> None:
    """Tight comes in by a rule; the learned model does so too, for hands that it has never seen."""
    model = learn(BOTS, 60, SEED)[0]
    assert model.keeps_from == KING
    dice = Random(4)
    hands = [(card_set(dice.sample(DECK, 5)), Suit(dice.randrange(4))) for _ in range(500)]
    said = [model.comes_in(hand, trump, 0, 2) for hand, trump in hands]
    assert said == [_tight(hand, trump) for hand, trump in hands]
    assert 0 < sum(said) < 500


def _tight(hand: int, trump: Suit) -> bool:
    _, _, two, three, _, _, king, *_ = features(hand, trump, 0, 2)
    return bool(three or (two and king))


def test_learned_bots_throw_away_no_more_than_may_go() -> None:
    model = Model((0.0,) * len(features(0, Suit.C, 0, 0)), keeps_from=KING)
    hand = card_set(parse_cards("2D 3D 4D KD AC"))
    assert model.discards(hand, Suit.C, 5) == card_set(parse_cards("2D 3D 4D"))
    assert model.discards(hand, Suit.C, 2).bit_count() == 2


class Rigged(DuplicateChance):
    """Deals one of the decks with which deal 1 is compared."""

    def __init__(self, seed: bytes, number: int) -> None:
        super().__init__(seed)
        self._deck = shuffle(derive(seed, f"other deck 1 {number}"), DECK)

    def deck(self, deal: int) -> list[Card]:
        return list(self._deck)


def test_over_all_decks_the_luck_of_a_deal_is_nothing() -> None:
    models = learn(BOTS, 30, SEED)
    found = [deal_luck(models, Rigged(SEED, number), SEED, 1) for number in range(DECKS)]
    assert all(isclose(sum(luck), 0, abs_tol=1e-9) for luck in found)
    assert all(isclose(sum(of_bot), 0, abs_tol=1e-9) for of_bot in zip(*found, strict=True))
    assert any(abs(luck) > 1 for deal in found for luck in deal)


def test_an_imagined_deal_is_the_real_one_where_all_is_learned() -> None:
    """Tight and Drawer play like the baseline except for cinches: nearly every deal ends as predicted."""
    bots = (Tight, Drawer, Drawer)
    models = learn(bots, 80, SEED)
    alike = 0
    for number in range(100):
        chance = DuplicateChance(master_seed(number))
        match = Match(3, 1, LIMIT, chance, only=1)
        real = settle_in_units(*play_out(match, bots, lambda _: None))
        alike += tuple(simulate_deal(models, chance.deck(1), match.deal.dealer)) == real
    assert alike >= 90


def test_reordered_results_are_rated_alike() -> None:
    results = play_sessions(30)
    bots = sorted({seat.bot for result in results for seat in result.seats})
    first, other = rate(results, bots), rate(rename_by_place(results[::-1]), bots)
    assert ranking(first) == ranking(other)
    assert largest_change(first, other) < 0.01
    assert len({rating.mu for rating in first.values()}) == len(bots)

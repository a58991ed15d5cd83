"""The correction that is fitted crosswise to a contest's own deals: unbiased, and worth it only where it helps."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import sqrt
from random import Random
from statistics import mean, stdev

import numpy as np
import pytest

from bourre.record import Header
from bourre.rules.deck import derive, master_seed
from bourre.rules.house import HouseRules
from bourre_referee.model.results import DealResult, MatchResult, SeatResult, ranks_of
from bourre_referee.statistics.fitted_correction import LEAST_DEALS, FittedMatch, corrected, deal_facts, fit_pairs
from bourre_referee.statistics.match_sums import pair_figures, tally_of

BOTS = ("ada", "bob", "cy")
TRUTH = 2.0
"""What ada wins more than bob in each deal, in chips."""


def header_of(seed: bytes, deals: int) -> Header:
    return Header("m0001", BOTS, deals, seed, HouseRules.preset("limit"), "duplicate", (0,))


@cache
def facts_of(seed: bytes, deals: int) -> tuple[tuple[float, ...], ...]:
    header = header_of(seed, deals)
    return tuple(tuple(deal_facts(header, deal)) for deal in range(1, deals + 1))


def planted(seed: bytes, deals: int, effect: float, noise: float = 3.0) -> FittedMatch:
    """A match in which ada profits from trumps by so many chips more than the others, besides noise."""
    dice, blocks = Random(seed), []
    for facts in facts_of(seed, deals):
        ahead = round(840 * (TRUTH + effect * facts[0] + dice.gauss(0, noise)))
        luck = round(32 * 840 * dice.gauss(0, 1))
        blocks.append(DealResult((ahead, 0, -ahead), (luck, -luck, 0)))
    chips = [sum(block.chips[at] for block in blocks) for at in range(3)]
    ranks = ranks_of(chips)
    seats = tuple(SeatResult(bot, chips[at], ranks[at], 0, 0, 0, 0, 0) for at, bot in enumerate(BOTS))
    return FittedMatch(MatchResult("m0001", deals, seats, 840, tuple(blocks)), header_of(seed, deals))


def test_the_facts_of_a_deal_are_as_ever() -> None:
    """Times 24, the number of other decks, they are whole numbers."""
    number, weighted = (
        [13, -34, -6, -1, -27, -22, -15, -7, -2, 18, -8, 6, -2],
        [-9, -11, -3, 1, -11, -8, -9, -5, -2, 1, -18, -22, 1],
    )
    assert [round(24 * fact) for fact in deal_facts(header_of(master_seed(3), 1), 1)] == [*number, *weighted]


def test_facts_have_mean_nothing() -> None:
    table = np.array([row for number in range(6) for row in facts_of(derive(master_seed(1), f"{number}"), 60)])
    assert (np.abs(table.mean(axis=0)) <= 4 * table.std(axis=0) / sqrt(len(table))).all()
    assert (table.std(axis=0) > 0).sum() > 20


def test_it_finds_a_planted_difference_of_first_hands_without_bias() -> None:
    match = planted(master_seed(3), 240, 6.0)
    (pair, *_) = fit_pairs(pair_figures(BOTS, tally_of([match.result])), [match])
    assert (pair.one, pair.other) == ("ada", "bob")
    assert pair.fitted
    assert pair.fitted.ci95
    assert pair.adjusted
    assert pair.adjusted.ci95
    low, high = pair.fitted.ci95
    assert low < 100 * TRUTH / 3 < high
    assert high - low < 0.7 * (pair.adjusted.ci95[1] - pair.adjusted.ci95[0])
    assert (pair.fitted.deals, pair.raw.deals) == (720, 720)
    assert (pair.fitted.chips_per_100, low, high) == pytest.approx((58.527280, 44.391016, 72.663544), rel=1e-6)


def test_where_first_hands_make_no_difference_it_says_so_and_changes_nothing() -> None:
    match = planted(master_seed(4), 120, 0.0)
    plain = replace(match.result, blocks=tuple(replace(block, luck=(0, 0, 0)) for block in match.result.blocks))
    (pair, *_) = fit_pairs(pair_figures(BOTS, tally_of([plain])), [replace(match, result=plain)])
    assert pair.fitted is None
    pairs = pair_figures(BOTS, tally_of([match.result]))
    assert [replace(found, fitted=None) for found in fit_pairs(pairs, [match])] == [*pairs]


def test_few_deals_are_not_fitted() -> None:
    match = planted(master_seed(5), LEAST_DEALS - 1, 6.0)
    assert all(pair.fitted is None for pair in fit_pairs(pair_figures(BOTS, tally_of([match.result])), [match]))


def test_no_deal_chooses_its_own_correction() -> None:
    """A deal's own result changes what is subtracted from the deals of other folds alone."""
    dice = np.random.default_rng(6)
    columns, values = dice.normal(size=(100, 5)), dice.normal(size=100)
    changed = values.copy()
    changed[7] += 1000
    apart = corrected(changed, columns) - corrected(values, columns)
    fold = np.arange(100) % 5 == 7 % 5
    assert apart[7] == pytest.approx(1000)
    assert np.allclose(np.delete(apart[fold], 1), 0)
    assert np.abs(apart[~fold]).min() > 0


def test_over_many_contests_it_is_unbiased_and_covers() -> None:
    dice = np.random.default_rng(7)
    means, covered = [], []
    for _ in range(400):
        columns = dice.normal(size=(100, 8))
        left = corrected(TRUTH + columns @ np.linspace(-2, 2, 8) + dice.normal(size=100) * 4, columns)
        means.append(float(left.mean()))
        covered.append(float(abs(left.mean() - TRUTH) < 1.984 * left.std(ddof=1) / sqrt(100)))
    assert abs(mean(means) - TRUTH) < 4 * stdev(means) / sqrt(len(means))
    assert 0.91 < mean(covered) < 0.99

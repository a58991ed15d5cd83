"""Tells bots apart, and ranks them, by the matches of a simulated contest, in the ways that are compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from field_contests import Part
from numpy.typing import NDArray
from session_bank import Array, Indices

from bourre_referee.model.results import ranks_of
from bourre_referee.ratings.batch import rate_outcomes
from bourre_referee.ratings.belief import Outcome
from bourre_referee.statistics.estimates import t_p_value
from bourre_referee.statistics.field_model import FieldBlocks, fit
from bourre_referee.statistics.pair_findings import LEVEL, holm
from bourre_referee.statistics.pair_tests import compare_pairs
from bourre_referee.statistics.ranking import INNER_LEVEL

SAID = ("own matches", "pairs", "brackets by effect", "brackets by TrueSkill")
"""The ways to tell bots apart."""

Verdicts = NDArray[np.bool_]
"""Whether the row's bot is said to be better than the column's."""


# What a contest is said to show


def verdicts_of(part: Part, bots: int) -> list[Verdicts]:
    """Returns what a contest shows in each of the ways of SAID."""
    model = fit([FieldBlocks(part.line_ups, part.chips)], bots)
    pairs = _ahead(model.effects[:, None] - model.effects) & compare_pairs(model, INNER_LEVEL).apart
    said = [by_own_matches(part, bots), pairs]
    if not pairs.any():
        return [*said, pairs, pairs]
    rankings = ranking_by(model.effects), ranking_by(trueskill_scores(part, bots))
    return [*said, *(as_shown(pairs, ranking) for ranking in rankings)]


def as_shown(pairs: Verdicts, ranking: Indices) -> Verdicts:
    """Returns the verdicts of brackets: two bots are apart if every two that enclose them in the ranking are."""
    ranked = pairs[np.ix_(ranking, ranking)]
    from_above = np.logical_and.accumulate(ranked, axis=0)
    enclosed = np.logical_and.accumulate(from_above[:, ::-1], axis=1)[:, ::-1]
    shown = np.zeros_like(pairs)
    shown[np.ix_(ranking, ranking)] = np.triu(enclosed, 1)
    return shown


def by_own_matches(part: Part, bots: int) -> Verdicts:
    """Tests each pair by the matches of both alone (Student's t, Holm), as letters did."""
    chips = np.full((len(part.chips), bots), np.nan)
    np.put_along_axis(chips, part.line_ups, part.chips, axis=1)
    one, other = np.triu_indices(bots, 1)
    gaps = chips[:, one] - chips[:, other]
    number, total = np.isfinite(gaps).sum(axis=0), np.nansum(gaps, axis=0)
    spread = np.nansum(gaps * gaps, axis=0) - total * total / np.maximum(1, number)
    tested = np.flatnonzero((number > 1) & (spread > 0))
    sizes = np.abs(total[tested]) * np.sqrt((number[tested] - 1) / (number[tested] * spread[tested]))
    found = holm([t_p_value(size, met - 1) for size, met in zip(sizes.tolist(), number[tested].tolist(), strict=True)])
    significant = np.zeros(len(one), dtype=bool)
    significant[tested] = np.array(found) < LEVEL
    square = np.zeros((bots, bots))
    square[one, other], square[other, one] = total, -total
    return _ahead(square) & _symmetric(significant.tolist(), bots)


def _ahead(gaps: Array) -> Verdicts:
    ahead: Verdicts = gaps > 0
    return ahead


def _symmetric(pairs: Sequence[bool], bots: int) -> Verdicts:
    square = np.zeros((bots, bots), dtype=bool)
    square[np.triu_indices(bots, 1)] = pairs
    return square | square.T


# What ranks the bots


def effects_of(part: Part, bots: int) -> Array:
    """Returns the joint effects."""
    return fit([FieldBlocks(part.line_ups, part.chips)], bots).effects


def place_effects(part: Part, bots: int) -> Array:
    """Returns the joint effects on the number of bots of a table that have less."""
    ahead = np.sign(part.chips[:, :, None] - part.chips[:, None, :]).sum(axis=2) / 2
    return effects_of(Part(part.line_ups, ahead), bots)


def raw_chips(part: Part, bots: int) -> Array:
    """Returns the chips per 100 deals."""
    played = np.bincount(part.line_ups.ravel(), minlength=bots)
    return np.bincount(part.line_ups.ravel(), part.chips.ravel(), bots) / np.maximum(1, played)


def trueskill_scores(part: Part, bots: int) -> Array:
    """Returns mu - 3 sigma of the batch rating."""
    names = [f"{bot:03}" for bot in range(bots)]
    outcomes = []
    for match, (line_up, chips) in enumerate(zip(part.line_ups, part.chips, strict=True)):
        rows = sorted(zip(ranks_of([round(840 * one) for one in chips]), (names[bot] for bot in line_up), strict=True))
        outcomes.append(Outcome(f"m{match:05}", tuple(bot for _, bot in rows), tuple(rank for rank, _ in rows)))
    ratings = rate_outcomes(outcomes, names)
    return np.array([ratings[name].score for name in names])


def ranking_by(figures: Array) -> Indices:
    """Returns the bots, the highest figure first."""
    return np.argsort(-figures, kind="stable")


RANKED_BY: dict[str, Callable[[Part, int], Array]] = {
    "TrueSkill": trueskill_scores,
    "chips per 100": raw_chips,
    "joint effect": effects_of,
    "joint effect on places": place_effects,
}


def share_in_order(figures: Array, truth: Array) -> float:
    """Returns the share of pairs in the right order. Half of the tied ones count."""
    pairs = np.triu_indices(len(truth), 1)
    signs = np.sign(figures[:, None] - figures)[pairs] * np.sign(truth[:, None] - truth)[pairs]
    return float((1 + signs.mean()) / 2)

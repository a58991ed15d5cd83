"""Rates a contest from all its matches at once, so that their order does not matter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from bourre_referee.model.results import MatchResult
from bourre_referee.ratings.belief import (
    NO_ANCHORS,
    Anchors,
    Outcome,
    Rating,
    bound_draw_probability,
    check_anchors,
    outcome_of,
    tied_share,
)
from bourre_referee.ratings.free_for_all import draw_margin
from bourre_referee.ratings.sweeps import SerialSweeps, Sweeps

METHOD, VERSION = "TrueSkill, all matches at once", 4
"""The name and version in `manifest.json`. Raise the version with any change that moves a published digit of a rating.

1: tied bots in the order of their names, swept until a step was small. Manifests did not name the method yet.
2: all orders of tied bots count alike, and sweeps end when a bound says that little remains.
3: contests of `PARALLEL_FROM` matches or more are swept in parallel, and stop at other points within the same bound.
4: seats that a stand-in played do not count, and the field model (`statistics.field_model`) ranks and finds ties.
"""

FIELD_MODEL_SINCE = 4
"""The version from which on the field model ranks bots, and a bot is not rated by the play of its stand-in."""

COMPUTED_VERSIONS = (3, VERSION)
"""The versions whose figures are computed here, so that a run keeps the method with which it began."""

VERSIONS_BY_RELEASE: Mapping[str, Sequence[int]] = MappingProxyType({"0.2.0": (3, 4), "0.3.0": (3, 4)})
"""The versions that the runs of each release may contain, by its numbers alone. A new release adds an entry."""

UNLOGGED_VERSIONS = (2, 3)
"""The versions in runs that are older than the log in `manifest.json`. The oldest runs contain none."""

ANCHORED_METHOD = "TrueSkill, all matches at once, anchored"
"""The method's name when there are anchors, whose ratings are needed to check a result. The versions are the same."""

PARALLEL_FROM = 1_000
"""From this many matches on, NumPy saves more time than it takes to load."""


def rate(
    results: Iterable[MatchResult],
    bots: Sequence[str],
    *,
    draw_probability: float | None = None,
    anchors: Anchors = NO_ANCHORS,
    version: int = VERSION,
) -> dict[str, Rating]:
    """Rates every bot by all these matches, each a free-for-all by rank. The order of the matches does not matter.

    This is TrueSkill by expectation propagation over the whole contest, without drift (tau = 0). Every match keeps its
    message to each of its bots, and recomputes it from the messages of the other matches. Sweeps end once every mean is
    within a thousandth of its sigma from its limit (`bound_errors`). Bots that are connected by results have 25 on
    average. Bots that are connected with an anchor are on the scale of the anchors, which keep their given ratings.
    Names do not matter, even if bots tie. `draw_probability` is as in `rate_in_order`. `version` is one
    of the COMPUTED_VERSIONS. Raises ValueError for a bot or an anchor that is not among `bots`, and for an anchor
    without finite numbers. Reads the results once and does not keep them.
    """
    known, with_stand_ins = frozenset(bots), version < FIELD_MODEL_SINCE
    outcomes = (outcome_of(match, known, with_stand_ins) for match in results)
    return rate_outcomes(outcomes, bots, draw_probability=draw_probability, anchors=anchors)


def rate_outcomes(
    outcomes: Iterable[Outcome],
    bots: Sequence[str],
    *,
    draw_probability: float | None = None,
    anchors: Anchors = NO_ANCHORS,
) -> dict[str, Rating]:
    """Rates every bot by the outcomes of matches between these bots, as `rate` does."""
    check_anchors(anchors, frozenset(bots))
    outcomes = sorted((outcome for outcome in outcomes if len(outcome.bots) > 1), key=_match_and_bots)
    if draw_probability is None:
        draw_probability = tied_share(outcome.ranks for outcome in outcomes)
    sweeps = _sweeps_of(outcomes, bots, draw_margin(bound_draw_probability(draw_probability)), anchors)
    sweeps.run()
    return sweeps.ratings()


def _match_and_bots(outcome: Outcome) -> tuple[str, list[tuple[str, int]]]:
    return outcome.match, sorted(zip(outcome.bots, outcome.ranks, strict=True))


def _sweeps_of(outcomes: Sequence[Outcome], bots: Sequence[str], margin: float, anchors: Anchors) -> Sweeps:
    if len(outcomes) < PARALLEL_FROM:
        return SerialSweeps(outcomes, bots, margin, anchors)
    from bourre_referee.ratings.parallel_sweeps import ParallelSweeps

    return ParallelSweeps(outcomes, bots, margin, anchors)

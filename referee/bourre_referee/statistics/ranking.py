"""The standings of a contest, computed from its results alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bourre.rules.sentences import RENEGE_RULES
from bourre_referee.ratings import Rating
from bourre_referee.statistics.estimates import ADJUSTED_PARTS, CrossTable, Estimate, estimate_per_100
from bourre_referee.statistics.match_sums import BotSums, Tally
from bourre_referee.statistics.pair_findings import significant_pairs
from bourre_referee.statistics.standing import Standing, Standings
from bourre_referee.statistics.tied_letters import assign_letters, tied_groups

if TYPE_CHECKING:
    from bourre_referee.statistics.field_verdict import FieldVerdict

INNER_LEVEL = 0.035
"""The level of the tests. At this one, at most 5 % of contests of equal bots have two that are told apart, even where
results are skewed (`research/field-model.md`)."""

MAX_LOOKS = 4
"""A contest with adaptive rounds tests its pairs at most this often."""

DECIMALS = 4
"""The decimals of every fraction: few enough to be the same on all platforms."""


def level_of_looks(rounds: int | None) -> float:
    """Returns the level of each test of a contest with at most this many adaptive rounds. All looks share one error."""
    return INNER_LEVEL / min(MAX_LOOKS, (rounds or 0) + 1)


def rank_bots(
    contest: str,
    format: str,
    digest: str,
    tally: Tally,
    ratings: Mapping[str, Rating],
    level: float | None = INNER_LEVEL,
    rank_all: bool = False,
) -> Standings:
    """Returns the standings of all rated bots after the matches of the tally.

    Bots are sorted by their effect over this field, and those that no test at this level tells apart are tied
    (`judge_field`). Without a level they are ranked as by older versions: by score, with letters from tests of each
    pair by itself (`significant_pairs`). A bot that has not played has zeros and no interval. No-shows come last,
    without rank or figures, because the referee played their deals. `rank_all` ranks them too, as still older versions
    did.
    """
    known = {bot: tally.bots.get(bot) or BotSums(unit=1) for bot in ratings}
    absent = frozenset(() if rank_all else (bot for bot, sums in known.items() if sums.is_no_show))
    present = [_standing(bot, ratings[bot], sums) for bot, sums in known.items() if bot not in absent]
    verdict = None if level is None else _judge(tally, sorted(row.bot for row in present), level)
    ranked = _by_score(tally, present) if verdict is None else _by_effect(verdict, present)
    rows = (
        *(replace(row, rank=rank) for rank, row in enumerate(ranked, start=1)),
        *(_no_show(bot, known[bot]) for bot in sorted(absent)),
    )
    bots = [row.bot for row in rows]
    return Standings(
        contest,
        format,
        tally.matches,
        digest,
        rows=rows,
        cross=_round_cross(cross_table(tally, bots, absent)),
        adjusted_cross=_round_cross(cross_table(tally, bots, absent, adjusted=True)) if tally.adjusted_pairs else None,
        ties=verdict.brackets if verdict else None,
        too_few=verdict.too_few if verdict else (),
    )


def cross_table(tally: Tally, bots: Sequence[str], absent: Collection[str] = (), adjusted: bool = False) -> CrossTable:
    """Estimates for every two bots the difference of their chips, over the matches of both.

    The interval of each pair is for that pair alone. `adjusted` subtracts luck, which must be known. Bots in `absent`
    have no estimates.
    """
    parts = tally.unit * (ADJUSTED_PARTS if adjusted else 1)

    def estimate(row: str, column: str) -> Estimate:
        met = row not in absent and column not in absent
        return estimate_per_100(tally.difference(row, column, adjusted) if met else (), parts)

    return tuple(tuple(None if row == column else estimate(row, column) for column in bots) for row in bots)


def _round_cross(cross: CrossTable) -> CrossTable:
    return tuple(tuple(cell and _round_estimate(cell) for cell in line) for line in cross)


def _judge(tally: Tally, bots: Sequence[str], level: float) -> FieldVerdict:
    from bourre_referee.statistics.field_verdict import judge_field  # loads NumPy, which most commands never need

    return judge_field(tally.rows, bots, level)


def _by_effect(verdict: FieldVerdict, rows: Sequence[Standing]) -> list[Standing]:
    """Sorts the rows as the field model ranks them, with a letter for each bracket. Bots without matches come last."""
    places = {bot: place for place, bot in enumerate(verdict.effects)}
    order = sorted(rows, key=lambda row: (places.get(row.bot, len(places)), row.bot))
    letters = assign_letters([row.bot for row in order], verdict.brackets)
    return [
        replace(
            row,
            tied=tied,
            effect=verdict.effects.get(row.bot),
            effect95=verdict.intervals.get(row.bot),
            matches_to_part=verdict.matches_to_part.get(row.bot),
        )
        for row, tied in zip(order, letters, strict=True)
    ]


def _by_score(tally: Tally, rows: Sequence[Standing]) -> list[Standing]:
    """Sorts the rows by score, then chips per 100 deals, then name. Bots that do not differ share a letter."""
    ranked = sorted(rows, key=lambda row: (-(row.score or 0), -(row.chips_per_100 or 0), row.bot))
    order = [row.bot for row in ranked]
    idle = {row.bot for row in rows if not row.deals}
    significant = significant_pairs(tally, order)

    def apart(one: str, other: str) -> bool:
        return frozenset((one, other)) in significant or one in idle or other in idle

    letters = assign_letters(order, tied_groups(order, apart))
    return [replace(row, tied=tied) for row, tied in zip(ranked, letters, strict=True)]


def _standing(bot: str, rating: Rating, sums: BotSums) -> Standing:
    """Returns the row of a bot, without rank and letters."""
    estimate = _round_estimate(estimate_per_100(sums.blocks, sums.unit))
    adjusted = _adjusted_estimate(sums)
    return Standing(
        rank=0,
        bot=bot,
        mu=_round(rating.mu),
        sigma=_round(rating.sigma),
        score=_round(rating.score),
        deals=estimate.deals,
        chips=_in_chips(sums.chips, sums.unit),
        chips_per_100=estimate.chips_per_100,
        ci95=estimate.ci95,
        adjusted_per_100=adjusted.chips_per_100 if adjusted else None,
        adjusted_ci95=adjusted.ci95 if adjusted else None,
        wins=sums.wins,
        bourres=sums.bourres,
        reneges=sums.reneges,
        faults=sums.faults,
        house_deals=sums.house_deals,
        tied="",
        reneges_by_rule={rule: sums.reneges_by_rule[rule] for rule in RENEGE_RULES if rule in sums.reneges_by_rule},
    )


def _no_show(bot: str, sums: BotSums) -> Standing:
    """Returns the row of a no-show: no figures of play, but all reneges and faults."""
    row = replace(_standing(bot, Rating(), sums), rank=None, mu=None, sigma=None, score=None, chips=None)
    row = replace(row, chips_per_100=None, ci95=None, wins=None, bourres=None)
    return replace(row, adjusted_per_100=None, adjusted_ci95=None)


def _adjusted_estimate(sums: BotSums) -> Estimate | None:
    """Returns the estimate less the luck of the draw. None if the luck is unknown."""
    adjusted = sums.adjusted
    return _round_estimate(estimate_per_100(adjusted, sums.unit * ADJUSTED_PARTS)) if adjusted.blocks else None


def _in_chips(parts: int, unit: int) -> float:
    whole, rest = divmod(parts, unit)
    return _round(parts / unit) if rest else whole


def _round_estimate(estimate: Estimate) -> Estimate:
    ci95 = estimate.ci95 and (_round(estimate.ci95[0]), _round(estimate.ci95[1]))
    return Estimate(_round(estimate.chips_per_100), ci95, estimate.deals)


def _round(number: float) -> float:
    return round(number, DECIMALS) + 0.0  # makes -0.0 0.0

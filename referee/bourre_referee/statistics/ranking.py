"""The standings of a contest, computed from its results alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from bourre.rules.sentences import RENEGE_RULES
from bourre_referee.model.results import MatchResult
from bourre_referee.ratings import Rating, rate
from bourre_referee.ratings.belief import NO_ANCHORS, Anchors
from bourre_referee.statistics.estimates import ADJUSTED_PARTS, CrossTable, Estimate, estimate_per_100
from bourre_referee.statistics.match_sums import BotSums, Tally, tally_of
from bourre_referee.statistics.pair_findings import significant_pairs
from bourre_referee.statistics.standing import Standing, Standings
from bourre_referee.statistics.tied_letters import assign_letters, tied_groups

DECIMALS = 4
"""The decimals of every fraction: few enough to be the same on all platforms."""


def standings(
    contest: str,
    format: str,
    digest: str,
    results: Sequence[MatchResult],
    bots: Sequence[str],
    anchors: Anchors = NO_ANCHORS,
    rank_all: bool = False,
) -> Standings:
    """Returns the standings after these results, which must be in schedule order, as `rank_bots` does.

    Raises ValueError for a bot or an anchor that is not among `bots`.
    """
    ratings = rate(results, bots, anchors=anchors)
    return rank_bots(contest, format, digest, tally_of(results), ratings, rank_all=rank_all)


def rank_bots(
    contest: str, format: str, digest: str, tally: Tally, ratings: Mapping[str, Rating], rank_all: bool = False
) -> Standings:
    """Returns the standings of all rated bots after the matches of the tally.

    Bots are sorted by score, then chips per 100 deals, then name. A bot that has not played has zeros and no interval.
    Bots that do not differ significantly (`significant_pairs`) share a letter. No-shows come last, without rank or
    figures, because the referee played their deals. `rank_all` ranks them too, as older versions did.
    """
    known = {bot: tally.bots.get(bot) or BotSums(unit=1) for bot in ratings}
    absent = frozenset(() if rank_all else (bot for bot, sums in known.items() if sums.is_no_show))
    ranked = [_standing(bot, ratings[bot], sums) for bot, sums in known.items() if bot not in absent]
    ranked.sort(key=lambda row: (-(row.score or 0), -(row.chips_per_100 or 0), row.bot))
    places = enumerate(zip(ranked, _tied_letters(tally, ranked), strict=True), start=1)
    rows = (
        *(replace(row, rank=rank, tied=tied) for rank, (row, tied) in places),
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


def _tied_letters(tally: Tally, rows: Sequence[Standing]) -> list[str]:
    order = [row.bot for row in rows]
    idle = {row.bot for row in rows if not row.deals}
    significant = significant_pairs(tally, order)

    def apart(one: str, other: str) -> bool:
        return frozenset((one, other)) in significant or one in idle or other in idle

    return assign_letters(order, tied_groups(order, apart))


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

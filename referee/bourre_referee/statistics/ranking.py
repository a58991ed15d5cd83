"""The standings of a contest, computed from its results alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bourre_referee.model.results import Counts, MatchResult, counts_of
from bourre_referee.ratings import Rating, rate
from bourre_referee.statistics.estimates import (
    ADJUSTED_PARTS,
    Estimate,
    adjusted_blocks_of,
    blocks_of,
    cross_table,
    estimate_per_100,
)
from bourre_referee.statistics.significance import significant_pairs
from bourre_referee.statistics.standing import RENEGE_RULES, Standing, Standings
from bourre_referee.statistics.tied_letters import assign_letters, tied_groups

DECIMALS = 4
"""The decimals of every fraction: so few that platforms do not differ in them."""


def standings(contest: str, format: str, digest: str, results: Sequence[MatchResult], bots: Sequence[str]) -> Standings:
    """Returns the standings after these results, which must be in schedule order.

    They are sorted by score, then chips per 100 deals, then name. A bot that has not played has zeros and no interval.
    Bots that do not differ significantly (`significant_pairs`) share a letter. Raises ValueError for a bot that is not
    among `bots`.
    """
    ratings = rate(results, bots)
    played: dict[str, list[tuple[MatchResult, int]]] = {bot: [] for bot in bots}
    for match in results:
        for number, seat in enumerate(match.seats):
            played[seat.bot].append((match, number))
    rows = [_standing(bot, ratings[bot], played[bot]) for bot in bots]
    rows.sort(key=lambda row: (-row.score, -row.chips_per_100, row.bot))
    order = [row.bot for row in rows]
    cross = cross_table(results, order)
    return Standings(
        contest,
        format,
        len(results),
        digest,
        rows=tuple(
            replace(row, rank=rank, tied=tied)
            for rank, (row, tied) in enumerate(zip(rows, _tied_letters(results, rows), strict=True), start=1)
        ),
        cross=tuple(tuple(cell and _round_estimate(cell) for cell in line) for line in cross),
    )


def _tied_letters(results: Sequence[MatchResult], rows: Sequence[Standing]) -> list[str]:
    order = [row.bot for row in rows]
    idle = {row.bot for row in rows if not row.deals}
    significant = significant_pairs(results, order)

    def apart(one: str, other: str) -> bool:
        return frozenset((one, other)) in significant or one in idle or other in idle

    return assign_letters(order, tied_groups(order, apart))


def _standing(bot: str, rating: Rating, played: Sequence[tuple[MatchResult, int]]) -> Standing:
    """Returns the line of a bot, still without rank and letters, from its matches and its seat in each."""
    seats = [match.seats[number] for match, number in played]
    counts = counts_of(seats)
    unit = played[0][0].unit if played else 1
    estimate = _round_estimate(estimate_per_100((block for at in played for block in blocks_of(*at)), unit))
    adjusted = _adjusted_estimate(played, unit)
    return Standing(
        rank=0,
        bot=bot,
        mu=_round(rating.mu),
        sigma=_round(rating.sigma),
        score=_round(rating.score),
        deals=estimate.deals,
        chips=_in_chips(sum(seat.chips for seat in seats), unit),
        chips_per_100=estimate.chips_per_100,
        ci95=estimate.ci95,
        adjusted_per_100=adjusted.chips_per_100 if adjusted else None,
        adjusted_ci95=adjusted.ci95 if adjusted else None,
        wins=counts.wins,
        bourres=counts.bourres,
        reneges=counts.reneges,
        faults=counts.faults,
        house_deals=counts.house_deals,
        tied="",
        reneges_by_rule=_reneges_by_rule(counts),
    )


def _adjusted_estimate(played: Sequence[tuple[MatchResult, int]], unit: int) -> Estimate | None:
    """Returns the estimate less the luck of the draw; None if that is not known."""
    blocks = [block for match, number in played if match.blocks for block in adjusted_blocks_of(match, number)]
    return _round_estimate(estimate_per_100(blocks, unit * ADJUSTED_PARTS)) if blocks else None


def _in_chips(parts: int, unit: int) -> float:
    whole, rest = divmod(parts, unit)
    return _round(parts / unit) if rest else whole


def _reneges_by_rule(counts: Counts) -> dict[str, int]:
    times = dict(counts.reneges_by_rule)
    return {rule: times[rule] for rule in RENEGE_RULES if rule in times}


def _round_estimate(estimate: Estimate) -> Estimate:
    ci95 = estimate.ci95 and (_round(estimate.ci95[0]), _round(estimate.ci95[1]))
    return Estimate(_round(estimate.chips_per_100), ci95, estimate.deals)


def _round(number: float) -> float:
    return round(number, DECIMALS) + 0.0  # makes -0.0 0.0

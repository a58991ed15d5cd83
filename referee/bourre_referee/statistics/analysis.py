"""Everything that `bourre stats` reports about a run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby

from bourre.notes import Usage
from bourre_referee.model.results import MatchResult
from bourre_referee.statistics.bootstrap import Ranking, bootstrap_ranking, table_blocks
from bourre_referee.statistics.chip_dumping import find_dumping
from bourre_referee.statistics.match_counts import RunCounts
from bourre_referee.statistics.match_sums import PairFigures, Tally, pair_figures
from bourre_referee.statistics.model_board import Groups, ModelPlay, ModelRow, model_board, model_plays
from bourre_referee.statistics.pair_findings import PairFlow
from bourre_referee.statistics.play_style import SeatWorth, Style
from bourre_referee.statistics.ranking import DECIMALS
from bourre_referee.statistics.reported_usage import reported_usage
from bourre_referee.statistics.rule_following import Conduct, ConductCounter, RuleFollowing
from bourre_referee.statistics.standing import Standing, Standings
from bourre_referee.statistics.tied_letters import parse_groups


@dataclass(frozen=True, slots=True)
class Analysis:
    """The analysis of a run. Bots are in the order of the standings, except in the rankings by chips.

    No-shows are only in the standings, the conduct and the rules, because the referee played their deals.
    """

    rows: tuple[Standing, ...]
    """The standings."""
    tied: tuple[tuple[str, ...], ...]
    """The groups of bots that share a letter in the standings. Groups may overlap."""
    raw: Ranking | None
    """The ranking by chips per 100 deals. None with fewer than two blocks."""
    adjusted: Ranking | None
    """The ranking less the luck of the draw. None with fewer than two blocks, and in format `session`."""
    seats: tuple[SeatWorth, ...]
    conduct: tuple[Conduct, ...]
    rules: tuple[RuleFollowing, ...]
    style: tuple[Style, ...]
    flow: tuple[PairFlow, ...]
    pairs: tuple[PairFigures, ...] = ()
    models: tuple[ModelPlay, ...] = ()
    """How well each model played, with its repeats. Empty if no bot reported usage."""


def analyse(
    rows: Sequence[Standing],
    tally: Tally,
    results: Sequence[MatchResult],
    conduct: ConductCounter,
    counts: RunCounts,
    seed: int = 0,
    groups: Groups | None = None,
) -> Analysis:
    """Analyses matches by their standings, sums and results, and by the counts of their seats and records.

    `groups` are the rows of the board of models, if there is one.
    """
    bots = [row.bot for row in rows]
    ranked, absent = ([row.bot for row in rows if (row.rank is None) is out] for out in (False, True))
    duplicate = bool(results) and all(match.blocks for match in results)
    return Analysis(
        rows=tuple(rows),
        tied=tuple(parse_groups(bots, [row.tied for row in rows])),
        raw=bootstrap_ranking(table_blocks(results), seed, absent=absent),
        adjusted=bootstrap_ranking(table_blocks(results, adjusted=True), seed, absent=absent) if duplicate else None,
        seats=counts.seats.summarise(),
        conduct=conduct.summarise(bots),
        rules=counts.rules.summarise(bots),
        style=counts.style.summarise(ranked),
        flow=tuple(pair for pair in find_dumping(counts.flows, bots, seed) if {pair.payer, pair.taker} <= {*ranked}),
        pairs=pair_figures(ranked, tally),
        models=model_plays(rows, results, groups, counts.rules.pool(groups).summarise([*groups])) if groups else (),
    )


def analysis_json(standings: Standings, analysis: Analysis, usage: Mapping[str, Usage] | None = None) -> str:
    """Returns the JSON document of `bourre stats`, with the keys `usage` and `models` only if a bot reported usage.

    Numbers are rounded, so the same results give the same bytes everywhere.
    """
    document: dict[str, object] = {
        "contest": standings.contest,
        "format": standings.format,
        "matches": standings.matches,
        "digest": standings.digest,
        "tied_groups": [list(group) for group in analysis.tied],
        "ranking": _ranking(analysis.raw),
        "adjusted_ranking": _ranking(analysis.adjusted),
        "pairs": [_pair(pair) for pair in analysis.pairs],
        "seats": [{"place": worth.place, **asdict(worth.estimate)} for worth in analysis.seats],
        "conduct": [
            asdict(conduct) | {"reneges": dict(conduct.reneges), "faults": dict(conduct.faults)}
            for conduct in analysis.conduct
        ],
        "rules": {following.bot: _following(following) for following in analysis.rules},
        "style": {
            bot: [_style(style) for style in styles]
            for bot, styles in groupby(analysis.style, key=lambda style: style.bot)
        },
        "flow": [_flow(pair) for pair in analysis.flow],
    }
    if usage:
        document["usage"] = [asdict(used) for used in reported_usage(analysis.rows, usage)]
        if analysis.models:
            document["models"] = [_model(row) for row in model_board(analysis.models, usage)]
    return json.dumps(_round_floats(document), indent=2)


def _ranking(ranking: Ranking | None) -> dict[str, object] | None:
    if ranking is None:
        return None
    names = [rank.bot for rank in ranking.ranks]
    above = {
        one: {other: chance for other, chance in zip(names, row, strict=True) if other != one}
        for one, row in zip(names, ranking.above, strict=True)
    }
    return asdict(ranking) | {"ranks": [asdict(rank) for rank in ranking.ranks], "above": above}


def _pair(pair: PairFigures) -> dict[str, object]:
    """Leaves out the fitted figure where there is none."""
    return {key: value for key, value in asdict(pair).items() if key != "fitted" or value is not None}


def _following(following: RuleFollowing) -> dict[str, object]:
    rates = {
        rate.rule: {key: value for key, value in asdict(rate).items() if key != "rule"} for rate in following.rates
    }
    return {"decisions": following.decisions, "rates": rates, "corrected": following.corrected}


def _model(row: ModelRow) -> dict[str, object]:
    costs = {key: value for key, value in asdict(row).items() if key != "play"}
    following = _following(row.play.following) if row.play.following else None
    return {**asdict(row.play), "following": following, **costs}


def _style(style: Style) -> dict[str, object]:
    return {key: value for key, value in asdict(style).items() if key != "bot"}


def _flow(pair: PairFlow) -> dict[str, object]:
    known = asdict(pair)
    if pair.favours is None:
        del known["favours"]
    return known | {"suspicious": pair.suspicious}


def _round_floats(value: object) -> object:
    """Rounds all floats in a document, at any depth."""
    if isinstance(value, float):
        return round(value, DECIMALS) + 0.0
    if isinstance(value, dict):
        return {key: _round_floats(inner) for key, inner in value.items()}
    return [_round_floats(inner) for inner in value] if isinstance(value, list | tuple) else value

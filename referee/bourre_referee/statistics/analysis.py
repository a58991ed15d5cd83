"""Everything that `bourre stats` tells of a run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby

from bourre.record import read
from bourre_referee.model.errors import ContestError
from bourre_referee.model.results import MatchResult
from bourre_referee.model.stored import StoredMatch
from bourre_referee.statistics.bootstrap import Ranking, joint_blocks, ranking
from bourre_referee.statistics.chip_dumping import PairFlow, dumping
from bourre_referee.statistics.chip_flow import Flow, flows
from bourre_referee.statistics.play_style import Style, StyleCount
from bourre_referee.statistics.played_deals import played_deals
from bourre_referee.statistics.rule_breaks import Conduct, ConductCount
from bourre_referee.statistics.seat_worth import SeatCount, SeatWorth
from bourre_referee.statistics.standing import Standing, Standings
from bourre_referee.statistics.tied_letters import groups_of


@dataclass(frozen=True, slots=True)
class Analysis:
    """Bots are in the order of the standings, but for rankings by chips."""

    rows: tuple[Standing, ...]
    """The standings."""
    tied: tuple[tuple[str, ...], ...]
    """Bots that share a letter in the standings; groups may overlap."""
    raw: Ranking | None
    """By chips per 100 deals; None with fewer than two blocks."""
    adjusted: Ranking | None
    """Likewise, less the luck of the draw; None also in format `session`, which does not know it."""
    seats: tuple[SeatWorth, ...]
    conduct: tuple[Conduct, ...]
    style: tuple[Style, ...]
    flow: tuple[PairFlow, ...]


def analysed(
    rows: Sequence[Standing], results: Sequence[MatchResult], kept: Iterable[StoredMatch], seed: int = 0
) -> Analysis:
    """The analysis of these matches, which may be many: of their records one at a time is in memory."""
    bots = [row.bot for row in rows]
    seats, style, conduct = SeatCount(), StyleCount(), ConductCount()
    flown: list[Flow] = []
    for match in kept:
        record = read(_text(match))
        deals = list(played_deals(record))
        seats.add(deals)
        style.add(record.header.bots, deals)
        conduct.add(match.seats)
        flown += flows(record.header.bots, deals)
    lucky = bool(results) and all(match.blocks for match in results)
    return Analysis(
        rows=tuple(rows),
        tied=tuple(groups_of(bots, [row.tied for row in rows])),
        raw=ranking(joint_blocks(results), seed),
        adjusted=ranking(joint_blocks(results, adjusted=True), seed) if lucky else None,
        seats=seats.worths(),
        conduct=conduct.conducts(bots),
        style=style.styles(bots),
        flow=tuple(dumping(flown, bots, seed)),
    )


def _text(match: StoredMatch) -> str:
    if match.record is None:
        raise ContestError(f"match {match.match}: its record is damaged; see `bourre verify`")
    return match.record


DECIMALS = 4


def document(standings: Standings, analysis: Analysis) -> str:
    """Numbers are rounded, so that the same results give the same bytes everywhere."""
    found = {
        "contest": standings.contest,
        "format": standings.format,
        "matches": standings.matches,
        "digest": standings.digest,
        "tied_groups": [list(group) for group in analysis.tied],
        "ranking": _ranking(analysis.raw),
        "adjusted_ranking": _ranking(analysis.adjusted),
        "seats": [{"place": worth.place, **asdict(worth.estimate)} for worth in analysis.seats],
        "conduct": [
            asdict(conduct) | {"reneges": dict(conduct.reneges), "faults": dict(conduct.faults)}
            for conduct in analysis.conduct
        ],
        "style": {
            bot: [_style(style) for style in styles]
            for bot, styles in groupby(analysis.style, key=lambda style: style.bot)
        },
        "flow": [_flow(pair) for pair in analysis.flow],
    }
    return json.dumps(_rounded(found), indent=2)


def _ranking(ranking: Ranking | None) -> dict[str, object] | None:
    if ranking is None:
        return None
    names = [rank.bot for rank in ranking.ranks]
    above = {
        one: {other: chance for other, chance in zip(names, row, strict=True) if other != one}
        for one, row in zip(names, ranking.above, strict=True)
    }
    return asdict(ranking) | {"ranks": [asdict(rank) for rank in ranking.ranks], "above": above}


def _style(style: Style) -> dict[str, object]:
    return {key: value for key, value in asdict(style).items() if key != "bot"}


def _flow(pair: PairFlow) -> dict[str, object]:
    return asdict(pair) | {"suspicious": pair.suspicious}


def _rounded(value: object) -> object:
    """The same with all broken numbers rounded, however deep."""
    if isinstance(value, float):
        return round(value, DECIMALS) + 0.0
    if isinstance(value, dict):
        return {key: _rounded(inner) for key, inner in value.items()}
    return [_rounded(inner) for inner in value] if isinstance(value, list | tuple) else value

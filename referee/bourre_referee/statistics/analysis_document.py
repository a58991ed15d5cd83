"""The analysis as one JSON document."""

from __future__ import annotations

import json
from dataclasses import asdict
from itertools import groupby

from bourre_referee.statistics.analysis import Analysis
from bourre_referee.statistics.bootstrap import Ranking
from bourre_referee.statistics.chip_dumping import PairFlow
from bourre_referee.statistics.play_style import Style
from bourre_referee.statistics.standing import Standings

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

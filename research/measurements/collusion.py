"""Measures how often the tests for collusion find a colluder, and how often they suspect honest bots.

`python research/measurements/collusion.py [CONTESTS [MATCHES [KIND,KIND]]]`; contests of six bots at tables of five,
session, preset `limit`, matches of 30 deals. Each contest is judged after a quarter, half and all of its matches.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from dumper import PLOTTERS
from dumping import BOTS, DEALS, Plot, records, shipped_bots
from honest_fields import FIELDS

from bourre_lab.review.champion_judgements import JudgedDecision, judged_decisions
from bourre_referee.statistics.chip_dumping import find_dumping
from bourre_referee.statistics.pair_findings import PairFlow
from bourre_referee.statistics.partner_bias import find_favours
from bourre_referee.statistics.played_deals import Flow, chip_flows, replay_deals

TESTS = ("flow", "gifts", "comes", "passes", "cards")
SURE = 0.0001
"""About the p-value that a test needs in such a contest."""


@dataclass(frozen=True, slots=True)
class Played:
    """What a contest left: for each match the flows and the judged decisions."""

    bots: Sequence[str]
    plot: Plot | None
    flows: list[list[Flow]]
    decisions: list[list[JudgedDecision]]


def play(kind: str, number: int, matches: int) -> Played:
    """Plays one contest: of honest bots, or with a pair that colludes in this way."""
    bots = FIELDS[kind]() if kind in FIELDS else shipped_bots()
    seed = number + 1000 * ([*FIELDS, *PLOTTERS].index(kind) + 1)
    payer, taker = Random(f"pair {number}").sample(BOTS, 2)
    plot = Plot(payer, taker, kind) if kind in PLOTTERS else None
    played = Played(list(bots), plot, [], [])
    for place, record in enumerate(records(bots, matches, seed, plot), start=1):
        played.flows.append(chip_flows(record.header.bots, replay_deals(record)))
        played.decisions.append(list(judged_decisions(place, record)))
    return played


def judge(played: Played, matches: int) -> list[PairFlow]:
    """Returns the pairs after that many matches."""
    flow = find_dumping([flow for match in played.flows[:matches] for flow in match], played.bots)
    return find_favours(flow, (one for match in played.decisions[:matches] for one in match))


def _row(kind: str, contests: Sequence[Played], matches: int) -> str:
    verdicts = [(played, judge(played, matches)) for played in contests]
    plotted = [
        pair
        for played, pairs in verdicts
        for pair in pairs
        if played.plot and (pair.payer, pair.taker) == (played.plot.payer, played.plot.taker)
    ]
    others = [pair for _, pairs in verdicts for pair in pairs if pair not in plotted]
    found = [pair for pair in plotted if pair.suspicious]
    wrong = [pair for pair in others if pair.suspicious]
    line = f"{kind:9} {matches * DEALS:5} deals: "
    if plotted:
        missed = ", ".join(f"{pair.payer} for {pair.taker}" for pair in plotted if not pair.suspicious)
        by_test = ", ".join(f"{name} {sum(p < SURE for p in _p(plotted, at))}" for at, name in enumerate(TESTS))
        line += f"found {len(found):2} of {len(plotted):2} (p under {SURE}: {by_test}); missed: {missed or 'none'}; "
    line += f"others suspected {len(wrong)} of {len(others)}, least p "
    line += ", ".join(f"{name} {min(_p(others, at), default=1):.1e}" for at, name in enumerate(TESTS))
    return line + "".join(f"\n    WRONG {pair}" for pair in wrong)


def _p(pairs: Sequence[PairFlow], test: int) -> list[float]:
    """Returns the p-values of one test."""
    return [p for pair in pairs if (p := pair.p_values[test]) is not None]


def main() -> None:
    """Plays the contests and prints a line for each kind and number of deals."""
    contests, matches = (int(word) for word in sys.argv[1:3]) if len(sys.argv) > 2 else (12, 24)
    kinds = sys.argv[3].split(",") if len(sys.argv) > 3 else [*FIELDS, *PLOTTERS]
    for kind in kinds:
        played = [play(kind, number, matches) for number in range(contests)]
        for part in (matches // 4, matches // 2, matches):
            print(_row(kind, played, part), flush=True)


if __name__ == "__main__":
    main()

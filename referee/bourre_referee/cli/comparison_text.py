"""Print a comparison, and map its verdict to an exit code."""

from __future__ import annotations

import json as format
from dataclasses import asdict

from bourre_referee.cli.progress_meter import duration
from bourre_referee.contest.contest import Contest
from bourre_referee.evaluation.compare.comparison import Comparison
from bourre_referee.evaluation.compare.evidence import Interval
from bourre_referee.statistics.estimates import Estimate
from bourre_referee.statistics.ranking import DECIMALS
from bourre_referee.statistics.stopping_boundary import Verdict

CODES = {Verdict.FIRST: 10, Verdict.SECOND: 11, Verdict.UNDECIDED: 12, Verdict.EQUAL: 13}
"""Exit codes of the verdicts; they differ from those of failures."""


def exit_code(verdict: Verdict) -> int:
    """Returns 10: the first bot is better; 11: the second; 12: undecided; 13: they are closer than the margin."""
    return CODES[verdict]


def print_comparison(found: Comparison, contest: Contest, seconds: float, json: bool = False) -> None:
    """Prints the comparison on stdout; `seconds` is how long it took."""
    print(_document(found, contest) if json else "\n".join(_lines(found, contest, seconds)))


def _lines(found: Comparison, contest: Contest, seconds: float) -> list[str]:
    seats, field = contest.seats, contest.names[2:]
    looks = "at the only look" if found.rule.looks_once else "whenever one looks"
    company = f"with {', '.join(field)}" if field else "alone"
    return [
        f"{found.first} and {found.second} {company}, practice seed {contest.seed}",
        f"{found.deals} deals, each in {seats} seatings: {found.playings} playings in {duration(seconds)}",
        "",
        f"{found.first} - {found.second}, in chips per 100 deals",
        f"  raw                  {_format_estimate(found.raw, found.raw.ci95)}",
        f"  less luck            {_format_estimate(found.adjusted, found.adjusted.ci95)}",
        f"  {looks:18}   {_format_estimate(found.decisive, found.always95)}",
        "",
        _in_words(found, seconds),
        *_reach(found),
    ]


def _format_estimate(estimate: Estimate, interval: Interval | None) -> str:
    ends = f"{interval[0]:+.1f} to {interval[1]:+.1f}" if interval else "not yet known"
    return f"{estimate.chips_per_100:+8.1f}   95 %: {ends}"


def _in_words(found: Comparison, seconds: float) -> str:
    if found.better:
        return f"{found.better} is better (of equal bots this is said at most 5 times in 100)"
    if found.verdict is Verdict.EQUAL:
        verdict = f"{found.first} and {found.second} are closer than {found.rule.margin:g} chips per 100 deals"
        return f"{verdict} (of bots that far apart this is said at most 5 times in 100)"
    if found.deals and found.adjusted.ci95 == (0, 0):
        return "undecided: no deal came out differently for the two, so nothing shows how far apart they may be"
    if found.more_deals is None:
        return "undecided: nothing shows how many more deals it would take"
    time = duration(seconds * found.more_deals / found.deals)
    return f"undecided: if it went on like this, about {found.more_deals} more deals would tell, {time} more"


def _reach(found: Comparison) -> list[str]:
    """Says for which losses a verdict holds, and warns where rarer ones may be missing."""
    lines = []
    if found.losses_in is not None and found.verdict is not Verdict.UNDECIDED:
        lines += [f"It holds for large losses that come at least once in {found.losses_in} deals, with --sure for all."]
    if found.is_lopsided:
        lines += [f"A few large differences outweigh the others (skewness {found.skewness:+.1f}).", "hint: add --sure"]
    return lines


def _document(found: Comparison, contest: Contest) -> str:
    """Writes the comparison as JSON; the same deals and answers give the same document."""
    document = {
        "first": found.first,
        "second": found.second,
        "verdict": found.verdict,
        "margin": found.rule.margin,
        "sure": found.is_sure,
        "losses_in": found.losses_in,
        "better": found.better,
        "field": contest.names[2:],
        "seats": contest.seats,
        "seed": contest.seed,
        "seed_text": str(contest.seed),
        "deals": found.deals,
        "playings": found.playings,
        "raw": _estimate_document(found.raw, found),
        "adjusted": _estimate_document(found.adjusted, found),
        "skewness": round(found.skewness, DECIMALS),
        "lopsided": found.is_lopsided,
        "more_deals": found.more_deals,
    }
    return format.dumps(document, indent=2)


def _estimate_document(estimate: Estimate, found: Comparison) -> dict[str, object]:
    chips = {"chips_per_100": round(estimate.chips_per_100, DECIMALS), "ci95": _ends(estimate.ci95)}
    return asdict(estimate) | chips | {"always95": _ends(found.always95) if estimate is found.decisive else None}


def _ends(interval: Interval | None) -> list[float] | None:
    return [round(end, DECIMALS) for end in interval] if interval else None

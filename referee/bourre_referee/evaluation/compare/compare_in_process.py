"""Compare two bots in this process: with the cards that processes would get, but without time limits."""

from __future__ import annotations

from collections.abc import Mapping

from bourre.bot import Bot
from bourre.practice import practice_duplicate
from bourre.record import read
from bourre.rules.deck import master_seed
from bourre_referee.contest.contest import Contest
from bourre_referee.contest.contest_plan import matches_of
from bourre_referee.evaluation.compare.comparison import Comparison, RunningComparison
from bourre_referee.evaluation.compare.comparison_contest import schedule_of
from bourre_referee.model.recount import recount
from bourre_referee.model.results import MatchResult
from bourre_referee.model.spec import MatchSpec
from bourre_referee.schedule.duplicate_seatings import seatings


def compare_here(
    contest: Contest,
    seed: int,
    bots: Mapping[str, type[Bot]],
    first: str,
    second: str,
    *,
    margin: float | None = None,
) -> Comparison:
    """Compare two of the `bots`, by name; the same answers give the same comparison as processes do.

    Raises PracticeError at the first illegal card or exception of a bot.
    """
    comparison_so_far = RunningComparison(first, second, schedule_of(contest), margin)
    for spec in matches_of(contest, master_seed(seed)):
        comparison_so_far.hear(play_match_here(contest, spec, bots))
        if comparison_so_far.decided:
            break
    return comparison_so_far.comparison


def play_match_here(contest: Contest, spec: MatchSpec, bots: Mapping[str, type[Bot]]) -> MatchResult:
    """Play this match of a duplicate contest; raises PracticeError."""
    line_up = {name: bots[name] for name in spec.line_up}
    record = practice_duplicate(line_up, spec.deals, seatings, spec.seed, spec.house, contest.stakes, spec.match)
    return recount(read(record)).result
